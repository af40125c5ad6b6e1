// What staff hold in a transaction that they forget: nobody waits with those who want it, and these are refused within a second.
// Tests Sources/Shop/Locks with sql/022_locked_rows.sql. A row that staff replace, and counts under load: LastPortionTests.
import Database
import Ordering
import Postgres
import Support
import Synchronization
import Testing

@testable import Shop

@Suite("Rows that staff hold", .timeLimit(.minutes(5)))
struct LockedRowsTests {
    /// What staff do in a transaction, and what an order has to have to be concerned by it.
    struct Held: CustomTestStringConvertible {
        let what: String
        let before: String
        let change: String
        let item: Int64
        var coupon: String?
        var option: Int64?
        var testDescription: String { what }
    }

    static let all = [
        Held(
            what: "a counted dish", before: "insert into item_stock (menu_item_id, remaining) values (4001, 500), (3001, 500)",
            change: "update item_stock set remaining = 7 where menu_item_id = 4001", item: 4001),
        Held(
            what: "a dish that is counted by the day",
            before: "insert into item_stock (menu_item_id, per_day) values (4001, 500), (3001, 500)",
            change: "update item_stock set per_day = 7 where menu_item_id = 4001", item: 4001),
        Held(
            what: "an option",
            before: "insert into option_stock (option_id, remaining) select id, 500 from options where id in (1202, 1203)",
            change: "update option_stock set remaining = 7 where option_id = 1202", item: 2001, option: 1202),
        Held(
            what: "a coupon", before: "insert into item_stock (menu_item_id, remaining) values (3001, 500)",
            change: "update coupons set title = title || '!' where key = 'FOLLOW'", item: 2001, coupon: "FOLLOW"),
    ]

    /// A basket with the dish, or the option on it.
    private static func basket(_ open: OpenShop, _ held: Held) async throws -> PricedBasket {
        let basket = try await open.basket([held.item: 1])
        guard let option = held.option else { return basket }
        let id = basket.basket.id
        let edit = LineEdit(options: [ChosenOption(1102), ChosenOption(option)])
        return try await open.shop.baskets.change(id, .edit(LineID(rawValue: 1), edit)).get()
    }

