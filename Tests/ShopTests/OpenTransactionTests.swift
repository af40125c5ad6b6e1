// Staff insert a row or call a function in psql and leave the transaction open. Inserting the same key would wait for
// them, so no request may insert a key that staff insert. The catalog lists every table and function that staff may
// use. LockedRowsTests covers the rows of stock, slots and redemptions, which are updated and not inserted.
import Database
import Ordering
import Postgres
import Support
import Testing

@testable import Shop

@Suite("Open transactions of staff", .timeLimit(.minutes(10)))
struct OpenTransactionTests {
    /// One insert by staff for each table. `isComplete` fails if a table that staff may write is missing here.
    static let inserts = [
        "categories": "insert into categories (id, title) values (600, 'Pies')",
        "category_taxes": "insert into category_taxes (category_id, tax_rate_id) values (200, 1)",
        "coupons":
            """
        insert into coupons (id, key, title, description, benefit, percent)
        values (9, 'PIE', 'Pie', 'A pie.', 'percent', 5)
        """,
        "delivery_areas": "insert into delivery_areas (id, title, postcodes) values (8, 'Elsewhere', '{99999}')",
        "delivery_fees": "insert into delivery_fees (area_id, from_subtotal, fee) values (7, 5000, 0)",
        "item_stock": "insert into item_stock (menu_item_id, remaining) values (2003, 5)",
        "menu_item_option_groups": "insert into menu_item_option_groups (menu_item_id, group_id) values (2001, 90)",
        "menu_items": """
        insert into menu_items (id, category_id, kind, title, description, price)
        values (2009, 200, 'regular', 'Pie', 'Apple.', 450)
        """,
        "opening_exceptions":
            "insert into opening_exceptions (date, opens, closes) values ('2099-01-01', '10:00', '12:00')",
        "opening_hours": "insert into opening_hours (weekday, opens, closes) values (1, '00:00', '24:00')",
        "option_groups": "insert into option_groups (id, title) values (91, 'With it')",
        "option_option_groups": "insert into option_option_groups (option_id, group_id) values (1203, 90)",
        "option_stock": "insert into option_stock (option_id, remaining) values (1203, 5)",
        "options": "insert into options (id, group_id, title) values (9002, 90, 'More cream')",
        "sales_group_items": "insert into sales_group_items (sales_group_id, menu_item_id) values (200, 2008)",
        "sales_groups": "insert into sales_groups (id, kind, title) values (700, 'information', 'Pies are here')",
        "serving_hours":
            "insert into serving_hours (category_id, weekday, opens, closes) values (100, 1, '07:00', '11:00')",
        "tax_rates": "insert into tax_rates (id, title, percent) values (2, 'Drinks', 19)",
        "translations":
            "insert into translations (subject, id, language, title) values ('options', 1203, 'de', 'Speck')",
    ]

    /// The rows that the inserts refer to.
    private static let referencedRows = """
        insert into tax_rates (id, title, percent) values (1, 'Food', 0);
        insert into delivery_areas (id, title, postcodes, is_active) values (7, 'Everywhere', '{*}', true);
        insert into option_groups (id, title) values (90, 'With it');
        insert into options (id, group_id, title) values (9001, 90, 'Cream');
        insert into menu_items (id, category_id, kind, title, description, price, sale_percent)
            values (2008, 200, 'special', 'Special', 'Of the day.', 500, 10);
        insert into item_stock (menu_item_id, remaining) values (4001, 100000);
        insert into item_stock (menu_item_id, per_day) values (3001, 100000);
        insert into option_stock (option_id, remaining) values (1202, 100000);
        """

    /// SQL for one order: the statements before the transaction, and the function call that stays uncommitted. `%`
    /// stands for the order's number.
    static let functions: [(name: String, before: String, open: String)] = [
        ("advance_order", "", "select advance_order('%', 'accepted')"),
        (
            "advance_order", "select advance_order('%', 'accepted'); select advance_order('%', 'preparing')",
            "select advance_order('%', 'on_the_way')"
        ),
        ("take_back_step", "select advance_order('%', 'accepted')", "select take_back_step('%')"),
        ("delay_order", "select advance_order('%', 'accepted')", "select delay_order('%', 20, 'the oven')"),
    ]

