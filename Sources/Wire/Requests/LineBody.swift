// The requests that add to a basket or change it.
// A missing field is nil here, and the server answers 422. To a wrong type or an unknown field it answers 400.

/// `POST /v1/baskets/{basketId}/items`. With only the changed fields, `PATCH /v1/baskets/{basketId}/lines/{lineId}`.
public struct LineBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// The menu item to add. A change of a line has none.
    public var menuItemId: Int64?
    /// The quantity, a raw value.
    public var quantity: Int64?
    /// The selection; nil: the defaults, or in a change the line's current selection.
    public var options: [SelectedOptionBody]?
    /// The kitchen note; nil: none, or in a change the line's current note. `.some(nil)`, null in JSON, removes the
    /// note.
    public var note: String??

    private enum Field: String, CaseIterable, CodingKey { case menuItemId, quantity, options, note }
    private static let fields = FieldTable<Field>()

    /// Creates a body with these fields.
    public init(
        menuItemId: Int64? = nil, quantity: Int64? = nil, options: [SelectedOptionBody]? = nil, note: String?? = nil
    ) {
        (self.menuItemId, self.quantity, self.options, self.note) = (menuItemId, quantity, options, note)
    }

    /// Decodes the body. A null note and a missing note are different values.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        self.init(
            menuItemId: try fields.decodeIfPresent(Int64.self, forKey: .menuItemId),
            quantity: try fields.decodeIfPresent(Int64.self, forKey: .quantity),
            options: try fields.decodeIfPresent([SelectedOptionBody].self, forKey: .options),
            note: fields.contains(.note) ? .some(try fields.decodeIfPresent(String.self, forKey: .note)) : nil)
    }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var body = LineBody()
        try reader.object(Self.fields) { reader, field throws(MalformedBody) in
            switch field {
            case .menuItemId: body.menuItemId = try reader.integerOrNull()
            case .quantity: body.quantity = try reader.integerOrNull()
            case .options: body.options = try reader.listOrNull(limit: SelectedOptionBody.limit)
            case .note: body.note = .some(try reader.stringOrNull())
            }
        }
        self = body
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.fieldIfPresent("menuItemId", menuItemId)
        writer.fieldIfPresent("quantity", quantity)
        writer.fieldIfPresent("options", options)
        writer.fieldIfPresent("note", note)
    }
}

/// `POST /v1/baskets/{basketId}/sales`. Without `salesGroupId`, `PUT /v1/baskets/{basketId}/sales/{salesGroupId}`.
public struct SetBody: Hashable, Sendable, Decodable, JSONReadable, JSONObject {
    /// The sales group whose set is added.
    public var salesGroupId: Int64?
    /// The selections for the units of the set, without quantity. All other units get the defaults.
    public var items: [LineBody]?

    private enum Field: String, CaseIterable { case salesGroupId, items }
    private static let fields = FieldTable<Field>()

    /// Creates a body with these fields.
    public init(salesGroupId: Int64? = nil, items: [LineBody]? = nil) {
        (self.salesGroupId, self.items) = (salesGroupId, items)
    }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var body = SetBody()
        try reader.object(Self.fields) { reader, field throws(MalformedBody) in
            switch field {
            case .salesGroupId: body.salesGroupId = try reader.integerOrNull()
            case .items: body.items = try reader.listOrNull()
            }
        }
        self = body
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.fieldIfPresent("salesGroupId", salesGroupId)
        writer.fieldIfPresent("items", items)
    }
}

/// The body of a request without fields: an empty object.
public struct NoFieldsBody: Hashable, Sendable, JSONReadable {
    private enum Field: CaseIterable, RawRepresentable, Sendable {
        var rawValue: String { switch self {} }
        init?(rawValue: String) { return nil }
    }
    private static let fields = FieldTable<Field>()

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        try reader.object(Self.fields) { (_: inout JSONReader, _: Field) throws(MalformedBody) in }
    }
}
