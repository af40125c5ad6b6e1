// A date without a time or a time zone. Binary format: date_send, days since 2000-01-01. The algorithms are Howard
// Hinnant's (https://howardhinnant.github.io/date_algorithms.html, days_from_civil and civil_from_days).

/// A date of the Gregorian calendar, PostgreSQL's `date`.
package struct CalendarDate: Sendable, Hashable, Comparable, PostgresEncodable, PostgresDecodable, PostgresElement {
    /// The days from 0000-03-01 to 2000-01-01.
    private static let epochDifference = 730_425

    /// The astronomical year; 0 is 1 BC.
    package let year: Int
    package let month: Int
    package let day: Int

    /// Creates a date. Returns nil if the calendar has no such day or the year is outside -4712...9999.
    package init?(year: Int, month: Int, day: Int) {
        guard (-4712...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        guard CalendarDate(daysSince2000: daysSince2000) == self else { return nil }
    }

    /// The date that is `days` days after 2000-01-01. No Int32 makes the computation overflow.
    private init(daysSince2000 days: Int) {
        let days = days + Self.epochDifference
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    private var daysSince2000: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - Self.epochDifference
    }

    package static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    package static var postgresType: PostgresType { .date }
    package static var postgresArrayType: PostgresType { .dateArray }

    package func encode(into buffer: inout EncodingBuffer) { buffer.append(bigEndian: Int32(daysSince2000)) }

    /// Decodes a `date`; rejects `infinity`.
    package static func decode(_ field: borrowing PostgresField) throws(CodingError) -> CalendarDate {
        let date = CalendarDate(daysSince2000: Int(try field.integer(Int32.self, from: .date)))
        guard (-4712...9999).contains(date.year) else { throw CodingError("a date outside the years -4712 to 9999") }
        return date
    }
}
