// The shop's business days: a party that orders at 01:30 is still served from yesterday's portions. What is there again each day is
// counted by them; a pre-order counts on the day that it is wanted for.

/// Where one business day ends and the next begins.
package struct BusinessDays: Sendable, Hashable {
    private let zone: ShopZone
    private let startsAt: Int

    /// Days that begin so many minutes after local midnight, 04:00 by default; nil outside 0…1439.
    package init?(in zone: ShopZone, startsAt minutes: Int = 240) {
        guard (0..<1440).contains(minutes) else { return nil }
        (self.zone, startsAt) = (zone, minutes)
    }

    /// When a day begins: as soon as the clocks show its time or, where a change has them leave it out, have passed it.
    package func start(of day: LocalDate) -> Instant { zone.first(day, minutes: startsAt) }

    /// The day from its beginning to that of the next. With the clocks it is an hour shorter or longer.
    package func span(of day: LocalDate) -> TimeSpan {
        let next = LocalDate(daysSince1970: day.daysSince1970 + 1)
        return TimeSpan(from: start(of: day), until: next == day ? nil : start(of: next))
    }

    /// When the next day after a moment begins; nil if there is none.
    package func nextStart(after now: Instant) -> Instant? { span(of: day(of: now)).until }

    /// The business day that a moment belongs to: the last that has begun. When the clocks go back over its beginning it has begun all the same.
    package func day(of now: Instant) -> LocalDate {
        // Clocks go back by less than two days, for each offset is less than one.
        var number = zone.date(of: now).daysSince1970 + 2
        var day = LocalDate(daysSince1970: number)
        while start(of: day) > now, day > .first {
            number -= 1
            day = LocalDate(daysSince1970: number)
        }
        return day
    }
}
