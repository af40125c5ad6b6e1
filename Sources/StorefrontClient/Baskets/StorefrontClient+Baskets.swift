// The basket routes. Every change returns the whole basket at the current prices. A change without a response is not
// repeated, because it could take effect twice. Its error has `mayHaveTakenEffect`, and the basket shows the outcome.
// An edit of a line in a known basket is repeated, because it applies only to that basket version.
import NIOHTTP1
import Wire

extension StorefrontClient {
    /// Creates an empty basket.
    public func createBasket() async throws(StorefrontError) -> BasketBody {
        try await change(nil, .POST, "/v1/baskets")
    }

    /// Returns a basket.
    /// - Parameter accessToken: The token from the checkout's response. Without it, an ordered basket has no notes.
    public func basket(_ id: String, accessToken: String? = nil) async throws(StorefrontError) -> BasketBody {
        try await transport.read(Self.path(id), token: accessToken)
    }

    /// Adds a dish: to the line with the same options and the same note, or as a new line.
    /// - Parameters:
    ///   - options: The selection; nil: the defaults.
    ///   - note: The kitchen note, at most 140 characters.
    ///   - known: Changes the basket only if it still equals this one, including its prices. Otherwise the call throws
    ///     `preconditionFailed`, also if the client's cache has evicted the basket. Then read the basket again.
    public func addItem(
        _ item: Int64, quantity: Int64 = 1, options: [SelectedOptionBody]? = nil, note: String? = nil,
        to basket: String,
        ifUnchanged known: BasketBody? = nil
    ) async throws(StorefrontError) -> BasketBody {
        let body = LineBody(menuItemId: item, quantity: quantity, options: options, note: note.map(Optional.some))
        return try await change(basket, .POST, Self.path(basket, "items"), body: body, ifStill: known)
    }

    /// Increments the quantity of a line.
    public func incrementLine(_ line: Int64, in basket: String, ifUnchanged known: BasketBody? = nil)
        async throws(StorefrontError)
        -> BasketBody
    {
        try await change(basket, .POST, Self.path(basket, "lines/\(line)/increment"), ifStill: known)
    }

    /// Decrements the quantity of a line. A line with quantity zero is removed.
    public func decrementLine(_ line: Int64, in basket: String, ifUnchanged known: BasketBody? = nil)
        async throws(StorefrontError)
        -> BasketBody
    {
        try await change(basket, .POST, Self.path(basket, "lines/\(line)/decrement"), ifStill: known)
    }

    /// Removes a line.
    public func removeLine(_ line: Int64, from basket: String, ifUnchanged known: BasketBody? = nil)
        async throws(StorefrontError) -> BasketBody
    {
        try await change(basket, .DELETE, Self.path(basket, "lines/\(line)"), ifStill: known)
    }

    /// Changes the given properties of a line. A line that becomes equal to another one is merged into the lower id.
    /// - Parameters:
    ///   - note: `.some(nil)` removes the note.
    ///   - known: The basket before the change. With it, the client retries after a lost response, and reads the basket
    ///     to see whether the change was made. `preconditionFailed` means that it was not: repeat it for the current
    ///     basket.
    public func changeLine(
        _ line: Int64, quantity: Int64? = nil, options: [SelectedOptionBody]? = nil, note: String?? = nil,
        in basket: String,
        ifUnchanged known: BasketBody? = nil
    ) async throws(StorefrontError) -> BasketBody {
        let body = LineBody(quantity: quantity, options: options, note: note)
        let path = Self.path(basket, "lines/\(line)")
        // Without a known version, a repetition could overwrite the line that the edited one was merged into.
        let repeats = known == nil ? RetryPolicy.ifNotProcessed : .always
        do throws(StorefrontError) {
            return try await change(basket, .PATCH, path, repeats, body: body, ifStill: known)
        } catch {
            guard let known, error.problem?.code == .preconditionFailed else { throw error }
            let current = try await basketAfterChange(basket)
            guard let edit = LineEditOutcome(line, of: known, by: body), edit.isApplied(in: current) else {
                throw error
            }
            return current
        }
    }

    /// Reads the basket after a change that may have been made. If that fails, the outcome remains unknown.
    private func basketAfterChange(_ basket: String) async throws(StorefrontError) -> BasketBody {
        do throws(StorefrontError) {
            return try await self.basket(basket)
        } catch {
            throw error.isTransient
                ? .transportFailure(
                    TransportFailure(reason: "the basket can't be read: \(error)", mayHaveTakenEffect: true)) : error
        }
    }

