// A line as baskets show it, and as orders and quotes charge it.

/// One line of a basket, or of a set in it.
public struct BasketLineBody: Hashable, Sendable, Decodable, JSONObject {
    /// The number of the menu item.
    public let menuItemId: Int64
    /// `regular`, `discount` or `special`.
    public let kind: String
    /// Up to 100 characters without markup, in the language of the response.
    public let title: String
    /// 1…99.
    public let quantity: Int
    /// The current price of one unit, minor units.
    public let unitPrice: Int64
    /// The price of one unit without the sale, minor units.
    public let regularUnitPrice: Int64
    /// Quantity times unit price.
    public let total: Int64
    /// False while it is sold out or not served.
    public let isAvailable: Bool
    /// The unit price at the line's last change, if it differs from the current one.
    public let previousUnitPrice: Int64?
    /// The line's number, unique in the basket.
    public let lineId: Int64
    /// The selected options.
    public let options: [LineOptionBody]
    /// The kitchen note; null in an ordered basket without the order's access token.
    public let note: String?
    /// Why it is unavailable; null while it is available.
    public let unavailable: UnavailableBody?
    /// The names of the allergens in the dish, options included.
    public let contains: [String]
    /// The allergens that it may contain as traces.
    public let mayContain: [String]
    /// Whether `contains` and `mayContain` are complete; if false, there may be more allergens.
    public let allergensAreKnown: Bool
    /// The diets that the whole dish suits, such as `vegan`.
    public let diets: [String]
    /// The minimum age of the buyer; null: none.
    public let minimumAge: Int?

    package init(
        menuItemId: Int64, kind: String, title: String, quantity: Int, unitPrice: Int64, regularUnitPrice: Int64,
        total: Int64,
        isAvailable: Bool, previousUnitPrice: Int64? = nil, lineId: Int64, options: [LineOptionBody] = [],
        note: String? = nil,
        unavailable: UnavailableBody? = nil, contains: [String] = [], mayContain: [String] = [],
        allergensAreKnown: Bool = false,
        diets: [String] = [], minimumAge: Int? = nil
    ) {
        (self.menuItemId, self.kind, self.title, self.quantity) = (menuItemId, kind, title, quantity)
        (self.unitPrice, self.regularUnitPrice, self.total) = (unitPrice, regularUnitPrice, total)
        (self.isAvailable, self.previousUnitPrice) = (isAvailable, previousUnitPrice)
        (self.lineId, self.options, self.note, self.unavailable) = (lineId, options, note, unavailable)
        (self.contains, self.mayContain, self.allergensAreKnown) = (contains, mayContain, allergensAreKnown)
        (self.diets, self.minimumAge) = (diets, minimumAge)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("menuItemId", menuItemId)
        writer.field("kind", kind)
        writer.field("title", title)
        writer.field("quantity", quantity)
        writer.field("unitPrice", unitPrice)
        writer.field("regularUnitPrice", regularUnitPrice)
        writer.field("total", total)
        writer.field("isAvailable", isAvailable)
        writer.field("previousUnitPrice", previousUnitPrice)
        writer.field("lineId", lineId)
        writer.field("options", options)
        writer.field("note", note)
        writer.field("unavailable", unavailable)
        writer.field("contains", contains)
        writer.field("mayContain", mayContain)
        writer.field("allergensAreKnown", allergensAreKnown)
        writer.field("diets", diets)
        writer.field("minimumAge", minimumAge)
    }
}

/// One line of an order or quote, as it is charged.
public struct OrderLineBody: Hashable, Sendable, Decodable, JSONObject {
    /// The number of the menu item.
    public let menuItemId: Int64
    /// `regular`, `discount` or `special`.
    public let kind: String
    /// Up to 100 characters without markup, in the language of the response.
    public let title: String
    /// 1…99.
    public let quantity: Int
    /// The unit price without the sale, minor units.
    public let regularUnitPrice: Int64
    /// The unit price with the sale, minor units.
    public let unitPrice: Int64
    /// Quantity times unit price.
    public let total: Int64
    /// The line's share of the coupon's discount.
    public let discount: Int64
    /// The number of the line in the basket.
    public let lineId: Int64
    /// The selected options.
    public let options: [LineOptionBody]
    /// The kitchen note; null without the order's access token.
    public let note: String?
    /// The line's share of the taxes in `totals`, whether the prices include them or not.
    public let tax: Int64

    package init(
        menuItemId: Int64, kind: String, title: String, quantity: Int, regularUnitPrice: Int64, unitPrice: Int64,
        total: Int64,
        discount: Int64, lineId: Int64, options: [LineOptionBody] = [], note: String? = nil, tax: Int64 = 0
    ) {
        (self.menuItemId, self.kind, self.title, self.quantity) = (menuItemId, kind, title, quantity)
        (self.regularUnitPrice, self.unitPrice, self.total, self.discount) = (
            regularUnitPrice, unitPrice, total, discount
        )
        (self.lineId, self.options, self.note, self.tax) = (lineId, options, note, tax)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("menuItemId", menuItemId)
        writer.field("kind", kind)
        writer.field("title", title)
        writer.field("quantity", quantity)
        writer.field("regularUnitPrice", regularUnitPrice)
        writer.field("unitPrice", unitPrice)
        writer.field("total", total)
        writer.field("discount", discount)
        writer.field("lineId", lineId)
        writer.field("options", options)
        writer.field("note", note)
        writer.field("tax", tax)
    }
}
