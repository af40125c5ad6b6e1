// A moment with the microseconds that PostgreSQL has, neither more nor less, so that what is read is what was written.
// Binary format: timestamptz_send, microseconds since 2000-01-01 00:00 UTC. Read next: CalendarDate.swift.

/// A moment, `timestamptz`.
package struct Timestamp: Sendable, Hashable, Comparable, PostgresEncodable, PostgresDecodable, PostgresElement {
    /// Between 1970-01-01 and 2000-01-01.
    private static let epochDifference: Int64 = 946_684_800_000_000

    /// Since 1970-01-01 00:00 UTC; `Int64.max` and `Int64.min` are `infinity` and `-infinity`.
    package var microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }

    /// Later than every other: `infinity`.
    package static let infinity = Timestamp(microseconds: .max)
    /// Earlier than every other: `-infinity`.
    package static let negativeInfinity = Timestamp(microseconds: .min)

    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.microseconds < right.microseconds }

    package static var postgresType: PostgresType { .timestamptz }
    package static var postgresArrayType: PostgresType { .timestamptzArray }

    package func encode(into bytes: inout [UInt8]) throws(ValueFault) {
        if self == .infinity || self == .negativeInfinity { return bytes.append(bigEndian: microseconds) }
        let (value, overflow) = microseconds.subtractingReportingOverflow(Self.epochDifference)
        guard !overflow else { throw ValueFault("a moment before the first one PostgreSQL knows") }
        bytes.append(bigEndian: value)
    }

    package static func decode(_ field: borrowing PostgresField) throws(ValueFault) -> Timestamp {
        let value = try field.integer(Int64.self, from: .timestamptz)
        if value == .max || value == .min { return Timestamp(microseconds: value) }
        let (microseconds, overflow) = value.addingReportingOverflow(epochDifference)
        guard !overflow else { throw ValueFault("a timestamptz after the year 294246") }
        return Timestamp(microseconds: microseconds)
    }
}
