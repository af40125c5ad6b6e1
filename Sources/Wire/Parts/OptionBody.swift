// An option of a line, in requests and in answers. Used by Requests/BasketBodies.swift and Answers/LineBodies.swift.

/// An option of a line: chosen by a guest, or shown to one.
public struct OptionBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// Staff's number.
    public var optionId: Int64?
    /// How many; one if left out.
    public var quantity: Int64?
    /// Its own options.
    public var options: [OptionBody]?

    private enum Field: String, CaseIterable { case optionId, quantity, options }
    private static let fields = FieldTable<Field>()

    /// An option.
    public init(optionId: Int64?, quantity: Int64? = nil, options: [OptionBody]? = nil) {
        (self.optionId, self.quantity, self.options) = (optionId, quantity, options)
    }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var body = OptionBody(optionId: nil)
        try reader.object(Self.fields) { reader, field throws(MalformedBody) in
            switch field {
            case .optionId: body.optionId = try reader.integerOrNull()
            case .quantity: body.quantity = try reader.integerOrNull()
            case .options: body.options = try reader.listOrNull()
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
