// Retention deletes exactly the expired rows, also in a busy shop.
// Tests Sources/Database/Retention and sql/023_retention.sql.
import Database
import Ordering
import Postgres
import Support
import Testing

@Suite("Retention")
struct PruningTests {
    private static let month = Duration.seconds(30 * 86_400)

    private func prune(_ database: TestDatabase) async throws -> Pruning.Outcome? {
        try await Pruning(url: database.serverURL, basketAge: Self.month, logger: .silent).run()
    }

    /// Creates a basket whose id is years old.
    private func basket(_ fixture: ShopFixture) async throws -> PricedBasket {
        let time = Instant(microseconds: 1_700_000_000_000_000)
        let id = BasketID.make(now: time, random: (.random(in: .min ... .max), .random(in: .min ... .max)))
        _ = try await fixture.shop.baskets.create(id).get()
        return try await fixture.shop.baskets.change(id, .addItem(MenuItemID(rawValue: 2001), quantity: 1)).get()
    }

    private func makeOld(_ baskets: [PricedBasket], _ fixture: ShopFixture) async throws {
        let ids = baskets.map { "'\($0.basket.id)'" }.joined(separator: ",")
        try await fixture.database.psql(
            "update baskets set changed_at = now() - interval '31 days' where id in (\(ids))")
    }

