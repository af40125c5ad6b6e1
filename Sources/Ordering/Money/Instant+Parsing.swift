// Parses a time as other programs write it.

extension Instant {
    /// Parses an RFC 3339 date-time with an offset, such as `2026-11-21T12:00:00.5-05:00`, truncated to microseconds.
    /// Anything else gives nil, a leap second too.
    package init?(rfc3339 text: some StringProtocol) {
        let bytes = Array(text.utf8.prefix(64))
        guard (20...63).contains(bytes.count) else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            var value: Int64 = 0
            for byte in bytes[range] {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int64(byte - 0x30)
            }
            return value
        }
        func hasLetter(_ index: Int, _ mark: Unicode.Scalar) -> Bool {
            bytes[index] | 0x20 == UInt8(ascii: mark) | 0x20
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19), bytes[4] == UInt8(ascii: "-"),
            bytes[7] == UInt8(ascii: "-"),
            hasLetter(10, "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"), hour < 24, minute < 60,
            second < 60,
            let date = LocalDate(year: Int(year), month: Int(month), day: Int(day))
        else { return nil }
        var position = 19
        var microseconds: Int64 = 0
        if bytes[position] == UInt8(ascii: ".") {
            let digits = bytes[20...].prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty else { return nil }
            position += 1 + digits.count
            for index in 0..<6 {
                microseconds = microseconds * 10 + (index < digits.count ? Int64(digits[20 + index] - 0x30) : 0)
            }
        }
        let rest = bytes.count - position
        var offset: Int64 = 0
        if rest == 6, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-"),
            bytes[position + 3] == UInt8(ascii: ":"),
            let hours = number(position + 1..<position + 3), let minutes = number(position + 4..<position + 6),
            hours < 24, minutes < 60
        {
            offset = (hours * 60 + minutes) * (bytes[position] == UInt8(ascii: "-") ? -60 : 60)
        } else if rest != 1 || !hasLetter(position, "Z") {
            return nil
        }
        let seconds = Instant.daysSince1970(date) * 86_400 + hour * 3600 + minute * 60 + second - offset
        // The year must also be within 0001…9999 in UTC.
        guard (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
        self.init(microseconds: seconds * 1_000_000 + microseconds)
    }

    /// The day number of a date; Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
    static func daysSince1970(_ date: LocalDate) -> Int64 {
        let (year, month) = (Int64(date.year - (date.month <= 2 ? 1 : 0)), Int64(date.month))
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + Int64(date.day) - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
