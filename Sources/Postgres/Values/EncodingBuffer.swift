// The buffer into which values are encoded, in one pass and without an allocation per value.

/// Bytes in PostgreSQL's binary format, and the types that composite values need.
package struct EncodingBuffer {
    var bytes: [UInt8]
    /// The composite types of the connection; nil outside its thread, where only built-in types can be encoded.
    let types: CompositeTypes?

    init(_ bytes: [UInt8] = [], types: CompositeTypes? = nil) { (self.bytes, self.types) = (bytes, types) }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    mutating func append(contentsOf values: some Sequence<UInt8>) { bytes.append(contentsOf: values) }

    /// Appends an integer in network byte order.
    mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends a value after its length, as in arrays and records; a null has the length -1 and no bytes.
    mutating func append<Value: PostgresEncodable>(lengthAnd value: Value) throws(CodingError) {
        guard !value.isNull else { return append(bigEndian: Int32(-1)) }
        let offset = bytes.count
        append(bigEndian: Int32(0))
        try value.encode(into: &self)
        guard let length = Int32(exactly: bytes.count - offset - 4) else {
            throw CodingError("a value of more than 2 GiB")
        }
        withUnsafeBytes(of: length.bigEndian) { bytes.replaceSubrange(offset..<offset + 4, with: $0) }
    }
}
