// Bool, integers, String and UUID as parameters and columns.
// Binary formats: boolsend, int2send, int4send, int8send, textsend and uuid_send in PostgreSQL's source.
import FoundationEssentials

extension Bool: PostgresEncodable, PostgresDecodable, PostgresElement {
    package static var postgresType: PostgresType { .bool }
    package static var postgresArrayType: PostgresType { .boolArray }
    package func encode(into buffer: inout EncodingBuffer) { buffer.append(self ? 1 : 0) }
    package static func decode(_ field: borrowing PostgresField) throws(CodingError) -> Bool {
        try field.integer(UInt8.self, from: .bool) != 0
    }
}

extension Int16: PostgresEncodable, PostgresDecodable, PostgresElement {
    package static var postgresType: PostgresType { .int2 }
    package static var postgresArrayType: PostgresType { .int2Array }
    package func encode(into buffer: inout EncodingBuffer) { buffer.append(bigEndian: self) }
    package static func decode(_ field: borrowing PostgresField) throws(CodingError) -> Int16 {
        try field.integer(Int16.self, from: .int2)
    }
}

extension Int32: PostgresEncodable, PostgresDecodable, PostgresElement {
    package static var postgresType: PostgresType { .int4 }
    package static var postgresArrayType: PostgresType { .int4Array }
    package func encode(into buffer: inout EncodingBuffer) { buffer.append(bigEndian: self) }
    /// Decodes `int4` or the narrower `int2`.
    package static func decode(_ field: borrowing PostgresField) throws(CodingError) -> Int32 {
        field.type == .int2 ? Int32(try Int16.decode(field)) : try field.integer(Int32.self, from: .int4)
    }
}

extension Int64: PostgresEncodable, PostgresDecodable, PostgresElement {
    package static var postgresType: PostgresType { .int8 }
    package static var postgresArrayType: PostgresType { .int8Array }
    package func encode(into buffer: inout EncodingBuffer) { buffer.append(bigEndian: self) }
    /// Decodes `int8` or the narrower `int4`, `int2` and `oid`.
    package static func decode(_ field: borrowing PostgresField) throws(CodingError) -> Int64 {
        switch field.type {
        case .int8: try field.integer(Int64.self, from: .int8)
        case .oid: Int64(try field.integer(UInt32.self, from: .oid))
        default: Int64(try Int32.decode(field))
        }
    }
}

extension Int: PostgresEncodable, PostgresDecodable, PostgresElement {
    package static var postgresType: PostgresType { .int8 }
    package static var postgresArrayType: PostgresType { .int8Array }
    package func encode(into buffer: inout EncodingBuffer) { buffer.append(bigEndian: Int64(self)) }
    /// Decodes every integer type that `Int64` accepts.
    package static func decode(_ field: borrowing PostgresField) throws(CodingError) -> Int {
        Int(try Int64.decode(field))
    }
}

extension String: PostgresEncodable, PostgresDecodable, PostgresElement {
    package static var postgresType: PostgresType { .text }
    package static var postgresArrayType: PostgresType { .textArray }
    /// Encodes UTF-8. PostgreSQL's texts cannot contain a NUL.
    package func encode(into buffer: inout EncodingBuffer) throws(CodingError) {
        let start = buffer.bytes.count
        buffer.append(contentsOf: utf8)
        guard !buffer.bytes[start...].contains(0) else {
            throw CodingError("the text contains a NUL, which PostgreSQL cannot store")
        }
    }
    /// Decodes `text`, `varchar`, `char(n)`, `name`, `"char"`, `json` and `jsonb`. Other types need a cast in the SQL.
    package static func decode(_ field: borrowing PostgresField) throws(CodingError) -> String {
        let bytes =
            field.type == .jsonb
            ? try JSONB.text(in: field)
            : try field.bytes(as: "text", from: .text, .varchar, .bpchar, .name, .json, .char, .unknown)
        guard let text = String(validating: bytes, as: UTF8.self) else { throw CodingError("text that is not UTF-8") }
        return text
    }
}

extension UUID: PostgresEncodable, PostgresDecodable, PostgresElement {
    package static var postgresType: PostgresType { .uuid }
    package static var postgresArrayType: PostgresType { .uuidArray }
    package func encode(into buffer: inout EncodingBuffer) {
        withUnsafeBytes(of: uuid) { buffer.append(contentsOf: $0) }
    }
    package static func decode(_ field: borrowing PostgresField) throws(CodingError) -> UUID {
        let bytes = try field.bytes(as: "uuid", from: .uuid)
        guard bytes.count == 16 else { throw CodingError("expected uuid, found \(bytes.count) bytes") }
        return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
}
