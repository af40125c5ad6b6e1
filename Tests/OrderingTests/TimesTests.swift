// Opening hours calculated by hand: an evening until 02:00 in nights with clock changes, and the boundaries of every
// window.
import FoundationEssentials
import Testing

@testable import Ordering

@Suite("Times calculated by hand")
struct TimesTests {
    /// A night with a clock change, for a shop that is open from 18:00 to 26:00.
    struct Night: CustomTestStringConvertible {
        let testDescription: String
        /// The UTC offsets before and after the change, in minutes.
        let offsets: [Int]
        let changesAt: String
        let opens: String
        /// The last 02:00 of the local clock, or the time of the change if the clock skips 02:00.
        let closes: String
        /// All times at which the local clock shows 01:59.
        let before: [String]

        init(_ name: String, _ offsets: [Int], at changesAt: String, opens: String, closes: String, before: [String]) {
            (testDescription, self.offsets, self.changesAt, self.opens, self.closes) = (
                name, offsets, changesAt, opens, closes
            )
            self.before = before
        }
    }

    static let nights = [
        Night(
            "Europe/Berlin, 29 March 2026", [60, 120], at: "2026-03-29T01:00Z", opens: "2026-03-28T17:00Z",
            closes: "2026-03-29T01:00Z",
            before: ["2026-03-29T00:59Z"]),
        Night(
            "Europe/Berlin, 25 October 2026", [120, 60], at: "2026-10-25T01:00Z", opens: "2026-10-24T16:00Z",
            closes: "2026-10-25T01:00Z",
            before: ["2026-10-24T23:59Z"]),
        Night(
            "America/New_York, 8 March 2026", [-300, -240], at: "2026-03-08T07:00Z", opens: "2026-03-07T23:00Z",
            closes: "2026-03-08T07:00Z", before: ["2026-03-08T06:59Z"]),
        Night(
            "America/New_York, 1 November 2026", [-240, -300], at: "2026-11-01T06:00Z", opens: "2026-10-31T22:00Z",
            closes: "2026-11-01T07:00Z", before: ["2026-11-01T05:59Z", "2026-11-01T06:59Z"]),
        Night(
            "Australia/Lord_Howe, 5 April 2026", [660, 630], at: "2026-04-04T15:00Z", opens: "2026-04-04T07:00Z",
            closes: "2026-04-04T15:30Z", before: ["2026-04-04T14:59Z", "2026-04-04T15:29Z"]),
        Night(
            "Australia/Lord_Howe, 4 October 2026", [630, 660], at: "2026-10-03T15:30Z", opens: "2026-10-03T07:30Z",
            closes: "2026-10-03T15:30Z", before: ["2026-10-03T15:29Z"]),
        Night(
            "America/Sao_Paulo, 17 February 2018", [-120, -180], at: "2018-02-18T02:00Z", opens: "2018-02-17T20:00Z",
            closes: "2018-02-18T05:00Z", before: ["2018-02-18T04:59Z"]),
        Night(
            "America/Sao_Paulo, 4 November 2018", [-180, -120], at: "2018-11-04T03:00Z", opens: "2018-11-03T21:00Z",
            closes: "2018-11-04T04:00Z", before: ["2018-11-04T03:59Z"]),
        Night(
            "Africa/Casablanca, 15 February 2026", [60, 0], at: "2026-02-15T02:00Z", opens: "2026-02-14T17:00Z",
            closes: "2026-02-15T02:00Z", before: ["2026-02-15T00:59Z"]),
        Night(
            "Africa/Casablanca, 22 March 2026", [0, 60], at: "2026-03-22T02:00Z", opens: "2026-03-21T18:00Z",
            closes: "2026-03-22T02:00Z",
            before: ["2026-03-22T01:59Z"]),
    ]

