// A statement's values in PostgreSQL's binary format, in one buffer: no allocation per value, and ready for libpq.
// Values of built-in types are encoded at once, values of composite types by the connection's thread.

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

    /// A value of a composite type, or an array of such values.
    private struct Composite: Sendable {
        /// The index of the value's field.
        let index: Int
        let isNull: Bool
        /// Appends the value, unless it is null, and returns its type.
        let encode: @Sendable (inout EncodingBuffer) throws(CodingError) -> PostgresType
    }

    private(set) var bytes: [UInt8] = []
    private(set) var fields: [Field] = []
    /// The first value that could not be encoded. It fails the statement before anything is sent.
    private(set) var encodingError: PostgresError?
    private var composites: [Composite] = []

    /// Whether a value must be encoded by the connection's thread.
    var hasComposites: Bool { !composites.isEmpty }

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
        let isNull = value.isNull
        let start = bytes.count
        guard Value.postgresType != .composite else {
            composites.append(
                Composite(index: fields.count, isNull: isNull) { buffer throws(CodingError) in
                    let type = try Value.postgresType(in: buffer.types)
                    if !isNull { try value.encode(into: &buffer) }
                    return type
                })
            return fields.append(Field(type: .composite, start: start, length: nil))
        }
        guard !isNull else { return fields.append(Field(type: Value.postgresType, start: start, length: nil)) }
        var buffer = EncodingBuffer(bytes)
        bytes = []
        do {
            try value.encode(into: &buffer)
        } catch {
            return encodingError = .invalidParameter(error.reason(ofParameter: fields.count))
        }
        bytes = buffer.bytes
        guard bytes.count <= Self.maximumBytes else { return encodingError = .tooManyBytes }
        fields.append(Field(type: Value.postgresType, start: start, length: Int32(bytes.count - start)))
    }

    /// Returns the parameters with the composite values encoded for a connection's database.
    func encoded(with types: CompositeTypes) throws(CodingError) -> Parameters {
        if composites.isEmpty { return self }
        var result = self
        result.composites = []
        var buffer = EncodingBuffer(bytes, types: types)
        for composite in composites {
            let start = buffer.bytes.count
            do {
                let type = try composite.encode(&buffer)
                let length = composite.isNull ? nil : Int32(clamping: buffer.bytes.count - start)
                result.fields[composite.index] = Field(type: type, start: start, length: length)
            } catch {
                throw CodingError(error.reason(ofParameter: composite.index))
            }
            guard buffer.bytes.count <= Self.maximumBytes else { throw CodingError(Self.sizeProblem) }
        }
        result.bytes = buffer.bytes
        return result
    }

    fileprivate static let sizeProblem = "parameters take more than \(maximumBytes) bytes"
}

extension CodingError {
    /// The reason, preceded by the number of the parameter with this index.
    fileprivate func reason(ofParameter index: Int) -> String { "parameter \(index + 1): \(reason)" }
}

extension PostgresError {
    fileprivate static let tooManyParameters = invalidParameter("more than \(Parameters.maximumCount) parameters")
    fileprivate static let tooManyBytes = invalidParameter(Parameters.sizeProblem)
}
