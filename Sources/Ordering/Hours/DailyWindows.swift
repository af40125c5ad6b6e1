// Decides whether something is open or served, from daily windows. Shared by opening hours and serving hours.

/// Whether an instant is in a window.
package enum OpeningState: Sendable, Hashable {
    /// Open until the given time; nil if no end is foreseeable.
    case open(until: Instant?, validity: TimeRange)
    /// Closed until the given time; nil if no opening is foreseeable.
    case closed(opensAt: Instant?, validity: TimeRange)

    /// Always open.
    static let always = OpeningState.open(until: nil, validity: .always)

    package var isOpen: Bool { if case .open = self { true } else { false } }

    /// The interval in which the answer stays true, unless staff change something.
    package var validity: TimeRange {
        switch self {
        case .open(_, let validity), .closed(_, let validity): validity
        }
    }

    /// The closing time, if open.
    package var until: Instant? { if case .open(let until, _) = self { until } else { nil } }

    /// The opening time, if closed.
    package var opensAt: Instant? { if case .closed(let opensAt, _) = self { opensAt } else { nil } }
}

/// Time windows, listed by the day on which they begin.
struct DailyWindows {
    let zone: ShopZone
    /// The windows that begin on a date; each has both ends, in any order.
    let ranges: (LocalDate) -> [TimeRange]

    /// Every window ends within two days after its first day, even across clock changes.
    private static let daysBack: Int64 = 2
    /// A run of adjoining windows longer than this counts as endless.
    private static let daysOfRun: Int64 = 9
    /// The search for the next window stops after a year and some weeks.
    private static let daysAhead: Int64 = 400

    /// The state at `now`. Overlapping and adjoining windows are merged.
    func openingState(at now: Instant) -> OpeningState {
        let today = zone.date(of: now).daysSince1970
        let near = (today - Self.daysBack...today + 1).flatMap { ranges(LocalDate(daysSince1970: $0)) }
        guard var run = near.first(where: { $0.contains(now) }) else {
            let opensAt = next(after: now, from: today)
            let ended = near.compactMap(\.until).filter { $0 <= now }.max()
            let validity = TimeRange(
                from: ended ?? midnight(today - Self.daysBack), until: opensAt ?? midnight(today + Self.daysAhead))
            return .closed(opensAt: opensAt, validity: validity)
        }
        var day = today - Self.daysBack
        var isEndless = false
        while true {
            let until = run.until
            for range in ranges(LocalDate(daysSince1970: day)).sorted(by: TimeRange.begins(_:before:)) {
                run = run.joined(range)
            }
            day += 1
            // An adjoining window begins on the day of the current end or on the day before.
            guard day > today + 1, let end = run.until, end == until, zone.date(of: end).daysSince1970 + 1 < day else {
                if day > today + Self.daysOfRun {
                    isEndless = true
                    break
                }
                continue
            }
            break
        }
        return .open(until: isEndless ? nil : run.until, validity: run)
    }

    /// The first window after an instant outside of all windows; nil if none is foreseeable.
    func next(after now: Instant) -> TimeRange? {
        next(after: now, from: zone.date(of: now).daysSince1970).map {
            TimeRange(from: $0, until: openingState(at: $0).until)
        }
    }

    private func midnight(_ day: Int64) -> Instant { zone.firstInstant(on: LocalDate(daysSince1970: day), minutes: 0) }

    private func next(after now: Instant, from today: Int64) -> Instant? {
        for day in today - 1...today + Self.daysAhead {
            // Windows of a day begin before those of the next day, unless a clock change skips the day.
            let begin = ranges(LocalDate(daysSince1970: day)).compactMap(\.from).filter { $0 > now }.min()
            if let begin { return begin }
        }
        return nil
    }
}

extension TimeRange {
    fileprivate static func begins(_ first: TimeRange, before second: TimeRange) -> Bool {
        first.from.flatMap { from in second.from.map { from < $0 } } ?? false
    }

    /// The union with a range that overlaps or adjoins; otherwise this range alone.
    fileprivate func joined(_ other: TimeRange) -> TimeRange {
        guard let from, let until, let otherFrom = other.from, let otherUntil = other.until, otherFrom <= until,
            from <= otherUntil
        else {
            return self
        }
        return TimeRange(from: min(from, otherFrom), until: max(until, otherUntil))
    }
}
