// Orders over HTTP. Anyone with the id can read an order; guest details and cancellation require the access token.
import HTTPServing
import HTTPTypes
import Ordering
import Shop
import Wire

/// `/v1/orders`.
package struct OrderRoutes: Routes {
    private let shop: RunningShop
    private let heartbeat: Duration

    /// Creates the order routes of a shop. `heartbeat` is the interval of keep-alive comments in event streams.
    package init(_ shop: RunningShop, heartbeat: Duration) { (self.shop, self.heartbeat) = (shop, heartbeat) }

    package func add(to routes: inout RouteTable) {
        routes.get("/v1/orders/{orderId}", "An order, with the guest's details only for its access token", read)
        routes.get("/v1/orders/{orderId}/receipt", "The receipt of an order: amounts, seller and taxes", receipt)
        routes.post("/v1/orders/{orderId}/cancel", "Cancels an order that is not accepted yet", cancel)
        routes.get(
            "/v1/orders/{orderId}/events", "The steps of an order as server-sent events", isStream: true,
            follow)
    }

    private func read(_ request: Request, _ context: RequestContext) async throws -> Response {
        guard let id = OrderID(context.path("orderId")), let order = try await shop.orders.load(id) else {
            throw Problem.orderNotFound
        }
        let isGuest = try shop.tokens.isPresent(in: request, for: id)
        return .conditional(
            request, OrderBody(order, hasToken: isGuest), cacheControl: "private, no-cache",
            headers: [.vary: "Authorization", .contentLanguage: order.language.text])
    }

    private func receipt(_ request: Request, _ context: RequestContext) async throws -> Response {
        guard let id = OrderID(context.path("orderId")), let order = try await shop.orders.load(id) else {
            throw Problem.orderNotFound
        }
        try shop.tokens.require(in: request, for: id)
        guard let menu = shop.menu.current?.menu else { throw Problem.menuUnavailable }
        return .conditional(
            request, ReceiptBody(order, from: menu.profile), cacheControl: "private, no-cache",
            headers: [.vary: "Authorization", .contentLanguage: order.language.text])
    }

    private func cancel(_ request: Request, _ context: RequestContext) async throws -> Response {
        try request.expectNoFields()
        // Read from the primary, which also decides the cancellation.
        guard let id = OrderID(context.path("orderId")), let order = try await shop.orders.loadFromPrimary(id) else {
            throw Problem.orderNotFound
        }
        try shop.tokens.require(in: request, for: id)
        switch try await shop.orders.cancel(order.id) {
        case .cancelled?: return .json(OrderBody(cancelled: order), headers: [.contentLanguage: order.language.text])
        case let state?: throw Problem.orderNotCancellable(state)
        case nil: throw Problem.orderNotFound
        }
    }

    /// Event sources reconnect even after the final event; 204 stops them (HTML standard, section 9.2.3). The token
    /// is checked before any query.
    private func follow(_ request: Request, _ context: RequestContext) async throws -> Response {
        guard let id = OrderID(context.path("orderId")) else { throw Problem.orderNotFound }
        let isGuest = try shop.tokens.isPresent(in: request, for: id)
        let known = request.headers[.lastEventID].flatMap { Int64(canonicalDigits: $0) }.map { Int($0) } ?? 0
        switch try await shop.orderPublisher.subscribe(to: id, after: known) {
        case .orderNotFound: throw Problem.orderNotFound
        case .limitReached: throw Problem.overloaded(retryAfter: 5)
        case .finished: return Response(status: .noContent)
        case .events(let events):
            let messages = events.map { ServerSentEvent($0, showsReason: isGuest) }
            return .eventStream(messages, context, heartbeat: heartbeat) { events.cancel() }
        }
    }
}

extension ServerSentEvent {
    /// A step for clients that follow this order; the event id is the step's number.
    init(_ event: OrderEvent, showsReason: Bool) {
        let body = OrderEventBody(event, link: "/v1/orders/\(event.orderID)", showsReason: showsReason)
        self.init(id: "\(event.number)", event: "status", body)
    }
}
