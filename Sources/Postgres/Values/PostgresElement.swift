// One-dimensional arrays as parameters and columns (array_send and array_recv in PostgreSQL's source), and [UInt8] as
// bytea. One statement handles many rows with array parameters: `from unnest($1::bigint[], $2::text[])`.

/// A value that an array can contain. `UInt8` conforms too: [UInt8] is encoded as a bytea, not as an array.
package protocol PostgresElement: Sendable {
    /// The PostgreSQL type of an array of these values.
    static var postgresArrayType: PostgresType { get }
    /// The array type with its object id in the connection's database.
    static func postgresArrayType(in types: CompositeTypes?) throws(CodingError) -> PostgresType
    /// Appends the array in PostgreSQL's binary format.
    static func encode(array: [Self], into buffer: inout EncodingBuffer) throws(CodingError)
    /// Decodes an array in PostgreSQL's binary format.
    static func decode(array field: borrowing PostgresField) throws(CodingError) -> [Self]
}

extension PostgresElement {
    /// Only composite types and their optionals override this.
    package static func postgresArrayType(in types: CompositeTypes?) throws(CodingError) -> PostgresType {
        postgresArrayType
    }
}

extension Array: PostgresEncodable where Element: PostgresElement {
    package static var postgresType: PostgresType { Element.postgresArrayType }
    package static func postgresType(in types: CompositeTypes?) throws(CodingError) -> PostgresType {
        try Element.postgresArrayType(in: types)
    }
    package func encode(into buffer: inout EncodingBuffer) throws(CodingError) {
        try Element.encode(array: self, into: &buffer)
    }
}

extension Array: PostgresDecodable where Element: PostgresElement {
    /// Decodes a one-dimensional array, or `bytea` for `[UInt8]`.
    package static func decode(_ field: borrowing PostgresField) throws(CodingError) -> [Element] {
        try Element.decode(array: field)
    }
}

extension UInt8: PostgresElement {
    package static var postgresArrayType: PostgresType { .bytea }
    package static func encode(array: [UInt8], into buffer: inout EncodingBuffer) { buffer.append(contentsOf: array) }
    package static func decode(array field: borrowing PostgresField) throws(CodingError) -> [UInt8] {
        Array(try field.bytes(as: "bytea", from: .bytea))
    }
}

extension Optional: PostgresElement where Wrapped: PostgresElement & PostgresEncodable & PostgresDecodable {
    package static var postgresArrayType: PostgresType { Wrapped.postgresArrayType }
    package static func postgresArrayType(in types: CompositeTypes?) throws(CodingError) -> PostgresType {
        try Wrapped.postgresArrayType(in: types)
    }
}

extension PostgresElement where Self: RawRepresentable, RawValue: PostgresElement {
    package static var postgresArrayType: PostgresType { RawValue.postgresArrayType }
}

extension PostgresElement where Self: PostgresEncodable & PostgresDecodable {
    /// Encodes the dimensions (1, or 0 if empty), a null flag, the element type, the length, the lower bound, and the
    /// values.
    package static func encode(array: [Self], into buffer: inout EncodingBuffer) throws(CodingError) {
        guard let count = Int32(exactly: array.count) else {
            throw CodingError("an array of more than \(Int32.max) values")
        }
        buffer.append(bigEndian: Int32(count == 0 ? 0 : 1))
        buffer.append(bigEndian: Int32(Self.mayBeNull && array.contains { $0.isNull } ? 1 : 0))
        buffer.append(bigEndian: try Self.postgresType(in: buffer.types).oid)
        guard count > 0 else { return }
        buffer.append(bigEndian: count)
        buffer.append(bigEndian: Int32(1))
        for value in array { try buffer.append(lengthAnd: value) }
    }

    /// Checks every length against the remaining bytes before using it.
    package static func decode(array field: borrowing PostgresField) throws(CodingError) -> [Self] {
        guard try isArray(field) else { throw CodingError("expected an array, found \(field.type)") }
        guard let bytes = field.bytes else { throw CodingError("expected an array, found null") }
        var reader = BinaryReader(bytes: bytes)
        let dimensions = try reader.integer()
        _ = try reader.integer()
        let type = try reader.type()
        if dimensions == 0 { return [] }
        guard dimensions == 1 else { throw CodingError("an array of \(dimensions) dimensions") }
        let count = Int(try reader.integer())
        _ = try reader.integer()
        // Each element has at least a length of four bytes.
        guard count >= 0, count <= reader.bytes.count / 4 else {
            throw CodingError("an array shorter than its header states")
        }
        let types = field.types
        var values: [Self] = []
        values.reserveCapacity(count)
        for _ in 0..<count {
            values.append(try Self.decode(PostgresField(type: type, bytes: try reader.value(), types: types)))
        }
        guard reader.bytes.isEmpty else { throw CodingError("an array longer than its header states") }
        return values
    }

    /// Whether the field's type has the array format and, for a composite element, is the array type of the element.
    private static func isArray(_ field: borrowing PostgresField) throws(CodingError) -> Bool {
        guard postgresArrayType == .composite else { return arrayTypes.contains(field.type) }
        if field.type == (try postgresArrayType(in: field.types)) { return true }
        field.types?.requestLookup()
        return false
    }
}

/// The types with the array format. Columns of other types are rejected before their bytes are read.
private let arrayTypes: Set<PostgresType> = [
    .boolArray, .byteaArray, .nameArray, .int2Array, .int4Array, .textArray, .bpcharArray, .varcharArray, .int8Array,
    .dateArray,
    .timestamptzArray, .jsonArray, .uuidArray, .jsonbArray,
]
