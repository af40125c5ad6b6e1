// Changes of an order beside its steps: a step taken back, a promised time, a delay, and wasted food.
// Tests sql/007_order_steps.sql and record_waste of sql/015_stock.sql.
@testable import Database
import Ordering
import Support
import Testing

@Suite struct StaffOrderChangeTests {
    private static func expectHint(_ database: TestDatabase, _ sql: String, _ words: String) async {
        let refusal = await #expect(throws: PsqlFailed.self) { try await database.psqlAsStaff(sql) }
        #expect(
            refusal?.output.contains("HINT:  ") == true && refusal?.output.contains(words) == true,
            "\(sql): \(refusal?.output ?? "")")
    }

    @Test("Only accepted, preparing and on_the_way can be taken back, once each and for ten seconds")
    func takenBack() async throws {
        try await ShopFixture.with { fixture async throws in
            let order = try #require(try await fixture.placeOrder(by: Guest(1), coupon: "FRST").order)
            let (database, number) = (fixture.database, order.number)
            func state() async throws -> String {
                try await database.psql("select state from orders where number = '\(number)'")
            }
            for (before, next) in [("placed", "accepted"), ("accepted", "preparing"), ("preparing", "on_the_way")] {
                await Self.expectHint(database, "select take_back_step('\(number)', '\(next)')", "It is \(before) now.")
                try await database.psqlAsStaff("select advance_order('\(number)', '\(next)')")
                try await database.psqlAsStaff("select take_back_step('\(number)', '\(next)')")
                #expect(try await state() == before)
                await Self.expectHint(database, "select take_back_step('\(number)', '\(next)')", "It is \(before) now.")
                if before != "placed" {
                    await Self.expectHint(
                        database, "select take_back_step('\(number)', '\(before)')", "It is \(before) now.")
                }
                try await database.psqlAsStaff("select advance_order('\(number)', '\(next)')")
                try await database.psql("update order_steps set at = at - interval '9 seconds'")
                try await database.psqlAsStaff("select take_back_step('\(number)', '\(next)')")
                try await database.psqlAsStaff("select advance_order('\(number)', '\(next)')")
                try await database.psql("update order_steps set at = at - interval '10 seconds'")
                await Self.expectHint(
                    database, "select take_back_step('\(number)', '\(next)')", "Its guest has been notified.")
                #expect(try await state() == next)
            }
            await Self.expectHint(database, "select take_back_step('\(number)')", "Its guest has been notified.")
            for other in ["'placed'", "'delivered'", "'rejected'", "'cancelled'"] {
                await Self.expectHint(database, "select take_back_step('\(number)', \(other))", "can be taken back")
            }
            await Self.expectHint(database, "select take_back_step('1', 'accepted')", "eight digits")
            try await database.psqlAsStaff("select advance_order('\(number)', 'rejected', 'the oven')")
            await Self.expectHint(database, "select take_back_step('\(number)', 'on_the_way')", "It is rejected now.")
            await Self.expectHint(database, "select take_back_step('\(number)')", "It is rejected now.")
            #expect(try await database.psql("select redeemed from coupon_redemptions where coupon_id = 1") == "0")
            let history = try #require(try await fixture.storage.loadHistories([order.id]).first)
            #expect(history.steps.prefix(4).map(\.state) == [.placed, .accepted, .placed, .accepted])
            #expect(history.steps.prefix(4).map(\.kind) == [.moved, .moved, .takenBack, .moved])
        }
    }

    @Test("When staff take back and advance the same step concurrently, exactly one attempt succeeds")
    func concurrently() async throws {
        try await ShopFixture.with { fixture async throws in
            for guest in 1...5 {
                let order = try #require(try await fixture.placeOrder(by: Guest(guest)).order)
                try await fixture.database.psqlAsStaff("select advance_order('\(order.number)', 'accepted')")
                let all = try await runConcurrently(["accepted", "accepted", "preparing"]) { state in
                    let step: StaffStep = state == "accepted" ? .takeBack(.accepted) : .advance(to: .preparing)
                    if case .moved = try await fixture.storage.takeStep(step, number: order.number, by: .settingsToken)
                    {
                        return true
                    }
                    return false
                }
                #expect(all.count { $0 } == 1)
            }
        }
    }

    @Test(
        "Staff accept with 5 to 180 minutes and delay with a reason, and an order taken back to placed has no promise"
    )
    func promisedTimes() async throws {
        try await ShopFixture.with { fixture async throws in
            let order = try #require(try await fixture.placeOrder(by: Guest(1)).order)
            let (database, number) = (fixture.database, order.number)
            await Self.expectHint(database, "select delay_order('\(number)', 120, 'the oven')", "Accept it with a time")
            for minutes in ["4", "181", "12.5", "-5", "'nan'"] {
                await Self.expectHint(
                    database, "select advance_order('\(number)', 'accepted', minutes => \(minutes))", "from 5 to 180")
            }
            await Self.expectHint(
                database, "select advance_order('\(number)', 'rejected', 'why', minutes => 5)",
                "when you accept the order")
            func promise() async throws -> OrderUpdates {
                try #require(try await fixture.storage.loadOrder(order.id)).updates
            }
            let at = "promised_at - (select at from order_steps order by step desc limit 1)"
            for minutes in [180, 5] {
                try await database.psqlAsStaff("select advance_order('\(number)', 'accepted', minutes => \(minutes))")
                #expect(try await database.psql("select \(at) = interval '\(minutes) minutes' from orders") == "t")
                guard minutes == 180 else { break }
                try await database.psqlAsStaff("select take_back_step('\(number)')")
                #expect(try await promise() == OrderUpdates(dayNumber: 1), "only the order number remains")
            }
            let ready = try #require(try await promise().readyAt)
            #expect(try await fixture.storage.loadOrder(order.id)?.readyAt == ready)
            for (minutes, reason, words) in [
                ("0", "'the oven'", "from 1 to 180"), ("null", "'the oven'", "from 1 to 180"),
                ("181", "'the oven'", "from 1 to 180"),
                ("7.5", "'the oven'", "from 1 to 180"), ("'nan'", "'the oven'", "from 1 to 180"),
                ("60", "' '", "The guest reads it"),
                ("60", "null", "The guest reads it"), ("60", "repeat('é', 201)", "up to 200"),
            ] { await Self.expectHint(database, "select delay_order('\(number)', \(minutes), \(reason))", words) }
            #expect(try await promise().readyAt == ready)
            try await database.psqlAsStaff("select delay_order('\(number)', 60, repeat('é', 200))")
            let delayed = try await promise()
            #expect(delayed.readyAt == ready.advanced(by: .seconds(3600)) && delayed.delayReason?.count == 200)
            await Self.expectHint(database, "select take_back_step('\(number)', 'accepted')", "It is accepted now.")
            await Self.expectHint(database, "select take_back_step('\(number)')", "It is accepted now.")
            let step = try #require(try await fixture.storage.loadHistories([order.id]).first?.steps.last)
            #expect(
                step.kind == .delayed && step.state == .accepted && step.promisedAt == delayed.readyAt
                    && step.reason == delayed.delayReason
            )
            // A delay of an overdue order promises a time in the future.
            try await database.psql("update orders set promised_at = now() - interval '20 minutes'")
            try await database.psqlAsStaff("select delay_order('\(number)', 10, 'the oven')")
            let promisedDelay = "promised_at - (select at from order_steps order by step desc limit 1)"
            #expect(try await database.psql("select \(promisedDelay) = interval '10 minutes' from orders") == "t")
        }
    }

    @Test("Wasted food is not returned to stock and is recorded once, and returned food is never wasted")
    func wasted() async throws {
        try await ShopFixture.with { fixture async throws in
            try await fixture.database.psqlAsStaff(
                "insert into item_stock (menu_item_id, remaining) values (2001, 10), (2002, 5)")
            var orders: [Order] = []
            for guest in 1...2 { orders.append(try #require(try await fixture.placeOrder(by: Guest(guest)).order)) }
            let sold = try await fixture.database.psql(
                "select 10 - remaining from item_stock where menu_item_id = 2001")
            #expect(sold != "0", "the orders took counted units")
            let remaining = try await fixture.database.psql(
                "select remaining from item_stock where menu_item_id = 2001")
            await Self.expectHint(
                fixture.database, "select advance_order('\(orders[0].number)', 'accepted', food_is_wasted => true)",
                "rejected")
            try await fixture.database.psqlAsStaff(
                "select advance_order('\(orders[0].number)', 'rejected', 'burnt', food_is_wasted => true)")
            #expect(
                try await fixture.database.psql("select remaining from item_stock where menu_item_id = 2001")
                    == remaining)
            try await fixture.database.psql(
                "select give_stock_back('\(orders[0].id)'); select record_waste('\(orders[0].id)')")
            #expect(
                try await fixture.database.psql("select remaining from item_stock where menu_item_id = 2001")
                    == remaining)
            try await fixture.database.psqlAsStaff("select advance_order('\(orders[1].number)', 'rejected', 'closed')")
            try await fixture.database.psql("select record_waste('\(orders[1].id)')")
            #expect(
                try await fixture.database.psql(
                    """
                    select reason, change = 0 from stock_movements
                    where reason in ('given_back', 'wasted') order by at
                    """)
                    == "wasted|t\ngiven_back|f")
        }
    }

    @Test(
        "Rejecting an order after preparation began wastes its food unless staff say otherwise, by HTTP and in SQL"
    )
    func usedUp() async throws {
        try await ShopFixture.with { fixture async throws in
            try await fixture.database.psqlAsStaff(
                "insert into item_stock (menu_item_id, remaining) values (2001, 100)")
            let remaining = "select remaining from item_stock"
            var guest = 0
            for state in [OrderState.placed, .accepted, .preparing, .onTheWay] {
                for foodIsWasted in [nil, false, true] {
                    for isRoute in [false, true] {
                        guest += 1
                        let before = try await fixture.database.psql(remaining)
                        let order = try #require(try await fixture.placeOrder(by: Guest(guest)).order)
                        for next in [OrderState.accepted, .preparing, .onTheWay].prefix(while: { _ in state != .placed }
                        ) {
                            try await fixture.database.psqlAsStaff(
                                "select advance_order('\(order.number)', '\(next.rawValue)')")
                            if next == state { break }
                        }
                        if isRoute {
                            let step = StaffStep.advance(to: .rejected, reason: "gone", foodIsWasted: foodIsWasted)
                            _ = try await fixture.shop.staff.perform(step, number: order.number, by: .settingsToken)
                        } else {
                            let argument = foodIsWasted.map { ", food_is_wasted => \($0)" } ?? ""
                            try await fixture.database.psqlAsStaff(
                                "select advance_order('\(order.number)', 'rejected', 'gone'\(argument))")
                        }
                        let isUsedUp = foodIsWasted ?? (state == .preparing || state == .onTheWay)
                        #expect(
                            (try await fixture.database.psql(remaining) != before) == isUsedUp,
                            "\(state), said \(String(describing: foodIsWasted))")
                    }
                }
            }
        }
    }
}