    @Test("The test data contain every table that staff may insert into and every function that staff may call")
    func isComplete() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            let tables = try await database.psql(
                """
                select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
                    and has_any_column_privilege('welms_staff', oid, 'insert')
                order by 1
                """)
            #expect(tables.split(separator: "\n").map(String.init) == Self.inserts.keys.sorted())
            let functions = try await database.psql(
                """
                select distinct proname from pg_proc
                where pronamespace = 'public'::regnamespace and prosecdef and prorettype <> 'trigger'::regtype
                    and has_function_privilege('welms_staff', oid, 'execute') order by 1
                """)
            #expect(functions.split(separator: "\n").map(String.init) == Set(Self.functions.map(\.name)).sorted())
        }
    }

    @Test("While an insert by staff is uncommitted, no checkout, cancellation, step or menu change waits for it")
    func inserts() async throws {
        try await ShopFixture.withTwoServers { open, other in
            try await open.database.psqlAsStaff(Self.referencedRows)
            let slots = try await LastSlotTests.enableSlots(on: open, other, "slot_minutes = 60")
            for (index, table) in Self.inserts.keys.sorted().enumerated() {
                let staff = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
                try await staff.run(script: "begin; \(Self.inserts[table] ?? "")")
                try await Self.expectAllServed(
                    open, slots[index % slots.count], from: 100 * index, "\(table) has an uncommitted row")
                try await staff.run(script: "rollback")
                await staff.close()
            }
        }
    }

    @Test("While a step of one order is uncommitted, no request for another order or the menu waits for it")
    func steps() async throws {
        try await ShopFixture.withTwoServers { open, other in
            try await open.database.psqlAsStaff(Self.referencedRows)
            let slots = try await LastSlotTests.enableSlots(on: open, other, "slot_minutes = 60")
            for (index, function) in Self.functions.enumerated() {
                let draft = try await open.makeDraft(
                    open.makeBasket(), by: Guest(5000 + index), coupon: "FRST", postcode: "10115")
                let answer = try await open.shop.checkouts.submit(draft)
                let order = try #require(answer.order, "\(function.open): \(answer)")
                let staff = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
                if !function.before.isEmpty {
                    try await staff.run(script: function.before.replacing("%", with: order.number))
                }
                try await staff.run(script: "begin; \(function.open.replacing("%", with: order.number))")
                try await Self.expectAllServed(
                    open, slots[index], from: 100 * index, "\(function.open) is uncommitted")
                try await staff.run(script: "rollback")
                await staff.close()
            }
        }
    }

    @Test("A pending step waits for the transaction that has locked its order, and other orders' steps do not")
    func pendingSteps() async throws {
        try await ShopFixture.withTwoServers { open, other in
            let database = open.database
            /// Places an order and requests its rejection for the given time from now.
            func requested(_ guest: Int, for time: String) async throws -> Order {
                let order = try #require(try await open.placeOrder(by: Guest(guest)).order)
                let result = try await open.takeStep(.schedule(.rejected, reason: "closed"), of: order)
                let isRequested = if case .moved = result { true } else { false }
                try #require(isRequested, "\(result)")
                try await database.psql(
                    """
                    update pending_order_steps set execute_at = clock_timestamp() + interval '\(time)'
                    where order_id = '\(order.id)'
                    """)
                return order
            }
            func isRejected(_ order: Order) async throws -> Bool {
                try await database.psql("select state from orders where id = '\(order.id)'") == "rejected"
            }
            let staff = try await PostgresConnection.connect(database.staffURL, logger: .silent)
            let colleague = try await PostgresConnection.connect(database.staffURL, logger: .silent)
            // With ten seconds, the transactions begin before the steps are due.
            let rolledBack = try await requested(1, for: "10 seconds")
            let committed = try await requested(2, for: "10 seconds")
            try await staff.run(script: "begin; select advance_order('\(rolledBack.number)', 'accepted')")
            try await colleague.run(script: "begin; select advance_order('\(committed.number)', 'accepted')")
            let due = "select count(*) from pending_order_steps where execute_at < clock_timestamp()"
            try await eventually("the steps of the locked orders are due") { try await database.psql(due) == "2" }

            let steps: [StaffStep] = [
                .schedule(.rejected, reason: "closed"), .takeBack(.rejected), .advance(to: .accepted),
            ]
            for step in steps {
                let begin = ContinuousClock.now
                do throws(ShopFault) {
                    let result = try await other.shop.staff.perform(step, number: committed.number, by: .settingsToken)
                    #expect(Bool(false), "\(step) while the order is locked: \(result)")
                } catch {
                    #expect(error == .rowLocked)
                }
                // The wait takes a second on an idle machine. Behind the open transaction it would take a minute.
                #expect(.now - begin < .seconds(30), "\(step)")
            }
            // The steps of the locked orders are due first.
            for guest in 3...5 {
                let order = try await requested(guest, for: "0 seconds")
                try await eventually("order \(order.number) is rejected") { try await isRejected(order) }
            }
            #expect(try await database.psql("select count(*) from orders where state = 'placed'") == "2")

            try await staff.run(script: "rollback")
            try await colleague.run(script: "commit")
            await staff.close()
            await colleague.close()
            try await eventually("the step is executed after the rollback") { try await isRejected(rolledBack) }
            #expect(try await database.psql("select state from orders where id = '\(committed.id)'") == "accepted")
            #expect(try await database.psql("select count(*) from pending_order_steps") == "0")
            let withdrawals = """
                select who || ' ' || subject from audit
                where what = 'orders' and before ->> 'pending_step' = 'rejected'
                """
            #expect(try await database.psql(withdrawals) == "welms_staff \(committed.number)")
            let executions = "select count(*), count(distinct order_id) from order_steps where reason = 'closed'"
            #expect(try await database.psql(executions) == "4|4")
        }
    }

    /// Checks that guests can order counted items and cancel, and that staff can take steps. Only the menu change may
    /// fail, because another change of the menu may be uncommitted.
    private static func expectAllServed(
        _ open: ShopFixture, _ slot: Instant, from guest: Int, _ condition: String
    ) async throws {
        func timed<Value: Sendable>(_ name: String, _ work: () async throws -> Value) async throws -> Value {
            let begin = ContinuousClock.now
            let value = try await work()
            // The work takes a second on an idle machine. Behind the open transaction it would take a minute.
            #expect(.now - begin < .seconds(30), "\(name) while \(condition)")
            return value
        }
        let orders = try await timed("checkouts") {
            try await runConcurrently(Array(0..<6)) { number in
                let basket = try await open.makeBasket([4001: 1, 3001: 1])
                let draft = try await open.makeDraft(
                    basket, by: Guest(guest + number), coupon: number % 2 == 0 ? "FRST" : nil,
                    wantedAt: number % 3 == 0 ? slot : nil,
                    postcode: "10117")
                return try #require(try await open.shop.checkouts.submit(draft).order)
            }
        }
        for order in orders[0...1] {
            _ = try await timed("a cancellation") { try await open.shop.orders.cancel(order.id) }
        }
        let steps: [(Order, StaffStep)] = [
            (orders[2], .advance(to: .rejected, reason: "closed")),
            (orders[3], .advance(to: .rejected, reason: "closed")),
            (orders[4], .advance(to: .accepted)), (orders[4], .takeBack(.accepted)),
            (orders[4], .advance(to: .accepted, minutes: 25)),
            (orders[4], .delay(minutes: 10, reason: "the oven")), (orders[4], .advance(to: .preparing)),
            (orders[5], .advance(to: .accepted)),
        ]
        for (order, step) in steps {
            let result = try await timed("\(step)") {
                try await open.takeStep(step, of: order)
            }
            guard case .moved = result else { return #expect(Bool(false), "\(step): \(result) while \(condition)") }
        }
        _ = try await timed("a change of the menu") { () -> Bool in
            do throws(ShopFault) {
                _ = try await open.shop.staff.setAvailability(
                    of: .item(MenuItemID(rawValue: 5001)), to: .available, by: .settingsToken)
            } catch {
                #expect(error == .rowLocked)
            }
            return true
        }
    }
}
