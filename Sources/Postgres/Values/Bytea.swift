// Bytes as an element of an array: a [UInt8] alone is a bytea already, an array of them needs a type of its own.

/// A `bytea` that can stand in an array.
public struct Bytea: Sendable, Hashable, PostgresEncodable, PostgresDecodable, PostgresElement {
    /// The bytes as they are.
    public let bytes: [UInt8]

    /// A bytea of the bytes given.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// `bytea`
    public static var postgresType: PostgresType { .bytea }
    /// `bytea[]`
    public static var postgresArrayType: PostgresType { .byteaArray }

    /// Appends the bytes as they are.
    public func encode(into bytes: inout [UInt8]) {
        bytes.append(contentsOf: self.bytes)
    }

    /// From `bytea`.
    public static func decode(_ field: borrowing PostgresField) throws(ValueFault) -> Bytea {
        Bytea(Array(try field.bytes(as: "bytea", from: .bytea)))
    }
}
