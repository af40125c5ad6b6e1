// What a guest sends to put something into a basket. Read strictly by Web, written by StorefrontClient.
// A missing field is nil here and 422 in the answer; a wrong type or an unknown field is 400.

/// `POST /v1/baskets/{basketId}/items`.
public struct AddItemBody: Hashable, Sendable, Decodable, JSONReadable, JSONWritable {
    /// The item to add.
    public let menuItemId: Int64?
    /// How many, as it came; the basket judges it.
    public let quantity: Int64?

    private enum Field: String, CaseIterable { case menuItemId, quantity }
    private static let fields = FieldTable<Field>()

    package init(menuItemId: Int64?, quantity: Int64?) {
        self.menuItemId = menuItemId
        self.quantity = quantity
    }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var menuItemId: Int64?
        var quantity: Int64?
        try reader.object(Self.fields) { reader, field throws(MalformedBody) in
            switch field {
            case .menuItemId: menuItemId = try reader.integerOrNull()
            case .quantity: quantity = try reader.integerOrNull()
            }
        }
        self.init(menuItemId: menuItemId, quantity: quantity)
    }

    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.fieldIfPresent("menuItemId", menuItemId)
            $0.fieldIfPresent("quantity", quantity)
        }
    }
}

/// `POST /v1/baskets/{basketId}/sales`.
public struct AddSaleBody: Hashable, Sendable, Decodable, JSONReadable, JSONWritable {
    /// The sale whose set is added.
    public let salesGroupId: Int64?

    private enum Field: String, CaseIterable { case salesGroupId }
    private static let fields = FieldTable<Field>()

    package init(salesGroupId: Int64?) {
        self.salesGroupId = salesGroupId
    }

    package init(from reader: inout JSONReader) throws(MalformedBody) {
        var salesGroupId: Int64?
        try reader.object(Self.fields) { reader, _ throws(MalformedBody) in
            salesGroupId = try reader.integerOrNull()
        }
        self.init(salesGroupId: salesGroupId)
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { $0.fieldIfPresent("salesGroupId", salesGroupId) }
    }
}

/// The body of a request that has nothing to say in it: an object without fields.
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
