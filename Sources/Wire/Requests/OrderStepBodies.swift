// The requests by which staff change an order: accept, advance, reject, take back and delay.
// A missing field is nil here, and the server answers 422. To a wrong type or an unknown field it answers 400.

/// `POST /v1/staff/orders/{number}/accept`.
public struct AcceptBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// The minutes until the order is ready; nil: the estimate of the checkout.
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
    /// The new state of the order.
    public let state: String?
    /// The reason, which the guest reads; required for a rejection.
    public let reason: String?
    /// Whether the food of a rejected order is wasted, so that its stock is not returned; nil: wasted if staff have
    /// started to prepare it.
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
    /// The reason, which the guest reads.
    public let reason: String?
    /// Whether the food is wasted, as in `AdvanceBody`.
    public let foodIsWasted: Bool?

    private enum Field: String, CaseIterable { case reason, foodIsWasted }
    private static let fields = FieldTable<Field>()

    package init(reason: String?, foodIsWasted: Bool? = nil) {
        (self.reason, self.foodIsWasted) = (reason, foodIsWasted)
    }

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
public struct TakeBackBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// The state of the step that is taken back, pending or executed, so that no other step is taken back by mistake;
    /// nil: the last step.
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
    /// The minutes that are added to the estimate.
    public let minutes: Int64?
    /// The reason, which the guest reads.
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
