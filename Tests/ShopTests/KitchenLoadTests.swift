// The short numbers of orders for later: each is one of the day on which the kitchen has to do with the order. Tests Sources/Shop/Orders/KitchenLoad.swift
// and number_order in sql/007_order_steps.sql. Orders come nearer in SQL; nothing waits for an hour.
import Ordering
import Support
import Testing

@testable import Shop

@Suite(.timeLimit(.minutes(5))) struct KitchenLoadTests {
    private static func want(_ order: Order, in time: String, _ open: OpenShop) async throws {
        try await open.database.psql(
            "update orders set wanted_at = now() + interval '\(time)', eta_minutes = null, slot_items = 1 where id = '\(order.id)'")
    }

    private static func number(_ order: Order, _ open: OpenShop) async throws -> String {
        try await open.database.psql("select day_number from orders where id = '\(order.id)'")
    }

    @Test(
        "An order for later that is accepted before it comes up gets its number when it does, by two servers once, and those who watch hear of it"
    )
    func comesUp() async throws {
        try await OpenShop.two { open, _ in
            let later = try #require(try await open.order(by: Guest(1)).order)
            let soon = try #require(try await open.order(by: Guest(2)).order)
            try await Self.want(later, in: "2 hours", open)
            for order in [later, soon] { try await open.database.staff("select advance_order('\(order.number)', 'accepted')") }
            #expect(try await [Self.number(later, open), Self.number(soon, open)] == ["", "1"])
            let news = try #require(open.shop.board.watch())
            var iterator = news.makeAsyncIterator()
            try await OrderBoardTests.hear(&iterator, open)
            let given = try #require(Int(try await open.database.psql("select max(day_number) from orders")))

            try await Self.want(later, in: "59 minutes", open)
            while case let news? = await iterator.next() {
                if case .moved(let event) = news, event.orderID == later.id {
                    #expect(event.step.state == .accepted)
                    break
                }
            }
            #expect(try await Self.number(later, open) == "\(given + 1)")
            let steps = try await open.database.psql("select state from order_steps where order_id = '\(later.id)'")
            #expect(steps == "accepted", "it took no other step")
            // A number is for good, and nobody else's.
            try await open.database.staff("select take_back_step('\(later.number)', 'accepted')")
            try await open.database.staff("select advance_order('\(later.number)', 'accepted')")
            let last = try #require(try await open.order(by: Guest(3)).order)
            try await open.database.staff("select advance_order('\(last.number)', 'accepted')")
            #expect(try await [Self.number(later, open), Self.number(last, open)] == ["\(given + 1)", "\(given + 2)"])
        }
    }

    @Test("What the kitchen begins with before it comes up has its number at once, and what nobody has accepted has none when it comes up")
    func begunEarly() async throws {
        try await OpenShop.with { open async throws in
            let begun = try #require(try await open.order(by: Guest(1)).order)
            let waiting = try #require(try await open.order(by: Guest(2)).order)
            let accepted = try #require(try await open.order(by: Guest(3)).order)
            for order in [begun, accepted] { try await Self.want(order, in: "3 hours", open) }
            for state in ["accepted", "preparing"] { try await open.database.staff("select advance_order('\(begun.number)', '\(state)')") }
            try await open.database.staff("select advance_order('\(accepted.number)', 'accepted')")
            #expect(try await Self.number(begun, open) == "1")
            for order in [waiting, accepted] { try await Self.want(order, in: "30 minutes", open) }
            try await eventually("what was accepted has a number") { try await Self.number(accepted, open) == "2" }
            for order in [waiting, begun, accepted] { try await open.database.psql("select number_order('\(order.id)')") }
            #expect(try await [Self.number(waiting, open), Self.number(begun, open), Self.number(accepted, open)] == ["", "1", "2"])
        }
    }
}
