// What staff sell out until a moment, by the database's clock: it is back by itself, orders are placed within the time for which they were
// decided, and no moment that SQL can write keeps the menu from being read. Tests sold_out_until of sql/001_menu.sql and sql/006_place_orders.sql.
import Ordering
import Support
import Testing

@testable import Shop

@Suite("Promise 6: sold out until a moment, by the database's clock", .timeLimit(.minutes(10))) struct MomentTests {
    private static func clock(_ open: OpenShop) async throws -> Int64 {
        try #require(Int64(try await open.database.psql("select (extract(epoch from clock_timestamp()) * 1000000)::bigint")))
    }

    @Test("around the moment, on two servers, guests order without a change in the database: refused before it, placed from it on")
    func race() async throws {
        try await OpenShop.two { one, other in
            let baskets = try await together(Array(0..<40)) { n in try await (n % 2 == 0 ? one : other).basket([2001: 1, 4001: 2]) }
            let soon = "update menu_items set sold_out_until = clock_timestamp() + interval '5 s' where id = 4001 returning"
            let until = try #require(
                Int64(
                    try await one.database.psql("\(soon) (extract(epoch from sold_out_until) * 1000000)::bigint").split(separator: "\n")[0])
            )
            let revision = try await one.database.psql("select revision from menu_revision")
            let placed = try await together(Array(baskets.enumerated())) { n, basket -> (placed: Int, refused: Int) in
                let open = n % 2 == 0 ? one : other
                var refused = 0
                while true {
                    let before = try await Self.clock(one)
                    let answer = try await open.shop.checkouts.submit(open.draft(basket, by: Guest(n), key: "k"))
                    let after = try await Self.clock(one)
                    if answer.isPlaced {
                        #expect(after >= until, "placed \(until - after) µs too early")
                        #expect((answer.order?.placedAt.microseconds ?? 0) >= until)
                        return (1, refused)
                    }
                    #expect(answer.codes == [.itemSoldOut] && before < until, "refused \(before - until) µs too late: \(answer)")
                    if before >= until { return (0, refused) }
                    refused += 1
                }
            }
            #expect(placed.map(\.placed).reduce(0, +) == 40 && placed.contains { $0.refused > 0 })
            #expect(try await one.database.psql("select revision from menu_revision") == revision, "nobody wrote anything")
        }
    }

    @Test(
        "an order that finds itself outside of the time for which it was decided is not placed, leaves no trace, and takes no neighbour along"
    )
    func holds() async throws {
        try await OpenShop.with { open async throws in
            let menu = try await open.shop.menu.menu(atLeast: 0).menu
            let now = Instant(microseconds: try await Self.clock(open))
            let (hour, past) = (Duration.seconds(3600), now.advanced(by: .seconds(-3600)))
            let spans: [(holds: TimeSpan, isPlaced: Bool)] = [
                (.always, true), (TimeSpan(from: now.advanced(by: hour)), false), (TimeSpan(until: past), false),
                (TimeSpan(from: past), true),
                (TimeSpan(until: now.advanced(by: hour)), true), (TimeSpan(from: past, until: now.advanced(by: hour)), true),
                (TimeSpan(from: now.advanced(by: hour), until: past), false),
            ]
            var orders: [OrderDraft] = []
            for (n, span) in spans.enumerated() {
                let basket = try await open.basket().basket
                let draft = try await open.draft(PricedBasket(basket, menu: menu), by: Guest(n))
                guard case .accept(let order) = Checkout.decide(draft, CheckoutFacts(held: basket, menu: menu)) else {
                    Issue.record("nothing is wrong with the draft")
                    return
                }
                orders.append(
                    OrderDraft(
                        id: order.id, basketVersion: order.basketVersion, key: order.key, fingerprint: order.fingerprint,
                        details: order.details,
                        quote: order.quote, coupon: nil, placedAt: nil, holds: span.holds))
            }
            let placed = try await open.storage.placeOrders(orders)
            #expect(orders.map { placed[$0.id] != nil } == spans.map(\.isPlaced))
            let states = try await open.database.psql(
                "select baskets.state, count(*), count(orders.id) from baskets left join orders using (id) group by 1 order by 1")
            #expect(states == "open|3|0\nordered|4|4", "those left out can be decided again")
        }
    }

    @Test("whatever moment SQL can write, the menu is read; one that no date can be told of is until further notice")
    func hostileMoments() async throws {
        try await OpenShop.with { open async throws in
            for (moment, isAvailable, until) in [
                ("'infinity'", false, nil), ("'-infinity'", true, nil), ("'294276-12-31 23:59:59.999999Z'", false, nil),
                ("'4713-01-01 BC'", true, nil),
                ("'10000-01-01Z'", false, nil), ("'9999-12-31 23:59:59.999999Z'", false, "9999-12-31T23:59:59.999Z"),
                ("'2999-02-28 23:30:00-05'", false, "2999-03-01T04:30:00.000Z"), ("null", true, nil),
                ("now() - interval '1 us'", true, nil),
            ] as [(String, Bool, String?)] {
                let revision = try await open.database.psql(
                    "update menu_items set sold_out_until = \(moment) where id = 4001; select revision from menu_revision")
                let menu = try await open.shop.menu.menu(atLeast: try #require(Int64(revision))).menu
                let availability = menu.availability(of: MenuItemID(rawValue: 4001))
                #expect(
                    availability.isAvailable == isAvailable && availability.unavailable?.until?.rfc3339 == until,
                    "\(moment): \(availability)")
                let line = try #require(try await open.shop.baskets.load(open.basket([2001: 1]).basket.id)?.lines.first)
                #expect(line.isAvailable)
            }
            // False says more than a moment does.
            let revision = try await open.database.psql(
                "update menu_items set sold_out_until = '2999-01-01', is_available = false where id = 4001; select revision from menu_revision"
            )
            let menu = try await open.shop.menu.menu(atLeast: try #require(Int64(revision))).menu
            #expect(menu.availability(of: MenuItemID(rawValue: 4001)) == .never)
        }
    }

    @Test("midnight in the shop's time zone, written by staff without an offset, is the moment that everybody is told")
    func midnight() async throws {
        try await OpenShop.with { open async throws in
            for (zone, day, until) in [
                ("America/New_York", "2999-03-10", "2999-03-10T05:00:00.000Z"),
                ("Asia/Kathmandu", "2999-01-01", "2998-12-31T18:15:00.000Z"),
            ] {
                let revision = try await open.database.psql(
                    """
                    update shop set time_zone = '\(zone)';
                    set timezone = '\(zone)'; update menu_items set sold_out_until = '\(day)' where id = 4001; select revision from menu_revision
                    """)
                let menu = try await open.shop.menu.menu(atLeast: try #require(Int64(revision))).menu
                let moment = try #require(menu.availability(of: MenuItemID(rawValue: 4001)).unavailable?.until)
                #expect(moment.rfc3339 == until)
                #expect(!menu.at(Instant(microseconds: moment.microseconds - 1)).availability(of: MenuItemID(rawValue: 4001)).isAvailable)
                #expect(menu.at(moment).availability(of: MenuItemID(rawValue: 4001)).isAvailable)
            }
        }
    }
}