    /// Increments the only line of an item. Throws `severalLines` if there are several.
    public func incrementItem(_ item: Int64, in basket: String, ifUnchanged known: BasketBody? = nil)
        async throws(StorefrontError)
        -> BasketBody
    {
        try await change(basket, .POST, Self.path(basket, "items/\(item)/increment"), ifStill: known)
    }

    /// Decrements the only line of an item. A line with quantity zero is removed.
    public func decrementItem(_ item: Int64, in basket: String, ifUnchanged known: BasketBody? = nil)
        async throws(StorefrontError)
        -> BasketBody
    {
        try await change(basket, .POST, Self.path(basket, "items/\(item)/decrement"), ifStill: known)
    }

    /// Removes the only line of an item.
    public func removeItem(_ item: Int64, from basket: String, ifUnchanged known: BasketBody? = nil)
        async throws(StorefrontError) -> BasketBody
    {
        try await change(basket, .DELETE, Self.path(basket, "items/\(item)"), ifStill: known)
    }

    /// Adds a set of a sales group.
    /// - Parameter items: The selections for units of the set. All other units get the defaults.
    public func addSet(
        _ salesGroup: Int64, items: [LineBody]? = nil, to basket: String, ifUnchanged known: BasketBody? = nil
    ) async throws(StorefrontError) -> BasketBody {
        let body = SetBody(salesGroupId: salesGroup, items: items)
        return try await change(basket, .POST, Self.path(basket, "sales"), body: body, ifStill: known)
    }

    /// Replaces the selections of a set; units that are not listed get the defaults. The set gets the current units of
    /// its sales group, which resolves the field error `sale_changed`. Removed items stay removed.
    public func changeSet(
        _ salesGroup: Int64, items: [LineBody], in basket: String, ifUnchanged known: BasketBody? = nil
    ) async throws(StorefrontError) -> BasketBody {
        try await change(
            basket, .PUT, Self.path(basket, "sales/\(salesGroup)"), body: SetBody(items: items), ifStill: known)
    }

    /// Removes the set of a sales group.
    public func removeSet(_ salesGroup: Int64, from basket: String, ifUnchanged known: BasketBody? = nil)
        async throws(StorefrontError) -> BasketBody
    {
        try await change(basket, .DELETE, Self.path(basket, "sales/\(salesGroup)"), ifStill: known)
    }

    /// Removes an item with all its units from a set. The other prices stay. Without items the set is removed.
    public func removeItem(
        _ item: Int64, fromSet salesGroup: Int64, in basket: String, ifUnchanged known: BasketBody? = nil
    ) async throws(StorefrontError) -> BasketBody {
        try await change(basket, .DELETE, Self.path(basket, "sales/\(salesGroup)/items/\(item)"), ifStill: known)
    }

    /// Removes all lines and sets.
    public func emptyBasket(_ id: String, ifUnchanged known: BasketBody? = nil) async throws(StorefrontError)
        -> BasketBody
    {
        // Emptying is idempotent, but a second attempt would no longer match the known basket.
        try await change(id, .DELETE, Self.path(id, "items"), known == nil ? .always : .ifNotProcessed, ifStill: known)
    }

    private func change(
        _ basket: String?, _ method: HTTPMethod, _ path: String, _ repeats: RetryPolicy = .ifNotProcessed,
        body: (any JSONWritable)? = nil, ifStill known: BasketBody? = nil
    ) async throws(StorefrontError) -> BasketBody {
        var outgoing = OutgoingRequest(method, path, repeats, body: body)
        if let known, let basket { outgoing.headers.append(("If-Match", tag(of: known, Self.path(basket)))) }
        let incoming = try await transport.send(outgoing)
        let changed = try incoming.decoded(as: BasketBody.self)
        // The response equals the response of a read, including the ETag.
        if let answer = Transport.cacheableResponse(incoming) {
            transport.cache.store(answer, for: .init(path: Self.path(changed.id)))
        }
        return changed
    }

    /// Returns the ETag of the basket, or a tag that never matches if the cache has another basket.
    private func tag(of known: BasketBody, _ path: String) -> String {
        guard let answer = transport.cache[.init(path: path)],
            let body = try? IncomingResponse.decode(answer.body, as: BasketBody.self), body == known
        else { return "\"another\"" }
        return answer.tag
    }

    private static func path(_ basket: String, _ rest: String? = nil) -> String {
        "/v1/baskets/\(basket.percentEncoded)" + (rest.map { "/\($0)" } ?? "")
    }
}
