// The shop's business days: an order at 01:30 belongs to the day before. Daily stock is counted by business day; a
// pre-order counts on the day for which it is wanted.

/// The boundaries between business days.
package struct BusinessDays: Sendable, Hashable {
    private let zone: ShopZone
    private let startsAt: Int

    /// Days that begin this many minutes after local midnight, 04:00 by default; nil outside 0…1439.
    package init?(in zone: ShopZone, startsAt minutes: Int = 240) {
        guard (0..<1440).contains(minutes) else { return nil }
        (self.zone, startsAt) = (zone, minutes)
    }

    /// The start of a day: the first instant at which the clocks show the start time. If a clock change skips it, the
    /// first instant after the gap.
    package func start(of day: LocalDate) -> Instant { zone.firstInstant(on: day, minutes: startsAt) }

    /// The day from its start to the start of the next. Clock changes make it shorter or longer.
    package func timeRange(of day: LocalDate) -> TimeRange {
        let next = LocalDate(daysSince1970: day.daysSince1970 + 1)
        return TimeRange(from: start(of: day), until: next == day ? nil : start(of: next))
    }

    /// The start of the next business day; nil on the last day that LocalDate can represent.
    package func nextStart(after now: Instant) -> Instant? { timeRange(of: day(of: now)).until }

    /// The business day of an instant: the last one that has begun. It stays the same if the clocks go back across
    /// its start.
    package func day(of now: Instant) -> LocalDate {
        // Clocks go back by less than two days, because each offset is less than one day.
        var number = zone.date(of: now).daysSince1970 + 2
        var day = LocalDate(daysSince1970: number)
        while start(of: day) > now, day > .first {
            number -= 1
            day = LocalDate(daysSince1970: number)
        }
        return day
    }
}
