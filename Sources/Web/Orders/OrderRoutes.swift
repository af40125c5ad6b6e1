// Orders over HTTP: read by anyone who has the id, with the guest's details only for the holder of the access token; cancelled by that one.
// Read next: Sources/Shop/Orders/AccessTokens.swift, Sources/Shop/Orders/GuestOrders.swift, Sources/Shop/Orders/OrderWatch.swift.
import HTTPTypes
import Ordering
import Shop
import Wire

/// `/v1/orders`.
package struct OrderRoutes: Routes {
    private let shop: RunningShop
    private let heartbeat: Duration

    /// The orders of this shop; `heartbeat` is how often a stream of events shows that it lives.
    package init(_ shop: RunningShop, heartbeat: Duration) { (self.shop, self.heartbeat) = (shop, heartbeat) }

    package func add(to routes: inout RouteTable) {
        routes.get("/v1/orders/{orderId}", "An order; the guest's details only with its access token", read)
        routes.get("/v1/orders/{orderId}/receipt", "What was paid, to whom, and the taxes in it", receipt)
        routes.post("/v1/orders/{orderId}/cancel", "The guest gives up an order that nobody has accepted yet", cancel)
        routes.get(
            "/v1/orders/{orderId}/events", "An order's states as it comes to them, as server-sent events", isStream: true,
            follow)
    }

    private func read(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let id = OrderID(context.path("orderId")), let order = try await shop.orders.load(id) else { throw Problem.orderNotFound }
        let isGuest = try shop.tokens.isPresent(in: request, for: id)
        return .conditional(
            request, OrderBody(order, hasToken: isGuest), cacheControl: "private, no-cache",
            headers: [.vary: "Authorization", .contentLanguage: order.language.text])
    }

    private func receipt(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let id = OrderID(context.path("orderId")), let order = try await shop.orders.load(id) else { throw Problem.orderNotFound }
        try shop.tokens.require(in: request, for: id)
        guard let menu = shop.menu.current?.menu else { throw Problem.menuUnavailable }
        return .conditional(
            request, ReceiptBody(order, from: menu.about), cacheControl: "private, no-cache",
            headers: [.vary: "Authorization", .contentLanguage: order.language.text])
    }

    private func cancel(_ request: Request, _ context: WebContext) async throws -> Response {
        try request.expectNoFields()
        // From the primary, which decides.
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

    /// A client that has been told the end comes back all the same, as event sources do; 204 tells it not to (HTML standard, section 9.2.3).
    /// The token is checked first: a wrong one is refused without a query.
    private func follow(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let id = OrderID(context.path("orderId")) else { throw Problem.orderNotFound }
        let isGuest = try shop.tokens.isPresent(in: request, for: id)
        let known = request.headers[.lastEventID].flatMap { Int64(canonicalDigits: $0) }.map { Int($0) } ?? 0
        switch try await shop.orderWatch.follow(id, after: known) {
        case .unknown: throw Problem.orderNotFound
        case .tooMany: throw Problem.overloaded(retryAfter: 5)
        case .over: return Response(status: .noContent)
        case .events(let events):
            let messages = events.map { ServerSentEvent($0, showsReason: isGuest) }
            return .eventStream(messages, context, heartbeat: heartbeat) { events.cancel() }
        }
    }
}

extension ServerSentEvent {
    /// A step for those who follow this one order; the id is its number.
    init(_ event: OrderEvent, showsReason: Bool) {
        let body = OrderEventBody(event, link: "/v1/orders/\(event.orderID)", showsReason: showsReason)
        self.init(id: "\(event.number)", event: "status", body)
    }
}
