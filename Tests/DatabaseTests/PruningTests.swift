// What nobody needs any more goes, and nothing else, however busy the shop is meanwhile.
// Tests Sources/Database/Retention and sql/010_prune_baskets.sql.
import Database
import Ordering
import Postgres
import Support
import Testing

@Suite("Retention")
struct PruningTests {
    private static let month = Duration.seconds(30 * 86_400)

    private func prune(_ database: TestDatabase) async throws -> BasketPruning.Outcome? {
        try await BasketPruning(url: database.serverURL, olderThan: Self.month, logger: .silent).run()
    }

    /// A basket that was made years ago.
    private func basket(_ open: OpenShop) async throws -> PricedBasket {
        let time = Instant(microseconds: 1_700_000_000_000_000)
        let id = BasketID.make(now: time, random: (.random(in: .min ... .max), .random(in: .min ... .max)))
        _ = try await open.shop.baskets.create(id).get()
        return try await open.shop.baskets.change(id, .addItem(MenuItemID(rawValue: 2001), quantity: 1)).get()
    }

    private func age(_ baskets: [PricedBasket], _ open: OpenShop) async throws {
        let ids = baskets.map { "'\($0.basket.id)'" }.joined(separator: ",")
        try await open.database.psql("update baskets set changed_at = now() - interval '31 days' where id in (\(ids))")
    }

