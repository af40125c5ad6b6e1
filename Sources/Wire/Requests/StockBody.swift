// The requests by which staff change availability and stock counts.
// A missing field is nil here, and the server answers 422. To a wrong type or an unknown field it answers 400.

/// `POST /v1/staff/menu/{id}/availability`, and the same route of an option.
public struct AvailabilityBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// False means sold out.
    public let isAvailable: Bool?
    /// The end of the sold-out time, RFC 3339; nil: sold out until staff change it.
    public let until: String?
    /// True: sold out until the next business day begins.
    public let untilTomorrow: Bool?

    private enum Field: String, CaseIterable { case isAvailable, until, untilTomorrow }
    private static let fields = FieldTable<Field>()

    package init(isAvailable: Bool?, until: String? = nil, untilTomorrow: Bool? = nil) {
        (self.isAvailable, self.until, self.untilTomorrow) = (isAvailable, until, untilTomorrow)
    }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var isAvailable: Bool?
        var until: String?
        var untilTomorrow: Bool?
        try reader.object(Self.fields) { reader, field throws(MalformedBody) in
            switch field {
            case .isAvailable: isAvailable = try reader.booleanOrNull()
            case .until: until = try reader.stringOrNull()
            case .untilTomorrow: untilTomorrow = try reader.booleanOrNull()
            }
        }
        self.init(isAvailable: isAvailable, until: until, untilTomorrow: untilTomorrow)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.fieldIfPresent("isAvailable", isAvailable)
        writer.fieldIfPresent("until", until)
        writer.fieldIfPresent("untilTomorrow", untilTomorrow)
    }
}

/// `POST /v1/staff/menu/{id}/stock`, and the same route of an option. It has one of the two fields; null stops the
/// counting.
public struct StockBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// The units that are left. The count is not refilled; staff set it again.
    public let remaining: Int64?
    /// The units for each business day; the count is refilled when a day begins.
    public let perDay: Int64?
    /// Whether the body has a field, null included.
    public let isSpecified: Bool

    private enum Field: String, CaseIterable, CodingKey { case remaining, perDay }
    private static let fields = FieldTable<Field>()

    /// - Parameter isSpecified: False creates a body without fields.
    package init(remaining: Int64? = nil, perDay: Int64? = nil, isSpecified: Bool = true) {
        (self.remaining, self.perDay, self.isSpecified) = (remaining, perDay, isSpecified)
    }

    /// Decodes the body. A null and a missing field are different values.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        self.init(
            remaining: try fields.decodeIfPresent(Int64.self, forKey: .remaining),
            perDay: try fields.decodeIfPresent(Int64.self, forKey: .perDay), isSpecified: !fields.allKeys.isEmpty)
    }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var (remaining, perDay): (Int64?, Int64?)
        var isSaid = false
        try reader.object(Self.fields) { reader, field throws(MalformedBody) in
            isSaid = true
            switch field {
            case .remaining: remaining = try reader.integerOrNull()
            case .perDay: perDay = try reader.integerOrNull()
            }
        }
        self.init(remaining: remaining, perDay: perDay, isSpecified: isSaid)
    }

    package func writeFields(to writer: inout JSONWriter) {
        if let perDay { return writer.field("perDay", perDay) }
        if isSpecified { writer.field("remaining", remaining) }
    }
}
