// The serving hours of an item or its category, such as breakfast.

/// The weekly shifts in which something is served.
package struct ServingHours: Sendable, Hashable {
    private let weekly: [WeeklyShift]

    /// Serving hours; without shifts, always served.
    package init(_ weekly: [WeeklyShift] = []) { self.weekly = weekly }

    /// Whether it is served at `now`.
    package func availability(at now: Instant, in zone: ShopZone) -> Availability {
        guard !weekly.isEmpty else { return .always }
        let opening = windows(zone).openingState(at: now)
        return Availability(
            opening.isOpen ? nil : Unavailability(.notServed, until: opening.opensAt), validity: opening.validity)
    }

    /// The next serving window after an instant outside of all windows; nil if no window starts within 400 days.
    package func next(after now: Instant, in zone: ShopZone) -> TimeRange? { windows(zone).next(after: now) }

    private func windows(_ zone: ShopZone) -> DailyWindows {
        DailyWindows(zone: zone) { date in
            let weekday = date.weekday
            return weekly.lazy.filter { $0.weekday == weekday }.compactMap { $0.shift.timeRange(on: date, in: zone) }
        }
    }
}
