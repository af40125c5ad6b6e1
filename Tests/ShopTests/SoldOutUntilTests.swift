// Items that are sold out until a time become available by the database's clock. Orders are placed only within their
// validity. Every timestamp that SQL accepts can be read. Covers sold_out_until of sql/001_menu.sql and
// sql/006_place_orders.sql.
import Ordering
import Support
import Testing

@testable import Shop

@Suite("Right at midnight: items that are sold out until a time", .timeLimit(.minutes(10))) struct SoldOutUntilTests {
    private static func clock(_ open: ShopFixture) async throws -> Int64 {
        try #require(
            Int64(try await open.database.psql("select (extract(epoch from clock_timestamp()) * 1000000)::bigint")))
    }

    @Test("Without a menu change, orders are rejected before the end of a sold-out period and placed from it on")
    func endOfSoldOutPeriod() async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            let baskets = try await runConcurrently(Array(0..<40)) { n in
                try await (n % 2 == 0 ? serverA : serverB).makeBasket([2001: 1, 4001: 2])
            }
            let update = """
                update menu_items set sold_out_until = clock_timestamp() + interval '5 s' where id = 4001
                returning
                """
            let until = try #require(
                Int64(
                    try await serverA.database.psql("\(update) (extract(epoch from sold_out_until) * 1000000)::bigint")
                        .split(separator: "\n")[0])
            )
            let revision = try await serverA.database.psql("select revision from menu_revision")
            let placed = try await runConcurrently(Array(baskets.enumerated())) {
                n, basket -> (placed: Int, rejected: Int) in
                let open = n % 2 == 0 ? serverA : serverB
                var rejected = 0
                while true {
                    let before = try await Self.clock(serverA)
                    let answer = try await open.shop.checkouts.submit(open.makeDraft(basket, by: Guest(n), key: "k"))
                    let after = try await Self.clock(serverA)
                    if answer.isPlaced {
                        #expect(after >= until, "placed \(until - after) µs too early")
                        #expect((answer.order?.placedAt.microseconds ?? 0) >= until)
                        return (1, rejected)
                    }
                    #expect(
                        answer.errorCodes == [.itemSoldOut] && before < until,
                        "rejected \(before - until) µs too late: \(answer)")
                    if before >= until { return (0, rejected) }
                    rejected += 1
                }
            }
            #expect(placed.map(\.placed).reduce(0, +) == 40 && placed.contains { $0.rejected > 0 })
            #expect(
                try await serverA.database.psql("select revision from menu_revision") == revision,
                "the menu did not change")
        }
    }

    @Test("An order outside its validity is not placed, leaves no trace, and does not affect the rest of its batch")
    func validity() async throws {
        try await ShopFixture.with { open async throws in
            let menu = try await open.shop.menu.menu(atLeast: 0).menu
            let now = Instant(microseconds: try await Self.clock(open))
            let (hour, hourAgo) = (Duration.seconds(3600), now.advanced(by: .seconds(-3600)))
            let spans: [(validity: TimeRange, isPlaced: Bool)] = [
                (.always, true), (TimeRange(from: now.advanced(by: hour)), false), (TimeRange(until: hourAgo), false),
                (TimeRange(from: hourAgo), true),
                (TimeRange(until: now.advanced(by: hour)), true),
                (TimeRange(from: hourAgo, until: now.advanced(by: hour)), true),
                (TimeRange(from: now.advanced(by: hour), until: hourAgo), false),
            ]
            var orders: [OrderDraft] = []
            for (n, span) in spans.enumerated() {
                let basket = try await open.makeBasket().basket
                let draft = try await open.makeDraft(PricedBasket(basket, menu: menu), by: Guest(n))
                guard case .accept(let order) = Checkout.decide(draft, CheckoutFacts(cachedBasket: basket, menu: menu))
                else {
                    Issue.record("the valid draft is rejected")
                    return
                }
                orders.append(
                    OrderDraft(
                        id: order.id, basketVersion: order.basketVersion, key: order.key,
                        fingerprint: order.fingerprint,
                        details: order.details,
                        quote: order.quote, coupon: nil, placedAt: nil, validity: span.validity))
            }
            let placed = try await open.storage.placeOrders(orders)
            #expect(orders.map { placed[$0.id] != nil } == spans.map(\.isPlaced))
            let states = try await open.database.psql(
                """
                select baskets.state, count(*), count(orders.id)
                from baskets left join orders using (id) group by 1 order by 1
                """)
            #expect(states == "open|3|0\nordered|4|4", "orders that were not placed can be decided again")
        }
    }

    @Test("Every sold_out_until that SQL accepts can be read, and one after the year 9999 counts as unlimited")
    func extremeTimestamps() async throws {
        try await ShopFixture.with { open async throws in
            for (moment, isAvailable, until) in [
                ("'infinity'", false, nil), ("'-infinity'", true, nil), ("'294276-12-31 23:59:59.999999Z'", false, nil),
                ("'4713-01-01 BC'", true, nil),
                ("'10000-01-01Z'", false, nil), ("'9999-12-31 23:59:59.999999Z'", false, "9999-12-31T23:59:59.999Z"),
                ("'2999-02-28 23:30:00-05'", false, "2999-03-01T04:30:00.000Z"), ("null", true, nil),
                ("now() - interval '1 us'", true, nil),
            ] as [(String, Bool, String?)] {
                let revision = try await open.database.psql(
                    """
                    update menu_items set sold_out_until = \(moment) where id = 4001;
                    select revision from menu_revision
                    """)
                let menu = try await open.shop.menu.menu(atLeast: try #require(Int64(revision))).menu
                let availability = menu.availability(of: MenuItemID(rawValue: 4001))
                #expect(
                    availability.isAvailable == isAvailable && availability.unavailable?.until?.rfc3339 == until,
                    "\(moment): \(availability)")
                let line = try #require(
                    try await open.shop.baskets.load(open.makeBasket([2001: 1]).basket.id)?.lines.first)
                #expect(line.isAvailable)
            }
            // For an item with is_available = false, sold_out_until has no effect.
            let revision = try await open.database.psql(
                """
                update menu_items set sold_out_until = '2999-01-01', is_available = false where id = 4001;
                select revision from menu_revision
                """
            )
            let menu = try await open.shop.menu.menu(atLeast: try #require(Int64(revision))).menu
            #expect(menu.availability(of: MenuItemID(rawValue: 4001)) == .never)
        }
    }

    @Test("A date that staff write without an offset means midnight in the shop's time zone")
    func midnight() async throws {
        try await ShopFixture.with { open async throws in
            for (zone, day, until) in [
                ("America/New_York", "2999-03-10", "2999-03-10T05:00:00.000Z"),
                ("Asia/Kathmandu", "2999-01-01", "2998-12-31T18:15:00.000Z"),
            ] {
                let revision = try await open.database.psql(
                    """
                    update shop set time_zone = '\(zone)';
                    set timezone = '\(zone)';
                    update menu_items set sold_out_until = '\(day)' where id = 4001;
                    select revision from menu_revision
                    """)
                let menu = try await open.shop.menu.menu(atLeast: try #require(Int64(revision))).menu
                let moment = try #require(menu.availability(of: MenuItemID(rawValue: 4001)).unavailable?.until)
                #expect(moment.rfc3339 == until)
                #expect(
                    !menu.evaluated(at: Instant(microseconds: moment.microseconds - 1)).availability(
                        of: MenuItemID(rawValue: 4001)
                    ).isAvailable)
                #expect(menu.evaluated(at: moment).availability(of: MenuItemID(rawValue: 4001)).isAvailable)
            }
        }
    }
}
