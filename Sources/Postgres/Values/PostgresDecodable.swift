// What a column can be read as, from PostgreSQL's binary format. A field of another type, length or content than asked for is a fault with a
// reason, never a trap: the server's bytes are outside input. Used by Row. Read next: Row.swift.

/// A value that a column can be read as.
package protocol PostgresDecodable: Sendable {
    static func decode(_ field: borrowing PostgresField) throws(ValueFault) -> Self
}

/// One field of a row as it came from the server. Custom types read one of the types of this client from it and go on from there.
package struct PostgresField: ~Copyable {
    package let type: PostgresType
    /// Alive as long as the result is, which outlives every `Row` and so this field; nil is null.
    let bytes: UnsafeRawBufferPointer?

    init(type: PostgresType, bytes: UnsafeRawBufferPointer?) { (self.type, self.bytes) = (type, bytes) }

    package var isNull: Bool { bytes == nil }

    /// The bytes of a field that is not null and of one of the types.
    func bytes(as wanted: String, from types: PostgresType...) throws(ValueFault) -> UnsafeRawBufferPointer {
        guard types.contains(type) else { throw ValueFault("\(type) where \(wanted) was asked for") }
        guard let bytes else { throw ValueFault("null where \(wanted) was asked for") }
        return bytes
    }

    /// An integer of exactly the field's length.
    func integer<Value: FixedWidthInteger>(_: Value.Type, from type: PostgresType) throws(ValueFault) -> Value {
        guard self.type == type else { throw ValueFault("\(self.type) where \(type) was asked for") }
        guard let bytes else { throw ValueFault("null where \(type) was asked for") }
        guard bytes.count == MemoryLayout<Value>.size else { throw ValueFault("\(bytes.count) bytes where \(type) was asked for") }
        return Value(bigEndian: bytes.loadUnaligned(as: Value.self))
    }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
    package static func decode(_ field: borrowing PostgresField) throws(ValueFault) -> Wrapped? {
        field.isNull ? nil : try Wrapped.decode(field)
    }
}

extension PostgresDecodable where Self: RawRepresentable, RawValue: PostgresDecodable {
    /// Reads the raw value; one without a case is a fault.
    package static func decode(_ field: borrowing PostgresField) throws(ValueFault) -> Self {
        guard let value = Self(rawValue: try RawValue.decode(field)) else { throw ValueFault("no \(Self.self) has this value") }
        return value
    }
}
