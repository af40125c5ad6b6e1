// Orders over HTTP: read by anyone who has the id, with the guest's details only for the holder of the access token; cancelled by that one.
// Read next: Sources/Database/Orders/AccessTokens.swift.

import Database
import HTTPTypes
import Hummingbird
import Ordering
import Wire

/// `/v1/orders`.
public struct OrderRoutes: Routes {
    private let shop: Shop

    /// The orders of this shop.
    public init(_ shop: Shop) {
        self.shop = shop
    }

    /// Adds the orders' routes.
    public func add(to routes: inout RouteTable) {
        routes.get("/v1/orders/{orderId}", "An order; the guest's details only with its access token", read)
        routes.post("/v1/orders/{orderId}/cancel", "The guest gives up an order that nobody has accepted yet", cancel)
    }

    private func read(_ request: Request, _ context: WebContext) async throws -> Response {
        let order = try await order(context)
        let isGuest = request.headers.contains(.authorization)
        if isGuest { try requireToken(request, of: order) }
        return .conditional(
            request, OrderBody(order, showsCustomer: isGuest), cacheControl: "private, no-cache", headers: [.vary: "Authorization"])
    }

    private func cancel(_ request: Request, _ context: WebContext) async throws -> Response {
        try await request.expectNoFields()
        let order = try await order(context)
        try requireToken(request, of: order)
        switch try await shop.database.cancelOrder(order.id) {
        case .cancelled?: return .json(OrderBody(cancelled: order))
        case let state?: throw Problem.orderNotCancellable(state)
        case nil: throw Problem.orderNotFound
        }
    }

    private func order(_ context: WebContext) async throws -> Order {
        guard let id = OrderID(context.path("orderId")), let order = try await shop.database.loadOrder(id) else {
            throw Problem.orderNotFound
        }
        return order
    }

    /// The scheme's name in any case, one space or more, the token (RFC 9110, section 11.4).
    private func requireToken(_ request: Request, of order: Order) throws(Problem) {
        guard let value = request.headers[.authorization] else { throw .tokenRequired }
        let parts = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer",
            shop.tokens.isValid(String(parts[1].drop { $0 == " " }), for: order.id)
        else { throw .invalidToken }
    }
}
