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
        routes.get("/v1/orders/{orderId}/events", "An order's states as it comes to them, as server-sent events", follow)
    }

    private func read(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let id = OrderID(context.path("orderId")), let order = try await shop.orders.load(id) else { throw Problem.orderNotFound }
        let isGuest = request.headers.contains(.authorization)
        if isGuest { try requireToken(request, of: order) }
        return .conditional(
            request, OrderBody(order, showsCustomer: isGuest), cacheControl: "private, no-cache",
            headers: [.vary: "Authorization", .contentLanguage: order.language.text])
    }

    private func receipt(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let id = OrderID(context.path("orderId")), let order = try await shop.orders.load(id) else { throw Problem.orderNotFound }
        try requireToken(request, of: order)
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
        try requireToken(request, of: order)
        switch try await shop.orders.cancel(order.id) {
        case .cancelled?: return .json(OrderBody(cancelled: order), headers: [.contentLanguage: order.language.text])
        case let state?: throw Problem.orderNotCancellable(state)
        case nil: throw Problem.orderNotFound
        }
    }

    /// A client that has been told the end comes back all the same, as event sources do; 204 tells it not to (HTML standard, section 9.2.3).
    private func follow(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let id = OrderID(context.path("orderId")) else { throw Problem.orderNotFound }
        let known = request.headers[.lastEventID].flatMap { Int64(canonicalDigits: $0) }.map { Int($0) } ?? 0
        switch try await shop.orderWatch.follow(id, after: known) {
        case .unknown: throw Problem.orderNotFound
        case .tooMany: throw Problem.overloaded(retryAfter: 5)
        case .over: return Response(status: .noContent)
        case .events(let events):
            return .eventStream(events.map(ServerSentEvent.init), context, heartbeat: heartbeat) { events.cancel() }
        }
    }

    private func requireToken(_ request: Request, of order: Order) throws(Problem) {
        guard request.headers.contains(.authorization) else { throw .tokenRequired }
        guard let token = request.bearerToken, shop.tokens.isValid(token, for: order.id) else { throw .invalidToken }
    }
}

extension ServerSentEvent {
    /// A step for those who follow this one order; the id is its number.
    init(_ event: OrderEvent) {
        self.init(id: "\(event.number)", event: "status", OrderEventBody(event, link: "/v1/orders/\(event.orderID)"))
    }
}
