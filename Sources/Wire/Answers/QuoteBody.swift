// What a checkout would cost now: in the live form's answer, and beside a refused price. Made by Web, read by StorefrontClient.
// Read next: ValidationBody.swift.

/// The prices of this moment, with the coupon where it holds.
public struct QuoteBody: Hashable, Sendable, Decodable, JSONObject {
    /// Before the coupon, minor units.
    public let subtotal: Int64
    /// What the coupon takes off.
    public let discount: Int64
    /// What to send as `expectedTotal`.
    public let total: Int64
    /// ISO 4217.
    public let currency: String
    /// The single items.
    public let lines: [OrderLineBody]
    /// The sets.
    public let sales: [OrderSaleBody]
    /// Conditions on the guest's past, which are judged at checkout only, `first_order`, `once_per_guest`, `limited_per_guest`, or these two with `_and_year`.
    public let conditions: [String]
    /// How many decimals the currency's minor unit stands for, by ISO 4217.
    public let currencyExponent: Int
    /// What it comes to, line by line.
    public let totals: [TotalBody]
    /// `delivery` or `pickup`.
    public let fulfilment: String
    /// The time it is wanted for, RFC 3339, UTC; null: as soon as possible.
    public let wantedAt: String?
    /// In how many minutes it would be there if it were ordered now; null with `wantedAt`.
    public let etaMinutes: Int?
    /// The most that can be sent as `tip`, minor units; 0: the shop takes none.
    public let tipMaximum: Int64

    package init(
        subtotal: Int64, discount: Int64, total: Int64, currency: String, lines: [OrderLineBody], sales: [OrderSaleBody],
        conditions: [String], currencyExponent: Int, totals: [TotalBody], fulfilment: String = "delivery", wantedAt: String? = nil,
        etaMinutes: Int? = nil, tipMaximum: Int64
    ) {
        (self.subtotal, self.discount, self.total, self.currency) = (subtotal, discount, total, currency)
        (self.lines, self.sales, self.conditions) = (lines, sales, conditions)
        (self.currencyExponent, self.totals) = (currencyExponent, totals)
        (self.fulfilment, self.wantedAt, self.etaMinutes, self.tipMaximum) = (fulfilment, wantedAt, etaMinutes, tipMaximum)
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