    @Test("Baskets that nobody has changed for a month go, ordered ones lose their lines, and everything else stays as it is")
    func old() async throws {
        try await OpenShop.with { open async throws in
            let abandoned = [try await basket(open), try await basket(open)]
            let ordered = try await basket(open)
            #expect(try await open.shop.checkouts.submit(open.draft(ordered, by: Guest(1), key: "kept")).isPlaced)
            try await age(abandoned + [ordered], open)
            // Touched today, made today, ordered today.
            let kept = [try await basket(open), try await open.basket()]
            #expect(try await open.order(by: Guest(2)).isPlaced)
            let rest = """
                select (select jsonb_agg(orders order by id) from orders), (select jsonb_agg(order_steps) from order_steps),
                       (select jsonb_agg(baskets order by id) from baskets where changed_at > now() - interval '1 day')
                """
            let before = try await open.database.psql(rest)
            let outcome = try await prune(open.database)
            #expect(outcome == .init(abandoned: 2, emptied: 1))
            #expect(try await open.database.psql(rest) == before)
            #expect(
                try await open.database.psql("select state, line_items from baskets where id = '\(ordered.basket.id)'") == "ordered|{}")
            for one in abandoned { #expect(try await open.shop.baskets.load(one.basket.id) == nil) }
            for one in kept { #expect(try await open.shop.baskets.load(one.basket.id) != nil) }
            #expect(try await prune(open.database) == .init(abandoned: 0, emptied: 0), "there is nothing left to do")
        }
    }

    @Test("The count of mails to an address is deleted after an hour, also where nothing is mailed any more")
    func recentMails() async throws {
        try await OpenShop.with { open async throws in
            try await open.database.psql(
                """
                insert into recent_mails (order_id, state, attempt, recipient, at)
                select gen_random_uuid(), 'placed', 1, mail_recipient('a@example.com'),
                       now() - n * interval '50 minutes'
                from generate_series(0, 3) as n
                """)
            _ = try await prune(open.database)
            #expect(try await open.database.psql("select count(*) from recent_mails") == "2")
        }
    }

    @Test("Under checkouts and changes each old basket is either ordered, changed, or gone: never half, and nobody waits")
    func underLoad() async throws {
        try await OpenShop.two { one, other async throws in
            var baskets: [PricedBasket] = []
            for _ in 0..<90 { baskets.append(try await basket(one)) }
            try await age(baskets, one)
            let done = ContinuousClock.now
            let outcomes = try await together(Array(baskets.enumerated())) { index, basket -> String in
                let shop = index.isMultiple(of: 2) ? one : other
                switch index % 3 {
                case 0:
                    // The round itself, again and again between the others.
                    return try await prune(one.database) == nil ? "busy" : "pruned"
                case 1:
                    let answer = try await shop.shop.checkouts.submit(shop.draft(basket, by: Guest(index), key: "k"))
                    return answer.isPlaced ? "placed" : "\(answer.rejection.map { "\($0)" } ?? "")"
                default:
                    let answer = try await shop.shop.baskets.change(basket.basket.id, .increment(MenuItemID(rawValue: 2001)))
                    return switch answer {
                    case .success: "changed"
                    case .failure(let rejection): "\(rejection)"
                    }
                }
            }
            #expect(.now - done < .seconds(120))
            #expect(Set(outcomes).isSubset(of: ["busy", "pruned", "placed", "changed", "basketNotFound"]), "\(Set(outcomes))")
            for (basket, outcome) in zip(baskets, outcomes) {
                let row = try await one.database.psql(
                    """
                    select baskets.state, cardinality(baskets.line_items), orders.id is not null
                    from baskets left join orders using (id) where baskets.id = '\(basket.basket.id)'
                    """)
                switch outcome {
                case "placed": #expect(["ordered|1|t", "ordered|0|t"].contains(row))
                case "changed": #expect(row == "open|1|f")
                case "basketNotFound": #expect(row == "")
                default: break
                }
            }
            #expect(try await one.database.psql("select count(*) from orders") == "\(outcomes.count { $0 == "placed" })")
            // All that were neither ordered nor changed are gone by now.
            _ = try await prune(one.database)
            let left = try await one.database.psql(
                "select count(*) from baskets where state = 'open' and changed_at < now() - interval '30 days'")
            #expect(left == "0")
        }
    }

    @Test("A basket that somebody works on is left for the next time, and servers take turns")
    func lockedRows() async throws {
        try await OpenShop.with { open async throws in
            let (busy, idle) = (try await basket(open), try await basket(open))
            try await age([busy, idle], open)
            let somebody = try await PostgresConnection.connect(open.database.url, logger: .silent)
            try await somebody.run(script: "begin; select from baskets where id = '\(busy.basket.id)' for update")
            #expect(try await prune(open.database) == .init(abandoned: 1, emptied: 0))
            try await somebody.run(script: "commit")
            try await somebody.run(script: "select pg_advisory_lock(\(0x70_7275_6E65))")
            #expect(try await prune(open.database) == nil)
            await somebody.close()
            try await eventually("the lock is gone with the connection") { try await prune(open.database)?.abandoned == 1 }
        }
    }

    @Test("More baskets than go into a batch are looked at in turn")
    func batches() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            try await database.psql(
                """
                insert into baskets (id, state, currency, changed_at, lines_made, line_ids, line_notes, line_sales, line_items, line_quantities, line_prices)
                select ('018bcfe5-6800-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, case when n % 3 = 0 then 'ordered' else 'open' end, 'USD',
                       now() - n % 60 * interval '1 day', 1, '{1}', '{null}', '{0}', '{2001}', '{1}', '{100}'
                from generate_series(1, 3000) as n
                """)
            // 30 of 60 are older than 30 days, the first of them by the moment that has passed.
            #expect(try await prune(database) == .init(abandoned: 1000, emptied: 500))
            #expect(try await database.psql("select count(*), count(*) filter (where line_items = '{}') from baskets") == "2000|500")
        }
    }

    @Test("Nobody can have a basket pruned that was touched within the hour")
    func tooYoung() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            let call = "select * from prune_baskets('00000000-0000-0000-0000-000000000000', now() - interval '59 minutes', 10)"
            let refusal = await #expect(throws: PsqlFailed.self) { try await Psql.run(call, url: database.serverURL) }
            #expect(refusal?.output.contains("Prune what is older than an hour") == true)
        }
    }
}
