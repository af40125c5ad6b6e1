// Staff lock rows in a transaction that they forget to end: requests that need such a row fail within a second, and
// all others are served. Covers Sources/Shop/Locks with sql/022_locked_rows.sql.
import Database
import Ordering
import Postgres
import Support
import Synchronization
import Testing

@testable import Shop

@Suite("Rows that staff lock", .timeLimit(.minutes(5)))
struct LockedRowsTests {
    /// A row that staff lock, and the item, coupon or option with which a checkout needs that row.
    struct LockCase: CustomTestStringConvertible {
        let name: String
        let before: String
        let change: String
        let item: Int64
        var coupon: String?
        var option: Int64?
        var testDescription: String { name }
    }

    static let cases = [
        LockCase(
            name: "a counted dish",
            before: "insert into item_stock (menu_item_id, remaining) values (4001, 500), (3001, 500)",
            change: "update item_stock set remaining = 7 where menu_item_id = 4001", item: 4001),
        LockCase(
            name: "a dish with daily stock",
            before: "insert into item_stock (menu_item_id, per_day) values (4001, 500), (3001, 500)",
            change: "update item_stock set per_day = 7 where menu_item_id = 4001", item: 4001),
        LockCase(
            name: "an option",
            before: """
                insert into option_stock (option_id, remaining)
                select id, 500 from options where id in (1202, 1203)
                """,
            change: "update option_stock set remaining = 7 where option_id = 1202", item: 2001, option: 1202),
        LockCase(
            name: "a coupon", before: "insert into item_stock (menu_item_id, remaining) values (3001, 500)",
            change: "update coupons set title = title || '!' where key = 'FOLLOW'", item: 2001, coupon: "FOLLOW"),
    ]

    /// Creates a basket with the item of the case, and with its option.
    private static func basket(_ open: ShopFixture, _ lockCase: LockCase) async throws -> PricedBasket {
        let basket = try await open.makeBasket([lockCase.item: 1])
        guard let option = lockCase.option else { return basket }
        let id = basket.basket.id
        let edit = LineEdit(options: [RawOptionChoice(1102), RawOptionChoice(option)])
        return try await open.shop.baskets.change(id, .edit(LineID(rawValue: 1), edit)).get()
    }

    @Test(
        "Checkouts of a locked row fail within a second and succeed after its release; others are placed meanwhile",
        arguments: cases)
    func checkouts(lockCase: LockCase) async throws {
        try await ShopFixture.with { open async throws in
            try await open.database.psqlAsStaff(lockCase.before)
            let staff = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            let wanting = try await runConcurrently(Array(0..<20)) {
                try await open.makeDraft(Self.basket(open, lockCase), by: Guest($0), coupon: lockCase.coupon)
            }
            // The other checkouts have another counted item, another coupon, or neither.
            let others = try await runConcurrently(Array(0..<60)) {
                try await open.makeDraft(
                    open.makeBasket([$0 % 3 == 0 ? 3001 : 2002: 1]), by: Guest(100 + $0),
                    coupon: $0 % 3 == 1 ? "FRST" : nil)
            }
            try await staff.run(script: "begin; \(lockCase.change)")
            let begin = ContinuousClock.now
            async let refused = runConcurrently(wanting) { draft -> Duration? in
                do throws(ShopFault) {
                    _ = try await open.shop.checkouts.submit(draft)
                    return nil
                } catch {
                    #expect(error == .rowLocked)
                    return .now - begin
                }
            }
            let placed = try await runConcurrently(others) { try await open.shop.checkouts.submit($0).isPlaced }
            #expect(placed.allSatisfy { $0 })
            // Requests fail after about 1 s. The test permits 10 s, because the machine may be busy.
            for time in try await refused { #expect(try #require(time) < .seconds(10)) }
            #expect(open.shop.checkouts.blockedCount == 0)
            try await staff.run(script: "rollback")
            await staff.close()
            #expect(
                try await runConcurrently(wanting) { try await Self.submit($0, to: open).isPlaced }.allSatisfy { $0 })
            #expect(try await open.database.psql(LastPortionTests.discrepancies) == "")
        }
    }

