// What staff send of an order: that they take it, a step, one that was a mistake, and that it takes longer. Read strictly by Web.
// A missing field is nil here and 422 in the answer; a wrong type or an unknown field is 400.

/// `POST /v1/staff/orders/{number}/accept`.
public struct AcceptBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// In how many minutes it is ready; left out: when the checkout said.
    public let minutes: Int64?

    private enum Field: String, CaseIterable { case minutes }
    private static let fields = FieldTable<Field>()

    package init(minutes: Int64? = nil) { self.minutes = minutes }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var minutes: Int64?
        try reader.object(Self.fields) { reader, field throws(MalformedBody) in
            switch field {
            case .minutes: minutes = try reader.integerOrNull()
            }
        }
        self.init(minutes: minutes)
    }

    package func writeFields(to writer: inout JSONWriter) { writer.fieldIfPresent("minutes", minutes) }
}

/// `POST /v1/staff/orders/{number}/advance`.
public struct AdvanceBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// The state that the order is to come to.
    public let state: String?
    /// What the guest is told; a rejection needs it.
    public let reason: String?
    /// Whether what a rejected order has taken is used up, so that its stock is not given back; left out: it is once somebody has begun to make it.
    public let foodIsWasted: Bool?

    private enum Field: String, CaseIterable { case state, reason, foodIsWasted }
    private static let fields = FieldTable<Field>()

    package init(state: String?, reason: String? = nil, foodIsWasted: Bool? = nil) {
        (self.state, self.reason, self.foodIsWasted) = (state, reason, foodIsWasted)
    }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var (state, reason): (String?, String?)
        var foodIsWasted: Bool?
        try reader.object(Self.fields) { reader, field throws(MalformedBody) in
            switch field {
            case .state: state = try reader.stringOrNull()
            case .reason: reason = try reader.stringOrNull()
            case .foodIsWasted: foodIsWasted = try reader.booleanOrNull()
            }
        }
        self.init(state: state, reason: reason, foodIsWasted: foodIsWasted)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.fieldIfPresent("state", state)
        writer.fieldIfPresent("reason", reason)
        writer.fieldIfPresent("foodIsWasted", foodIsWasted)
    }
}

/// `POST /v1/staff/orders/{number}/reject`.
public struct RejectBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// What the guest is told.
    public let reason: String?
    /// As in AdvanceBody.
    public let foodIsWasted: Bool?

    private enum Field: String, CaseIterable { case reason, foodIsWasted }
    private static let fields = FieldTable<Field>()

    package init(reason: String?, foodIsWasted: Bool? = nil) { (self.reason, self.foodIsWasted) = (reason, foodIsWasted) }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var reason: String?
        var foodIsWasted: Bool?
        try reader.object(Self.fields) { reader, field throws(MalformedBody) in
            switch field {
            case .reason: reason = try reader.stringOrNull()
            case .foodIsWasted: foodIsWasted = try reader.booleanOrNull()
            }
        }
        self.init(reason: reason, foodIsWasted: foodIsWasted)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.fieldIfPresent("reason", reason)
        writer.fieldIfPresent("foodIsWasted", foodIsWasted)
    }
}

/// `POST /v1/staff/orders/{number}/back`.
public struct BackBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// The state that the order came to by mistake, or that it has a pending step to, so that no other step is taken
    /// back; left out: whichever it is.
    public let state: String?

    private enum Field: String, CaseIterable { case state }
    private static let fields = FieldTable<Field>()

    package init(state: String? = nil) { self.state = state }

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
    /// By how many minutes later than was promised it is ready.
    public let minutes: Int64?
    /// What the guest reads of it.
    public let reason: String?

    private enum Field: String, CaseIterable { case minutes, reason }
    private static let fields = FieldTable<Field>()

    package init(minutes: Int64?, reason: String?) { (self.minutes, self.reason) = (minutes, reason) }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var (minutes, reason): (Int64?, String?)
        try reader.object(Self.fields) { reader, field throws(MalformedBody) in
            switch field {
            case .minutes: minutes = try reader.integerOrNull()
            case .reason: reason = try reader.stringOrNull()
            }
        }
        self.init(minutes: minutes, reason: reason)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.fieldIfPresent("minutes", minutes)
        writer.fieldIfPresent("reason", reason)
    }
}
