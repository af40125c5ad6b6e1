// Decodes columns from PostgreSQL's binary format. A field with an unexpected type, length or content throws an error
// and never traps, because the server's bytes are external input.

/// A type that a column can be decoded as.
package protocol PostgresDecodable: Sendable {
    /// Decodes a field.
    static func decode(_ field: borrowing PostgresField) throws(CodingError) -> Self
}

/// One field of a row. A custom type decodes one of this client's types from it and converts the value.
package struct PostgresField: ~Copyable {
    /// The field's PostgreSQL type.
    package let type: PostgresType
    /// The field's bytes; nil for null. Valid while the result is alive, which outlives every `Row` and this field.
    let bytes: UnsafeRawBufferPointer?
    /// The composite types of the connection. Unowned, because a reference count costs more than an integer's decoding;
    /// the connection's loop outlives every field.
    unowned(unsafe) let types: CompositeTypes?

    init(type: PostgresType, bytes: UnsafeRawBufferPointer?, types: CompositeTypes? = nil) {
        (self.type, self.bytes) = (type, bytes)
        self.types = types
    }

    /// Whether the field is null.
    package var isNull: Bool { bytes == nil }

    /// Returns the bytes of a field that is not null and has one of the types.
    func bytes(as wanted: String, from types: PostgresType...) throws(CodingError) -> UnsafeRawBufferPointer {
        guard types.contains(type) else { throw CodingError("expected \(wanted), found \(type)") }
        guard let bytes else { throw CodingError("expected \(wanted), found null") }
        return bytes
    }

    /// Decodes an integer that has exactly the field's length.
    func integer<Value: FixedWidthInteger>(_: Value.Type, from type: PostgresType) throws(CodingError) -> Value {
        guard self.type == type else { throw CodingError("expected \(type), found \(self.type)") }
        guard let bytes else { throw CodingError("expected \(type), found null") }
        guard bytes.count == MemoryLayout<Value>.size else {
            throw CodingError("expected \(type), found \(bytes.count) bytes")
        }
        return Value(bigEndian: bytes.loadUnaligned(as: Value.self))
    }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
    package static func decode(_ field: borrowing PostgresField) throws(CodingError) -> Wrapped? {
        field.isNull ? nil : try Wrapped.decode(field)
    }
}

extension PostgresDecodable where Self: RawRepresentable, RawValue: PostgresDecodable {
    /// Decodes the raw value. Throws if no case has it.
    package static func decode(_ field: borrowing PostgresField) throws(CodingError) -> Self {
        guard let value = Self(rawValue: try RawValue.decode(field)) else {
            throw CodingError("no \(Self.self) has this value")
        }
        return value
    }
}
