// The guest's birthday, given at checkout for the birthday coupon. Parsed by CheckoutForm.

/// A day of the year; 29 February is one.
package struct Birthday: Hashable, Sendable {
    /// 1…12.
    package let month: Int
    /// 1…31, as the month has them.
    package let day: Int

    /// A day that some year has, or nil.
    package init?(month: Int, day: Int) {
        let days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard days.indices.contains(month - 1), (1...days[month - 1]).contains(day) else { return nil }
        (self.month, self.day) = (month, day)
    }

    /// Reads "MM-DD" without white space around it and without invisible characters; nil when blank, else
    /// `invalid_birthday`.
    package static func parse(_ text: String) -> Result<Birthday?, FieldError> {
        let invalid = FieldError(.birthday, .invalidBirthday)
        guard text.utf8.count <= 32 else { return .failure(invalid) }
        if text.isBlank { return .success(nil) }
        let text = text.withoutInvisibles.unicodeScalars.drop { $0.properties.isWhitespace }
        let bytes = Array(String(text.prefix(5)).utf8)
        guard bytes.count == 5, text.dropFirst(5).allSatisfy({ $0.properties.isWhitespace }),
            bytes[2] == UInt8(ascii: "-"),
            let month = number(bytes[0], bytes[1]), let day = number(bytes[3], bytes[4]), let birthday = Birthday(month: month, day: day)
        else { return .failure(invalid) }
        return .success(birthday)
    }

    /// "MM-DD".
    package var text: String { (month < 10 ? "0" : "") + "\(month)" + (day < 10 ? "-0" : "-") + "\(day)" }

    private static func number(_ tens: UInt8, _ ones: UInt8) -> Int? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard digits.contains(tens), digits.contains(ones) else { return nil }
        return Int(tens - 48) * 10 + Int(ones - 48)
    }

    /// Whether the guest has birthday on this date: on the day itself, or, born on 29 February, on the 28th in common years.
    package func falls(on date: LocalDate) -> Bool {
        if date.month == month, date.day == day { return true }
        return month == 2 && day == 29 && date.month == 2 && date.day == 28 && date.isLastDayOfMonth
    }
}
