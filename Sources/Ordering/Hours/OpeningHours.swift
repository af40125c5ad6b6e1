// The opening hours of the shop: weekly shifts and exceptions for dates.

/// An exception for a date. It replaces the shifts that begin on that date.
package struct OpeningException: Sendable, Hashable {
    package let date: LocalDate
    /// Nil: closed.
    package let shift: Shift?
    /// The fulfilment to which the exception applies; nil: both.
    package let fulfilment: Fulfilment?

    package init(date: LocalDate, shift: Shift?, fulfilment: Fulfilment? = nil) {
        (self.date, self.shift, self.fulfilment) = (date, shift, fulfilment)
    }
}

/// The opening hours for delivery and pickup.
package struct OpeningHours: Sendable, Hashable {
    /// The weekly shifts, as staff entered them.
    package let weekly: [WeeklyShift]
    package let exceptions: [OpeningException]

    /// Opening hours; a shop without any is always open.
    package init(weekly: [WeeklyShift] = [], exceptions: [OpeningException] = []) {
        (self.weekly, self.exceptions) = (weekly, exceptions)
    }

    /// The shifts that begin on a date. Without weekly shifts the shop is open all day, otherwise closed on days
    /// without a shift.
    package func shifts(_ fulfilment: Fulfilment, on date: LocalDate) -> [Shift] {
        let dateExceptions = exceptions.filter { $0.date == date && $0.fulfilment ?? fulfilment == fulfilment }
        if !dateExceptions.isEmpty { return dateExceptions.compactMap(\.shift) }
        if weekly.isEmpty { return [.wholeDay] }
        let weekday = date.weekday
        return weekly.filter { $0.weekday == weekday && $0.fulfilment ?? fulfilment == fulfilment }.map(\.shift)
    }

    /// The time ranges of the shifts that begin on a date, not merged.
    package func openingRanges(_ fulfilment: Fulfilment, on date: LocalDate, in zone: ShopZone) -> [TimeRange] {
        shifts(fulfilment, on: date).compactMap { $0.timeRange(on: date, in: zone) }
    }

    /// Whether the shop is open at `now`, and until when.
    package func openingState(_ fulfilment: Fulfilment, at now: Instant, in zone: ShopZone) -> OpeningState {
        if weekly.isEmpty, exceptions.isEmpty { return .always }
        return DailyWindows(zone: zone) { openingRanges(fulfilment, on: $0, in: zone) }.openingState(at: now)
    }
}
