// The shop's time zone as a fact: when its clocks changed and will, as the database lists them. Nothing here knows zones by name.
// BusinessDays and the hours ask it. Next: Money/LocalDate.swift.

/// By how much the shop's clocks are ahead of UTC, at any moment.
package struct ShopZone: Sendable, Hashable {
    /// From a moment on the clocks are this far ahead.
    package struct Change: Sendable, Hashable {
        package let from: Instant
        /// Seconds ahead of UTC, less than a day; below zero in the west.
        package let offset: Int

        package init(from: Instant, offset: Int) { (self.from, self.offset) = (from, offset) }
    }

    private let changes: [Change]

    /// Clocks that never change.
    package static let utc = ShopZone(utc: ())

    private init(utc: Void) { changes = [Change(from: Instant(microseconds: 0), offset: 0)] }

    /// A zone, in the order of time; the first offset holds before its moment too. Nil if there is none, if they are in no order, or if one is of
    /// a day or more.
    package init?(_ changes: [Change]) {
        guard !changes.isEmpty, zip(changes, changes.dropFirst()).allSatisfy({ $0.from < $1.from }),
            changes.allSatisfy({ (-86_399...86_399).contains($0.offset) })
        else { return nil }
        self.changes = changes
    }

    /// The day that it is at a moment. Before the year 1 and after 9999 it is their first or last day.
    package func date(of now: Instant) -> LocalDate {
        // Nearer to the ends of Int64 there are no days that can be written, and no room for an offset.
        let bounded = min(max(now.microseconds, -100_000_000_000_000_000), 300_000_000_000_000_000)
        let local = bounded + Int64(changes[index(at: now)].offset) * 1_000_000
        return LocalDate(daysSince1970: local / Self.day - (local % Self.day < 0 ? 1 : 0))
    }

    /// What the clocks show at a moment, in minutes since midnight: 0…1439.
    package func minutes(of now: Instant) -> Int {
        let bounded = min(max(now.microseconds, -100_000_000_000_000_000), 300_000_000_000_000_000)
        let local = (bounded + Int64(changes[index(at: now)].offset) * 1_000_000) % Self.day
        return Int((local < 0 ? local + Self.day : local) / 60_000_000)
    }

    /// The first moment at which the clocks show this day and time, or have passed it: in the gap of a change the moment after the gap, and of a
    /// time that comes twice the first.
    /// - Parameter minutes: since midnight by the clock, taken for the nearest from 0 to 2880; 1560 is 02:00 by the next day's clock.
    package func first(_ date: LocalDate, minutes: Int) -> Instant {
        let local = date.daysSince1970 * Self.day + Int64(min(max(minutes, 0), 2880)) * 60_000_000
        // No clock shows it a day sooner, for no offset is that large.
        var index = index(at: Instant(microseconds: local - Self.day))
        while true {
            let shown = Instant(microseconds: local - Int64(changes[index].offset) * 1_000_000)
            let moment = index == 0 ? shown : max(shown, changes[index].from)
            guard index + 1 < changes.count, moment >= changes[index + 1].from else { return moment }
            index += 1
        }
    }

    /// The same, of a time that comes twice the last.
    package func last(_ date: LocalDate, minutes: Int) -> Instant {
        let first = first(date, minutes: minutes)
        let local = date.daysSince1970 * Self.day + Int64(min(max(minutes, 0), 2880)) * 60_000_000
        // Two clocks differ by less than two days.
        var last = first
        var next = index(at: first) + 1
        while next < changes.count, changes[next].from <= first.advanced(by: .seconds(2 * 86_400)) {
            let shown = Instant(microseconds: local - Int64(changes[next].offset) * 1_000_000)
            if shown >= changes[next].from, next + 1 == changes.count || shown < changes[next + 1].from { last = max(last, shown) }
            next += 1
        }
        return last
    }

    /// The change that holds at a moment.
    private func index(at now: Instant) -> Int {
        var (low, high) = (0, changes.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if changes[middle].from <= now { low = middle } else { high = middle }
        }
        return low
    }

    private static let day: Int64 = 86_400_000_000
}
