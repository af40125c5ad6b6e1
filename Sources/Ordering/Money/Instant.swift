// A point in time with PostgreSQL's resolution. The current time is passed in as a value, read once per request.

/// Microseconds since 1970-01-01T00:00:00Z without leap seconds, as in POSIX and PostgreSQL.
package struct Instant: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Microseconds since 1970 UTC; negative before it.
    package let microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }

    /// The time after a duration, clamped to the range of Int64.
    package func advanced(by duration: Duration) -> Instant {
        let (seconds, attoseconds) = duration.components
        let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, isTooLate) = microseconds.addingReportingOverflow(whole)
        let (total, isLater) = sum.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        return Instant(microseconds: isTooLarge || isTooLate || isLater ? (duration < .zero ? .min : .max) : total)
    }

    package static func < (left: Instant, right: Instant) -> Bool { left.microseconds < right.microseconds }

    /// RFC 3339 in UTC with exactly three decimals of a second, rounded down: `2026-11-21T03:09:37.120Z`.
    ///
    /// Times outside the years 0000…9999 of RFC 3339, such as PostgreSQL's -infinity, are clamped to them.
    package var rfc3339: String {
        let bounded = min(max(microseconds, -62_167_219_200_000_000), 253_402_300_799_999_999)
        let milliseconds = Instant.floorDivided(bounded, by: 1000)
        let seconds = Instant.floorDivided(milliseconds, by: 1000)
        let days = Instant.floorDivided(seconds, by: 86_400)
        let second = seconds - days * 86_400
        let (year, month, day) = Instant.civilDate(daysSince1970: days)
        let fraction = milliseconds - seconds * 1000
        // Writes the digits directly, because every order response contains times. Joining strings would take 1 µs, as
        // long as everything else.
        return String(unsafeUninitializedCapacity: 24) { text in
            var count = 0
            func write(_ number: Int64, _ width: Int, terminator mark: Unicode.Scalar) {
                var rest = number
                for position in (count..<count + width).reversed() {
                    text[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                    rest /= 10
                }
                text[count + width] = UInt8(ascii: mark)
                count += width + 1
            }
            write(year, 4, terminator: "-")
            write(month, 2, terminator: "-")
            write(day, 2, terminator: "T")
            write(second / 3600, 2, terminator: ":")
            write(second / 60 % 60, 2, terminator: ":")
            write(second % 60, 2, terminator: ".")
            write(fraction, 3, terminator: "Z")
            return count
        }
    }

    package var description: String { rfc3339 }

    /// The Gregorian date of a day number.
    /// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
    static func civilDate(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        // Counted from 0000-03-01, so that the leap day is the last of its year.
        let shifted = days + 719_468
        let era = floorDivided(shifted, by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    private static func floorDivided(_ number: Int64, by divisor: Int64) -> Int64 {
        number / divisor - (number % divisor < 0 ? 1 : 0)
    }
}
