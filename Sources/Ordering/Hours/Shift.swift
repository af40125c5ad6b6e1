// Hours as staff write them: from when to when, by the shop's clocks. Held by OpeningHours and ServingHours.

/// One stretch of a day, which may reach into the next.
package struct Shift: Sendable, Hashable {
    /// Minutes since local midnight, 0…1439.
    package let opens: Int
    /// The same; 1560 is 02:00 by the next day's clock.
    package let closes: Int

    /// From midnight to midnight.
    package static let wholeDay = Shift(opens: 0, closes: 1440, checked: ())

    /// A stretch; nil unless it closes one minute to 24 hours after it opens.
    package init?(opens: Int, closes: Int) {
        guard (0..<1440).contains(opens), closes > opens, closes <= opens + 1440 else { return nil }
        self.init(opens: opens, closes: closes, checked: ())
    }

    /// As staff write it, `18:00` and `26:00`; nil where it is none.
    package init?(opens: String, closes: String) {
        guard let opens = Self.minutes(opens), let closes = Self.minutes(closes) else { return nil }
        self.init(opens: opens, closes: closes)
    }

    /// Hours, up to 47, and minutes, two digits each.
    private static func minutes(_ text: String) -> Int? {
        let bytes = Array(text.utf8.prefix(6))
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
        let numbers = [0, 1, 3, 4].map { Int(bytes[$0]) - 0x30 }
        guard numbers.allSatisfy((0...9).contains), numbers[2] < 6 else { return nil }
        let hours = numbers[0] * 10 + numbers[1]
        return hours < 48 ? hours * 60 + numbers[2] * 10 + numbers[3] : nil
    }

    /// As staff write it: `18:00-26:00`.
    package var written: (opens: String, closes: String) {
        (opens: "\(digits(opens / 60, 2)):\(digits(opens % 60, 2))", closes: "\(digits(closes / 60, 2)):\(digits(closes % 60, 2))")
    }

    private init(opens: Int, closes: Int, checked: Void) { (self.opens, self.closes) = (opens, closes) }

    /// When it is on this day: it opens at the first moment at which the clocks show its time and closes at the last. Nil where a change of the
    /// clocks leaves nothing of it.
    func span(on date: LocalDate, in zone: ShopZone) -> TimeSpan? {
        let (from, until) = (zone.first(date, minutes: opens), zone.last(date, minutes: closes))
        return from < until ? TimeSpan(from: from, until: until) : nil
    }
}

/// A shift of each week.
package struct WeeklyShift: Sendable, Hashable {
    /// ISO 8601: 1 is Monday, 7 is Sunday.
    package let weekday: Int
    package let shift: Shift
    /// For which it is; nil: for both.
    package let fulfilment: Fulfilment?

    /// A shift; nil unless it is of a day of the week.
    package init?(weekday: Int, shift: Shift, fulfilment: Fulfilment? = nil) {
        guard (1...7).contains(weekday) else { return nil }
        (self.weekday, self.shift, self.fulfilment) = (weekday, shift, fulfilment)
    }
}
