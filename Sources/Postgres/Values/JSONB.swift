// JSON texts as jsonb parameters, and jsonb or json columns as text. PostgreSQL validates the text, not this type.

/// A JSON document as its UTF-8 bytes.
package struct JSONB: Sendable, Hashable, PostgresEncodable, PostgresDecodable, PostgresElement {
    /// The version byte that jsonb_send puts before the text.
    private static let version: UInt8 = 1

    /// The text in UTF-8.
    package let utf8: [UInt8]

    /// A document from a text.
    package init(_ text: String) { utf8 = Array(text.utf8) }

    /// A document from UTF-8 bytes.
    package init(utf8: [UInt8]) { self.utf8 = utf8 }

    package static var postgresType: PostgresType { .jsonb }
    package static var postgresArrayType: PostgresType { .jsonbArray }

    /// Encodes the version byte and the text.
    package func encode(into buffer: inout EncodingBuffer) throws(CodingError) {
        guard !utf8.contains(0) else { throw CodingError("the JSON contains a NUL, which PostgreSQL cannot store") }
        buffer.append(Self.version)
        buffer.append(contentsOf: utf8)
    }

    /// Decodes `jsonb` or `json`.
    package static func decode(_ field: borrowing PostgresField) throws(CodingError) -> JSONB {
        let bytes = field.type == .jsonb ? try text(in: field) : try field.bytes(as: "json", from: .json)
        return JSONB(utf8: Array(bytes))
    }

    /// Returns the text of a jsonb field.
    static func text(in field: borrowing PostgresField) throws(CodingError) -> UnsafeRawBufferPointer {
        let bytes = try field.bytes(as: "jsonb", from: .jsonb)
        guard bytes.first == version else { throw CodingError("jsonb of an unknown version") }
        return UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    }
}
