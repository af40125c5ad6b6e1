// Rows that a checkout locks: PostgreSQL lists them, and locked_rows finds each one that another transaction locks.
import Database
import Ordering
import Postgres
import Support
import Synchronization
import Testing

@testable import Shop

@Suite("Rows that a checkout locks", .timeLimit(.minutes(5)))
struct CheckoutLockTests {
    @Test("locked_rows finds a locked row in every table in which a checkout locks existing rows")
    func everyTable() async throws {
        try await ShopFixture.with { open async throws in
            let slots = try await LastSlotTests.enableSlots(on: open, open, "slot_minutes = 60, orders_per_slot = 9")
            try await open.database.psqlAsStaff(
                """
                insert into item_stock (menu_item_id, remaining) values (3001, 500);
                insert into item_stock (menu_item_id, per_day) values (2001, 500);
                insert into option_stock (option_id, remaining) values (1202, 500);
                insert into option_stock (option_id, per_day) values (1203, 500);
                update coupons set redemption_limit = 500 where key = 'FOLLOW'
                """)
            // The slots have changed the settings of the shop, and the server writes the rows of its days once more.
            try await open.database.psql("select write_day_numbers()")
            // The first order inserts the rows of the slot and of the day. The second order updates them.
            try await Self.place(Self.orderOfEverything(open, Guest(1), slots[0]), open)
            let order = try await Self.orderOfEverything(open, Guest(2), slots[0])
            let before = try await Self.counts(open.database, "true")
            try await Self.place(order, open)
            let transaction = try await open.database.psql("select xmin from orders where id = '\(order.id)'")
            let after = try await Self.counts(open.database, "true")
            // A row that the checkout wrote has its transaction's id in xmin, a row that it only locked in xmax.
            let touched = try await Self.counts(
                open.database, "xmin::text::bigint >= \(transaction) or xmax::text::bigint >= \(transaction)")
            let locked = touched.filter { table, count in count > (after[table] ?? 0) - (before[table] ?? 0) }.keys
            #expect(Set(locked) == Set(order.rowsToLock.map(\.table)))

            let holder = try await PostgresConnection.connect(open.database.url, logger: .silent)
            for table in locked.sorted() {
                try await holder.run(script: "begin; select from \(table) for update")
                let found = try await open.storage.loadLockedRows(among: order.rowsToLock).keys
                try await holder.run(script: "rollback")
                #expect(Set(found.map(\.table)) == [table], "\(table): \(found)")
            }
            await holder.close()
            #expect(try await open.storage.loadLockedRows(among: order.rowsToLock).isEmpty)
        }
    }

    /// Decides an order with a coupon, a slot, and an item and an option of each stock policy.
    private static func orderOfEverything(
        _ open: ShopFixture, _ guest: Guest, _ slot: Instant
    ) async throws -> OrderDraft {
        let basket = try await open.makeBasket([2001: 1, 3001: 1])
        let edit = LineEdit(options: [RawOptionChoice(1102), RawOptionChoice(1202), RawOptionChoice(1203)])
        let line = LineID(rawValue: 1)
        let chosen = try await open.shop.baskets.change(basket.basket.id, .edit(line, edit)).get()
        let draft = try await open.makeDraft(chosen, by: guest, coupon: "FOLLOW", wantedAt: slot)
        let facts = try #require(try await open.storage.loadCheckoutFacts([CheckoutFactsQuery(draft)]).first).get()
        let menu = try await open.shop.menu.menu(atLeast: facts.menuRevision).withoutStock
        let decision = Checkout.decide(draft, facts.facts(menu: menu))
        guard case .accept(let order) = decision else { throw NotAccepted(decision: "\(decision)") }
        return order
    }

    private static func place(_ order: OrderDraft, _ open: ShopFixture) async throws {
        let placed = try await open.storage.placeOrders([order])
        #expect(placed.count == 1)
    }

    private struct NotAccepted: Error { let decision: String }

    /// Returns the number of rows of each table that satisfy the condition.
    private static func counts(_ database: TestDatabase, _ condition: String) async throws -> [String: Int] {
        let output = try await database.psql(
            """
            select format('select %L, count(*) from %I where %s', relname, relname, '\(condition)') from pg_class
            where relkind = 'r' and relnamespace = 'public'::regnamespace
            \\gexec
            """)
        let lines = output.split(separator: "\n").map { $0.split(separator: "|") }
        return Dictionary(uniqueKeysWithValues: lines.map { (String($0[0]), Int($0[1]) ?? -1) })
    }

