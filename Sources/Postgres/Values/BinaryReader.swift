// Reads the parts of arrays and records. Every length is checked, because the server's bytes are external input.

/// Reads integers and values from the start of some bytes.
struct BinaryReader {
    var bytes: UnsafeRawBufferPointer

    mutating func integer() throws(CodingError) -> Int32 {
        Int32(bigEndian: try take(4).loadUnaligned(as: Int32.self))
    }

    /// Reads an object id.
    mutating func type() throws(CodingError) -> PostgresType {
        PostgresType(oid: UInt32(bitPattern: try integer()))
    }

    /// Reads a length and so many bytes; nil for null.
    mutating func value() throws(CodingError) -> UnsafeRawBufferPointer? {
        let length = Int(try integer())
        return length == -1 ? nil : try take(length)
    }

    private mutating func take(_ count: Int) throws(CodingError) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= bytes.count else { throw CodingError("a value shorter than its header states") }
        defer { bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(count)) }
        return UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
    }
}
