// The shop's time zone as a list of offset changes, which the database provides. Contains no time zone names.

/// The offset of the shop's clocks from UTC at any instant.
package struct ShopZone: Sendable, Hashable {
    /// A change of the offset.
    package struct Change: Sendable, Hashable {
        package let from: Instant
        /// Seconds ahead of UTC, less than a day; negative in the west.
        package let offset: Int

        package init(from: Instant, offset: Int) { (self.from, self.offset) = (from, offset) }
    }

    private let changes: [Change]

    /// UTC.
    package static let utc = ShopZone(utc: ())

    private init(utc: Void) { changes = [Change(from: Instant(microseconds: 0), offset: 0)] }

    /// A zone from changes in ascending order; the first offset also applies before its start. Nil if the list is
    /// empty or unordered, or if an offset is a day or more.
    package init?(_ changes: [Change]) {
        guard !changes.isEmpty, zip(changes, changes.dropFirst()).allSatisfy({ $0.from < $1.from }),
            changes.allSatisfy({ (-86_399...86_399).contains($0.offset) })
        else { return nil }
        self.changes = changes
    }

    /// The local date. Instants before the year 1 or after 9999 are clamped to the first or the last date.
    package func date(of now: Instant) -> LocalDate {
        // Clamps the value. Closer to the limits of Int64, no date can be represented and adding the offset would
        // overflow.
        let bounded = min(max(now.microseconds, -100_000_000_000_000_000), 300_000_000_000_000_000)
        let local = bounded + Int64(changes[index(at: now)].offset) * 1_000_000
        return LocalDate(daysSince1970: local / Self.day - (local % Self.day < 0 ? 1 : 0))
    }

    /// The local time in minutes since midnight: 0…1439.
    package func minuteOfDay(at now: Instant) -> Int {
        let bounded = min(max(now.microseconds, -100_000_000_000_000_000), 300_000_000_000_000_000)
        let local = (bounded + Int64(changes[index(at: now)].offset) * 1_000_000) % Self.day
        return Int((local < 0 ? local + Self.day : local) / 60_000_000)
    }

    /// The first instant at which the clocks show this date and time. In the gap of a clock change, the first instant
    /// after the gap; of a repeated time, the first occurrence.
    /// - Parameter minutes: minutes since local midnight, clamped to 0…2880; 1560 is 02:00 on the next day.
    package func firstInstant(on date: LocalDate, minutes: Int) -> Instant {
        let local = date.daysSince1970 * Self.day + Int64(min(max(minutes, 0), 2880)) * 60_000_000
        // No clock shows the time more than a day earlier, because every offset is less than a day.
        var index = index(at: Instant(microseconds: local - Self.day))
        while true {
            let shown = Instant(microseconds: local - Int64(changes[index].offset) * 1_000_000)
            let moment = index == 0 ? shown : max(shown, changes[index].from)
            guard index + 1 < changes.count, moment >= changes[index + 1].from else { return moment }
            index += 1
        }
    }

    /// Like `firstInstant`, but the last occurrence of a repeated time.
    package func lastInstant(on date: LocalDate, minutes: Int) -> Instant {
        let first = firstInstant(on: date, minutes: minutes)
        let local = date.daysSince1970 * Self.day + Int64(min(max(minutes, 0), 2880)) * 60_000_000
        // Two offsets differ by less than two days.
        var last = first
        var next = index(at: first) + 1
        while next < changes.count, changes[next].from <= first.advanced(by: .seconds(2 * 86_400)) {
            let shown = Instant(microseconds: local - Int64(changes[next].offset) * 1_000_000)
            if shown >= changes[next].from, next + 1 == changes.count || shown < changes[next + 1].from {
                last = max(last, shown)
            }
            next += 1
        }
        return last
    }

    /// The index of the offset in effect.
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
