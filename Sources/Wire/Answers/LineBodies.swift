// A line on the wire: as a basket shows it, and as an order or a quote charges it. Made by Web, read by StorefrontClient.
// Read next: BasketBody.swift, OrderBody.swift, and Requests/BasketBodies.swift for what a guest sends of a line.

/// One line of a basket, or of a set in it.
public struct BasketLineBody: Hashable, Sendable, Decodable, JSONObject {
    /// The item's number.
    public let menuItemId: Int64
    /// `regular`, `discount` or `special`.
    public let kind: String
    /// Up to 100 characters without markup, in the language of the answer.
    public let title: String
    /// 1…99.
    public let quantity: Int
    /// What one costs now, minor units.
    public let unitPrice: Int64
    /// What one costs without the sale, minor units.
    public let regularUnitPrice: Int64
    /// Quantity times unit price.
    public let total: Int64
    /// False while it is sold out.
    public let isAvailable: Bool
    /// The unit price recorded when the line last changed, if it is another now.
    public let previousUnitPrice: Int64?
    /// By which the line is addressed; unique in the basket.
    public let lineId: Int64
    /// The options chosen.
    public let options: [LineOptionBody]
    /// The guest's note for the kitchen; null in an ordered basket without the order's access token.
    public let note: String?
    /// Why it can't be had; null where it can.
    public let unavailable: UnavailableBody?
    /// The allergens in it with its options, by name.
    public let contains: [String]
    /// Those that may have got into it.
    public let mayContain: [String]
    /// Whether what is named is all there is; if not, there may be more.
    public let allergensAreKnown: Bool
    /// What all of it is right for, such as `vegan`.
    public let diets: [String]
    /// How old one has to be for it; null where anybody may have it.
    public let minimumAge: Int?

    package init(
        menuItemId: Int64, kind: String, title: String, quantity: Int, unitPrice: Int64, regularUnitPrice: Int64, total: Int64,
        isAvailable: Bool, previousUnitPrice: Int64? = nil, lineId: Int64, options: [LineOptionBody] = [], note: String? = nil,
        unavailable: UnavailableBody? = nil, contains: [String] = [], mayContain: [String] = [], allergensAreKnown: Bool = false,
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
    /// The item's number.
    public let menuItemId: Int64
    /// `regular`, `discount` or `special`.
    public let kind: String
    /// Up to 100 characters without markup, in the language of the answer.
    public let title: String
    /// 1…99.
    public let quantity: Int
    /// Without the sale, minor units.
    public let regularUnitPrice: Int64
    /// With the sale.
    public let unitPrice: Int64
    /// Quantity times unit price.
    public let total: Int64
    /// Its share of the coupon's discount.
    public let discount: Int64
    /// The line's in the basket.
    public let lineId: Int64
    /// The options chosen.
    public let options: [LineOptionBody]
    /// What the kitchen is asked for; null in an order without its access token.
    public let note: String?
    /// Its share of the taxes in `totals`, whether they are included in the prices or added.
    public let tax: Int64

    package init(
        menuItemId: Int64, kind: String, title: String, quantity: Int, regularUnitPrice: Int64, unitPrice: Int64, total: Int64,
        discount: Int64, lineId: Int64, options: [LineOptionBody] = [], note: String? = nil, tax: Int64 = 0
    ) {
        (self.menuItemId, self.kind, self.title, self.quantity) = (menuItemId, kind, title, quantity)
        (self.regularUnitPrice, self.unitPrice, self.total, self.discount) = (regularUnitPrice, unitPrice, total, discount)
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