    static func at(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text.dropLast() + ":00Z")) }

    private static func evening(_ opens: Int = 1080, _ closes: Int = 1560) throws -> [WeeklyShift] {
        let shift = try #require(Shift(opens: opens, closes: closes))
        return try (1...7).map { try #require(WeeklyShift(weekday: $0, shift: shift)) }
    }

    private static func zone(_ night: Night) throws -> ShopZone {
        let before = ShopZone.Change(from: Instant(microseconds: 0), offset: night.offsets[0] * 60)
        let after = ShopZone.Change(from: try at(night.changesAt), offset: night.offsets[1] * 60)
        return try #require(ShopZone([before, after]))
    }

    private static func shop(
        _ zone: ShopZone, at now: Instant, _ terms: FulfilmentTerms, pauseUntil: Instant? = nil
    ) throws -> CheckoutFixture {
        let terms = ShopTerms(
            zone: zone, opening: OpeningHours(weekly: try evening()), delivery: terms, pickup: terms,
            pauseUntil: pauseUntil)
        return CheckoutFixture(
            menu: CheckoutFixture.menu(terms: terms).evaluated(at: now), now: now, today: zone.date(of: now))
    }

    private static let minutely = FulfilmentTerms(leadMinutes: 0, slotMinutes: 1)

    /// Expects a checkout's outcome, and that the time is offered exactly if the checkout is accepted.
    private static func expect(
        _ expected: String, _ shop: CheckoutFixture, for wanted: Instant?, _ kind: Fulfilment,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let outcome = try shop.decide(expectedTotal: 1895) {
            ($0.fulfilment, $0.wantedAt) = (kind.rawValue, wanted?.rfc3339)
        }.summaries
        #expect(outcome == [expected], "at \(shop.now) for \(wanted.map(\.rfc3339) ?? "now")", sourceLocation: location)
        let day = wanted.map { shop.menu.terms.zone.date(of: $0) }
        let times = shop.menu.offeredTimes(kind, on: day, basket: shop.basket, occupancy: .none, openOrders: 0)
        let isOffered = wanted.map { times.slots.map(\.startsAt).contains($0) } ?? (times.readyAt != nil)
        #expect(
            isOffered == (expected == "accept"), "at \(shop.now) for \(wanted.map(\.rfc3339) ?? "now")",
            sourceLocation: location)
    }

    @Test(
        "A restaurant that is open from 18:00 to 26:00 takes orders at 01:59 and rejects them at 02:00",
        arguments: nights, Fulfilment.allCases)
    func untilTwo(_ night: Night, _ kind: Fulfilment) throws {
        let (zone, opens, closes) = (try Self.zone(night), try Self.at(night.opens), try Self.at(night.closes))
        for moment in try night.before.map(Self.at) {
            try Self.expect("accept", Self.shop(zone, at: moment, Self.minutely), for: nil, kind)
            let early = try Self.shop(zone, at: opens.advanced(by: .seconds(-7200)), Self.minutely)
            try Self.expect("accept", early, for: moment, kind)
        }
        let late = try Self.shop(zone, at: closes, Self.minutely)
        try Self.expect("wantedAt shop_closed", late, for: nil, kind)
        try Self.expect("wantedAt shop_closed", late, for: closes, kind)
        let early = try Self.shop(zone, at: opens, Self.minutely)
        try Self.expect("wantedAt shop_closed", early, for: closes, kind)
    }

    @Test("An evening includes its first microsecond and excludes its end", arguments: nights)
    func halfOpen(_ night: Night) throws {
        let (zone, opens, closes) = (try Self.zone(night), try Self.at(night.opens), try Self.at(night.closes))
        let rows = [
            (opens, -1, false), (opens, 0, true), (opens, 1, true), (closes, -1, true), (closes, 0, false),
            (closes, 1, false),
        ]
        for (moment, microseconds, isOpen) in rows {
            let now = moment.advanced(by: .microseconds(microseconds))
            let shop = try Self.shop(zone, at: now, Self.minutely)
            try Self.expect(isOpen ? "accept" : "wantedAt shop_closed", shop, for: nil, .delivery)
            let statuses = shop.menu.openingStatuses
            #expect(statuses.map(\.isOpen) == [isOpen, isOpen])
            #expect(statuses.map(\.closesAt) == (isOpen ? [closes, closes] : [nil, nil]), "\(now)")
            if now < opens { #expect(statuses.map(\.opensAt) == [opens, opens]) }
            let served = ServingHours(try Self.evening()).availability(at: now, in: zone)
            #expect(served.isAvailable == isOpen)
            #expect(
                served.validity.contains(now) && served.validity.until == (isOpen ? closes : served.unavailable?.until),
                "\(now)")
            if now < opens { #expect(served.unavailable == Unavailability(.notServed, until: opens)) }
        }
    }

    @Test(
        "Slots are counted in elapsed time from the opening, and the last one ends at or before closing time",
        arguments: nights)
    func slots(_ night: Night) throws {
        let (zone, opens, closes) = (try Self.zone(night), try Self.at(night.opens), try Self.at(night.closes))
        let minutes = Int((closes.microseconds - opens.microseconds) / 60_000_000)
        for length in [1, 30, 45, 60, minutes] {
            let shop = try Self.shop(zone, at: opens, FulfilmentTerms(leadMinutes: 0, slotMinutes: length))
            let days = [opens, closes].map(zone.date)
            let offered = Set(
                days.flatMap {
                    shop.menu.offeredTimes(.pickup, on: $0, basket: nil, occupancy: .none, openOrders: 0).slots
                })
            let own = offered.filter { $0.startsAt < closes }.sorted { $0.startsAt < $1.startsAt }
            #expect(
                own.map(\.startsAt) == (0..<minutes / length).map { opens.advanced(by: .seconds($0 * length * 60)) },
                "\(length)")
            #expect(
                own.allSatisfy { $0.endsAt == $0.startsAt.advanced(by: .seconds(length * 60)) && $0.endsAt <= closes })
            let last = try #require(own.last?.startsAt)
            // The next slot would start or end after the closing.
            let next = last.advanced(by: .seconds(length * 60))
            try Self.expect(
                minutes % length == 0 ? "wantedAt shop_closed" : "wantedAt not_a_slot", shop, for: next, .pickup)
            try Self.expect("accept", shop, for: last, .pickup)
            try Self.expect("wantedAt not_a_slot", shop, for: last.advanced(by: .microseconds(1000)), .pickup)
        }
    }

    @Test(
        "The earliest time, the end of a pause and the last slot of the horizon are accepted, and others rejected",
        arguments: nights)
    func limits(_ night: Night) throws {
        let (zone, opens) = (try Self.zone(night), try Self.at(night.opens))
        let lead = FulfilmentTerms(leadMinutes: 45, slotMinutes: 30, horizonDays: 0)
        let exact = opens.advanced(by: .seconds(-45 * 60))
        try Self.expect("accept", Self.shop(zone, at: exact, lead), for: opens, .delivery)
        let later = try Self.shop(zone, at: exact.advanced(by: .microseconds(1)), lead)
        try Self.expect("wantedAt too_soon", later, for: opens, .delivery)
        let next = opens.advanced(by: .seconds(1800))
        let paused = try Self.shop(zone, at: exact, lead, pauseUntil: next)
        try Self.expect("wantedAt shop_paused", paused, for: opens, .delivery)
        try Self.expect("accept", paused, for: next, .delivery)
        // Slots that start today are within the horizon. Slots after midnight belong to tomorrow.
        let (shop, today) = (try Self.shop(zone, at: exact, lead), zone.date(of: opens))
        for moment in (0..<14).map({ opens.advanced(by: .seconds($0 * 1800)) }) {
            let isToday = zone.date(of: moment) == today
            try Self.expect(isToday ? "accept" : "wantedAt too_far", shop, for: moment, .delivery)
        }
    }
}
