// Which slots there are and which of them can be wanted: the one pure function that GET /v1/times and the checkout share.
// Asked by OfferedTimes.swift and JudgedTime.swift.

/// One slot.
struct Slot: Sendable, Hashable {
    let startsAt, endsAt: Instant
}

/// The slots of one fulfilment as they can be wanted at a moment.
struct SlotTimes {
    let fulfilment: Fulfilment
    let now: Instant
    private let terms: ShopTerms
    private let area: DeliveryArea?

    /// - Parameter area: to which it is brought; nil where that is not known, or nobody asks.
    init(_ fulfilment: Fulfilment, _ terms: ShopTerms, at now: Instant, area: DeliveryArea?) {
        (self.fulfilment, self.terms, self.now, self.area) = (fulfilment, terms, now, area)
    }

    var own: FulfilmentTerms { terms[fulfilment] }

    /// Nothing is wanted sooner.
    var earliest: Instant { now.advanced(by: ahead) }

    /// How far ahead of now that is.
    var ahead: Duration { .seconds(60 * Int64(terms.minutesAhead(fulfilment, at: now, area: area))) }

    var today: LocalDate { terms.zone.date(of: now) }

    /// The last day on which a slot can begin.
    var lastDay: LocalDate { LocalDate(daysSince1970: today.daysSince1970 + Int64(max(own.horizonDays, 0))) }

    /// From when on a day is not too far.
    func inReach(_ day: LocalDate) -> Instant {
        terms.zone.first(LocalDate(daysSince1970: day.daysSince1970 - Int64(max(own.horizonDays, 0))), minutes: 0)
    }

    /// All slots that begin on a day, in their order: cut from each opening, and wholly inside it.
    func slots(on day: LocalDate) -> [Slot] {
        guard let minutes = own.slotMinutes, minutes > 0 else { return [] }
        let length = Duration.seconds(60 * Int64(minutes))
        var slots: Set<Slot> = []
        // An opening of the day before reaches into this one.
        for number in [day.daysSince1970 - 1, day.daysSince1970] {
            for opening in terms.opening.openings(fulfilment, on: LocalDate(daysSince1970: number), in: terms.zone) {
                guard var startsAt = opening.from, let until = opening.until else { continue }
                while case let endsAt = startsAt.advanced(by: length), endsAt <= until, startsAt < endsAt {
                    if terms.zone.date(of: startsAt) == day { slots.insert(Slot(startsAt: startsAt, endsAt: endsAt)) }
                    startsAt = endsAt
                }
            }
        }
        return slots.sorted { $0.startsAt < $1.startsAt }
    }

    /// Those that can be wanted by the hours alone: neither too soon, nor too far, nor in a pause.
    func open(on day: LocalDate) -> [Slot] {
        guard own.isOffered, day >= today, day <= lastDay else { return [] }
        let from = max(earliest, terms.pauseUntil ?? earliest)
        return slots(on: day).filter { $0.startsAt >= from }
    }

    /// Those that have a place for so many dishes.
    func free(on day: LocalDate, for items: Int64, taken: SlotsTaken) -> [Slot] {
        open(on: day).filter { own.hasPlace(for: items, beside: taken[SlotKey(fulfilment, $0.startsAt)]) }
    }

    /// The days from one on, to the last on which a slot can begin.
    func days(from first: LocalDate) -> [LocalDate] {
        let range = max(first, today).daysSince1970...max(max(first, today).daysSince1970, lastDay.daysSince1970)
        return range.map(LocalDate.init(daysSince1970:))
    }
}

extension ShopTerms {
    /// To which area something goes; nil where nobody knows, where the shop has none there, and where it is picked up.
    func area(_ fulfilment: Fulfilment, _ postcode: Postcode?) -> DeliveryArea? {
        fulfilment == .delivery ? postcode.flatMap(areas.area) : nil
    }

    /// The area that an order goes to, by what staff have written by now.
    package func area(of order: Order) -> DeliveryArea? {
        area(order.fulfilment, (try? Postcode.parse(order.customer.postcode ?? "").get()).flatMap(\.self))
    }

    /// How much longer all takes at a moment.
    func busyMinutes(at now: Instant) -> Int { busyUntil.map { now < $0 } ?? false ? busyMinutes : 0 }

    /// How far ahead of a moment a slot begins at least, with the way to an area.
    func minutesAhead(_ fulfilment: Fulfilment, at now: Instant, area: DeliveryArea?) -> Int {
        self[fulfilment].leadMinutes + busyMinutes(at: now) + (area?.extraMinutes ?? 0)
    }

    /// Minutes until the guest has an order that is placed at a moment and wanted as soon as possible: 15…240 in fives.
    package func etaMinutes(_ fulfilment: Fulfilment, at now: Instant, openOrders: Int, area: DeliveryArea? = nil) -> Int {
        let prepared = max(Kitchen.minutes(openOrders: openOrders), self[fulfilment].leadMinutes)
        let minutes = prepared + busyMinutes(at: now) + (area?.extraMinutes ?? 0)
        return min(max((minutes + 4) / 5 * 5, 15), 240)
    }
}
