// A shift in local time, as staff enter it.

/// A period of a day, which may extend into the next day.
package struct Shift: Sendable, Hashable {
    /// Minutes since local midnight, 0…1439.
    package let opens: Int
    /// Minutes since local midnight; 1560 is 02:00 on the next day.
    package let closes: Int

    /// From midnight to midnight.
    package static let wholeDay = Shift(opens: 0, closes: 1440, unchecked: ())

    /// A shift; nil unless it lasts one minute to 24 hours.
    package init?(opens: Int, closes: Int) {
        guard (0..<1440).contains(opens), closes > opens, closes <= opens + 1440 else { return nil }
        self.init(opens: opens, closes: closes, unchecked: ())
    }

    /// Parses times such as `18:00` and `26:00`; nil if they are invalid.
    package init?(opens: String, closes: String) {
        guard let opens = Self.minutes(opens), let closes = Self.minutes(closes) else { return nil }
        self.init(opens: opens, closes: closes)
    }

    /// Parses two digits each for hours, up to 47, and minutes.
    private static func minutes(_ text: String) -> Int? {
        let bytes = Array(text.utf8.prefix(6))
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
        let numbers = [0, 1, 3, 4].map { Int(bytes[$0]) - 0x30 }
        guard numbers.allSatisfy((0...9).contains), numbers[2] < 6 else { return nil }
        let hours = numbers[0] * 10 + numbers[1]
        return hours < 48 ? hours * 60 + numbers[2] * 10 + numbers[3] : nil
    }

    /// The times in the format of `18:00` and `26:00`.
    package var formatted: (opens: String, closes: String) {
        (
            opens: "\(zeroPadded(opens / 60, width: 2)):\(zeroPadded(opens % 60, width: 2))",
            closes: "\(zeroPadded(closes / 60, width: 2)):\(zeroPadded(closes % 60, width: 2))"
        )
    }

    private init(opens: Int, closes: Int, unchecked: Void) { (self.opens, self.closes) = (opens, closes) }

    /// The time range on a date: from the first instant at which the clocks show the opening time to the last instant
    /// at which they show the closing time. Nil if a clock change leaves an empty range.
    func timeRange(on date: LocalDate, in zone: ShopZone) -> TimeRange? {
        let (from, until) = (zone.firstInstant(on: date, minutes: opens), zone.lastInstant(on: date, minutes: closes))
        return from < until ? TimeRange(from: from, until: until) : nil
    }
}

/// A shift that repeats every week.
package struct WeeklyShift: Sendable, Hashable {
    /// ISO 8601: 1 is Monday, 7 is Sunday.
    package let weekday: Int
    package let shift: Shift
    /// The fulfilment to which the shift applies; nil: both.
    package let fulfilment: Fulfilment?

    /// A weekly shift; nil if the weekday is invalid.
    package init?(weekday: Int, shift: Shift, fulfilment: Fulfilment? = nil) {
        guard (1...7).contains(weekday) else { return nil }
        (self.weekday, self.shift, self.fulfilment) = (weekday, shift, fulfilment)
    }
}