    @Test("Pruning deletes baskets unchanged for a month, empties ordered ones, and leaves all other rows unchanged")
    func oldBaskets() async throws {
        try await ShopFixture.with { fixture async throws in
            let abandoned = [try await basket(fixture), try await basket(fixture)]
            let ordered = try await basket(fixture)
            #expect(
                try await fixture.shop.checkouts.submit(fixture.makeDraft(ordered, by: Guest(1), key: "kept")).isPlaced)
            try await makeOld(abandoned + [ordered], fixture)
            // One basket was changed today, one was created today, and one was ordered today.
            let kept = [try await basket(fixture), try await fixture.makeBasket()]
            #expect(try await fixture.placeOrder(by: Guest(2)).isPlaced)
            let unaffectedRows = """
                select (select jsonb_agg(orders order by id) from orders),
                       (select jsonb_agg(order_steps) from order_steps),
                       (select jsonb_agg(baskets order by id) from baskets where changed_at > now() - interval '1 day')
                """
            let before = try await fixture.database.psql(unaffectedRows)
            let outcome = try await prune(fixture.database)
            #expect(outcome == .init(deletedRows: [.baskets: 2], emptiedBaskets: 1))
            #expect(try await fixture.database.psql(unaffectedRows) == before)
            #expect(
                try await fixture.database.psql(
                    "select state, lines from baskets where id = '\(ordered.basket.id)'") == "ordered|{}")
            for priced in abandoned { #expect(try await fixture.shop.baskets.load(priced.basket.id) == nil) }
            for priced in kept { #expect(try await fixture.shop.baskets.load(priced.basket.id) != nil) }
            #expect(
                try await prune(fixture.database) == .init(), "a second run finds nothing")
        }
    }

    @Test("Rows that count the mails to an address are deleted after an hour, even if no more mail is sent")
    func recentMails() async throws {
        try await ShopFixture.with { fixture async throws in
            try await fixture.database.psql(
                """
                insert into recent_mails (order_id, state, attempt, recipient, at)
                select gen_random_uuid(), 'placed', 1, mail_recipient('a@example.com'),
                       now() - n * interval '50 minutes'
                from generate_series(0, 3) as n
                """)
            _ = try await prune(fixture.database)
            #expect(try await fixture.database.psql("select count(*) from recent_mails") == "2")
        }
    }

    @Test("Pruning beside checkouts and changes leaves each old basket ordered, changed or deleted, and blocks neither")
    func underLoad() async throws {
        try await ShopFixture.withTwoServers { firstServer, secondServer async throws in
            var baskets: [PricedBasket] = []
            for _ in 0..<90 { baskets.append(try await basket(firstServer)) }
            try await makeOld(baskets, firstServer)
            let done = ContinuousClock.now
            let outcomes = try await runConcurrently(Array(baskets.enumerated())) { index, basket -> String in
                let server = index.isMultiple(of: 2) ? firstServer : secondServer
                switch index % 3 {
                case 0:
                    // Pruning runs concurrently with the other operations.
                    return try await prune(firstServer.database) == nil ? "busy" : "pruned"
                case 1:
                    let answer = try await server.shop.checkouts.submit(
                        server.makeDraft(basket, by: Guest(index), key: "k"))
                    return answer.isPlaced ? "placed" : "\(answer.rejection.map { "\($0)" } ?? "")"
                default:
                    let answer = try await server.shop.baskets.change(
                        basket.basket.id, .increment(MenuItemID(rawValue: 2001)))
                    return switch answer {
                    case .success: "changed"
                    case .failure(let rejection): "\(rejection)"
                    }
                }
            }
            #expect(.now - done < .seconds(120))
            #expect(
                Set(outcomes).isSubset(of: ["busy", "pruned", "placed", "changed", "basketNotFound"]),
                "\(Set(outcomes))")
            for (basket, outcome) in zip(baskets, outcomes) {
                let row = try await firstServer.database.psql(
                    """
                    select baskets.state, cardinality(baskets.lines), orders.id is not null
                    from baskets left join orders using (id) where baskets.id = '\(basket.basket.id)'
                    """)
                switch outcome {
                case "placed": #expect(["ordered|1|t", "ordered|0|t"].contains(row))
                case "changed": #expect(row == "open|1|f")
                case "basketNotFound": #expect(row == "")
                default: break
                }
            }
            #expect(
                try await firstServer.database.psql("select count(*) from orders")
                    == "\(outcomes.count { $0 == "placed" })")
            // The last run deletes all baskets that were neither ordered nor changed.
            _ = try await prune(firstServer.database)
            let remaining = try await firstServer.database.psql(
                "select count(*) from baskets where state = 'open' and changed_at < now() - interval '30 days'")
            #expect(remaining == "0")
        }
    }

    @Test("Pruning skips a locked basket until the next run, and only one server prunes at a time")
    func lockedRows() async throws {
        try await ShopFixture.with { fixture async throws in
            let (busy, idle) = (try await basket(fixture), try await basket(fixture))
            try await makeOld([busy, idle], fixture)
            let lockHolder = try await PostgresConnection.connect(fixture.database.url, logger: .silent)
            try await lockHolder.run(script: "begin; select from baskets where id = '\(busy.basket.id)' for update")
            #expect(try await prune(fixture.database) == .init(deletedRows: [.baskets: 1], emptiedBaskets: 0))
            try await lockHolder.run(script: "commit")
            try await lockHolder.run(script: "select pg_advisory_lock(\(0x70_7275_6E65))")
            #expect(try await prune(fixture.database) == nil)
            await lockHolder.close()
            try await eventually("the closed connection releases the lock") {
                try await prune(fixture.database)?.deletedRows == [.baskets: 1]
            }
        }
    }

    @Test("Pruning processes more baskets than fit into one batch")
    func batches() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            try await database.psql(
                """
                insert into baskets
                    (id, state, currency, changed_at, lines_made, lines)
                select ('018bcfe5-6800-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
                       case when n % 3 = 0 then 'ordered' else 'open' end, 'USD',
                       now() - n % 60 * interval '1 day', 1, array[row(1, 2001, null, 100, 1, null)::basket_line]
                from generate_series(1, 3000) as n
                """)
            // 30 of each 60 baskets are older than 30 days; the youngest of them only by the time since its insertion.
            #expect(try await prune(database) == .init(deletedRows: [.baskets: 1000], emptiedBaskets: 500))
            #expect(
                try await database.psql("select count(*), count(*) filter (where lines = '{}') from baskets")
                    == "2000|500")
        }
    }

    @Test("A call that would delete baskets younger than an hour is rejected", arguments: ["baskets", "basket_batch"])
    func recentBaskets(function: String) async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            let call = """
                select * from prune_\(function)('00000000-0000-0000-0000-000000000000',
                    now() - interval '59 minutes', 10)
                """
            let refusal = await #expect(throws: PsqlFailed.self) { try await Psql.run(call, url: database.serverURL) }
            #expect(refusal?.output.contains("Prune baskets that are older than an hour") == true)
        }
    }

    @Test("A shorter age prunes baskets that a longer age has left, and an age of a hundred years prunes none")
    func changedAge() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            try await database.psql(
                """
                insert into baskets (id, currency, changed_at)
                select basket_id_at(now() - day * interval '1 day'), 'USD', now() - day * interval '1 day'
                from generate_series(1, 40) as day
                """)
            for (days, deleted) in [(36_500, 0), (30, 11), (10, 20), (30, 0), (5, 5)] {
                let pruning = Pruning(url: database.serverURL, basketAge: .seconds(days * 86_400), logger: .silent)
                #expect(
                    try await pruning.run() == .init(deletedRows: deleted == 0 ? [:] : [.baskets: deleted]), "\(days)")
            }
            #expect(try await database.psql("select count(*) from unfinished_baskets") == "0")
        }
    }

    @Test("A batch that fails moves neither the walk nor its baskets, and the next round prunes them")
    func failedBatch() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            try await database.psql(
                """
                insert into baskets (id, currency, changed_at)
                select basket_id_at(now() - day * interval '1 day'), 'USD', now() - day * interval '1 day'
                from generate_series(31, 40) as day;
                create function fail() returns trigger language plpgsql as $$ begin raise 'no disk'; end $$;
                create trigger a_failure before delete on baskets for each row
                    when (old.changed_at > now() - interval '32 days') execute function fail()
                """)
            #expect(try await prune(database)?.failures.count == 1)
            #expect(
                try await database.psql("select (select count(*) from baskets), examined_to from basket_pruning")
                    == "10|00000000-0000-0000-0000-000000000000")
            try await database.psql("drop trigger a_failure on baskets")
            #expect(try await prune(database) == .init(deletedRows: [.baskets: 10]))
        }
    }
}