    @Test("A waiting checkout is placed as soon as staff end their transaction, with the values that staff wrote")
    func released() async throws {
        try await ShopFixture.with { open async throws in
            try await open.database.psqlAsStaff("insert into item_stock (menu_item_id, remaining) values (4001, 500)")
            let drafts = try await runConcurrently(Array(0..<3)) {
                try await open.makeDraft(open.makeBasket([4001: 1]), by: Guest($0))
            }
            let staff = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            try await staff.run(script: "begin; update item_stock set remaining = 2")
            let answers = Task { try await runConcurrently(drafts) { try await Self.submit($0, to: open) } }
            try await eventually("the checkouts wait") { open.shop.checkouts.blockedCount > 0 }
            try await staff.run(script: "commit")
            await staff.close()
            #expect(try await answers.value.filter(\.isPlaced).count == 2)
            #expect(try await open.database.psql("select remaining, sold from item_stock") == "0|2")
        }
    }

    @Test("Cancellations by 40 guests of a locked item fail in time, change nothing and delay no other request")
    func cancellations() async throws {
        try await ShopFixture.with { open async throws in
            try await open.database.psqlAsStaff(
                "insert into item_stock (menu_item_id, remaining) values (4001, 500), (3001, 500)")
            func orders(of item: Int64, _ guests: Range<Int>) async throws -> [Order] {
                try await runConcurrently(Array(guests)) { guest in
                    try #require(
                        try await open.shop.checkouts.submit(
                            open.makeDraft(open.makeBasket([item: 1]), by: Guest(guest))
                        ).order)
                }
            }
            let (lockedOrders, free) = (try await orders(of: 4001, 0..<40), try await orders(of: 3001, 40..<50))
            let staff = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            try await staff.run(script: "begin; update item_stock set remaining = 7 where menu_item_id = 4001")
            let failures = Mutex(0)
            async let refused = runConcurrently(lockedOrders) { order -> Bool in
                do throws(ShopFault) { _ = try await open.shop.orders.cancel(order.id) } catch {
                    failures.withLock { $0 += 1 }
                    return error == .rowLocked
                }
                return false
            }
            // The cancellations wait for only a second. A slow machine may miss that moment, so failed cancellations
            // count as well.
            try await eventually("the cancellations wait") {
                open.shop.orders.cancellations.blockedCount > 0 || failures.withLock { $0 > 0 }
            }
            let begin = ContinuousClock.now
            #expect(
                try await runConcurrently(free) { try await open.shop.orders.cancel($0.id) }.allSatisfy {
                    $0 == .cancelled
                })
            #expect(
                try await runConcurrently(Array(60..<80)) { try await open.placeOrder(by: Guest($0)).isPlaced }
                    .allSatisfy { $0 })
            #expect(.now - begin < .seconds(10))
            #expect(try await refused.allSatisfy { $0 })
            let state = """
                select state, count(*) from orders join order_lines on order_id = orders.id
                where menu_item_id = 4001 group by 1
                """
            #expect(try await open.database.psql(state) == "placed|40")
            try await staff.run(script: "rollback")
            await staff.close()
            for order in lockedOrders { #expect(try await Self.cancel(order, of: open) == .cancelled) }
            #expect(try await open.database.psql("select remaining from item_stock order by 1") == "500\n500")
        }
    }

    @Test("Daily stock returns although staff lock its row, and a rejection that needs a locked row fails in time")
    func steps() async throws {
        try await ShopFixture.with { open async throws in
            try await open.database.psqlAsStaff(
                """
                insert into item_stock (menu_item_id, per_day) values (4001, 500);
                insert into item_stock (menu_item_id, remaining) values (3001, 500)
                """)
            var orders: [Order] = []
            for (guest, item) in ([4001, 4001, 3001] as [Int64]).enumerated() {
                orders.append(
                    try #require(
                        try await open.shop.checkouts.submit(
                            open.makeDraft(open.makeBasket([item: 1]), by: Guest(guest))
                        ).order))
            }
            let staff = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            try await staff.run(
                script: """
                    begin;
                    update item_stock set per_day = per_day + 1 where per_day is not null;
                    update item_stock set remaining = 7 where remaining is not null
                    """)
            // This failed change marks the row as locked.
            await #expect(throws: ShopFault.rowLocked) {
                _ = try await open.shop.staff.setStockPolicy(
                    of: .item(MenuItemID(rawValue: 4001)), to: .perDay(9), by: .settingsToken)
            }
            #expect(try await open.shop.orders.cancel(orders[0].id) == .cancelled)
            guard
                case .moved = try await open.shop.staff.perform(
                    .advance(to: .rejected, reason: "gone"), number: orders[1].number, by: .settingsToken)
            else {
                Issue.record("the return of daily stock waits for the row that staff lock")
                return
            }
            for step in [StaffStep.advance(to: .rejected, reason: "gone"), .advance(to: .rejected, reason: "again")] {
                await #expect(throws: ShopFault.rowLocked) {
                    _ = try await open.shop.staff.perform(step, number: orders[2].number, by: .settingsToken)
                }
            }
            // An acceptance returns no stock, so it waits for no row.
            guard
                case .moved = try await open.shop.staff.perform(
                    .advance(to: .accepted), number: orders[2].number, by: .settingsToken)
            else {
                Issue.record("the acceptance waits for the locked count")
                return
            }
            try await staff.run(script: "rollback")
            await staff.close()
            #expect(try await open.database.psql("select sold from stock_days") == "0")
        }
    }

    @Test("A long lock is reported once with the name of its row, and its release is reported once")
    func reported() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            let reports = Mutex<[ComponentHealth]>([])
            try await ShopFixture.with(on: database, onLockedRows: { health in reports.withLock { $0.append(health) } })
            { open async throws in
                try await database.psqlAsStaff("insert into item_stock (menu_item_id, remaining) values (4001, 500)")
                let draft = try await open.makeDraft(open.makeBasket([4001: 1]), by: Guest(1))
                let staff = try await PostgresConnection.connect(database.staffURL, logger: .silent)
                try await staff.run(
                    script: """
                        begin;
                        update item_stock set remaining = 7;
                        update coupons set title = title || '!' where key = 'FOLLOW'
                        """)
                await #expect(throws: ShopFault.rowLocked) { _ = try await open.shop.checkouts.submit(draft) }
                try await eventually("the lock is reported") { reports.withLock { !$0.isEmpty } }
                await #expect(throws: ShopFault.rowLocked) {
                    _ = try await open.placeOrder(by: Guest(2), coupon: "FOLLOW")
                }
                try await staff.run(script: "commit")
                await staff.close()
                try await eventually("the release is reported") { reports.withLock { $0.count > 1 } }
                #expect(try await Self.submit(draft, to: open).isPlaced)
                let changes = reports.withLock { $0 }
                #expect(changes.count == 2 && changes.last == .healthy)
                guard case .failing(let reason)? = changes.first else {
                    Issue.record("no failure is reported")
                    return
                }
                #expect(reason.contains("item_stock 4001") && reason.contains("idle in transaction"))
            }
        }
    }

    @Test("While a step in SQL is uncommitted, only requests that need the rows of its order fail")
    func openStep() async throws {
        try await ShopFixture.with { open async throws in
            try await open.database.psqlAsStaff("insert into item_stock (menu_item_id, remaining) values (4001, 500)")
            let drafts = try await runConcurrently(Array(0..<2)) {
                try await open.makeDraft(open.makeBasket([4001: 1]), by: Guest($0))
            }
            let order = try #require(try await open.shop.checkouts.submit(drafts[0]).order)
            let staff = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            try await staff.run(script: "begin; select advance_order('\(order.number)', 'rejected', 'gone')")
            let refused = Task { try await open.shop.checkouts.submit(drafts[1]) }
            #expect(try await open.placeOrder(by: Guest(7)).isPlaced)
            await #expect(throws: ShopFault.rowLocked) { _ = try await refused.value }
            await #expect(throws: ShopFault.rowLocked) { _ = try await open.shop.orders.cancel(order.id) }
            try await staff.run(script: "commit")
            await staff.close()
            #expect(try await Self.cancel(order, of: open) == .rejected)
            #expect(try await Self.submit(drafts[1], to: open).isPlaced)
        }
    }

    /// Makes every update of the row fail, like short locks by many sessions: the row is free whenever it is checked.
    private static let lockTimeouts = """
        create function fail_with_lock_timeout() returns trigger language plpgsql as $$
        begin
            raise 'the row is locked' using errcode = 'lock_not_available';
        end $$;
        create trigger fail_with_lock_timeout before update on item_stock
            for each row when (new.menu_item_id = 4001) execute function fail_with_lock_timeout();
        """

    @Test("A row whose lock times out but that is free when checked fails only its own requests, within a second")
    func freeWhenChecked() async throws {
        try await ShopFixture.with { open async throws in
            try await open.database.psqlAsStaff(
                "insert into item_stock (menu_item_id, remaining) values (4001, 500), (3001, 500)")
            let order = try #require(
                try await open.shop.checkouts.submit(open.makeDraft(open.makeBasket([4001: 1]), by: Guest(0))).order)
            let drafts = try await runConcurrently(Array(1..<50)) { guest in
                let items: [Int64: Int64] =
                    switch guest % 5 {
                    case 0: [4001: 1]
                    case 1: [4001: 1, 3001: 1]
                    case 2: [3001: 1]
                    default: [2001: 1]
                    }
                return try await open.makeDraft(
                    open.makeBasket(items), by: Guest(guest), coupon: guest % 5 == 3 ? "FRST" : nil)
            }
            try await open.database.psql(Self.lockTimeouts)
            let begin = ContinuousClock.now
            let faults = try await runConcurrently(drafts) { draft -> ShopFault? in
                do throws(ShopFault) {
                    #expect(try await open.shop.checkouts.submit(draft).isPlaced)
                    return nil
                } catch {
                    return error
                }
            }
            await #expect(throws: ShopFault.rowLocked) { _ = try await open.shop.orders.cancel(order.id) }
            // The checkouts and the cancellation each take about 1 s. The test permits 10 s for each, because the
            // machine may be busy.
            #expect(.now - begin < .seconds(20))
            #expect(faults == (1..<50).map { $0 % 5 < 2 ? .rowLocked : nil })
            try await open.database.psql("drop trigger fail_with_lock_timeout on item_stock")
            for draft in drafts { #expect(try await Self.submit(draft, to: open).order != nil) }
            #expect(try await Self.cancel(order, of: open) == .cancelled)
            #expect(try await open.database.psql(LastPortionTests.discrepancies) == "")
        }
    }

    @Test("A call that sets a count locks the count's row before the menu revision, as an update by staff does")
    func lockOrder() async throws {
        try await ShopFixture.with { open async throws in
            try await open.database.psqlAsStaff("insert into item_stock (menu_item_id, remaining) values (4001, 500)")
            let staff = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            try await staff.run(script: "begin; update item_stock set remaining = 7 where menu_item_id = 4001")
            let change = Task {
                // The call has no lock timeout. If it locked the menu revision first, it and the update below would
                // deadlock.
                try await open.storage.setStockPolicy(
                    of: .item(MenuItemID(rawValue: 4001)), to: .uncounted, by: .settingsToken)
            }
            try await eventually("the call waits for the row") {
                try await open.database.psql(
                    """
                    select count(*) from pg_stat_activity
                    where datname = current_database() and wait_event_type = 'Lock'
                    """) == "1"
            }
            try await staff.run(script: "update menu_items set price = price + 1 where id = 2001; commit")
            await staff.close()
            try await change.value
            #expect(try await open.database.psql("select count(*) from item_stock") == "0")
        }
    }

    /// Retries, as a guest would, until the server has noticed that the row is free.
    private static func submit(_ draft: CheckoutDraft, to open: ShopFixture) async throws -> CheckoutAnswer {
        while true {
            do throws(ShopFault) { return try await open.shop.checkouts.submit(draft) } catch {
                guard error == .rowLocked else { throw error }
            }
        }
    }

    private static func cancel(_ order: Order, of open: ShopFixture) async throws -> OrderState? {
        while true {
            do throws(ShopFault) { return try await open.shop.orders.cancel(order.id) } catch {
                guard error == .rowLocked else { throw error }
            }
        }
    }
}
