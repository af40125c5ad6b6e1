// When an item is served, such as breakfast: an item's own hours, or its category's. Menu has them for each item that has some.
// Read next: Windows.swift, Availability/Availability.swift.

/// The shifts of each week in which something is served.
package struct ServingHours: Sendable, Hashable {
    private let weekly: [WeeklyShift]

    /// These; without any it is always served.
    package init(_ weekly: [WeeklyShift] = []) { self.weekly = weekly }

    /// Whether it is served at a moment.
    package func availability(at now: Instant, in zone: ShopZone) -> Availability {
        guard !weekly.isEmpty else { return .always }
        let opening = windows(zone).opening(at: now)
        return Availability(opening.isOpen ? nil : Unavailability(.notServed, until: opening.opensAt), holds: opening.holds)
    }

    /// When it is served next, after a moment at which it is not; nil where that is not in sight.
    package func next(after now: Instant, in zone: ShopZone) -> TimeSpan? { windows(zone).next(after: now) }

    private func windows(_ zone: ShopZone) -> Windows {
        Windows(zone: zone) { date in
            let weekday = date.weekday
            return weekly.lazy.filter { $0.weekday == weekday }.compactMap { $0.shift.span(on: date, in: zone) }
        }
    }
}
