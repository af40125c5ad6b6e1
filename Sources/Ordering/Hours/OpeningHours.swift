// When the shop is open: staff's shifts of each week, and what is otherwise on single days. Held by ShopTerms; asked by Times/.
// Read next: Windows.swift.

/// What is otherwise on a day: instead of the shifts that begin on it.
package struct OpeningException: Sendable, Hashable {
    package let date: LocalDate
    /// Nil: closed.
    package let shift: Shift?
    /// For which it is; nil: for both.
    package let fulfilment: Fulfilment?

    package init(date: LocalDate, shift: Shift?, fulfilment: Fulfilment? = nil) {
        (self.date, self.shift, self.fulfilment) = (date, shift, fulfilment)
    }
}

/// The opening hours of both kinds.
package struct OpeningHours: Sendable, Hashable {
    /// Of each week, as staff have them.
    package let weekly: [WeeklyShift]
    package let exceptions: [OpeningException]

    /// These; a shop without any is always open.
    package init(weekly: [WeeklyShift] = [], exceptions: [OpeningException] = []) {
        (self.weekly, self.exceptions) = (weekly, exceptions)
    }

    /// The shifts that begin on a day. A shop without shifts of each week is open all day; one with some is closed on other days.
    package func shifts(_ fulfilment: Fulfilment, on date: LocalDate) -> [Shift] {
        let otherwise = exceptions.filter { $0.date == date && $0.fulfilment ?? fulfilment == fulfilment }
        if !otherwise.isEmpty { return otherwise.compactMap(\.shift) }
        if weekly.isEmpty { return [.wholeDay] }
        let weekday = date.weekday
        return weekly.filter { $0.weekday == weekday && $0.fulfilment ?? fulfilment == fulfilment }.map(\.shift)
    }

    /// When they are, each by itself.
    package func openings(_ fulfilment: Fulfilment, on date: LocalDate, in zone: ShopZone) -> [TimeSpan] {
        shifts(fulfilment, on: date).compactMap { $0.span(on: date, in: zone) }
    }

    /// Whether the shop is open at a moment.
    package func opening(_ fulfilment: Fulfilment, at now: Instant, in zone: ShopZone) -> Opening {
        if weekly.isEmpty, exceptions.isEmpty { return .always }
        return Windows(zone: zone) { openings(fulfilment, on: $0, in: zone) }.opening(at: now)
    }
}
