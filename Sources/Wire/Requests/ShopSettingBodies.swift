// The requests by which staff change the shop: a pause, a busy time, the acceptance rule and a day's hours.
// A missing field is nil here, and the server answers 422. To a wrong type or an unknown field it answers 400.

/// `POST /v1/staff/pause`: the end of the pause, or its length in minutes.
public struct PauseBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// The end of the pause, RFC 3339.
    public let until: String?
    /// The length of the pause in minutes, without `until`.
    public let minutes: Int64?
    /// The reason, which guests read.
    public let reason: String?

    private enum Field: String, CaseIterable { case until, minutes, reason }
    private static let fields = FieldTable<Field>()

    package init(until: String? = nil, minutes: Int64? = nil, reason: String? = nil) {
        (self.until, self.minutes, self.reason) = (until, minutes, reason)
    }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var (until, minutes, reason) = (String?.none, Int64?.none, String?.none)
        try reader.object(Self.fields) { reader, field throws(MalformedBody) in
            switch field {
            case .until: until = try reader.stringOrNull()
            case .minutes: minutes = try reader.integerOrNull()
            case .reason: reason = try reader.stringOrNull()
            }
        }
        self.init(until: until, minutes: minutes, reason: reason)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.fieldIfPresent("until", until)
        writer.fieldIfPresent("minutes", minutes)
        writer.fieldIfPresent("reason", reason)
    }
}

/// `POST /v1/staff/busy`: adds minutes to every estimate for a while.
public struct BusyBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// The additional minutes; 0 ends the busy time.
    public let minutes: Int64?
    /// The length of the busy time in minutes from now.
    public let forMinutes: Int64?

    private enum Field: String, CaseIterable { case minutes, forMinutes }
    private static let fields = FieldTable<Field>()

    package init(minutes: Int64?, forMinutes: Int64? = nil) { (self.minutes, self.forMinutes) = (minutes, forMinutes) }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var (minutes, forMinutes) = (Int64?.none, Int64?.none)
        try reader.object(Self.fields) { reader, field throws(MalformedBody) in
            switch field {
            case .minutes: minutes = try reader.integerOrNull()
            case .forMinutes: forMinutes = try reader.integerOrNull()
            }
        }
        self.init(minutes: minutes, forMinutes: forMinutes)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.fieldIfPresent("minutes", minutes)
        writer.fieldIfPresent("forMinutes", forMinutes)
    }
}

/// `PUT /v1/staff/acceptance`: how new orders are accepted. Without both fields, staff accept without a deadline.
public struct AcceptanceBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// The acceptance deadline in minutes of opening time.
    public let withinMinutes: Int64?
    /// Whether the server accepts new orders automatically.
    public let automatically: Bool?

    private enum Field: String, CaseIterable { case withinMinutes, automatically }
    private static let fields = FieldTable<Field>()

    package init(withinMinutes: Int64? = nil, automatically: Bool? = nil) {
        (self.withinMinutes, self.automatically) = (withinMinutes, automatically)
    }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var (withinMinutes, automatically) = (Int64?.none, Bool?.none)
        try reader.object(Self.fields) { reader, field throws(MalformedBody) in
            switch field {
            case .withinMinutes: withinMinutes = try reader.integerOrNull()
            case .automatically: automatically = try reader.booleanOrNull()
            }
        }
        self.init(withinMinutes: withinMinutes, automatically: automatically)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.fieldIfPresent("withinMinutes", withinMinutes)
        writer.fieldIfPresent("automatically", automatically)
    }
}

/// `PUT /v1/staff/hours/{date}`: the shifts of this date, which replace those of the weekday.
public struct HoursBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// The shifts; an empty list: closed all day.
    public let shifts: [ShiftBody]?

    private enum Field: String, CaseIterable { case shifts }
    private static let fields = FieldTable<Field>()

    package init(
        shifts: [ShiftBody]?
    ) {
        self.shifts = shifts
    }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var shifts: [ShiftBody]?
        try reader.object(Self.fields) { reader, field throws(MalformedBody) in
            switch field {
            case .shifts: shifts = try reader.listOrNull(limit: 20)
            }
        }
        self.init(shifts: shifts)
    }

    package func writeFields(to writer: inout JSONWriter) { writer.fieldIfPresent("shifts", shifts) }
}
