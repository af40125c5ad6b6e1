// The basket over HTTP. Each route makes one change and returns the whole priced basket.
import FoundationEssentials
import HTTPServing
import HTTPTypes
import Ordering
import Shop
import Wire

/// `/v1/baskets`.
package struct BasketRoutes: Routes {
    private let baskets: BasketQueue
    private let menu: CurrentMenu
    private let tokens: AccessTokens
    private let shape: String

    /// - Parameter shape: Identifies the members of a basket body; it becomes part of the entity tag.
    package init(_ shop: RunningShop, shape: String) {
        (baskets, menu, tokens, self.shape) = (shop.baskets, shop.menu, shop.tokens, shape)
    }

    package func add(to routes: inout RouteTable) {
        routes.post("/v1/baskets", "Creates an empty basket", create)
        routes.get("/v1/baskets/{basketId}", "A basket at current prices", read)
        routes.post(
            "/v1/baskets/{basketId}/items", "Adds an item to the line with the same options and texts, or as a new line"
        ) { request, context in
            let body = try request.json(LineBody.self)
            return try await change(request, context, .addItem(body.dish(), quantity: body.quantity ?? 1))
        }
        routes.delete("/v1/baskets/{basketId}/items", "Removes everything from a basket") { request, context in
            try await change(request, context, .clear)
        }
        let lineRoutes: [(path: String, name: String, line: @Sendable (RequestContext) throws -> LineReference)] = [
            ("/v1/baskets/{basketId}/lines/{lineId}", "a line", line),
            ("/v1/baskets/{basketId}/items/{menuItemId}", "an item's only line", { .item(try item($0)) }),
        ]
        for (path, name, line) in lineRoutes {
            routes.delete(path, "Removes \(name)") { request, context in
                try await change(request, context, .removeItem(line(context)))
            }
            routes.post("\(path)/increment", "Adds one unit to \(name)") { request, context in
                try request.expectNoFields()
                return try await change(request, context, .increment(line(context)))
            }
            routes.post("\(path)/decrement", "Removes one unit from \(name); at zero the line is removed") {
                request, context in
                try request.expectNoFields()
                return try await change(request, context, .decrement(line(context)))
            }
        }
        routes.patch("/v1/baskets/{basketId}/lines/{lineId}", "Changes the quantity, options or texts of a line") {
            request, context in
            guard case .line(let id) = try line(context) else { throw Problem.basketNotFound }
            return try await change(request, context, .edit(id, request.json(LineBody.self).edit()))
        }
        routes.post("/v1/baskets/{basketId}/sales", "Adds the set of a sale") { request, context in
            let body = try request.json(SetBody.self)
            guard let sale = body.salesGroupId else {
                throw Problem.missingField("salesGroupId", "Please name the sale to add.")
            }
            return try await change(request, context, .addSale(SalesGroupID(rawValue: sale), body.dishes()))
        }
        routes.put("/v1/baskets/{basketId}/sales/{salesGroupId}", "Replaces the choices of a set") { request, context in
            let body = try request.json(SetBody.self)
            guard body.salesGroupId == nil else {
                throw MalformedBody(
                    "The sale of a set cannot change. Remove this set and add the other one.", path: "salesGroupId",
                    offset: 0)
            }
            return try await change(request, context, .editSale(sale(context), body.dishes()))
        }
        routes.delete("/v1/baskets/{basketId}/sales/{salesGroupId}", "Removes a sale's set") { request, context in
            try await change(request, context, .removeSale(sale(context)))
        }
        routes.delete("/v1/baskets/{basketId}/sales/{salesGroupId}/items/{menuItemId}", "Removes one item from a set") {
            request, context in
            try await change(request, context, .removeSaleItem(sale(context), item(context)))
        }
    }

    private func create(_ request: Request, _ context: RequestContext) async throws -> Response {
        try request.expectNoFields()
        var random = SystemRandomNumberGenerator()
        let id = BasketID.make(now: .systemClock, random: (random.next(), random.next()))
        let basket = try await baskets.create(id, in: language(request)).mapError { Problem($0, id) }.get()
        return answer(basket, status: .created, headers: [.location: "/v1/baskets/\(id)"])
    }

    private func read(_ request: Request, _ context: RequestContext) async throws -> Response {
        guard let basket = try await baskets.load(id(context), in: language(request)) else {
            throw Problem.basketNotFound
        }
        // The id of an open basket is a secret of its guest. The id of an ordered basket is in the order's link, so its
        // notes require the token.
        let showsNotes = try basket.basket.state == .open || tokens.isPresent(in: request, for: basket.basket.id)
        var headers: HTTPFields = [:]
        headers.setContentLanguage(basket.language)
        headers.vary(by: .authorization)
        let tag = EntityTag(basket, shape, showsNotes: showsNotes)
        return .conditional(request, tag, cacheControl: "private, no-cache", headers: headers) {
            BasketBody(basket, showsNotes: showsNotes).json
        }
    }

    private func change(_ request: Request, _ context: RequestContext, _ change: BasketChange) async throws -> Response
    {
        let id = try id(context)
        // Checked inside the batch, on the basket that is changed. A check before the batch could miss a concurrent
        // change.
        var precondition: BasketPrecondition?
        if request.headers.contains(.ifMatch) {
            precondition = { request.allowsChange(of: EntityTag($0, shape, showsNotes: $0.basket.state == .open)) }
        }
        let basket = try await baskets.change(id, change, if: precondition, in: language(request)).mapError {
            $0 == .preconditionFailed && request.hasWeakIfMatch ? Problem.weakPrecondition : Problem($0, id)
        }.get()
        return answer(basket, status: .ok)
    }

    /// Responds to a change. The basket is open, because an ordered basket cannot change.
    private func answer(_ basket: PricedBasket, status: HTTPResponse.Status, headers: HTTPFields = [:]) -> Response {
        var headers = headers
        headers[.eTag] = EntityTag(basket, shape, showsNotes: true).header
        headers.setContentLanguage(basket.language)
        return .json(BasketBody(basket, showsNotes: true), status: status, headers: headers)
    }

    private func language(_ request: Request) -> LanguageTag? {
        menu.current.map { request.language(of: $0.languages) }
    }

    private func id(_ context: RequestContext) throws(Problem) -> BasketID {
        guard let id = BasketID(context.path("basketId")) else { throw .basketNotFound }
        return id
    }

    private func item(_ context: RequestContext) throws -> MenuItemID {
        guard let item = MenuItemID(context.path("menuItemId")) else {
            throw Problem(.itemNotInBasket, try id(context))
        }
        return item
    }

    @Sendable private func line(_ context: RequestContext) throws -> LineReference {
        guard let line = LineID(context.path("lineId")) else { throw Problem(.itemNotInBasket, try id(context)) }
        return .line(line)
    }

    private func sale(_ context: RequestContext) throws -> SalesGroupID {
        guard let sale = SalesGroupID(context.path("salesGroupId")) else {
            throw Problem(.saleNotFound, try id(context))
        }
        return sale
    }
}

extension Instant {
    /// The server's clock, used only for ids. All time-dependent decisions use the database's clock.
    fileprivate static var systemClock: Instant {
        Instant(microseconds: Int64(Date.now.timeIntervalSince1970 * 1000) * 1000)
    }
}
