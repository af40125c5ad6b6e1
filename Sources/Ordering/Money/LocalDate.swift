// A date of the shop's calendar, without a time zone. ShopZone and the database compute it from the shop's time zone.

/// A day of the proleptic Gregorian calendar, years 1…9999.
package struct LocalDate: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// 1…9999.
    package let year: Int
    /// 1…12.
    package let month: Int
    /// 1…31, at most the month's length.
    package let day: Int

    /// The date, or nil if the calendar has no such day.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month) else { return nil }
        guard day >= 1, day <= LocalDate.daysInMonth(month, ofYear: year) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The earliest date.
    static let first = LocalDate(daysSince1970: .min)

    /// The date with this day number, 0 on 1 January 1970; clamped to the years 1…9999.
    package init(daysSince1970 days: Int64) {
        let date = Instant.civilDate(daysSince1970: min(max(days, -719_162), 2_932_896))
        (year, month, day) = (Int(date.year), Int(date.month), Int(date.day))
    }

    /// The day number, 0 on 1 January 1970.
    package var daysSince1970: Int64 { Instant.daysSince1970(self) }

    /// The weekday of ISO 8601: 1 is Monday, 7 is Sunday.
    package var weekday: Int {
        // 1 January 1970 was a Thursday.
        let days = Int((daysSince1970 + 3) % 7)
        return (days < 0 ? days + 7 : days) + 1
    }

    /// Whether the next day begins a month.
    package var isLastDayOfMonth: Bool { day == LocalDate.daysInMonth(month, ofYear: year) }

    /// Whether the year has a 29 February.
    package static func isLeapYear(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// The length of a month, 28…31 days; zero for a month outside 1…12.
    package static func daysInMonth(_ month: Int, ofYear year: Int) -> Int {
        switch month {
        case 2: isLeapYear(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        case 1...12: 31
        default: 0
        }
    }

    package static func < (left: LocalDate, right: LocalDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// Parses an RFC 3339 date, such as 2026-11-21; nil for anything else.
    package init?(rfc3339 text: String) {
        let bytes = Array(text.utf8.prefix(11))
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            bytes[range].reduce(Int?.some(0)) { number, byte in
                (0x30...0x39).contains(byte) ? number.map { $0 * 10 + Int(byte - 0x30) } : nil
            }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// As in RFC 3339: 2026-11-21.
    package var description: String {
        "\(zeroPadded(year, width: 4))-\(zeroPadded(month, width: 2))-\(zeroPadded(day, width: 2))"
    }
}

/// The number in decimal digits, padded with leading zeros to the width.
func zeroPadded(_ number: some BinaryInteger, width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
}
