// The basket: every change answers with the whole basket at the prices of this moment. A change whose answer was lost is not sent again,
// for it would add or take twice: the error says that it may have been done, and reading the basket shows it. A line's edit of a known basket is
// sent again, for it is made of that version alone. Read next: ChangedLine.swift.
import NIOHTTP1
import Wire

extension StorefrontClient {
    /// Starts an empty basket.
    public func createBasket() async throws(StorefrontError) -> BasketBody {
        try await change(nil, .POST, "/v1/baskets")
    }

    /// A basket.
    /// - Parameter accessToken: The one of the checkout's answer. Without it an ordered basket has no notes.
    public func basket(_ id: String, accessToken: String? = nil) async throws(StorefrontError) -> BasketBody {
        try await exchange.read(Self.path(id), token: accessToken)
    }

    /// Adds to the line of this item with these options and this note, or a new line.
    /// - Parameters:
    ///   - options: nil: as by default.
    ///   - note: For the kitchen, at most 140 characters.
    ///   - known: Change it only if it is still this very basket, prices and all; otherwise `preconditionFailed`, also if the client
    ///     has forgotten it. Read the basket and decide anew then.
    public func addItem(
        _ item: Int64, quantity: Int64 = 1, options: [ChosenOptionBody]? = nil, note: String? = nil, to basket: String,
        ifStill known: BasketBody? = nil
    ) async throws(StorefrontError) -> BasketBody {
        let body = LineBody(menuItemId: item, quantity: quantity, options: options, note: note.map(Optional.some))
        return try await change(basket, .POST, Self.path(basket, "items"), body: body, ifStill: known)
    }

    /// One more of a line.
    public func incrementLine(_ line: Int64, in basket: String, ifStill known: BasketBody? = nil) async throws(StorefrontError)
        -> BasketBody
    {
        try await change(basket, .POST, Self.path(basket, "lines/\(line)/increment"), ifStill: known)
    }

    /// One less of a line; at zero it is gone.
    public func decrementLine(_ line: Int64, in basket: String, ifStill known: BasketBody? = nil) async throws(StorefrontError)
        -> BasketBody
    {
        try await change(basket, .POST, Self.path(basket, "lines/\(line)/decrement"), ifStill: known)
    }

    /// Takes a line out.
    public func removeLine(_ line: Int64, from basket: String, ifStill known: BasketBody? = nil) async throws(StorefrontError) -> BasketBody
    {
        try await change(basket, .DELETE, Self.path(basket, "lines/\(line)"), ifStill: known)
    }

    /// Makes a line what is said, and leaves the rest of it; a line that becomes equal to another joins the one of the lower id.
    /// - Parameters:
    ///   - note: `.some(nil)` takes the note away.
    ///   - known: With it, a change whose answer was lost is sent again, and where this is no longer that basket it is read: it is the answer if the
    ///     line is as wanted. `preconditionFailed` means that it is not; keep what was chosen, and ask again of the basket as it is now.
    public func changeLine(
        _ line: Int64, quantity: Int64? = nil, options: [ChosenOptionBody]? = nil, note: String?? = nil, in basket: String,
        ifStill known: BasketBody? = nil
    ) async throws(StorefrontError) -> BasketBody {
        let body = LineBody(quantity: quantity, options: options, note: note)
        let path = Self.path(basket, "lines/\(line)")
        // Made again of another version it would take away what it has joined.
        let repeats = known == nil ? Repeats.whereNothingHappened : .always
        do throws(StorefrontError) {
            return try await change(basket, .PATCH, path, repeats, body: body, ifStill: known)
        } catch {
            guard let known, error.problem?.code == .preconditionFailed else { throw error }
            let now = try await basketAfterChange(basket)
            guard let changed = ChangedLine(line, of: known, by: body), changed.isMade(in: now) else { throw error }
            return now
        }
    }

    /// The basket after a change that may have been made: what can't be read leaves that open.
    private func basketAfterChange(_ basket: String) async throws(StorefrontError) -> BasketBody {
        do throws(StorefrontError) {
            return try await self.basket(basket)
        } catch {
            throw error.isPassing ? .unreachable(Unreachable(reason: "the basket can't be read: \(error)", mayHaveBeenDone: true)) : error
        }
    }

    /// One more of an item's only line; `severalLines` where it has more than one.
    public func incrementItem(_ item: Int64, in basket: String, ifStill known: BasketBody? = nil) async throws(StorefrontError)
        -> BasketBody
    {
        try await change(basket, .POST, Self.path(basket, "items/\(item)/increment"), ifStill: known)
    }

    /// One less of an item's only line; at zero it is gone.
    public func decrementItem(_ item: Int64, in basket: String, ifStill known: BasketBody? = nil) async throws(StorefrontError)
        -> BasketBody
    {
        try await change(basket, .POST, Self.path(basket, "items/\(item)/decrement"), ifStill: known)
    }

    /// Takes an item's only line out.
    public func removeItem(_ item: Int64, from basket: String, ifStill known: BasketBody? = nil) async throws(StorefrontError) -> BasketBody
    {
        try await change(basket, .DELETE, Self.path(basket, "items/\(item)"), ifStill: known)
    }

    /// Adds the set of a sale in one step.
    /// - Parameter items: What is chosen for its units, one each; the others come as they are.
    public func addSale(
        _ sale: Int64, items: [LineBody]? = nil, to basket: String, ifStill known: BasketBody? = nil
    ) async throws(StorefrontError) -> BasketBody {
        let body = SetBody(salesGroupId: sale, items: items)
        return try await change(basket, .POST, Self.path(basket, "sales"), body: body, ifStill: known)
    }

    /// Chooses anew for the units of a set; those that are not named come as they are. The set gets the units that the
    /// sale has now, which mends a set that a checkout refuses with `sale_changed`. Items that were removed stay out.
    public func changeSale(
        _ sale: Int64, items: [LineBody], in basket: String, ifStill known: BasketBody? = nil
    ) async throws(StorefrontError) -> BasketBody {
        try await change(basket, .PUT, Self.path(basket, "sales/\(sale)"), body: SetBody(items: items), ifStill: known)
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