    @Test(
        "Whoever wants what staff hold is refused within a second, and once it is free has it; all others are placed meanwhile",
        arguments: all)
    func checkouts(held: Held) async throws {
        try await OpenShop.with { open async throws in
            try await open.database.staff(held.before)
            let staff = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            let wanting = try await together(Array(0..<20)) {
                try await open.draft(Self.basket(open, held), by: Guest($0), coupon: held.coupon)
            }
            // Another counted dish, another coupon, and neither.
            let others = try await together(Array(0..<60)) {
                try await open.draft(open.basket([$0 % 3 == 0 ? 3001 : 2002: 1]), by: Guest(100 + $0), coupon: $0 % 3 == 1 ? "FRST" : nil)
            }
            try await staff.run(script: "begin; \(held.change)")
            let begin = ContinuousClock.now
            async let refused = together(wanting) { draft -> Duration? in
                do throws(ShopFault) {
                    _ = try await open.shop.checkouts.submit(draft)
                    return nil
                } catch {
                    #expect(error == .beingChanged)
                    return .now - begin
                }
            }
            let placed = try await together(others) { try await open.shop.checkouts.submit($0).isPlaced }
            #expect(placed.allSatisfy { $0 })
            // A guest's time is 1 s; a busy machine has ten times that.
            for time in try await refused { #expect(try #require(time) < .seconds(10)) }
            #expect(open.shop.checkouts.blockedCount == 0)
            try await staff.run(script: "rollback")
            await staff.close()
            #expect(try await together(wanting) { try await Self.submit($0, to: open).isPlaced }.allSatisfy { $0 })
            #expect(try await open.database.psql(LastPortionTests.disagreements) == "")
        }
    }

    @Test("Who waits is placed as soon as staff have ended what they do, by what they have written")
    func released() async throws {
        try await OpenShop.with { open async throws in
            try await open.database.staff("insert into item_stock (menu_item_id, remaining) values (4001, 500)")
            let drafts = try await together(Array(0..<3)) { try await open.draft(open.basket([4001: 1]), by: Guest($0)) }
            let staff = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            try await staff.run(script: "begin; update item_stock set remaining = 2")
            let answers = Task { try await together(drafts) { try await Self.submit($0, to: open) } }
            try await eventually("they wait") { open.shop.checkouts.blockedCount > 0 }
            try await staff.run(script: "commit")
            await staff.close()
            #expect(try await answers.value.filter(\.isPlaced).count == 2)
            #expect(try await open.database.psql("select remaining, sold from item_stock") == "0|2")
        }
    }

    @Test(
        "Of 40 guests who cancel what staff hold none keeps a checkout, a basket or another's cancellation waiting; each is refused in time and changes nothing"
    )
    func cancellations() async throws {
        try await OpenShop.with { open async throws in
            try await open.database.staff("insert into item_stock (menu_item_id, remaining) values (4001, 500), (3001, 500)")
            func orders(of item: Int64, _ guests: Range<Int>) async throws -> [Order] {
                try await together(Array(guests)) { guest in
                    try #require(try await open.shop.checkouts.submit(open.draft(open.basket([item: 1]), by: Guest(guest))).order)
                }
            }
            let (held, free) = (try await orders(of: 4001, 0..<40), try await orders(of: 3001, 40..<50))
            let staff = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            try await staff.run(script: "begin; update item_stock set remaining = 7 where menu_item_id = 4001")
            let refusals = Mutex(0)
            async let refused = together(held) { order -> Bool in
                do throws(ShopFault) { _ = try await open.shop.orders.cancel(order.id) } catch {
                    refusals.withLock { $0 += 1 }
                    return error == .beingChanged
                }
                return false
            }
            // They wait for a second, which a machine that stands still may pass over.
            try await eventually("they wait") { open.shop.orders.cancellations.blockedCount > 0 || refusals.withLock { $0 > 0 } }
            let begin = ContinuousClock.now
            #expect(try await together(free) { try await open.shop.orders.cancel($0.id) }.allSatisfy { $0 == .cancelled })
            #expect(try await together(Array(60..<80)) { try await open.order(by: Guest($0)).isPlaced }.allSatisfy { $0 })
            #expect(.now - begin < .seconds(10))
            #expect(try await refused.allSatisfy { $0 })
            let state = "select state, count(*) from orders join order_lines on order_id = orders.id where menu_item_id = 4001 group by 1"
            #expect(try await open.database.psql(state) == "placed|40")
            try await staff.run(script: "rollback")
            await staff.close()
            for order in held { #expect(try await Self.cancel(order, of: open) == .cancelled) }
            #expect(try await open.database.psql("select remaining from item_stock order by 1") == "500\n500")
        }
    }

    @Test("What is counted by the day goes back though staff hold its row; a rejection that has to wait for a row is refused in time")
    func steps() async throws {
        try await OpenShop.with { open async throws in
            try await open.database.staff(
                """
                insert into item_stock (menu_item_id, per_day) values (4001, 500);
                insert into item_stock (menu_item_id, remaining) values (3001, 500)
                """)
            var orders: [Order] = []
            for (guest, item) in ([4001, 4001, 3001] as [Int64]).enumerated() {
                orders.append(
                    try #require(try await open.shop.checkouts.submit(open.draft(open.basket([item: 1]), by: Guest(guest))).order))
            }
            let staff = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            try await staff.run(
                script:
                    "begin; update item_stock set per_day = per_day + 1 where per_day is not null; update item_stock set remaining = 7 where remaining is not null"
            )
            // From then on it is known that it is held.
            await #expect(throws: ShopFault.beingChanged) {
                _ = try await open.shop.staff.setCounting(of: .item(MenuItemID(rawValue: 4001)), to: .perDay(9), by: .ofTheSettings)
            }
            #expect(try await open.shop.orders.cancel(orders[0].id) == .cancelled)
            guard
                case .moved = try await open.shop.staff.take(
                    .advance(to: .rejected, reason: "gone"), number: orders[1].number, by: .ofTheSettings)
            else {
                Issue.record("what is counted by the day waits for staff's row")
                return
            }
            for step in [StaffStep.advance(to: .rejected, reason: "gone"), .advance(to: .rejected, reason: "again")] {
                await #expect(throws: ShopFault.beingChanged) {
                    _ = try await open.shop.staff.take(step, number: orders[2].number, by: .ofTheSettings)
                }
            }
            // It gives nothing back, and waits for nobody.
            guard case .moved = try await open.shop.staff.take(.advance(to: .accepted), number: orders[2].number, by: .ofTheSettings) else {
                Issue.record("an acceptance waits for a count")
                return
            }
            try await staff.run(script: "rollback")
            await staff.close()
            #expect(try await open.database.psql("select sold from stock_days") == "0")
        }
    }

    @Test("That something is held is told once it is for long, once, with the row's name for the log, and its end once")
    func told() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            let heard = Mutex<[Health]>([])
            try await OpenShop.with(on: database, onLockedRows: { health in heard.withLock { $0.append(health) } }) { open async throws in
                try await database.staff("insert into item_stock (menu_item_id, remaining) values (4001, 500)")
                let draft = try await open.draft(open.basket([4001: 1]), by: Guest(1))
                let staff = try await PostgresConnection.connect(database.staffURL, logger: .silent)
                try await staff.run(
                    script: "begin; update item_stock set remaining = 7; update coupons set title = title || '!' where key = 'FOLLOW'")
                await #expect(throws: ShopFault.beingChanged) { _ = try await open.shop.checkouts.submit(draft) }
                try await eventually("it is told") { heard.withLock { !$0.isEmpty } }
                await #expect(throws: ShopFault.beingChanged) { _ = try await open.order(by: Guest(2), coupon: "FOLLOW") }
                try await staff.run(script: "commit")
                await staff.close()
                try await eventually("its end is told") { heard.withLock { $0.count > 1 } }
                #expect(try await Self.submit(draft, to: open).isPlaced)
                let told = heard.withLock { $0 }
                #expect(told.count == 2 && told.last == .healthy)
                guard case .failing(let reason)? = told.first else {
                    Issue.record("nothing fails")
                    return
                }
                #expect(reason.contains("item_stock 4001") && reason.contains("idle in transaction"))
            }
        }
    }

    @Test("A step that staff have taken in SQL and not ended holds what the order had, and nobody waits along")
    func openStep() async throws {
        try await OpenShop.with { open async throws in
            try await open.database.staff("insert into item_stock (menu_item_id, remaining) values (4001, 500)")
            let drafts = try await together(Array(0..<2)) { try await open.draft(open.basket([4001: 1]), by: Guest($0)) }
            let order = try #require(try await open.shop.checkouts.submit(drafts[0]).order)
            let staff = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            try await staff.run(script: "begin; select advance_order('\(order.number)', 'rejected', 'gone')")
            let refused = Task { try await open.shop.checkouts.submit(drafts[1]) }
            #expect(try await open.order(by: Guest(7)).isPlaced)
            await #expect(throws: ShopFault.beingChanged) { _ = try await refused.value }
            await #expect(throws: ShopFault.beingChanged) { _ = try await open.shop.orders.cancel(order.id) }
            try await staff.run(script: "commit")
            await staff.close()
            #expect(try await Self.cancel(order, of: open) == .rejected)
            #expect(try await Self.submit(drafts[1], to: open).isPlaced)
        }
    }

    /// As a row is that somebody holds again and again for a moment: free whenever it is looked at.
    private static let waitInVain = """
        create function wait_in_vain() returns trigger language plpgsql as $$ begin raise 'held' using errcode = 'lock_not_available'; end $$;
        create trigger wait_in_vain before update on item_stock for each row when (new.menu_item_id = 4001) execute function wait_in_vain();
        """

    @Test(
        "A row that is waited for in vain and free when it is looked at keeps nobody else: who wants it hears so within a second, and never of overload"
    )
    func freeAgain() async throws {
        try await OpenShop.with { open async throws in
            try await open.database.staff("insert into item_stock (menu_item_id, remaining) values (4001, 500), (3001, 500)")
            let order = try #require(try await open.shop.checkouts.submit(open.draft(open.basket([4001: 1]), by: Guest(0))).order)
            let drafts = try await together(Array(1..<50)) { guest in
                let items: [Int64: Int64] =
                    switch guest % 5 {
                    case 0: [4001: 1]
                    case 1: [4001: 1, 3001: 1]
                    case 2: [3001: 1]
                    default: [2001: 1]
                    }
                return try await open.draft(open.basket(items), by: Guest(guest), coupon: guest % 5 == 3 ? "FRST" : nil)
            }
            try await open.database.psql(Self.waitInVain)
            let begin = ContinuousClock.now
            let faults = try await together(drafts) { draft -> ShopFault? in
                do throws(ShopFault) {
                    #expect(try await open.shop.checkouts.submit(draft).isPlaced)
                    return nil
                } catch {
                    return error
                }
            }
            await #expect(throws: ShopFault.beingChanged) { _ = try await open.shop.orders.cancel(order.id) }
            // A guest's time is 1 s, for each of the two; a busy machine has ten times that.
            #expect(.now - begin < .seconds(20))
            #expect(faults == (1..<50).map { $0 % 5 < 2 ? .beingChanged : nil })
            try await open.database.psql("drop trigger wait_in_vain on item_stock")
            for draft in drafts { #expect(try await Self.submit(draft, to: open).order != nil) }
            #expect(try await Self.cancel(order, of: open) == .cancelled)
            #expect(try await open.database.psql(LastPortionTests.disagreements) == "")
        }
    }

    @Test("Staff's route that counts waits for the row before the menu's turn, as staff's own SQL has them")
    func oneOrder() async throws {
        try await OpenShop.with { open async throws in
            try await open.database.staff("insert into item_stock (menu_item_id, remaining) values (4001, 500)")
            let staff = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            try await staff.run(script: "begin; update item_stock set remaining = 7 where menu_item_id = 4001")
            let tap = Task {
                // Without a limit: who held the menu's turn here would keep the edit below waiting for ever.
                try await open.storage.setCounting(of: .item(MenuItemID(rawValue: 4001)), to: .uncounted, by: .ofTheSettings)
            }
            try await eventually("it waits for the row") {
                try await open.database.psql(
                    "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'") == "1"
            }
            try await staff.run(script: "update menu_items set price = price + 1 where id = 2001; commit")
            await staff.close()
            try await tap.value
            #expect(try await open.database.psql("select count(*) from item_stock") == "0")
        }
    }

    /// As often as a guest might press the button again, until the shop has seen that it is free.
    private static func submit(_ draft: CheckoutDraft, to open: OpenShop) async throws -> CheckoutAnswer {
        while true {
            do throws(ShopFault) { return try await open.shop.checkouts.submit(draft) } catch {
                guard error == .beingChanged else { throw error }
            }
        }
    }

    private static func cancel(_ order: Order, of open: OpenShop) async throws -> OrderState? {
        while true {
            do throws(ShopFault) { return try await open.shop.orders.cancel(order.id) } catch {
                guard error == .beingChanged else { throw error }
            }
        }
    }
}
