// The basket over HTTP. Each route makes one change of the request and answers with the whole priced basket.
// Read next: Sources/Ordering/Basket/BasketApplying.swift for the rules, Problem+Baskets.swift for the refusals.

import FoundationEssentials
import HTTPTypes
import NIOCore
import Ordering
import Shop
import Wire

/// `/v1/baskets`.
package struct BasketRoutes: Routes {
    private let baskets: BasketQueue

    package init(_ shop: RunningShop) {
        baskets = shop.baskets
    }

    package func add(to routes: inout RouteTable) {
        routes.post("/v1/baskets", "Starts an empty basket", create)
        routes.get("/v1/baskets/{basketId}", "A basket at the prices of this moment", read)
        routes.post("/v1/baskets/{basketId}/items", "Adds to an item's line") { request, context in
            let body = try request.json(AddItemBody.self)
            guard let item = body.menuItemId else { throw Problem.missingField("menuItemId", "Which item is to be added?") }
            return try await change(request, context, .addItem(MenuItemID(rawValue: item), quantity: body.quantity ?? 1))
        }
        routes.delete("/v1/baskets/{basketId}/items", "Takes everything out") { request, context in
            try await change(request, context, .clear)
        }
        routes.delete("/v1/baskets/{basketId}/items/{menuItemId}", "Takes a line out") { request, context in
            try await change(request, context, .removeItem(item(context)))
        }
        routes.post("/v1/baskets/{basketId}/items/{menuItemId}/increment", "One more of a line") { request, context in
            try request.expectNoFields()
            return try await change(request, context, .increment(item(context)))
        }
        routes.post("/v1/baskets/{basketId}/items/{menuItemId}/decrement", "One less of a line; at zero it is gone") { request, context in
            try request.expectNoFields()
            return try await change(request, context, .decrement(item(context)))
        }
        routes.post("/v1/baskets/{basketId}/sales", "Adds the set of a sale in one step") { request, context in
            let body = try request.json(AddSaleBody.self)
            guard let sale = body.salesGroupId else { throw Problem.missingField("salesGroupId", "Which sale is to be added?") }
            return try await change(request, context, .addSale(SalesGroupID(rawValue: sale)))
        }
        routes.delete("/v1/baskets/{basketId}/sales/{salesGroupId}", "Takes a sale's set out") { request, context in
            try await change(request, context, .removeSale(sale(context)))
        }
        routes.delete("/v1/baskets/{basketId}/sales/{salesGroupId}/items/{menuItemId}", "Takes one item out of a set") { request, context in
            try await change(request, context, .removeSaleItem(sale(context), item(context)))
        }
    }

    private func create(_ request: Request, _ context: WebContext) async throws -> Response {
        try request.expectNoFields()
        var random = SystemRandomNumberGenerator()
        let id = BasketID.make(now: .systemClock, random: (random.next(), random.next()))
        let basket = try await baskets.create(id).mapError { Problem($0, id) }.get()
        return answer(basket, status: .created, headers: [.location: "/v1/baskets/\(id)"])
    }

    private func read(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let basket = try await baskets.load(id(context)) else { throw Problem.basketNotFound }
        return .conditional(request, BasketBody(basket), cacheControl: "private, no-cache")
    }

    private func change(_ request: Request, _ context: WebContext, _ change: BasketChange) async throws -> Response {
        let id = try id(context)
        // Judged inside the batch, with the very basket that is changed: between a look and a change another change could slip in.
        var precondition: BasketQueue.Precondition?
        if request.headers.contains(.ifMatch) {
            precondition = { request.allowsChange(of: EntityTag(hashing: BasketBody($0).json)) }
        }
        let basket = try await baskets.change(id, change, if: precondition).mapError { Problem($0, id) }.get()
        return answer(basket, status: .ok)
    }

    private func answer(_ basket: PricedBasket, status: HTTPResponse.Status, headers: HTTPFields = [:]) -> Response {
        let bytes = BasketBody(basket).json
        var headers = headers
        headers[.eTag] = EntityTag(hashing: bytes).header
        return .json(bytes: ByteBuffer(bytes: bytes), status: status, headers: headers)
    }

    private func id(_ context: WebContext) throws(Problem) -> BasketID {
        guard let id = BasketID(context.path("basketId")) else { throw .basketNotFound }
        return id
    }

    private func item(_ context: WebContext) throws -> MenuItemID {
        guard let item = MenuItemID(context.path("menuItemId")) else { throw Problem(.itemNotInBasket, try id(context)) }
        return item
    }

    private func sale(_ context: WebContext) throws -> SalesGroupID {
        guard let sale = SalesGroupID(context.path("salesGroupId")) else { throw Problem(.saleNotFound, try id(context)) }
        return sale
    }
}

extension Instant {
    /// This server's clock, for ids only: what is judged by time is judged by the database's.
    fileprivate static var systemClock: Instant { Instant(microseconds: Int64(Date.now.timeIntervalSince1970 * 1000) * 1000) }
}
