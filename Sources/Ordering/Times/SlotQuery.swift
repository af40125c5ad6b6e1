// The slots whose occupancy has to be loaded: those of a day for GET /v1/times, and those after a full slot for its
// alternatives.

/// A query of the occupancy of slots.
package struct SlotQuery: Sendable, Hashable {
    package let fulfilments: Set<Fulfilment>
    /// The range in which the slots start.
    package let starts: ClosedRange<Instant>

    init(_ fulfilment: Fulfilment, startingIn starts: ClosedRange<Instant>) { self.init([fulfilment], starts) }

    private init(_ fulfilments: Set<Fulfilment>, _ starts: ClosedRange<Instant>) {
        (self.fulfilments, self.starts) = (fulfilments, starts)
    }

    /// The smallest query that includes the slots of both.
    func union(_ other: SlotQuery) -> SlotQuery {
        let first = min(starts.lowerBound, other.starts.lowerBound)
        return SlotQuery(
            fulfilments.union(other.fulfilments), first...max(starts.upperBound, other.starts.upperBound))
    }
}

extension Menu {
    /// The slots to load before calling `offeredTimes`; nil if the result does not depend on their occupancy.
    package func slotQuery(_ fulfilment: Fulfilment, on day: LocalDate?) -> SlotQuery? {
        let times = SlotSchedule(fulfilment, terms, at: moment, area: nil)
        guard times.fulfilmentTerms.hasSlotLimit else { return nil }
        // A delivery area only delays the first slot.
        let slots = times.bookableSlots(on: day ?? times.today)
        guard let first = slots.first, let last = slots.last else { return nil }
        return SlotQuery(fulfilment, startingIn: first.startsAt...last.startsAt)
    }
}
