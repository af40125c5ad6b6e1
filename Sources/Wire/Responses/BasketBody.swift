// A priced basket: the response of every basket route.

/// A basket with its current prices and the actions that are possible next.
public struct BasketBody: Hashable, Sendable, Decodable, JSONObject {
    /// Opaque. The order of this basket has the same id.
    public let id: String
    /// `open` or `ordered`.
    public let state: String
    /// The basket version, which every change increments.
    public let version: Int64
    /// The dishes outside of sets, in the order in which they were added.
    public let lines: [BasketLineBody]
    /// The sets, at most one of each sales group.
    public let sales: [BasketSetBody]
    /// The quantities of the lines plus the number of sets.
    public let totalCount: Int
    /// Minor units.
    public let total: Int64
    /// ISO 4217.
    public let currency: String
    /// The order's id; null while the basket is open.
    public let orderId: String?
    /// The actions that are possible next, such as `checkout`.
    public let actions: [String]
    /// The number of decimals of the currency by ISO 4217.
    public let currencyExponent: Int
    /// The minimum age of the buyer for everything in the basket; null: none.
    public let minimumAge: Int?

    package init(
        id: String, state: String, version: Int64, lines: [BasketLineBody], sales: [BasketSetBody], totalCount: Int,
        total: Int64,
        currency: String, orderId: String? = nil, actions: [String], currencyExponent: Int, minimumAge: Int? = nil
    ) {
        (self.id, self.state, self.version, self.lines) = (id, state, version, lines)
        (self.sales, self.totalCount, self.total, self.currency) = (sales, totalCount, total, currency)
        (self.orderId, self.actions, self.currencyExponent, self.minimumAge) = (
            orderId, actions, currencyExponent, minimumAge
        )
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("state", state)
        writer.field("version", version)
        writer.field("lines", lines)
        writer.field("sales", sales)
        writer.field("totalCount", totalCount)
        writer.field("total", total)
        writer.field("currency", currency)
        writer.field("orderId", orderId)
        writer.field("actions", actions)
        writer.field("currencyExponent", currencyExponent)
        writer.field("minimumAge", minimumAge)
    }
}

/// A set in a basket.
public struct BasketSetBody: Hashable, Sendable, Decodable, JSONObject {
    /// The number of the sales group.
    public let salesGroupId: Int64
    /// Up to 100 characters without markup, in the language of the response.
    public let title: String
    /// The items of the set.
    public let items: [BasketLineBody]
    /// Minor units.
    public let total: Int64
    /// False while one of its items is sold out, and after its sales group was retired or changed.
    public let isAvailable: Bool
    /// Why it is unavailable: the reason of the item that becomes available last; null while it is available.
    public let unavailable: UnavailableBody?

    package init(
        salesGroupId: Int64, title: String, items: [BasketLineBody], total: Int64, isAvailable: Bool,
        unavailable: UnavailableBody? = nil
    ) {
        (self.salesGroupId, self.title, self.items) = (salesGroupId, title, items)
        (self.total, self.isAvailable, self.unavailable) = (total, isAvailable, unavailable)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("salesGroupId", salesGroupId)
        writer.field("title", title)
        writer.field("items", items)
        writer.field("total", total)
        writer.field("isAvailable", isAvailable)
        writer.field("unavailable", unavailable)
    }
}
