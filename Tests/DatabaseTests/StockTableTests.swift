// Stock counts that staff write, the ledger of their changes, and the business day of a sale.
// Tests sql/015_stock.sql; LastPortionTests covers races for the last unit.
import Database
import Ordering
import Postgres
import Support
import Testing

@Suite struct StockTableTests {
    private static let ledger =
        "select subject, id, change, reason from stock_movements order by at, subject, id, reason"

    @Test("Each change of a count by staff adds a ledger row, and staff cannot write the ledger or the sold units")
    func ledger() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            let revision = Int(try await database.psql("select revision from menu_revision")) ?? 0
            for change in [
                "insert into item_stock (menu_item_id, remaining) values (2001, 5)",
                "update item_stock set remaining = 9",
                "update item_stock set remaining = 9", "update item_stock set remaining = null, per_day = 20",
                "update item_stock set per_day = 12",
                """
                insert into item_stock (menu_item_id, remaining) values (2001, 3)
                on conflict (menu_item_id) do update set remaining = excluded.remaining, per_day = null
                """,
                "delete from item_stock", "insert into option_stock (option_id, remaining) values (1201, 0)",
            ] { try await database.psqlAsStaff(change) }
            #expect(
                try await database.psql(Self.ledger) == """
                    menu_items|2001|5|set
                    menu_items|2001|4|set
                    menu_items|2001|-9|set
                    menu_items|2001|20|set_per_day
                    menu_items|2001|-8|set_per_day
                    menu_items|2001|3|set
                    menu_items|2001|-12|set_per_day
                    menu_items|2001|-3|set
                    options|1201|0|set
                    """)
            #expect(
                try await database.psql("select revision from menu_revision") == "\(revision + 3)",
                "only a change of what is counted increments the revision")
            for forbidden in [
                "update stock_movements set change = 0", "delete from stock_movements",
                "update option_stock set sold = 1",
                "insert into stock_days values ('options', 1201, now(), 1)",
                "select give_stock_back(gen_random_uuid())",
                "insert into option_stock (option_id, remaining, sold) values (1202, 1, 1)",
                "update option_stock set option_id = 1202",
            ] {
                let refusal = await #expect(throws: PsqlFailed.self, "\(forbidden)") {
                    try await database.psqlAsStaff(forbidden)
                }
                #expect(refusal?.output.contains("permission denied") == true, "\(forbidden)")
            }
        }
    }

    @Test("The server sets counts of items and options as staff do: remaining, per day, or uncounted")
    func server() async throws {
        try await ShopFixture.with { fixture async throws in
            let (item, option) = (StockKey.item(MenuItemID(rawValue: 2001)), StockKey.option(OptionID(rawValue: 1201)))
            for thing in [item, option] {
                for (mark, left) in [(.remaining(5), 5), (.perDay(20), 20), (.uncounted, nil), (.remaining(0), 0)]
                    as [(StockPolicy, Int64?)]
                {
                    try await fixture.storage.setStockPolicy(of: thing, to: mark, by: .settingsToken)
                    let count = try await fixture.storage.loadMenuRevision().stock[thing]
                    #expect(count?.remaining == left && (count?.validity.until == nil) == (left != 20))
                }
            }
            for (thing, mark) in [(item, .remaining(-1)), (option, .perDay(.max))] as [(StockKey, StockPolicy)] {
                let fault = await #expect(throws: DatabaseFault.self) {
                    try await fixture.storage.setStockPolicy(of: thing, to: mark, by: .settingsToken)
                }
                #expect(fault?.kind == .rejectedValues)
            }
            #expect(try await fixture.database.psql("select sum(change) from stock_movements") == "0")
        }
    }

    @Test("An invalid count is rejected by its constraint, with a hint")
    func mistakes() async throws {
        let mistakes: [ConstraintViolation] = [
            ("insert into item_stock (menu_item_id) values (3001)", "stock_has_one_count"),
            ("insert into item_stock (menu_item_id, remaining, per_day) values (3001, 1, 1)", "stock_has_one_count"),
            ("update item_stock set remaining = null", "stock_has_one_count"),
            ("update item_stock set remaining = -1", "stock_remaining_in_range"),
            ("update item_stock set remaining = 1.5", "stock_remaining_in_range"),
            ("update item_stock set remaining = 'NaN'", "stock_remaining_in_range"),
            ("update item_stock set remaining = 1000000001", "stock_remaining_in_range"),
            ("update item_stock set remaining = null, per_day = -1", "stock_per_day_in_range"),
            ("update item_stock set remaining = null, per_day = 0.5", "stock_per_day_in_range"),
            ("insert into item_stock (menu_item_id, remaining) values (2001, 1)", "item_stock_pkey"),
            ("insert into item_stock (remaining) values (1)", "item_stock_are_complete"),
            ("insert into item_stock (menu_item_id, remaining) values (2999, 1)", "counted_item_exists"),
            ("insert into option_stock (option_id, remaining) values (1, 1)", "counted_option_exists"),
            ("insert into option_stock (option_id, per_day) values (1201, -1)", "stock_per_day_in_range"),
            ("truncate item_stock", "item_stock_is_not_truncated"),
            ("truncate option_stock", "option_stock_is_not_truncated"),
        ]
        try await TestDatabase.with(.seeded) { database async throws in
            try await database.psqlAsStaff("insert into item_stock (menu_item_id, remaining) values (2001, 5)")
            try await database.expectViolations(mistakes)
        }
    }

    @Test("Demand is summed over lines, sets and nested options, shortages are reported, and orders take exact units")
    func summedDemand() async throws {
        try await ShopFixture.with { fixture async throws in
            let menu = try Menu.withExtras(try await fixture.storage.loadMenu().menu)
            var basket = Basket(id: fixture.makeBasketID(), currency: menu.currency.code)
            for (options, quantity) in [(RawOptionChoice.cheeses, 2), ([], 3)] as [([RawOptionChoice], Int64)] {
                let dish = RawDish(MenuItemID(rawValue: 2001), options: options)
                basket = try basket.applying(.addItem(dish, quantity: quantity), menu: menu).get()
            }
            let set = [RawDish(MenuItemID(rawValue: 2002), options: RawOptionChoice.cheeses)]
            basket = try basket.applying(.addSale(SalesGroupID(rawValue: 200), set), menu: menu).get()
            _ = try await fixture.storage.writeBaskets([BasketWrite(readVersion: nil, basket: basket)])
            // The basket has five of 2001. Three dishes have two of 2101 and nine of 2401 each.
            try await fixture.database.psqlAsStaff(
                """
                insert into item_stock (menu_item_id, remaining) values (2001, 4), (2002, 3), (3001, 0);
                insert into option_stock (option_id, remaining) values (2101, 6), (2401, 26), (1201, 0);
                insert into option_stock (option_id, per_day) values (2302, 3);
                """)
            func stock() async throws -> StockLevels { try await fixture.storage.loadMenuRevision().stock }
            let refusal = await #expect(throws: OrderDraft.UnexpectedDecision.self) {
                try OrderDraft.accepted(basket, menu, stock: await stock())
            }
            guard case .reject(.validationFailed(let errors))? = refusal?.decision else {
                Issue.record("\(String(describing: refusal))")
                return
            }
            let reported = errors.all.map { error in
                let params = error.params.sorted { $0.key < $1.key }.map { key, value in
                    if case .integer(let number) = value { "\(key) \(number)" } else { key }
                }
                return "\(error.path) \(error.code.rawValue) \(params.joined(separator: ", "))"
            }
            #expect(
                reported == [
                    "lines/1 stock_short available 4", "lines/1 stock_short available 26, optionId 2401",
                    "lines/2 stock_short available 4",
                    "sales/200/items/2002 stock_short available 26, optionId 2401",
                ])
            try await fixture.database.psqlAsStaff(
                """
                update item_stock set remaining = 5 where menu_item_id = 2001; \
                update option_stock set remaining = 27 where option_id = 2401
                """
            )
            // The facts of a checkout contain the same counts.
            let question = CheckoutFactsQuery(basketID: basket.id, form: CheckoutForm())
            let facts = try await fixture.storage.loadCheckoutFacts([question])[0].get().facts(menu: menu)
            let counted = try await stock()
            for thing in [
                StockKey.item(MenuItemID(rawValue: 2001)), .item(MenuItemID(rawValue: 2002)),
                .option(OptionID(rawValue: 2101)),
            ] {
                #expect(facts.stock[thing] != nil && facts.stock[thing] == counted[thing])
            }
            // If many items are counted, the facts contain only the items of the basket.
            try await fixture.database.psql(
                """
                insert into menu_items (id, category_id, kind, title, description, price)
                    select n, 200, 'regular', 'Burger', 'One more.', 500 from generate_series(200101, 200151) as n;
                insert into item_stock (menu_item_id, remaining) select n, 1 from generate_series(200101, 200151) as n
                """)
            let limitedFacts = try await fixture.storage.loadCheckoutFacts([question])[0].get().facts(menu: menu)
            #expect(
                limitedFacts.stock[.item(MenuItemID(rawValue: 3001))] == nil
                    && limitedFacts.stock[.item(MenuItemID(rawValue: 200101))] == nil)
            #expect(limitedFacts.stock[.item(MenuItemID(rawValue: 2001))] == counted[.item(MenuItemID(rawValue: 2001))])
            try await fixture.database.psql("delete from item_stock where menu_item_id > 200000")
            let draft = try OrderDraft.accepted(basket, menu, stock: facts.stock)
            #expect(try await fixture.storage.placeOrders([draft]).count == 1)
            let remaining = """
                select menu_item_id, remaining from item_stock
                union all select option_id, coalesce(remaining, per_day) from option_stock
                union all select -id, sold from stock_days order by 1
                """
            let after = "-2302|3\n1201|0\n2001|0\n2002|0\n2101|0\n2302|3\n2401|0\n3001|0"
            #expect(
                try await fixture.database.psql(remaining)
                    == after.replacing(
                        "2002|0", with: "2002|\(3 - basket.sets[0].items.reduce(0) { $0 + $1.quantity })"))
            #expect(try await fixture.storage.cancelOrder(draft.id) == .cancelled)
            #expect(
                try await fixture.database.psql(remaining)
                    == "-2302|0\n1201|0\n2001|5\n2002|3\n2101|6\n2302|3\n2401|27\n3001|0")
        }
    }

    @Test(
        "A batch takes stock in order: an order that does not fit leaves the units to later orders"
    )
    func batch() async throws {
        try await ShopFixture.with { fixture async throws in
            try await fixture.database.psqlAsStaff("insert into item_stock (menu_item_id, remaining) values (2001, 99)")
            let menu = try await fixture.storage.loadMenu().menu
            let stock = try await fixture.storage.loadMenuRevision().stock
            var drafts: [OrderDraft] = []
            for (guest, quantity) in ([3, 4, 2, 1, 1] as [Int64]).enumerated() {
                drafts.append(
                    try OrderDraft.accepted(
                        try await fixture.makeBasket([2001: quantity]).basket, menu, by: Guest(guest), stock: stock))
            }
            drafts.sort { $0.id < $1.id }
            let wanted = drafts.map { $0.stock.all[0].units }
            var remaining = Int64(6)
            let fits = wanted.map { units in
                defer { if units <= remaining { remaining -= units } }
                return units <= remaining
            }
            try await fixture.database.psqlAsStaff("update item_stock set remaining = null, per_day = 6")
            let placed = try await fixture.storage.placeOrders(drafts)
            #expect(drafts.map { placed[$0.id] != nil } == fits)
            #expect(try await fixture.database.psql("select sold from stock_days") == "\(6 - remaining)")
            // Units that were sold from the daily count return to it, although the item has another kind of count now.
            try await fixture.database.psqlAsStaff("update item_stock set remaining = 2, per_day = null")
            try await eventually("the shop has loaded the new count") {
                (try? await fixture.makeBasket([2001: 2])) != nil
            }
            for draft in drafts { _ = try await fixture.storage.cancelOrder(draft.id) }
            #expect(
                try await fixture.database.psql("select remaining, (select sold from stock_days) from item_stock")
                    == "2|0")
            // Units that were taken from a deleted count are not returned.
            let basket = try await fixture.makeBasket([2001: 2]).basket
            let lastDraft = try OrderDraft.accepted(basket, menu, stock: stock)
            #expect(try await fixture.storage.placeOrders([lastDraft]).count == 1)
            try await fixture.database.psqlAsStaff("delete from item_stock")
            #expect(try await fixture.storage.cancelOrder(lastDraft.id) == .cancelled)
            #expect(
                try await fixture.database.psql("select reason from stock_movements where order_id = '\(lastDraft.id)'")
                    == "sold")
        }
    }

    @Test("A daily count starts again with the business day, also on the days of both clock changes")
    func perDay() async throws {
        try await ShopFixture.with { fixture async throws in
            try await fixture.database.psqlAsStaff(
                """
                update shop set time_zone = 'Europe/Berlin';
                insert into item_stock (menu_item_id, per_day) values (2001, 1)
                """)
            let menu = try await fixture.storage.loadMenu().menu
            let stock = try await fixture.storage.loadMenuRevision().stock
            // The clocks jump from 02:00 to 03:00 on 29 March and back on 25 October; the business day begins at 04:00.
            for (time, day, isPlaced) in [
                ("2026-03-28T23:00:00Z", "2026-03-28", true), ("2026-03-29T01:59:59Z", "2026-03-28", false),
                ("2026-03-29T02:00:00Z", "2026-03-29", true),
                ("2026-03-30T01:59:59Z", "2026-03-29", false), ("2026-10-25T02:59:59Z", "2026-10-24", true),
                ("2026-10-25T03:00:00Z", "2026-10-25", true),
                ("2026-10-26T02:59:59Z", "2026-10-25", false), ("2026-10-26T03:00:00Z", "2026-10-26", true),
            ] {
                let decided = try OrderDraft.accepted(
                    try await fixture.makeBasket([2001: 1]).basket, menu, stock: stock)
                let draft = OrderDraft(
                    id: decided.id, basketVersion: decided.basketVersion, key: decided.key, fingerprint: [],
                    details: decided.details,
                    quote: decided.quote, coupon: nil, placedAt: Instant(rfc3339: time), validity: .always,
                    stock: decided.stock)
                #expect(try await fixture.storage.placeOrders([draft]).isEmpty != isPlaced, "\(time)")
                #expect(try await fixture.database.psql("select (business_day('\(time)')).day") == day)
                #expect(try await fixture.database.psql("select sold from stock_days where day = '\(day)'") == "1")
                let remaining =
                    "select remaining from unnest(stock_left('{2001}', '{}', array['\(time)'::timestamptz]))"
                #expect(try await fixture.database.psql(remaining) == "0", "\(time)")
            }
            // A cancellation returns the units to the day of the sale.
            let first = try #require(
                try await fixture.database.psql("select id from orders order by placed_at limit 1").split(
                    separator: "\n"
                ).first)
            #expect(try await fixture.database.psql("select cancel_order('\(first)')") == "cancelled")
            #expect(
                try await fixture.database.psql("select day, sold from stock_days order by day limit 2")
                    == "2026-03-28|0\n2026-03-29|1")
        }
    }

    @Test("PostgreSQL and Swift compute the same business days around the clock changes of seven zones")
    func businessDays() async throws {
        let zones = [
            "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Africa/Cairo", "Antarctica/Troll",
            "America/Nuuk",
            "Asia/Kathmandu",
        ]
        try await TestDatabase.with(.migrated) { database async throws in
            for zone in zones {
                // The times at which the offset from UTC changes.
                let rows = try await database.psql(
                    """
                    select (extract(epoch from moment) * 1000000)::bigint, extract(epoch from ahead)::integer from (
                        select moment, ahead, lag(ahead) over (order by moment) as before
                        from (select moment, moment at time zone '\(zone)' - moment at time zone 'UTC' as ahead
                              from generate_series('2025-12-31Z'::timestamptz, '2027-01-02Z', interval '15 minutes')
                                  as moment
                              ) as shown) as changes
                    where ahead is distinct from before order by 1
                    """)
                let changes = rows.split(separator: "\n").map { $0.split(separator: "|").compactMap { Int64($0) } }
                #expect(changes.count == (zone == "Asia/Kathmandu" ? 1 : 3), "\(zone)")
                let shopZone = try #require(
                    ShopZone(changes.map { ShopZone.Change(from: Instant(microseconds: $0[0]), offset: Int($0[1])) }))
                for minutes in [0, 30, 60, 90, 119, 120, 150, 180, 240, 1380, 1439] {
                    let days = try #require(BusinessDays(in: shopZone, startsAt: minutes))
                    let start = "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
                    try await database.psql("update shop set time_zone = '\(zone)', business_day_start = '\(start)'")
                    let centres = changes.dropFirst().map { "(\($0[0]))" }.joined(separator: ",")
                    let reported = try await database.psql(
                        """
                        select micros, day,
                            (extract(epoch from begins) * 1000000)::bigint, (extract(epoch from ends) * 1000000)::bigint
                        from (select middle + step::bigint * 900000000 as micros
                              from (values \(centres.isEmpty ? "(1780000000000000)" : centres)) as change (middle),
                                     generate_series(-150, 150) as step) as moments,
                             business_day(to_timestamp(micros / 1000000)) order by 1
                        """)
                    var wrong: [Substring] = []
                    for row in reported.split(separator: "\n") {
                        let words = row.split(separator: "|")
                        let day = days.day(of: Instant(microseconds: try #require(Int64(words[0]))))
                        let span = days.timeRange(of: day)
                        let expected = "\(day)|\(span.from?.microseconds ?? 0)|\(span.until?.microseconds ?? 0)"
                        if words.dropFirst().joined(separator: "|") != expected { wrong.append(row) }
                    }
                    #expect(wrong == [], "\(zone) \(start)")
                    #expect(reported.split(separator: "\n").count >= 301)
                }
            }
        }
    }
}
