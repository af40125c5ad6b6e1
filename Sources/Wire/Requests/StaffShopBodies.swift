// What staff send of the shop: a pause, how busy it is, who accepts new orders, and the hours of a day. Read strictly by Web.
// A missing field is nil here and 422 in the answer; a wrong type or an unknown field is 400. Read next: Answers/StaffShopBody.swift.

/// `POST /v1/staff/pause`: a moment, or so many minutes from now.
public struct PauseBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// Until when nothing is taken, RFC 3339.
    public let until: String?
    /// For so many minutes, where no moment is said.
    public let minutes: Int64?
    /// What it is for: guests read it.
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

/// `POST /v1/staff/busy`: everything takes so much longer, for a while.
public struct BusyBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// By how many minutes; 0 ends it.
    public let minutes: Int64?
    /// For how many minutes from now.
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

/// `PUT /v1/staff/acceptance`: who accepts new orders; neither: staff, whenever they like.
public struct AcceptanceBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// Staff, within so many open minutes.
    public let withinMinutes: Int64?
    /// The shop itself.
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

/// `PUT /v1/staff/hours/{date}`: the shifts that begin on this day in place of the week's.
public struct HoursBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// None: closed that day.
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
