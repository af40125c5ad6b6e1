// The guest's birthday, given at checkout for the birthday coupon.

/// A day of the year, including 29 February.
package struct Birthday: Hashable, Sendable {
    /// 1…12.
    package let month: Int
    /// 1…31, at most the length of the month.
    package let day: Int

    /// The birthday, or nil if no year has this day.
    package init?(month: Int, day: Int) {
        let days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard days.indices.contains(month - 1), (1...days[month - 1]).contains(day) else { return nil }
        (self.month, self.day) = (month, day)
    }

    /// Parses "MM-DD", ignoring surrounding white space and invisible characters.
    /// A blank text gives nil, any other text the error `invalid_birthday`.
    package static func parse(_ text: String) -> Result<Birthday?, FieldError> {
        let invalid = FieldError(.birthday, .invalidBirthday)
        guard text.utf8.count <= 32 else { return .failure(invalid) }
        if text.isBlank { return .success(nil) }
        let text = text.withoutInvisibles.unicodeScalars.drop { $0.properties.isWhitespace }
        let bytes = Array(String(text.prefix(5)).utf8)
        guard bytes.count == 5, text.dropFirst(5).allSatisfy({ $0.properties.isWhitespace }),
            bytes[2] == UInt8(ascii: "-"),
            let month = twoDigitNumber(bytes[0], bytes[1]), let day = twoDigitNumber(bytes[3], bytes[4]),
            let birthday = Birthday(month: month, day: day)
        else { return .failure(invalid) }
        return .success(birthday)
    }

    /// The birthday as "MM-DD".
    package var text: String { (month < 10 ? "0" : "") + "\(month)" + (day < 10 ? "-0" : "-") + "\(day)" }

    private static func twoDigitNumber(_ tens: UInt8, _ ones: UInt8) -> Int? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard digits.contains(tens), digits.contains(ones) else { return nil }
        return Int(tens - 48) * 10 + Int(ones - 48)
    }

    /// Whether the birthday is celebrated on this date.
    /// A guest born on 29 February celebrates on the 28th in common years.
    package func falls(on date: LocalDate) -> Bool {
        if date.month == month, date.day == day { return true }
        return month == 2 && day == 29 && date.month == 2 && date.day == 28 && date.isLastDayOfMonth
    }
}
