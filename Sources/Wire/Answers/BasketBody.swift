// A whole priced basket, the answer of every basket route. Made by Web from Ordering's PricedBasket; read by StorefrontClient.
// Read next: LineBodies.swift, OrderBody.swift.

/// A basket with its prices of this moment, and what can be done with it next.
public struct BasketBody: Hashable, Sendable, Decodable, JSONWritable {
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

    package init(
        id: String,
        state: String,
        version: Int64,
        lines: [BasketLineBody],
        sales: [BasketSaleBody],
        totalCount: Int,
        total: Int64,
        currency: String,
        orderId: String? = nil,
        actions: [String],
        currencyExponent: Int
    ) {
        self.id = id
        self.state = state
        self.version = version
        self.lines = lines
        self.sales = sales
        self.totalCount = totalCount
        self.total = total
        self.currency = currency
        self.orderId = orderId
        self.actions = actions
        self.currencyExponent = currencyExponent
    }

    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.field("id", id)
            $0.field("state", state)
            $0.field("version", version)
            $0.field("lines", lines)
            $0.field("sales", sales)
            $0.field("totalCount", totalCount)
            $0.field("total", total)
            $0.field("currency", currency)
            $0.field("orderId", orderId)
            $0.field("actions", actions)
            $0.field("currencyExponent", currencyExponent)
        }
    }
}

/// A set in a basket.
public struct BasketSaleBody: Hashable, Sendable, Decodable, JSONWritable {
    /// The sale's number.
    public let salesGroupId: Int64
    /// Plain text.
    public let title: String
    /// Its items.
    public let items: [BasketLineBody]
    /// Minor units.
    public let total: Int64
    /// False while one of its items is sold out.
    public let isAvailable: Bool
    /// Why it can't be had, as the item of it that comes back last; null where it can.
    public let unavailable: UnavailableBody?

    package init(
        salesGroupId: Int64,
        title: String,
        items: [BasketLineBody],
        total: Int64,
        isAvailable: Bool,
        unavailable: UnavailableBody? = nil
    ) {
        self.salesGroupId = salesGroupId
        self.title = title
        self.items = items
        self.total = total
        self.isAvailable = isAvailable
        self.unavailable = unavailable
    }

    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.field("salesGroupId", salesGroupId)
            $0.field("title", title)
            $0.field("items", items)
            $0.field("total", total)
            $0.field("isAvailable", isAvailable)
            $0.field("unavailable", unavailable)
        }
    }
}
