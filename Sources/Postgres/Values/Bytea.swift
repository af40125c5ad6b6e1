// Bytes as an array element: [UInt8] alone is a bytea, but an array of byteas needs its own type.

/// A `bytea` that an array can contain.
package struct Bytea: Sendable, Hashable, PostgresEncodable, PostgresDecodable, PostgresElement {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package static var postgresType: PostgresType { .bytea }
    package static var postgresArrayType: PostgresType { .byteaArray }

    package func encode(into bytes: inout [UInt8]) { bytes.append(contentsOf: self.bytes) }

    package static func decode(_ field: borrowing PostgresField) throws(CodingError) -> Bytea {
        Bytea(Array(try field.bytes(as: "bytea", from: .bytea)))
    }
}
