// An instant with PostgreSQL's microsecond precision, so that a value survives a round trip unchanged.
// Binary format: timestamptz_send, microseconds since 2000-01-01 00:00 UTC.

/// An instant, PostgreSQL's `timestamptz`.
package struct Timestamp: Sendable, Hashable, Comparable, PostgresEncodable, PostgresDecodable, PostgresElement {
    /// The microseconds from 1970-01-01 to 2000-01-01.
    private static let epochDifference: Int64 = 946_684_800_000_000

    /// Microseconds since 1970-01-01 00:00 UTC; `Int64.max` and `Int64.min` mean `infinity` and `-infinity`.
    package var microseconds: Int64

    /// An instant in microseconds since 1970-01-01 00:00 UTC.
    package init(microseconds: Int64) { self.microseconds = microseconds }

    /// `infinity`, later than every other instant.
    package static let infinity = Timestamp(microseconds: .max)
    /// `-infinity`, earlier than every other instant.
    package static let negativeInfinity = Timestamp(microseconds: .min)

    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.microseconds < right.microseconds }

    package static var postgresType: PostgresType { .timestamptz }
    package static var postgresArrayType: PostgresType { .timestamptzArray }

    package func encode(into buffer: inout EncodingBuffer) throws(CodingError) {
        if self == .infinity || self == .negativeInfinity { return buffer.append(bigEndian: microseconds) }
        let (value, overflow) = microseconds.subtractingReportingOverflow(Self.epochDifference)
        guard !overflow else { throw CodingError("a timestamp before the first one that PostgreSQL supports") }
        buffer.append(bigEndian: value)
    }

    package static func decode(_ field: borrowing PostgresField) throws(CodingError) -> Timestamp {
        let value = try field.integer(Int64.self, from: .timestamptz)
        if value == .max || value == .min { return Timestamp(microseconds: value) }
        let (microseconds, overflow) = value.addingReportingOverflow(epochDifference)
        guard !overflow else { throw CodingError("a timestamptz after the year 294246") }
        return Timestamp(microseconds: microseconds)
    }
}
