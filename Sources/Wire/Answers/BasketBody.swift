// A whole priced basket, the answer of every basket route. Made by Web from Ordering's PricedBasket; read by StorefrontClient.
// Read next: LineBodies.swift, OrderBody.swift.

/// A basket with its prices of this moment, and what can be done with it next.
public struct BasketBody: Hashable, Sendable, Decodable, JSONObject {
    /// Opaque; the order made of it has the same id.
    public let id: String
    /// `open` or `ordered`.
    public let state: String
    /// Goes up with each change.
    public let version: Int64
    /// The single items, in the order they were added.
    public let lines: [BasketLineBody]
    /// The sets, one per sale at most.
    public let sales: [BasketSaleBody]
    /// The quantities of the lines plus the number of sets.
    public let totalCount: Int
    /// Minor units.
    public let total: Int64
    /// ISO 4217.
    public let currency: String
    /// Where it is ordered: the order's id.
    public let orderId: String?
    /// What can be done next, e.g. `checkout`.
    public let actions: [String]
    /// How many decimals the currency's minor unit stands for, by ISO 4217.
    public let currencyExponent: Int
    /// How old one has to be for all that is in it; null where anybody may have it.
    public let minimumAge: Int?

    package init(
        id: String, state: String, version: Int64, lines: [BasketLineBody], sales: [BasketSaleBody], totalCount: Int, total: Int64,
        currency: String, orderId: String? = nil, actions: [String], currencyExponent: Int, minimumAge: Int? = nil
    ) {
        (self.id, self.state, self.version, self.lines) = (id, state, version, lines)
        (self.sales, self.totalCount, self.total, self.currency) = (sales, totalCount, total, currency)
        (self.orderId, self.actions, self.currencyExponent, self.minimumAge) = (orderId, actions, currencyExponent, minimumAge)
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
public struct BasketSaleBody: Hashable, Sendable, Decodable, JSONObject {
    /// The sale's number.
    public let salesGroupId: Int64
    /// Up to 100 characters without markup, in the language of the answer.
    public let title: String
    /// Its items.
    public let items: [BasketLineBody]
    /// Minor units.
    public let total: Int64
    /// False while one of its items is sold out, and after its sale was retired or changed.
    public let isAvailable: Bool
    /// Why it can't be had, as the item of it that comes back last; null where it can.
    public let unavailable: UnavailableBody?

    package init(
        salesGroupId: Int64, title: String, items: [BasketLineBody], total: Int64, isAvailable: Bool, unavailable: UnavailableBody? = nil
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
