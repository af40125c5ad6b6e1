// An option as a guest chooses it. Used by BasketBodies.swift; what answers show of a chosen option is Answers/LineOptionBody.swift.

/// An option that is chosen with a dish, or with another option.
public struct ChosenOptionBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// Staff's number.
    public var optionId: Int64?
    /// How many; one if left out.
    public var quantity: Int64?
    /// What is chosen with it; nil: as by default, a list: exactly that.
    public var options: [ChosenOptionBody]?

    /// How many are read of a list: all that a request has room for, so that too many are told as that.
    static let limit = 32_768

    private enum Field: String, CaseIterable { case optionId, quantity, options }
    private static let fields = FieldTable<Field>()

    /// An option.
    public init(_ optionId: Int64?, quantity: Int64? = nil, options: [ChosenOptionBody]? = nil) {
        (self.optionId, self.quantity, self.options) = (optionId, quantity, options)
    }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var body = ChosenOptionBody(nil)
        try reader.object(Self.fields) { reader, field throws(MalformedBody) in
            switch field {
            case .optionId: body.optionId = try reader.integerOrNull()
            case .quantity: body.quantity = try reader.integerOrNull()
            case .options: body.options = try reader.listOrNull(limit: Self.limit)
            }
        }
        self = body
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.fieldIfPresent("optionId", optionId)
        writer.fieldIfPresent("quantity", quantity)
        writer.fieldIfPresent("options", options)
    }
}
