// What staff do while somebody has locked the rows that they need. Tests Sources/Shop/Staff/StaffDesk.swift.
import Ordering
import Postgres
import Shop
import Support
import Testing

@Suite("Staff and locked rows")
struct StaffDeskTests {
    @Test(
        "Who sells items out waits for a change of the menu that somebody has not ended, a second at a time, and no guest waits with them")
    func soldOut() async throws {
        try await OpenShop.with { open async throws in
            let menu = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            try await menu.run(script: "begin; update menu_items set price = price + 1 where id = 2001")
            // More than guests have connections.
            let taps = ([2002, 2003, 3001, 3002] as [Int64]).map { id in
                Task { () async throws -> Bool? in
                    // As often as staff might tap again.
                    while true {
                        do throws(ShopFault) {
                            let change = try await open.shop.staff.setAvailability(
                                of: .item(MenuItemID(rawValue: id)), to: .soldOut(until: nil), by: .ofTheSettings)
                            guard case .item(let item, let newest) = change else { return nil }
                            return newest.availability(of: item.id).isAvailable
                        } catch {
                            guard error == .beingChanged else { throw error }
                        }
                    }
                }
            }
            try await eventually("they wait") {
                try await open.database.psql(
                    "select count(*) > 0 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'") == "t"
            }
            #expect(try await open.order(by: Guest(1)).isPlaced)
            // Who moves an order on has the connection in between.
            let order = try #require(await open.order(by: Guest(2)).order)
            let begin = ContinuousClock.now
            guard case .moved = try await open.shop.staff.take(.advance(to: .accepted), number: order.number, by: .ofTheSettings) else {
                Issue.record("the order is not accepted")
                return
            }
            #expect(.now - begin < .seconds(2))
            try await menu.run(script: "rollback")
            await menu.close()
            for tap in taps { #expect(try await tap.value == false) }
        }
    }

    @Test("Who taps while somebody keeps the menu or the order is told so, and nothing is changed")
    func held() async throws {
        try await OpenShop.with { open async throws in
            let order = try #require(await open.order(by: Guest(1)).order)
            let keeper = try await PostgresConnection.connect(open.database.url, logger: .silent)
            try await keeper.run(
                script:
                    "begin; update menu_items set price = price + 1 where id = 2001; select from orders where number = '\(order.number)' for update"
            )
            let tap = Task {
                try await open.shop.staff.setAvailability(
                    of: .item(MenuItemID(rawValue: 2002)), to: .soldOut(until: nil), by: .ofTheSettings)
            }
            let step = Task { try await open.shop.staff.take(.advance(to: .accepted), number: order.number, by: .ofTheSettings) }
            await #expect(throws: ShopFault.beingChanged) { _ = try await tap.value }
            await #expect(throws: ShopFault.beingChanged) { _ = try await step.value }
            try await keeper.run(script: "rollback")
            await keeper.close()
            #expect(
                try await open.database.psql("select is_available, state from menu_items, orders where menu_items.id = 2002") == "t|placed")
        }
    }

    @Test(
        "Of many who want a row that is held some wait, and are counted, and the rest hears at once; who wants something else has it meanwhile"
    )
    func bounded() async throws {
        try await OpenShop.with { open async throws in
            try await open.database.staff("insert into item_stock (menu_item_id, remaining) values (4001, 500)")
            let orders = try await together(Array(0..<100)) {
                try #require(try await open.shop.checkouts.submit(open.draft(open.basket([4001: 1]), by: Guest($0))).order)
            }
            let keeper = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            try await keeper.run(script: "begin; update item_stock set remaining = 7 where menu_item_id = 4001")
            // All of them have a second together: a machine that stands still for that long shows it the next time.
            var (atOnce, waited) = (false, false)
            for _ in 0..<10 where !(atOnce && waited) {
                let refused = Task {
                    try await together(orders) { order -> Duration? in
                        let begin = ContinuousClock.now
                        do throws(ShopFault) {
                            _ = try await open.shop.staff.take(
                                .advance(to: .rejected, reason: "gone"), number: order.number, by: .ofTheSettings)
                            return nil
                        } catch {
                            return error == .beingChanged ? .now - begin : nil
                        }
                    }
                }
                var most = 0
                try await eventually("they wait") {
                    most = max(most, open.shop.staff.waitingCount)
                    return most > 0
                }
                let change = try await open.shop.staff.setAvailability(
                    of: .item(MenuItemID(rawValue: 2001)), to: .soldOut(until: nil), by: .ofTheSettings)
                guard case .item = change else { return #expect(Bool(false)) }
                try await eventually("the last of them has its answer") {
                    most = max(most, open.shop.staff.waitingCount)
                    return open.shop.staff.waitingCount == 0
                }
                let times = try await refused.value.map { try #require($0) }
                #expect(most <= 64)
                atOnce = times.contains { $0 < .milliseconds(900) }
                waited = times.contains { $0 >= .milliseconds(900) }
                // Each would keep the connection for a tenth of a second; a busy machine has the rest.
                #expect(try #require(times.max()) < .seconds(5))
            }
            #expect(atOnce && waited)
            try await keeper.run(script: "rollback")
            await keeper.close()
            #expect(try await open.database.psql("select count(*) from order_steps") == "0")
        }
    }
}
