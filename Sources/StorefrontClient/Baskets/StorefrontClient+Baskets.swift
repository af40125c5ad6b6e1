// The basket: every change answers with the whole basket at the prices of this moment. A change whose answer was lost is not sent again,
// for it would add or take twice: the error says that it may have been done, and reading the basket shows it.

import NIOHTTP1
import Wire

extension StorefrontClient {
    /// Starts an empty basket.
    public func createBasket() async throws(StorefrontError) -> BasketBody {
        try await change(nil, .POST, "/v1/baskets")
    }

    /// A basket.
    public func basket(_ id: String) async throws(StorefrontError) -> BasketBody {
        try await exchange.read(Self.path(id))
    }

    /// Adds to an item's line.
    /// - Parameters:
    ///   - known: Change it only if it is still this very basket, prices and all; otherwise `preconditionFailed`, also if the client
    ///     has forgotten it. Read the basket and decide anew then.
    public func addItem(
        _ item: Int64, quantity: Int64 = 1, to basket: String, ifStill known: BasketBody? = nil
    ) async throws(StorefrontError) -> BasketBody {
        let body = AddItemBody(menuItemId: item, quantity: quantity)
        return try await change(basket, .POST, Self.path(basket, "items"), body: body, ifStill: known)
    }

    /// One more of a line.
    public func incrementItem(_ item: Int64, in basket: String, ifStill known: BasketBody? = nil) async throws(StorefrontError)
        -> BasketBody
    {
        try await change(basket, .POST, Self.path(basket, "items/\(item)/increment"), ifStill: known)
    }

    /// One less of a line; at zero it is gone.
    public func decrementItem(_ item: Int64, in basket: String, ifStill known: BasketBody? = nil) async throws(StorefrontError)
        -> BasketBody
    {
        try await change(basket, .POST, Self.path(basket, "items/\(item)/decrement"), ifStill: known)
    }

    /// Takes a line out.
    public func removeItem(_ item: Int64, from basket: String, ifStill known: BasketBody? = nil) async throws(StorefrontError) -> BasketBody
    {
        try await change(basket, .DELETE, Self.path(basket, "items/\(item)"), ifStill: known)
    }

    /// Adds the set of a sale in one step.
    public func addSale(_ sale: Int64, to basket: String, ifStill known: BasketBody? = nil) async throws(StorefrontError) -> BasketBody {
        let body = AddSaleBody(salesGroupId: sale)
        return try await change(basket, .POST, Self.path(basket, "sales"), body: body, ifStill: known)
    }

    /// Takes the set of a sale out.
    public func removeSale(_ sale: Int64, from basket: String, ifStill known: BasketBody? = nil) async throws(StorefrontError) -> BasketBody
    {
        try await change(basket, .DELETE, Self.path(basket, "sales/\(sale)"), ifStill: known)
    }

    /// Takes one item out of the set of a sale, all of it; what remains costs the same. With the last item the set is gone.
    public func removeItem(
        _ item: Int64, ofSale sale: Int64, from basket: String, ifStill known: BasketBody? = nil
    ) async throws(StorefrontError) -> BasketBody {
        try await change(basket, .DELETE, Self.path(basket, "sales/\(sale)/items/\(item)"), ifStill: known)
    }

    /// Takes everything out.
    public func emptyBasket(_ id: String, ifStill known: BasketBody? = nil) async throws(StorefrontError) -> BasketBody {
        // Emptied twice is emptied, but no longer the basket that was known.
        try await change(id, .DELETE, Self.path(id, "items"), known == nil ? .always : .whereNothingHappened, ifStill: known)
    }

    private func change(
        _ basket: String?, _ method: HTTPMethod, _ path: String, _ repeats: Repeats = .whereNothingHappened,
        body: (any JSONWritable)? = nil, ifStill known: BasketBody? = nil
    ) async throws(StorefrontError) -> BasketBody {
        var outgoing = Outgoing(method, path, repeats, body: body)
        if let known, let basket { outgoing.headers.append(("If-Match", tag(of: known, Self.path(basket)))) }
        let incoming = try await exchange.send(outgoing)
        let changed = try incoming.decoded(as: BasketBody.self)
        // The answer is what a read would answer now, tag and all.
        if let answer = Exchange.answer(incoming) { exchange.remembered.keep(answer, as: .init(path: Self.path(changed.id))) }
        return changed
    }

    /// The tag of this basket; one that no basket has if it is not the one that was read last.
    private func tag(of known: BasketBody, _ path: String) -> String {
        guard let answer = exchange.remembered[.init(path: path)],
            let body = try? Incoming.decode(answer.body, as: BasketBody.self), body == known
        else { return "\"another\"" }
        return answer.tag
    }

    private static func path(_ basket: String, _ rest: String? = nil) -> String {
        "/v1/baskets/\(basket.percentEncoded)" + (rest.map { "/\($0)" } ?? "")
    }
}
