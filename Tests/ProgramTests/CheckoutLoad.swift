// 64 guests who order one basket after the other, and repeat what was not answered with the same key until it is: what storefronts
// do while a server dies under them. What they were told is kept, and compared with what is in the database. Used by CrashTests.
import Support
import Synchronization
import Testing
import Wire

/// The guests, and what they were told.
final class CheckoutLoad: Sendable {
    /// The coupon that half of the orders ask for, as a file for `serve --seed`: there are fewer than are asked for.
    static let coupon = """
        insert into coupons (id, key, title, description, benefit, percent, redemption_limit)
        values (90, 'RUSH', 'Rush', 'Ten percent off.', 'percent', 10, \(couponLimit)) on conflict do nothing;
        """
    static let couponLimit = 30

    /// An order that a guest was told of.
    struct Acknowledged: Sendable {
        let form: CheckoutBody
        let key: String
        let answer: [UInt8]
        let order: OrderBody
    }

    private struct State {
        var acknowledged: [Acknowledged] = []
        var couponRefusals = 0
        var lostRequests = 0
        var surprises: [String] = []
        var isOver = false
    }

    private let state = Mutex(State())
    private let (counts, count) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))

    /// All orders that were acknowledged until now.
    var acknowledged: [Acknowledged] { state.withLock { $0.acknowledged } }
    /// How many were told that the coupon is used up.
    var couponRefusals: Int { state.withLock { $0.couponRefusals } }
    /// How many requests got no answer at all.
    var lostRequests: Int { state.withLock { $0.lostRequests } }
    /// Answers that a storefront could not go on with.
    var surprises: [String] { state.withLock { $0.surprises } }

    /// Orders, from the moment that the server listens until ``end()``, and until everybody has been answered.
    func run(_ server: TestServer) async throws {
        try await eventually("the server listens", within: .seconds(60)) { (try? await server.get("/livez"))?.status == 200 }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for guest in 0..<64 {
                group.addTask {
                    var number = guest
                    while !self.isOver {
                        try await self.order(server, guest: guest, number: number)
                        number += 1
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Whether the guests are at their last order.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// The guests finish the order that they are at.
    func end() { state.withLock { $0.isOver = true } }

    /// Waits until so many more orders are acknowledged.
    func acknowledges(_ more: Int) async {
        let goal = state.withLock { $0.acknowledged.count } + more
        for await count in counts where count >= goal { return }
    }

    private func order(_ server: TestServer, guest: Int, number: Int) async throws {
        let filled: BasketBody = try await untilThere("a basket") {
            try await server.startBasket(items: [(2001, Int64(1 + number % 3)), (2003, 1)], sales: number.isMultiple(of: 2) ? [400] : [])
        }
        let key = "key of \(filled.id)"
        let reduced = CheckoutBody.filled(for: filled, guest: guest, coupon: "rush", total: (filled.total * 90 + 50) / 100)
        var form = number % 4 < 2 ? reduced : .filled(for: filled, guest: guest)
        var reply = try await answer(server, form, key)
        if reply.errors == ["coupon: coupon_exhausted"] {
            state.withLock { $0.couponRefusals += 1 }
            form = .filled(for: filled, guest: guest)
            reply = try await answer(server, form, key)
        }
        guard reply.status == 201 else { return state.withLock { $0.surprises.append("\(reply.status) \(reply.text)") } }
        let order = Acknowledged(form: form, key: key, answer: reply.body, order: try reply.decoded())
        count.yield(
            state.withLock { state in
                state.acknowledged.append(order)
                return state.acknowledged.count
            })
    }

    private func answer(_ server: TestServer, _ form: CheckoutBody, _ key: String) async throws -> TestServer.Reply {
        try await untilThere("the answer to \(key)") {
            let reply = try await server.checkout(form, key: key)
            return reply.status == 503 ? nil : reply
        }
    }

    /// Repeats a step as long as there is no server, or one that can't serve.
    private func untilThere<Value: Sendable>(_ what: String, _ step: () async throws -> Value?) async throws -> Value {
        var value: Value?
        try await eventually(what, within: .seconds(40)) {
            do {
                value = try await step()
            } catch {
                state.withLock { $0.lostRequests += 1 }
            }
            return value != nil
        }
        return try #require(value)
    }
}