    @Test("An uncommitted rejection fails checkouts of its daily stock, is reported, and delays no other order")
    func openRejection() async throws {
        let reports = Mutex<[ComponentHealth]>([])
        try await TestDatabase.with(.seeded) { database async throws in
            let note: @Sendable (ComponentHealth) -> Void = { health in reports.withLock { $0.append(health) } }
            try await ShopFixture.with(on: database, onLockedRows: note) { open async throws in
                let slots = try await LastSlotTests.enableSlots(on: open, open, "slot_minutes = 60")
                try await database.psqlAsStaff("insert into item_stock (menu_item_id, per_day) values (4001, 500)")
                let placed = try await runConcurrently([1, 2]) { guest in
                    let draft = try await open.makeDraft(open.makeBasket([4001: 1]), by: Guest(guest))
                    return try #require(try await open.shop.checkouts.submit(draft).order)
                }
                let wanting = try await runConcurrently(Array(10..<15)) { guest in
                    try await open.makeDraft(open.makeBasket([4001: 1]), by: Guest(guest))
                }
                // Some of the other checkouts want the same item on another day.
                let others = try await runConcurrently(Array(20..<50)) { guest in
                    let isLater = guest.isMultiple(of: 3)
                    let basket = try await open.makeBasket([isLater ? 4001 : 2002: 1])
                    return try await open.makeDraft(basket, by: Guest(guest), wantedAt: isLater ? slots[0] : nil)
                }
                let staff = try await PostgresConnection.connect(database.staffURL, logger: .silent)
                try await staff.run(script: "begin; select advance_order('\(placed[0].number)', 'rejected', 'gone')")
                async let faults = runConcurrently(wanting) { try await Self.fault(of: $0, open) }
                #expect(
                    try await runConcurrently(others) { try await Self.fault(of: $0, open) }.allSatisfy { $0 == nil })
                #expect(try await faults.allSatisfy { $0 == .rowLocked })
                await #expect(throws: ShopFault.rowLocked) { _ = try await open.shop.orders.cancel(placed[1].id) }
                try await eventually("the row is reported") {
                    reports.withLock { "\($0)".contains("stock_days menu_items 4001 from ") }
                }
                try await staff.run(script: "commit")
                await staff.close()
                try await eventually("the release is reported") { reports.withLock { $0.last == .healthy } }
                for draft in wanting { #expect(try await Self.fault(of: draft, open) == nil) }
                #expect(reports.withLock { $0.count } == 2)
                #expect(try await database.psql(LastPortionTests.discrepancies) == "")
            }
        }
    }

    @Test("A locked basket delays its batch once; then only its own checkout fails, and the row is reported")
    func lockedBasket() async throws {
        let reports = Mutex<[ComponentHealth]>([])
        try await TestDatabase.with(.seeded) { database async throws in
            let note: @Sendable (ComponentHealth) -> Void = { health in reports.withLock { $0.append(health) } }
            let limit = Duration.seconds(3)
            try await ShopFixture.with(on: database, statementTimeout: limit, onLockedRows: note) { open async throws in
                let drafts = try await runConcurrently(Array(0..<20)) {
                    try await open.makeDraft(open.makeBasket(), by: Guest($0))
                }
                let row = ContestedRow.basket(drafts[0].basketID)
                let holder = try await PostgresConnection.connect(database.url, logger: .silent)
                try await holder.run(script: "begin; select from baskets where id = '\(drafts[0].basketID)' for update")
                #expect(try await Self.fault(of: drafts[0], open) != nil)
                try await eventually("the row is reported") { reports.withLock { "\($0)".contains("\(row)") } }
                let faults = try await runConcurrently(drafts) { try await Self.fault(of: $0, open) }
                #expect(faults[0] == .rowLocked && faults[1...].allSatisfy { $0 == nil }, "\(faults)")
                try await holder.run(script: "rollback")
                await holder.close()
                try await eventually("the release is reported") { reports.withLock { $0.last == .healthy } }
                #expect(try await Self.fault(of: drafts[0], open) == nil)
            }
        }
    }

    /// Submits the draft and returns its fault, or nil if the order was placed.
    private static func fault(of draft: CheckoutDraft, _ open: ShopFixture) async throws -> ShopFault? {
        do throws(ShopFault) {
            #expect(try await open.shop.checkouts.submit(draft).isPlaced)
            return nil
        } catch {
            return error
        }
    }
}
