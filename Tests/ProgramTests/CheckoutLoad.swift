// The load of the crash tests: 64 guests, each of whom orders one basket after the other.
// Like a storefront, a guest repeats a request without a response, with the same key, until there is a response.
import Support
import Synchronization
import Testing
import Wire

/// The guests and the responses that they got.
final class CheckoutLoad: Sendable {
    /// The coupon of half of the orders, as a seed file. Its redemption limit is lower than the demand.
    static let coupon = """
        insert into coupons (id, key, title, description, benefit, percent, redemption_limit)
        values (90, 'RUSH', 'Rush', 'Ten percent off.', 'percent', 10, \(couponLimit)) on conflict do nothing;
        """
    static let couponLimit = 30

    /// An order whose 201 a guest has received.
    struct AcknowledgedOrder: Sendable {
        let form: CheckoutBody
        let key: String
        let responseBody: [UInt8]
        let order: OrderBody
    }

    private struct State {
        var acknowledged: [AcknowledgedOrder] = []
        var couponRejections = 0
        var lostRequests = 0
        var unexpectedResponses: [String] = []
        var isFinishing = false
    }

    private let state = Mutex(State())
    private let (counts, count) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))

    /// The orders that are acknowledged so far.
    var acknowledged: [AcknowledgedOrder] { state.withLock { $0.acknowledged } }
    /// How many checkouts were rejected because the coupon is exhausted.
    var couponRejections: Int { state.withLock { $0.couponRejections } }
    /// How many requests got no response.
    var lostRequests: Int { state.withLock { $0.lostRequests } }
    /// The responses that no guest expects. A test with any of them fails.
    var unexpectedResponses: [String] { state.withLock { $0.unexpectedResponses } }

    /// Places orders until ``finish()`` is called and every guest's last order is answered.
    func run(_ server: TestServer) async throws {
        try await eventually("the server listens", within: .seconds(60)) {
            (try? await server.get("/livez"))?.status == 200
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for guest in 0..<64 {
                group.addTask {
                    var number = guest
                    while !self.isFinishing {
                        try await self.order(server, guest: guest, number: number)
                        number += 1
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Whether the guests only finish their current orders.
    var isFinishing: Bool { state.withLock { $0.isFinishing } }

    /// Lets the guests finish their current orders and then stop.
    func finish() { state.withLock { $0.isFinishing = true } }

    /// Waits until this many more orders are acknowledged.
    func waitForAcknowledgements(_ more: Int) async {
        let goal = state.withLock { $0.acknowledged.count } + more
        for await count in counts where count >= goal { return }
    }

    private func order(_ server: TestServer, guest: Int, number: Int) async throws {
        let filled: BasketBody = try await retry("a basket") {
            try await server.startBasket(
                items: [(2001, Int64(1 + number % 3)), (2003, 1)], sales: number.isMultiple(of: 2) ? [400] : [])
        }
        let key = "key of \(filled.id)"
        let reduced = CheckoutBody.filled(
            for: filled, guest: guest, coupon: "rush", total: (filled.total * 90 + 50) / 100)
        var form = number % 4 < 2 ? reduced : .filled(for: filled, guest: guest)
        var reply = try await placeOrder(server, form, key)
        if reply.errors == ["coupon: coupon_exhausted"] {
            state.withLock { $0.couponRejections += 1 }
            form = .filled(for: filled, guest: guest)
            reply = try await placeOrder(server, form, key)
        }
        guard reply.status == 201 else {
            return state.withLock { $0.unexpectedResponses.append("\(reply.status) \(reply.text)") }
        }
        let order = AcknowledgedOrder(form: form, key: key, responseBody: reply.body, order: try reply.decoded())
        count.yield(
            state.withLock { state in
                state.acknowledged.append(order)
                return state.acknowledged.count
            })
    }

    private func placeOrder(_ server: TestServer, _ form: CheckoutBody, _ key: String) async throws -> TestServer.Reply
    {
        try await retry("the response to \(key)") {
            let reply = try await server.checkout(form, key: key)
            return reply.status == 503 ? nil : reply
        }
    }

    /// Repeats a step while no server answers, or while the server answers 503.
    private func retry<Value: Sendable>(_ what: String, _ step: () async throws -> Value?) async throws -> Value {
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
