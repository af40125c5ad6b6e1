// One-dimensional arrays as parameters and columns (array_send and array_recv in PostgreSQL's source), and [UInt8] as
// bytea. One statement handles many rows with array parameters: `from unnest($1::bigint[], $2::text[])`.

/// A value that an array can contain. `UInt8` conforms too: [UInt8] is encoded as a bytea, not as an array.
package protocol PostgresElement: Sendable {
    /// The PostgreSQL type of an array of these values.
    static var postgresArrayType: PostgresType { get }
    /// Appends the array in PostgreSQL's binary format.
    static func encode(array: [Self], into bytes: inout [UInt8]) throws(CodingError)
    /// Decodes an array in PostgreSQL's binary format.
    static func decode(array field: borrowing PostgresField) throws(CodingError) -> [Self]
}

extension Array: PostgresEncodable where Element: PostgresElement {
    package static var postgresType: PostgresType { Element.postgresArrayType }
    package func encode(into bytes: inout [UInt8]) throws(CodingError) {
        try Element.encode(array: self, into: &bytes)
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
    package static func encode(array: [UInt8], into bytes: inout [UInt8]) { bytes.append(contentsOf: array) }
    package static func decode(array field: borrowing PostgresField) throws(CodingError) -> [UInt8] {
        Array(try field.bytes(as: "bytea", from: .bytea))
    }
}

extension Optional: PostgresElement where Wrapped: PostgresElement & PostgresEncodable & PostgresDecodable {
    package static var postgresArrayType: PostgresType { Wrapped.postgresArrayType }
}

extension PostgresElement where Self: RawRepresentable, RawValue: PostgresElement {
    package static var postgresArrayType: PostgresType { RawValue.postgresArrayType }
}

extension PostgresElement where Self: PostgresEncodable & PostgresDecodable {
    /// Encodes the dimensions (1, or 0 if empty), a null flag, the element type, the length, the lower bound, and the
    /// values.
    package static func encode(array: [Self], into bytes: inout [UInt8]) throws(CodingError) {
        guard let count = Int32(exactly: array.count) else {
            throw CodingError("an array of more than \(Int32.max) values")
        }
        bytes.append(bigEndian: Int32(count == 0 ? 0 : 1))
        bytes.append(bigEndian: Int32(array.contains { $0.isNull } ? 1 : 0))
        bytes.append(bigEndian: Self.postgresType.oid)
        guard count > 0 else { return }
        bytes.append(bigEndian: count)
        bytes.append(bigEndian: Int32(1))
        for value in array {
            guard !value.isNull else {
                bytes.append(bigEndian: Int32(-1))
                continue
            }
            let lengthOffset = bytes.count
            bytes.append(bigEndian: Int32(0))
            try value.encode(into: &bytes)
            guard let length = Int32(exactly: bytes.count - lengthOffset - 4) else {
                throw CodingError("an array element of more than 2 GiB")
            }
            withUnsafeBytes(of: length.bigEndian) { bytes.replaceSubrange(lengthOffset..<lengthOffset + 4, with: $0) }
        }
    }

    /// Checks every length against the remaining bytes before using it.
    package static func decode(array field: borrowing PostgresField) throws(CodingError) -> [Self] {
        guard arrayTypes.contains(field.type) else { throw CodingError("expected an array, found \(field.type)") }
        guard let bytes = field.bytes else { throw CodingError("expected an array, found null") }
        var reader = ArrayReader(bytes: bytes)
        let dimensions = try reader.integer()
        _ = try reader.integer()
        let type = PostgresType(oid: UInt32(bitPattern: try reader.integer()))
        if dimensions == 0 { return [] }
        guard dimensions == 1 else { throw CodingError("an array of \(dimensions) dimensions") }
        let count = Int(try reader.integer())
        _ = try reader.integer()
        // Each element has at least a length of four bytes.
        guard count >= 0, count <= reader.bytes.count / 4 else {
            throw CodingError("an array shorter than its header states")
        }
        var values: [Self] = []
        values.reserveCapacity(count)
        for _ in 0..<count {
            values.append(try Self.decode(PostgresField(type: type, bytes: try reader.value())))
        }
        guard reader.bytes.isEmpty else { throw CodingError("an array longer than its header states") }
        return values
    }
}

/// The types with the array format. Columns of other types are rejected before their bytes are read.
private let arrayTypes: Set<PostgresType> = [
    .boolArray, .byteaArray, .nameArray, .int2Array, .int4Array, .textArray, .bpcharArray, .varcharArray, .int8Array,
    .dateArray,
    .timestamptzArray, .jsonArray, .uuidArray, .jsonbArray,
]

/// Reads integers and values from the start of an array's bytes.
private struct ArrayReader {
    var bytes: UnsafeRawBufferPointer

    mutating func integer() throws(CodingError) -> Int32 {
        Int32(bigEndian: try take(4).loadUnaligned(as: Int32.self))
    }

    mutating func value() throws(CodingError) -> UnsafeRawBufferPointer? {
        let length = Int(try integer())
        return length == -1 ? nil : try take(length)
    }

    private mutating func take(_ count: Int) throws(CodingError) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= bytes.count else { throw CodingError("an array shorter than its header states") }
        defer { bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(count)) }
        return UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
    }
}
