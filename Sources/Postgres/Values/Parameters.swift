// A statement's values in PostgreSQL's binary format, in one buffer: no allocation per value, and ready for libpq.

/// The values for `$1`, `$2` and so on, in order.
package struct Parameters: Sendable {
    /// The position of a value in the buffer.
    struct Field: Sendable {
        let type: PostgresType
        let start: Int
        /// The length in bytes; nil for null.
        let length: Int32?
    }

    /// PostgreSQL's protocol transmits the count in 16 bits.
    static let maximumCount = 65_535
    /// PostgreSQL's messages have at most 1 GiB. A quarter of that is more than any statement here needs.
    static let maximumBytes = 256 << 20

    private(set) var bytes: [UInt8] = []
    private(set) var fields: [Field] = []
    /// The first value that could not be encoded. It fails the statement before anything is sent.
    private(set) var encodingError: PostgresError?

    /// No values.
    package init() {}

    /// The values in order.
    package init<each Value: PostgresEncodable>(_ value: repeat each Value) {
        repeat append(each value)
    }

    /// Appends a value. If PostgreSQL cannot represent it, such as a text with a NUL, the statement will fail.
    package mutating func append<Value: PostgresEncodable>(_ value: Value) {
        guard encodingError == nil else { return }
        guard fields.count < Self.maximumCount else { return encodingError = .tooManyParameters }
        guard !value.isNull else { return appendNull(of: Value.postgresType) }
        let start = bytes.count
        do {
            try value.encode(into: &bytes)
        } catch {
            return encodingError = .invalidParameter("parameter \(fields.count + 1): \(error.reason)")
        }
        guard bytes.count <= Self.maximumBytes else {
            return encodingError = .invalidParameter("parameters take more than \(Self.maximumBytes) bytes")
        }
        fields.append(Field(type: Value.postgresType, start: start, length: Int32(bytes.count - start)))
    }

    mutating func appendNull(of type: PostgresType) {
        guard encodingError == nil else { return }
        guard fields.count < Self.maximumCount else { return encodingError = .tooManyParameters }
        fields.append(Field(type: type, start: bytes.count, length: nil))
    }
}

extension PostgresError {
    fileprivate static let tooManyParameters = invalidParameter("more than \(Parameters.maximumCount) parameters")
}
