// What staff say of an order beyond its steps: one was a mistake, it is ready in so many minutes, it takes longer, its food is wasted.
// Tests sql/007_order_steps.sql and note_waste of sql/015_stock.sql.
@testable import Database
import Ordering
import Support
import Testing

@Suite struct TakeBackTests {
    private static func refused(_ database: TestDatabase, _ sql: String, _ words: String) async {
        let refusal = await #expect(throws: PsqlFailed.self) { try await database.staff(sql) }
        #expect(
            refusal?.output.contains("HINT:  ") == true && refusal?.output.contains(words) == true, "\(sql): \(refusal?.output ?? "")")
    }

    @Test("accepted, preparing and on_the_way can be taken back for ten seconds by the database's clock, each once, and nothing else")
    func takenBack() async throws {
        try await OpenShop.with { open async throws in
            let order = try #require(try await open.order(by: Guest(1), coupon: "FRST").order)
            let (database, number) = (open.database, order.number)
            func state() async throws -> String { try await database.psql("select state from orders where number = '\(number)'") }
            for (before, state_) in [("placed", "accepted"), ("accepted", "preparing"), ("preparing", "on_the_way")] {
                await Self.refused(database, "select take_back_step('\(number)', '\(state_)')", "It is \(before) now.")
                try await database.staff("select advance_order('\(number)', '\(state_)')")
                try await database.staff("select take_back_step('\(number)', '\(state_)')")
                #expect(try await state() == before)
                await Self.refused(database, "select take_back_step('\(number)', '\(state_)')", "It is \(before) now.")
                if before != "placed" {
                    await Self.refused(database, "select take_back_step('\(number)', '\(before)')", "It is \(before) now.")
                }
                try await database.staff("select advance_order('\(number)', '\(state_)')")
                try await database.psql("update order_steps set at = at - interval '9 seconds'")
                try await database.staff("select take_back_step('\(number)', '\(state_)')")
                try await database.staff("select advance_order('\(number)', '\(state_)')")
                try await database.psql("update order_steps set at = at - interval '10 seconds'")
                await Self.refused(database, "select take_back_step('\(number)', '\(state_)')", "It stays so: its guest is told.")
                #expect(try await state() == state_)
            }
            await Self.refused(database, "select take_back_step('\(number)')", "It stays so: its guest is told.")
            for other in ["'placed'", "'delivered'", "'rejected'", "'cancelled'"] {
                await Self.refused(database, "select take_back_step('\(number)', \(other))", "can be taken back")
            }
            await Self.refused(database, "select take_back_step('1', 'accepted')", "eight digits")
            try await database.staff("select advance_order('\(number)', 'rejected', 'the oven')")
            await Self.refused(database, "select take_back_step('\(number)', 'on_the_way')", "It is rejected now.")
            await Self.refused(database, "select take_back_step('\(number)')", "It is rejected now.")
            #expect(try await database.psql("select redeemed from coupon_redemptions where coupon_id = 1") == "0")
            let history = try #require(try await open.storage.loadHistories([order.id]).first)
            #expect(history.steps.prefix(4).map(\.state) == [.placed, .accepted, .placed, .accepted])
            #expect(history.steps.prefix(4).map(\.kind) == [.moved, .moved, .takenBack, .moved])
        }
    }

    @Test("of two who take the same step back at once one does, and of one who takes it back and one who goes on too")
    func together_() async throws {
        try await OpenShop.with { open async throws in
            for guest in 1...5 {
                let order = try #require(try await open.order(by: Guest(guest)).order)
                try await open.database.staff("select advance_order('\(order.number)', 'accepted')")
                let all = try await together(["accepted", "accepted", "preparing"]) { state in
                    let step: StaffStep = state == "accepted" ? .takeBack(.accepted) : .advance(to: .preparing)
                    if case .moved = try await open.storage.take(step, number: order.number, by: .ofTheSettings) { return true }
                    return false
                }
                #expect(all.count { $0 } == 1)
            }
        }
    }

    @Test(
        "an order is accepted with 5 to 180 whole minutes, and delayed to a later moment with a reason; taken back to placed, nothing is promised"
    )
    func promised() async throws {
        try await OpenShop.with { open async throws in
            let order = try #require(try await open.order(by: Guest(1)).order)
            let (database, number) = (open.database, order.number)
            await Self.refused(database, "select delay_order('\(number)', 120, 'the oven')", "Accept it with a time")
            for minutes in ["4", "181", "12.5", "-5", "'nan'"] {
                await Self.refused(database, "select advance_order('\(number)', 'accepted', minutes => \(minutes))", "from 5 to 180")
            }
            await Self.refused(database, "select advance_order('\(number)', 'rejected', 'why', minutes => 5)", "when you accept it")
            func promise() async throws -> StaffPromise { try #require(try await open.storage.loadOrder(order.id)).promise }
            let at = "promised_at - (select at from order_steps order by step desc limit 1)"
            for minutes in [180, 5] {
                try await database.staff("select advance_order('\(number)', 'accepted', minutes => \(minutes))")
                #expect(try await database.psql("select \(at) = interval '\(minutes) minutes' from orders") == "t")
                guard minutes == 180 else { break }
                try await database.staff("select take_back_step('\(number)')")
                #expect(try await promise() == StaffPromise(dayNumber: 1), "nothing but its number, which is for good")
            }
            let ready = try #require(try await promise().readyAt)
            #expect(try await open.storage.loadOrder(order.id)?.readyAt == ready)
            for (minutes, reason, words) in [
                ("0", "'the oven'", "from 1 to 180"), ("null", "'the oven'", "from 1 to 180"), ("181", "'the oven'", "from 1 to 180"),
                ("7.5", "'the oven'", "from 1 to 180"), ("'nan'", "'the oven'", "from 1 to 180"), ("60", "' '", "The guest reads it"),
                ("60", "null", "The guest reads it"), ("60", "repeat('é', 201)", "up to 200"),
            ] { await Self.refused(database, "select delay_order('\(number)', \(minutes), \(reason))", words) }
            #expect(try await promise().readyAt == ready)
            try await database.staff("select delay_order('\(number)', 60, repeat('é', 200))")
            let delayed = try await promise()
            #expect(delayed.readyAt == ready.advanced(by: .seconds(3600)) && delayed.delayReason?.count == 200)
            await Self.refused(database, "select take_back_step('\(number)', 'accepted')", "It is accepted now.")
            await Self.refused(database, "select take_back_step('\(number)')", "It is accepted now.")
            let step = try #require(try await open.storage.loadHistories([order.id]).first?.steps.last)
            #expect(
                step.kind == .delayed && step.state == .accepted && step.promisedAt == delayed.readyAt && step.reason == delayed.delayReason
            )
            // What is late already is promised for a time to come.
            try await database.psql("update orders set promised_at = now() - interval '20 minutes'")
            try await database.staff("select delay_order('\(number)', 10, 'the oven')")
            let late = "promised_at - (select at from order_steps order by step desc limit 1)"
            #expect(try await database.psql("select \(late) = interval '10 minutes' from orders") == "t")
        }
    }

    @Test("wasted food is never given back, and the ledger says so once; what is given back is never wasted")
    func wasted() async throws {
        try await OpenShop.with { open async throws in
            try await open.database.staff("insert into item_stock (menu_item_id, remaining) values (2001, 10), (2002, 5)")
            var orders: [Order] = []
            for guest in 1...2 { orders.append(try #require(try await open.order(by: Guest(guest)).order)) }
            let sold = try await open.database.psql("select 10 - remaining from item_stock where menu_item_id = 2001")
            #expect(sold != "0", "the guests ordered what is counted")
            let left = try await open.database.psql("select remaining from item_stock where menu_item_id = 2001")
            await Self.refused(open.database, "select advance_order('\(orders[0].number)', 'accepted', food_is_wasted => true)", "rejected")
            try await open.database.staff("select advance_order('\(orders[0].number)', 'rejected', 'burnt', food_is_wasted => true)")
            #expect(try await open.database.psql("select remaining from item_stock where menu_item_id = 2001") == left)
            try await open.database.psql("select give_stock_back('\(orders[0].id)'); select note_waste('\(orders[0].id)')")
            #expect(try await open.database.psql("select remaining from item_stock where menu_item_id = 2001") == left)
            try await open.database.staff("select advance_order('\(orders[1].number)', 'rejected', 'closed')")
            try await open.database.psql("select note_waste('\(orders[1].id)')")
            #expect(
                try await open.database.psql(
                    "select reason, change = 0 from stock_movements where reason in ('given_back', 'wasted') order by at")
                    == "wasted|t\ngiven_back|f")
        }
    }

    @Test(
        "what is rejected from preparing on is used up unless staff say otherwise, by route as in SQL; what nobody has begun is there again"
    )
    func usedUp() async throws {
        try await OpenShop.with { open async throws in
            try await open.database.staff("insert into item_stock (menu_item_id, remaining) values (2001, 100)")
            let left = "select remaining from item_stock"
            var guest = 0
            for state in [OrderState.placed, .accepted, .preparing, .onTheWay] {
                for said in [nil, false, true] {
                    for isRoute in [false, true] {
                        guest += 1
                        let before = try await open.database.psql(left)
                        let order = try #require(try await open.order(by: Guest(guest)).order)
                        for next in [OrderState.accepted, .preparing, .onTheWay].prefix(while: { _ in state != .placed }) {
                            try await open.database.staff("select advance_order('\(order.number)', '\(next.rawValue)')")
                            if next == state { break }
                        }
                        if isRoute {
                            let step = StaffStep.advance(to: .rejected, reason: "gone", foodIsWasted: said)
                            _ = try await open.shop.staff.take(step, number: order.number, by: .ofTheSettings)
                        } else {
                            let argument = said.map { ", food_is_wasted => \($0)" } ?? ""
                            try await open.database.staff("select advance_order('\(order.number)', 'rejected', 'gone'\(argument))")
                        }
                        let isUsedUp = said ?? (state == .preparing || state == .onTheWay)
                        #expect((try await open.database.psql(left) != before) == isUsedUp, "\(state), said \(String(describing: said))")
                    }
                }
            }
        }
    }
}
