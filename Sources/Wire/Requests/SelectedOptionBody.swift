// An option that a guest selects. `LineOptionBody` is its counterpart in responses.

/// An option that is selected for a dish or for another option.
public struct SelectedOptionBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// The number that staff gave it.
    public var optionId: Int64?
    /// The quantity; nil: one.
    public var quantity: Int64?
    /// The nested selection; nil: the defaults, a list: exactly these options.
    public var options: [SelectedOptionBody]?

    /// The maximum length of a list. A request body cannot contain more, so validation and not parsing rejects too many
    /// options.
    static let limit = 32_768

    private enum Field: String, CaseIterable { case optionId, quantity, options }
    private static let fields = FieldTable<Field>()

    /// Creates a selected option.
    public init(_ optionId: Int64?, quantity: Int64? = nil, options: [SelectedOptionBody]? = nil) {
        (self.optionId, self.quantity, self.options) = (optionId, quantity, options)
    }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var body = SelectedOptionBody(nil)
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
