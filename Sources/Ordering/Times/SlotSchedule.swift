// The slots of a fulfilment and the rules of choosing one. Shared by GET /v1/times and the checkout.

/// A slot.
struct Slot: Sendable, Hashable {
    let startsAt, endsAt: Instant
}

/// The slots of one fulfilment that guests can choose at a given time.
struct SlotSchedule {
    let fulfilment: Fulfilment
    let now: Instant
    private let terms: ShopTerms
    private let area: DeliveryArea?

    /// - Parameter area: the delivery area; nil if it is unknown or not needed.
    init(_ fulfilment: Fulfilment, _ terms: ShopTerms, at now: Instant, area: DeliveryArea?) {
        (self.fulfilment, self.terms, self.now, self.area) = (fulfilment, terms, now, area)
    }

    var fulfilmentTerms: FulfilmentTerms { terms[fulfilment] }

    /// The earliest time that guests can choose.
    var earliest: Instant { now.advanced(by: leadTime) }

    /// The minimum time between now and a wanted time.
    var leadTime: Duration { .seconds(60 * Int64(terms.leadMinutes(fulfilment, at: now, area: area))) }

    var today: LocalDate { terms.zone.date(of: now) }

    /// The last date on which a slot can begin.
    var lastDay: LocalDate {
        LocalDate(daysSince1970: today.daysSince1970 + Int64(max(fulfilmentTerms.horizonDays, 0)))
    }

    /// The end of the last date on which a slot can begin.
    var endOfLastDay: Instant {
        terms.zone.firstInstant(on: LocalDate(daysSince1970: lastDay.daysSince1970 + 1), minutes: 0)
    }

    /// The first instant at which slots of this date can be chosen.
    func bookableFrom(_ day: LocalDate) -> Instant {
        terms.zone.firstInstant(
            on: LocalDate(daysSince1970: day.daysSince1970 - Int64(max(fulfilmentTerms.horizonDays, 0))), minutes: 0)
    }

    /// All slots that begin on a date, in ascending order. Each opening range is divided into slots of equal length.
    /// The last slot ends at or before closing time.
    func slots(on day: LocalDate) -> [Slot] {
        guard let minutes = fulfilmentTerms.slotMinutes, minutes > 0 else { return [] }
        let length = Duration.seconds(60 * Int64(minutes))
        var slots: Set<Slot> = []
        // Openings of the previous date may extend into this one.
        for number in [day.daysSince1970 - 1, day.daysSince1970] {
            for opening in terms.opening.openingRanges(fulfilment, on: LocalDate(daysSince1970: number), in: terms.zone)
            {
                guard var startsAt = opening.from, let until = opening.until else { continue }
                while case let endsAt = startsAt.advanced(by: length), endsAt <= until, startsAt < endsAt {
                    if terms.zone.date(of: startsAt) == day { slots.insert(Slot(startsAt: startsAt, endsAt: endsAt)) }
                    startsAt = endsAt
                }
            }
        }
        return slots.sorted { $0.startsAt < $1.startsAt }
    }

    /// The slots that can be chosen regardless of their capacity: not too soon, not too far ahead, and not in a
    /// pause.
    func bookableSlots(on day: LocalDate) -> [Slot] {
        guard fulfilmentTerms.isOffered, day >= today, day <= lastDay else { return [] }
        let from = max(earliest, terms.pauseUntil ?? earliest)
        return slots(on: day).filter { $0.startsAt >= from }
    }

    /// The slots with capacity for this many dishes.
    func freeSlots(on day: LocalDate, for items: Int64, occupancy: SlotOccupancy) -> [Slot] {
        bookableSlots(on: day).filter {
            fulfilmentTerms.hasCapacity(for: items, alongside: occupancy[SlotKey(fulfilment, $0.startsAt)])
        }
    }

    /// The dates from the given one to the last on which a slot can begin.
    func days(from first: LocalDate) -> [LocalDate] {
        let range = max(first, today).daysSince1970...max(max(first, today).daysSince1970, lastDay.daysSince1970)
        return range.map(LocalDate.init(daysSince1970:))
    }
}

extension ShopTerms {
    /// The area of a delivery; nil for pickup, for an unknown postcode, and outside the delivery areas.
    func area(_ fulfilment: Fulfilment, _ postcode: Postcode?) -> DeliveryArea? {
        fulfilment == .delivery ? postcode.flatMap(areas.area) : nil
    }

    /// The delivery area of an order, by the current areas.
    package func area(of order: Order) -> DeliveryArea? {
        area(order.fulfilment, (try? Postcode.parse(order.postcode ?? "").get()).flatMap(\.self))
    }

    /// The additional minutes of a busy period at `now`.
    func busyMinutes(at now: Instant) -> Int { busyUntil.map { now < $0 } ?? false ? busyMinutes : 0 }

    /// The minimum time between ordering and a slot, including the delivery time of the area.
    func leadMinutes(_ fulfilment: Fulfilment, at now: Instant, area: DeliveryArea?) -> Int {
        self[fulfilment].leadMinutes + busyMinutes(at: now) + (area?.extraMinutes ?? 0)
    }

    /// The estimate in minutes for an order that is placed at `now` and wanted as soon as possible: 15…240 in steps
    /// of 5.
    package func etaMinutes(_ fulfilment: Fulfilment, at now: Instant, openOrders: Int, area: DeliveryArea? = nil)
        -> Int
    {
        let prepared = max(Kitchen.preparationMinutes(openOrders: openOrders), self[fulfilment].leadMinutes)
        let minutes = prepared + busyMinutes(at: now) + (area?.extraMinutes ?? 0)
        return min(max((minutes + 4) / 5 * 5, 15), 240)
    }
}
