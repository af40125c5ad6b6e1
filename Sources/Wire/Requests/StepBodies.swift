// What staff send of an order: a step, one that was a mistake, and that it takes longer. Read strictly by Web.
// A missing field is nil here and 422 in the answer; a wrong type or an unknown field is 400.

/// `POST /v1/staff/orders/{number}/advance`.
public struct AdvanceBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// The state that the order is to come to.
    public let state: String?
    /// What the guest is told; a rejection needs it.
    public let reason: String?
    /// In how many minutes it is ready, when it is accepted; left out: when the checkout said.
    public let minutes: Int64?
    /// Whether what a rejected order has taken is used up, so that its stock is not given back; left out: it is once somebody has begun to make it.
    public let foodIsWasted: Bool?

    private enum Field: String, CaseIterable { case state, reason, minutes, foodIsWasted }
    private static let fields = FieldTable<Field>()

    package init(state: String?, reason: String? = nil, minutes: Int64? = nil, foodIsWasted: Bool? = nil) {
        (self.state, self.reason, self.minutes, self.foodIsWasted) = (state, reason, minutes, foodIsWasted)
    }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var (state, reason): (String?, String?)
        var minutes: Int64?
        var foodIsWasted: Bool?
        try reader.object(Self.fields) { reader, field throws(MalformedBody) in
            switch field {
            case .state: state = try reader.stringOrNull()
            case .reason: reason = try reader.stringOrNull()
            case .minutes: minutes = try reader.integerOrNull()
            case .foodIsWasted: foodIsWasted = try reader.booleanOrNull()
            }
        }
        self.init(state: state, reason: reason, minutes: minutes, foodIsWasted: foodIsWasted)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.fieldIfPresent("state", state)
        writer.fieldIfPresent("reason", reason)
        writer.fieldIfPresent("minutes", minutes)
        writer.fieldIfPresent("foodIsWasted", foodIsWasted)
    }
}

/// `POST /v1/staff/orders/{number}/take-back`.
public struct TakeBackBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// The state that the order came to by mistake.
    public let state: String?

    private enum Field: String, CaseIterable { case state }
    private static let fields = FieldTable<Field>()

    package init(state: String?) { self.state = state }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var state: String?
        try reader.object(Self.fields) { reader, field throws(MalformedBody) in
            switch field {
            case .state: state = try reader.stringOrNull()
            }
        }
        self.init(state: state)
    }

    package func writeFields(to writer: inout JSONWriter) { writer.fieldIfPresent("state", state) }
}

/// `POST /v1/staff/orders/{number}/delay`.
public struct DelayBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// When it is ready, RFC 3339: later than was promised.
    public let readyAt: String?
    /// What the guest reads of it.
    public let reason: String?

    private enum Field: String, CaseIterable { case readyAt, reason }
    private static let fields = FieldTable<Field>()

    package init(readyAt: String?, reason: String?) { (self.readyAt, self.reason) = (readyAt, reason) }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var (readyAt, reason): (String?, String?)
        try reader.object(Self.fields) { reader, field throws(MalformedBody) in
            switch field {
            case .readyAt: readyAt = try reader.stringOrNull()
            case .reason: reason = try reader.stringOrNull()
            }
        }
        self.init(readyAt: readyAt, reason: reason)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.fieldIfPresent("readyAt", readyAt)
        writer.fieldIfPresent("reason", reason)
    }
}
