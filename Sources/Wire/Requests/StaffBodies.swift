// What staff send: a step of an order, whether a thing can be had, and how many there are. Read strictly by Web.
// A missing field is nil here and 422 in the answer; a wrong type or an unknown field is 400.

/// `POST /v1/staff/orders/{number}/advance`.
public struct AdvanceBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// The state that the order is to come to.
    public let state: String?
    /// What the guest is told; a rejection needs it.
    public let reason: String?

    private enum Field: String, CaseIterable { case state, reason }
    private static let fields = FieldTable<Field>()

    package init(state: String?, reason: String? = nil) { (self.state, self.reason) = (state, reason) }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var state: String?
        var reason: String?
        try reader.object(Self.fields) { reader, field throws(MalformedBody) in
            switch field {
            case .state: state = try reader.stringOrNull()
            case .reason: reason = try reader.stringOrNull()
            }
        }
        self.init(state: state, reason: reason)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.fieldIfPresent("state", state)
        writer.fieldIfPresent("reason", reason)
    }
}

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

/// `POST /v1/staff/menu/{id}/stock`, and of an option: one of the two, or neither, and nobody counts any more.
public struct StockBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// How many there are now, and no more until staff say so.
    public let remaining: Int64?
    /// How many there are on each business day.
    public let perDay: Int64?

    private enum Field: String, CaseIterable { case remaining, perDay }
    private static let fields = FieldTable<Field>()

    package init(remaining: Int64? = nil, perDay: Int64? = nil) { (self.remaining, self.perDay) = (remaining, perDay) }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var remaining: Int64?
        var perDay: Int64?
        try reader.object(Self.fields) { reader, field throws(MalformedBody) in
            switch field {
            case .remaining: remaining = try reader.integerOrNull()
            case .perDay: perDay = try reader.integerOrNull()
            }
        }
        self.init(remaining: remaining, perDay: perDay)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.fieldIfPresent("remaining", remaining)
        writer.fieldIfPresent("perDay", perDay)
    }
}
