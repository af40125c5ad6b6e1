// One total line: in quotes and orders, and in a checkout as the line that the guest was shown.

/// A total line. `total` is the sum of all other lines that are not included in the prices.
public struct TotalBody: Hashable, Sendable, Codable, JSONReadable, JSONObject {
    /// `subtotal`, `discount`, `tip`, `total`, or a charge such as `delivery_fee` or `tax`. openapi.json lists all
    /// kinds.
    public let kind: String
    /// Identifies a line of its kind: a discount's coupon key, a tax's rate number. Left out for a kind with at most
    /// one line, and without the order's token.
    public let code: String?
    /// Plain text for the guest; left out for a discount without the order's token.
    public let title: String?
    /// Minor units; negative for a reduction.
    public let amount: Int64
    /// True if the prices already include the amount; else left out.
    public let isIncluded: Bool?
    /// The rate in percent, such as `8.875`; else left out.
    public let rate: String?

    private enum Field: String, CaseIterable { case kind, code, title, amount, isIncluded, rate }
    private static let fields = FieldTable<Field>()

    /// Creates a total line.
    public init(
        kind: String, code: String? = nil, title: String? = nil, amount: Int64, isIncluded: Bool? = nil,
        rate: String? = nil
    ) {
        (self.kind, self.code, self.title) = (kind, code, title)
        (self.amount, self.isIncluded, self.rate) = (amount, isIncluded, rate)
    }

    /// Reads the object. Without a kind or an amount, the kind becomes empty, which every checkout rejects.
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
            kind: amount == nil ? "" : kind ?? "", code: code, title: title, amount: amount ?? 0,
            isIncluded: isIncluded, rate: rate)
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
