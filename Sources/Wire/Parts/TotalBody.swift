// One line of what an order comes to: in quotes and orders, and sent back with a checkout as what the guest was shown.
// Made by Web from Ordering's Totals; written and read by StorefrontClient. Read next: QuoteBody.swift.

/// A total. All of a list but `total` and those that are included add up to `total`.
public struct TotalBody: Hashable, Sendable, Codable, JSONReadable, JSONObject {
    /// `subtotal`, `discount`, `tip`, `total`, and what the shop charges, such as `delivery_fee` or `tax`: all are in the API's description.
    public let kind: String
    /// Which of its kind, such as the key of the coupon of a discount, or the number of the rate of a tax; left out where there is one at most, and without the order's token.
    public let code: String?
    /// For the guest, plain text; left out at a discount without the order's token.
    public let title: String?
    /// Minor units, below zero for what is taken off.
    public let amount: Int64
    /// True where the prices hold it already; else left out.
    public let isIncluded: Bool?
    /// In percent as a decimal number, such as `8.875`; left out where there is none.
    public let rate: String?

    private enum Field: String, CaseIterable { case kind, code, title, amount, isIncluded, rate }
    private static let fields = FieldTable<Field>()

    /// A line of the list that was shown.
    public init(kind: String, code: String? = nil, title: String? = nil, amount: Int64, isIncluded: Bool? = nil, rate: String? = nil) {
        (self.kind, self.code, self.title) = (kind, code, title)
        (self.amount, self.isIncluded, self.rate) = (amount, isIncluded, rate)
    }

    /// Reads the object strictly. One without its kind or its amount is of no kind, which no checkout takes.
    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var (kind, code, title, rate) = (String?.none, String?.none, String?.none, String?.none)
        var amount: Int64?
        var isIncluded: Bool?
        try reader.object(Self.fields) { reader, field throws(MalformedBody) in
            switch field {
            case .kind: kind = try reader.stringOrNull()
            case .code: code = try reader.stringOrNull()
            case .title: title = try reader.stringOrNull()
            case .amount: amount = try reader.integerOrNull()
            case .isIncluded: isIncluded = try reader.booleanOrNull()
            case .rate: rate = try reader.stringOrNull()
            }
        }
        self.init(
            kind: amount == nil ? "" : kind ?? "", code: code, title: title, amount: amount ?? 0, isIncluded: isIncluded, rate: rate)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("kind", kind)
        writer.fieldIfPresent("code", code)
        writer.fieldIfPresent("title", title)
        writer.field("amount", amount)
        writer.fieldIfPresent("isIncluded", isIncluded)
        writer.fieldIfPresent("rate", rate)
    }
}
