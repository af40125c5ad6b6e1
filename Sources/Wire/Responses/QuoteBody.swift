// The price of a checkout at this moment.

/// The current totals, with the coupon if it is valid.
public struct QuoteBody: Hashable, Sendable, Decodable, JSONObject {
    /// Before the coupon, minor units.
    public let subtotal: Int64
    /// The coupon's discount.
    public let discount: Int64
    /// The total, to be sent as `expectedTotal`.
    public let total: Int64
    /// ISO 4217.
    public let currency: String
    /// The dishes outside of sets.
    public let lines: [OrderLineBody]
    /// The sets.
    public let sales: [OrderSetBody]
    /// The coupon conditions on the guest history, which only the checkout checks: `first_order`, `once_per_guest`,
    /// `limited_per_guest`, `once_per_guest_and_year` or `limited_per_guest_and_year`.
    public let conditions: [String]
    /// The number of decimals of the currency by ISO 4217.
    public let currencyExponent: Int
    /// The total lines.
    public let totals: [TotalBody]
    /// `delivery` or `pickup`.
    public let fulfilment: String
    /// The wanted time, RFC 3339, UTC; null: as soon as possible.
    public let wantedAt: String?
    /// The minutes until an order that is placed now is ready; null with `wantedAt`.
    public let etaMinutes: Int?
    /// The maximum `tip`, minor units; 0: the shop accepts no tip.
    public let tipMaximum: Int64

    package init(
        subtotal: Int64, discount: Int64, total: Int64, currency: String, lines: [OrderLineBody], sales: [OrderSetBody],
        conditions: [String], currencyExponent: Int, totals: [TotalBody], fulfilment: String = "delivery",
        wantedAt: String? = nil,
        etaMinutes: Int? = nil, tipMaximum: Int64
    ) {
        (self.subtotal, self.discount, self.total, self.currency) = (subtotal, discount, total, currency)
        (self.lines, self.sales, self.conditions) = (lines, sales, conditions)
        (self.currencyExponent, self.totals) = (currencyExponent, totals)
        (self.fulfilment, self.wantedAt, self.etaMinutes, self.tipMaximum) = (
            fulfilment, wantedAt, etaMinutes, tipMaximum
        )
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("subtotal", subtotal)
        writer.field("discount", discount)
        writer.field("total", total)
        writer.field("currency", currency)
        writer.field("lines", lines)
        writer.field("sales", sales)
        writer.field("conditions", conditions)
        writer.field("currencyExponent", currencyExponent)
        writer.field("totals", totals)
        writer.field("fulfilment", fulfilment)
        writer.field("wantedAt", wantedAt)
        writer.field("etaMinutes", etaMinutes)
        writer.field("tipMaximum", tipMaximum)
    }
}
