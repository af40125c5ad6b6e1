// What staff send of the menu: whether a thing can be had, and how many there are. Read strictly by Web. Read next: StepBodies.swift.
// A missing field is nil here and 422 in the answer; a wrong type or an unknown field is 400.

/// `POST /v1/staff/menu/{id}/availability`, and of an option.
public struct AvailabilityBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// False: sold out.
    public let isAvailable: Bool?
    /// Until when it is sold out, RFC 3339; left out: until further notice.
    public let until: String?
    /// True: sold out until the shop's next business day begins.
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

/// `POST /v1/staff/menu/{id}/stock`, and of an option: one of the two, or null, and nobody counts any more.
public struct StockBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// How many there are now, and no more until staff say so.
    public let remaining: Int64?
    /// How many there are on each business day.
    public let perDay: Int64?
    /// Whether something was said at all, null among it.
    public let isSaid: Bool

    private enum Field: String, CaseIterable, CodingKey { case remaining, perDay }
    private static let fields = FieldTable<Field>()

    /// - Parameter isSaid: False: a body without fields.
    package init(remaining: Int64? = nil, perDay: Int64? = nil, isSaid: Bool = true) {
        (self.remaining, self.perDay, self.isSaid) = (remaining, perDay, isSaid)
    }

    /// Reads what Foundation's decoder has; a null is not a field that is left out.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        self.init(
            remaining: try fields.decodeIfPresent(Int64.self, forKey: .remaining),
            perDay: try fields.decodeIfPresent(Int64.self, forKey: .perDay), isSaid: !fields.allKeys.isEmpty)
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
        self.init(remaining: remaining, perDay: perDay, isSaid: isSaid)
    }

    package func writeFields(to writer: inout JSONWriter) {
        if let perDay { return writer.field("perDay", perDay) }
        if isSaid { writer.field("remaining", remaining) }
    }
}
