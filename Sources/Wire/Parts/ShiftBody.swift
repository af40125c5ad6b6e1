// A shift of the opening hours, in requests and responses.

/// A shift in the shop's time zone.
public struct ShiftBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// `HH:MM`.
    public let opens: String?
    /// `HH:MM`. Hours up to 47 mean the next day: `26:00` is 02:00 of the day after.
    public let closes: String?
    /// `delivery` or `pickup`; null: both.
    public let fulfilment: String?

    private enum Field: String, CaseIterable { case opens, closes, fulfilment }
    private static let fields = FieldTable<Field>()

    package init(opens: String?, closes: String?, fulfilment: String? = nil) {
        (self.opens, self.closes, self.fulfilment) = (opens, closes, fulfilment)
    }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var (opens, closes, fulfilment) = (String?.none, String?.none, String?.none)
        try reader.object(Self.fields) { reader, field throws(MalformedBody) in
            switch field {
            case .opens: opens = try reader.stringOrNull()
            case .closes: closes = try reader.stringOrNull()
            case .fulfilment: fulfilment = try reader.stringOrNull()
            }
        }
        self.init(opens: opens, closes: closes, fulfilment: fulfilment)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("fulfilment", fulfilment)
        writer.field("opens", opens)
        writer.field("closes", closes)
    }
}
