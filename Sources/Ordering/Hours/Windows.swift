// What is open, or served, at a moment, by windows that begin on each day: one pure function for OpeningHours and ServingHours.

/// Whether the moment lies in one of them.
package enum Opening: Sendable, Hashable {
    /// It does; until when, which is nil where no end is in sight.
    case open(until: Instant?, holds: TimeSpan)
    /// It does not; when the next begins, which is nil where none is in sight.
    case closed(opensAt: Instant?, holds: TimeSpan)

    /// Without an end.
    static let always = Opening.open(until: nil, holds: .always)

    package var isOpen: Bool { if case .open = self { true } else { false } }

    /// For how long nothing but a change by staff makes it another answer.
    package var holds: TimeSpan {
        switch self {
        case .open(_, let holds), .closed(_, let holds): holds
        }
    }

    /// When it closes.
    package var until: Instant? { if case .open(let until, _) = self { until } else { nil } }

    /// When it opens.
    package var opensAt: Instant? { if case .closed(let opensAt, _) = self { opensAt } else { nil } }
}

/// Windows by the day on which they begin.
struct Windows {
    let zone: ShopZone
    /// Each with both its ends, in any order.
    let spans: (LocalDate) -> [TimeSpan]

    /// No window is as long: its end lies in its next day but one at the latest, whatever the clocks do.
    private static let daysBack: Int64 = 2
    /// What goes on for longer than this goes on.
    private static let daysOfRun: Int64 = 9
    /// Longer than this nobody waits: a year, and some.
    private static let daysAhead: Int64 = 400

    /// Overlapping windows, and those of which one begins when another ends, are one.
    func opening(at now: Instant) -> Opening {
        let today = zone.date(of: now).daysSince1970
        let near = (today - Self.daysBack...today + 1).flatMap { spans(LocalDate(daysSince1970: $0)) }
        guard var run = near.first(where: { $0.contains(now) }) else {
            let opensAt = next(after: now, from: today)
            let ended = near.compactMap(\.until).filter { $0 <= now }.max()
            let holds = TimeSpan(from: ended ?? midnight(today - Self.daysBack), until: opensAt ?? midnight(today + Self.daysAhead))
            return .closed(opensAt: opensAt, holds: holds)
        }
        var day = today - Self.daysBack
        var isEndless = false
        while true {
            let until = run.until
            for span in spans(LocalDate(daysSince1970: day)).sorted(by: TimeSpan.begins(_:before:)) { run = run.joined(span) }
            day += 1
            // A window that adjoins begins on the day of the end or the one before.
            guard day > today + 1, let end = run.until, end == until, zone.date(of: end).daysSince1970 + 1 < day else {
                if day > today + Self.daysOfRun {
                    isEndless = true
                    break
                }
                continue
            }
            break
        }
        return .open(until: isEndless ? nil : run.until, holds: run)
    }

    /// The first window after a moment that lies in none; nil where none is in sight.
    func next(after now: Instant) -> TimeSpan? {
        next(after: now, from: zone.date(of: now).daysSince1970).map { TimeSpan(from: $0, until: opening(at: $0).until) }
    }

    private func midnight(_ day: Int64) -> Instant { zone.first(LocalDate(daysSince1970: day), minutes: 0) }

    private func next(after now: Instant, from today: Int64) -> Instant? {
        for day in today - 1...today + Self.daysAhead {
            // What begins on a day begins before all that begins on the next, unless a change of the clocks leaves the day out.
            let begin = spans(LocalDate(daysSince1970: day)).compactMap(\.from).filter { $0 > now }.min()
            if let begin { return begin }
        }
        return nil
    }
}

extension TimeSpan {
    fileprivate static func begins(_ one: TimeSpan, before other: TimeSpan) -> Bool {
        one.from.flatMap { from in other.from.map { from < $0 } } ?? false
    }

    /// This and another that overlaps or adjoins it, else this alone.
    fileprivate func joined(_ other: TimeSpan) -> TimeSpan {
        guard let from, let until, let otherFrom = other.from, let otherUntil = other.until, otherFrom <= until, from <= otherUntil else {
            return self
        }
        return TimeSpan(from: min(from, otherFrom), until: max(until, otherUntil))
    }
}
