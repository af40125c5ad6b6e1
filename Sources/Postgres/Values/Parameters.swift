// The values of a statement, in PostgreSQL's binary format, in one flat buffer: no allocation for each value, and ready to be handed to libpq.
// Made by the callers of `query` and `execute`. Read next: PostgresEncodable.swift.

/// The values for `$1`, `$2`, ... of a statement, in order.
package struct Parameters: Sendable {
    /// Where a value lies in the buffer.
    struct Field: Sendable {
        let type: PostgresType
        let start: Int
        /// In bytes; nil is SQL's null.
        let length: Int32?
    }

    /// PostgreSQL's message carries the count in 16 bits.
    static let maximumCount = 65_535
    /// A message of PostgreSQL is at most 1 GiB; a quarter of it is far more than any statement of ours needs.
    static let maximumBytes = 256 << 20

    private(set) var bytes: [UInt8] = []
    private(set) var fields: [Field] = []
    /// The first value that has no form in PostgreSQL; the statement then fails before anything is sent.
    private(set) var fault: PostgresError?

    package init() {}

    package init<each Value: PostgresEncodable>(_ value: repeat each Value) {
        repeat append(each value)
    }

    /// Adds the next value. A value that PostgreSQL can't hold (a text with a NUL) is remembered and fails the statement.
    package mutating func append<Value: PostgresEncodable>(_ value: Value) {
        guard fault == nil else { return }
        guard fields.count < Self.maximumCount else { return fault = .tooMany }
        guard !value.isNull else { return appendNull(of: Value.postgresType) }
        let start = bytes.count
        do {
            try value.encode(into: &bytes)
        } catch {
            return fault = .invalidParameter("parameter \(fields.count + 1): \(error.reason)")
        }
        guard bytes.count <= Self.maximumBytes else {
            return fault = .invalidParameter("parameters take more than \(Self.maximumBytes) bytes")
        }
        fields.append(Field(type: Value.postgresType, start: start, length: Int32(bytes.count - start)))
    }

    mutating func appendNull(of type: PostgresType) {
        guard fault == nil else { return }
        guard fields.count < Self.maximumCount else { return fault = .tooMany }
        fields.append(Field(type: type, start: bytes.count, length: nil))
    }
}

extension PostgresError {
    fileprivate static let tooMany = invalidParameter("more than \(Parameters.maximumCount) parameters")
}
