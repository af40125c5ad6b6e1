// Changes by staff while another session has locked the rows that they need. Covers StaffOperations.
import Ordering
import Postgres
import Shop
import Support
import Testing

@Suite("Staff and locked rows")
struct StaffOperationsTests {
    @Test("Staff who mark items as sold out wait for an uncommitted menu change, without delaying a guest")
    func soldOut() async throws {
        try await ShopFixture.with { open async throws in
            let menu = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            try await menu.run(script: "begin; update menu_items set price = price + 1 where id = 2001")
            // There are more changes than connections for guests.
            let changes = ([2002, 2003, 3001, 3002] as [Int64]).map { id in
                Task { () async throws -> Bool? in
                    // Retries, as staff would.
                    while true {
                        do throws(ShopFault) {
                            let change = try await open.shop.staff.setAvailability(
                                of: .item(MenuItemID(rawValue: id)), to: .soldOut(until: nil), by: .settingsToken)
                            guard case .item(let item, let newest) = change else { return nil }
                            return newest.availability(of: item.id).isAvailable
                        } catch {
                            guard error == .rowLocked else { throw error }
                        }
                    }
                }
            }
            try await eventually("the changes wait") {
                try await open.database.psql(
                    """
                    select count(*) > 0 from pg_stat_activity
                    where datname = current_database() and wait_event_type = 'Lock'
                    """) == "t"
            }
            #expect(try await open.placeOrder(by: Guest(1)).isPlaced)
            // A step of an order uses the connection between the changes.
            let order = try #require(await open.placeOrder(by: Guest(2)).order)
            let begin = ContinuousClock.now
            guard
                case .moved = try await open.shop.staff.perform(
                    .advance(to: .accepted), number: order.number, by: .settingsToken)
            else {
                Issue.record("the order is not accepted")
                return
            }
            #expect(.now - begin < .seconds(2))
            try await menu.run(script: "rollback")
            await menu.close()
            for change in changes { #expect(try await change.value == false) }
        }
    }

    @Test("A change of a locked menu or order by staff fails because of the lock, and nothing is changed")
    func lockedRows() async throws {
        try await ShopFixture.with { open async throws in
            let order = try #require(await open.placeOrder(by: Guest(1)).order)
            let holder = try await PostgresConnection.connect(open.database.url, logger: .silent)
            try await holder.run(
                script: """
                    begin;
                    update menu_items set price = price + 1 where id = 2001;
                    select from orders where number = '\(order.number)' for update
                    """)
            let change = Task {
                try await open.shop.staff.setAvailability(
                    of: .item(MenuItemID(rawValue: 2002)), to: .soldOut(until: nil), by: .settingsToken)
            }
            let step = Task {
                try await open.shop.staff.perform(.advance(to: .accepted), number: order.number, by: .settingsToken)
            }
            await #expect(throws: ShopFault.rowLocked) { _ = try await change.value }
            await #expect(throws: ShopFault.rowLocked) { _ = try await step.value }
            try await holder.run(script: "rollback")
            await holder.close()
            #expect(
                try await open.database.psql(
                    "select is_available, state from menu_items, orders where menu_items.id = 2002") == "t|placed")
        }
    }

    @Test("Of many steps that need a locked row, a limited number waits, the rest fails at once, and others are served")
    func bounded() async throws {
        try await ShopFixture.with { open async throws in
            try await open.database.psqlAsStaff("insert into item_stock (menu_item_id, remaining) values (4001, 500)")
            let orders = try await runConcurrently(Array(0..<100)) {
                try #require(
                    try await open.shop.checkouts.submit(open.makeDraft(open.makeBasket([4001: 1]), by: Guest($0)))
                        .order)
            }
            let holder = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            try await holder.run(script: "begin; update item_stock set remaining = 7 where menu_item_id = 4001")
            // All steps have to run within the same second. If the machine stalls for that long, the test tries again.
            var (atOnce, waited) = (false, false)
            for _ in 0..<10 where !(atOnce && waited) {
                let refused = Task {
                    try await runConcurrently(orders) { order -> Duration? in
                        let begin = ContinuousClock.now
                        do throws(ShopFault) {
                            _ = try await open.shop.staff.perform(
                                .advance(to: .rejected, reason: "gone"), number: order.number, by: .settingsToken)
                            return nil
                        } catch {
                            return error == .rowLocked ? .now - begin : nil
                        }
                    }
                }
                var most = 0
                try await eventually("steps wait") {
                    most = max(most, open.shop.staff.waitingCount)
                    return most > 0
                }
                let change = try await open.shop.staff.setAvailability(
                    of: .item(MenuItemID(rawValue: 2001)), to: .soldOut(until: nil), by: .settingsToken)
                guard case .item = change else { return #expect(Bool(false)) }
                try await eventually("no step waits any more") {
                    most = max(most, open.shop.staff.waitingCount)
                    return open.shop.staff.waitingCount == 0
                }
                let times = try await refused.value.map { try #require($0) }
                #expect(most <= 64)
                atOnce = times.contains { $0 < .milliseconds(900) }
                waited = times.contains { $0 >= .milliseconds(900) }
                // Each step keeps the connection for at most 0.1 s; the rest is reserved for a busy machine.
                #expect(try #require(times.max()) < .seconds(5))
            }
            #expect(atOnce && waited)
            try await holder.run(script: "rollback")
            await holder.close()
            #expect(try await open.database.psql("select count(*) from order_steps") == "0")
        }
    }
}
