// A JSON text as a parameter of type jsonb, and jsonb or json read as its text. The text is not looked into: PostgreSQL checks it.

/// A JSON document as its UTF-8 bytes.
package struct JSONB: Sendable, Hashable, PostgresEncodable, PostgresDecodable, PostgresElement {
    /// jsonb_send puts this before the text.
    private static let version: UInt8 = 1

    package let utf8: [UInt8]

    package init(_ text: String) { utf8 = Array(text.utf8) }

    package init(utf8: [UInt8]) { self.utf8 = utf8 }

    package static var postgresType: PostgresType { .jsonb }
    package static var postgresArrayType: PostgresType { .jsonbArray }

    /// The format's version and the text.
    package func encode(into bytes: inout [UInt8]) throws(ValueFault) {
        guard !utf8.contains(0) else { throw ValueFault("the JSON holds a NUL, which PostgreSQL can't store") }
        bytes.append(Self.version)
        bytes.append(contentsOf: utf8)
    }

    /// From `jsonb` and `json`.
    package static func decode(_ field: borrowing PostgresField) throws(ValueFault) -> JSONB {
        let bytes = field.type == .jsonb ? try text(in: field) : try field.bytes(as: "json", from: .json)
        return JSONB(utf8: Array(bytes))
    }

    /// The text of a jsonb field.
    static func text(in field: borrowing PostgresField) throws(ValueFault) -> UnsafeRawBufferPointer {
        let bytes = try field.bytes(as: "jsonb", from: .jsonb)
        guard bytes.first == version else { throw ValueFault("jsonb of an unknown version") }
        return UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    }
}
