// Availability at a time, the validity of a decision at its boundaries, and the RFC 3339 parser for times.
import Ordering
import TestBasics
import Testing

@Suite("Sold-out times and the validity of decisions")
struct AvailabilityTests {
    private static func at(_ microseconds: Int64) -> Instant { Instant(microseconds: microseconds) }

    @Test("An item is available from exactly its sold-out end, and an item sold out without an end is never available")
    func boundary() {
        for until in [0, 1, 1_789_574_400_000_000, -5, .max, .min + 1] as [Int64] {
            let before = Availability(
                AvailableFrom(isAvailable: true, soldOutUntil: Self.at(until)), at: Self.at(until - 1))
            #expect(
                before.unavailable == Unavailability(.soldOut, until: Self.at(until))
                    && before.validity == TimeRange(until: Self.at(until)))
            let after = Availability(AvailableFrom(isAvailable: true, soldOutUntil: Self.at(until)), at: Self.at(until))
            #expect(after.isAvailable && after.validity == TimeRange(from: Self.at(until)))
            #expect(
                Availability(AvailableFrom(isAvailable: false, soldOutUntil: Self.at(until)), at: Self.at(until))
                    == .never)
        }
        #expect(Availability(AvailableFrom(isAvailable: true, soldOutUntil: nil), at: Self.at(0)).validity == .always)
        #expect(Availability.never.unavailable == Unavailability(.soldOut) && !Availability.never.isAvailable)
    }

    @Test("An availability decision is the same throughout its validity, for one item, several and the whole menu")
    func validity() throws {
        var random = SeededRandom()
        for _ in 0..<2_000 {
            var app = MenuFixture()
            for index in app.items.indices where Bool.random(using: &random) {
                app.items[index].soldOutUntil = Self.at(.random(in: 0...20, using: &random))
                app.items[index].isAvailable = Int.random(in: 0...9, using: &random) > 0
            }
            let menu = try app.menu().evaluated(at: Self.at(.random(in: 0...20, using: &random)))
            let ids = menu.items.map(\.id)
            let some = ids.shuffled(using: &random).prefix(3)
            let together = Availability(ofAll: some.map(menu.availability))
            #expect(together.isAvailable == some.allSatisfy { menu.availability(of: $0).isAvailable }, "\(random)")
            for moment in 0...20 {
                let other = menu.evaluated(at: Self.at(Int64(moment)))
                if menu.validity.contains(other.moment) {
                    #expect(
                        ids.map(menu.availability) == ids.map(other.availability),
                        "\(random) \(menu.moment.microseconds) \(moment)")
                }
                if together.validity.contains(other.moment) {
                    #expect(Availability(ofAll: some.map(other.availability)) == together, "\(random)")
                }
            }
            // Available when the last item is back, and not a microsecond earlier.
            if let until = together.unavailable?.until {
                #expect(Availability(ofAll: some.map(menu.evaluated(at: until).availability)).isAvailable, "\(random)")
                let before = menu.evaluated(at: Self.at(until.microseconds - 1))
                #expect(!Availability(ofAll: some.map(before.availability)).isAvailable, "\(random)")
            }
        }
    }

    @Test("The intersection of intervals contains the times of both, and that of adjacent intervals is empty")
    func overlap() {
        let early = TimeRange(from: Self.at(1), until: Self.at(5))
        #expect(early.intersection(TimeRange(from: Self.at(3))) == TimeRange(from: Self.at(3), until: Self.at(5)))
        #expect(early.intersection(.always) == early)
        let never = early.intersection(TimeRange(from: Self.at(5)))
        #expect((0...9).allSatisfy { !never.contains(Self.at($0)) })
        #expect(early.contains(Self.at(1)) && !early.contains(Self.at(5)))
    }

    @Test(
        "A checkout is rejected a microsecond before the sold-out time ends, and accepted at its end"
    )
    func checkout() throws {
        var shop = CheckoutFixture()
        let until = shop.now
        var app = MenuFixture()
        app.changeItem(4001) { $0.soldOutUntil = until }
        app.changeItem(2002) { $0.soldOutUntil = Self.at(until.microseconds + 5_000_000) }
        shop.menu = try app.menu()
        #expect(try shop.decide(expectedTotal: 1895).order?.validity == TimeRange(from: until))
        shop.now = Self.at(until.microseconds - 1)
        let refused = FieldError(.line(LineID(rawValue: 4001)), .itemSoldOut, ["until": .text(until.rfc3339)])
        #expect(try shop.decide(expectedTotal: 1895) == .reject(.validationFailed(FieldErrors(refused))))
        #expect(Checkout.validate(CheckoutForm(), shop.facts).errors == [refused])

        // The basket's line and set show the reason, and no more units can be added until then.
        let menu = shop.menu.evaluated(at: shop.now)
        let basket = CheckoutFixture.basket([(4001, 1)], sets: [(200, [(2002, 3)])])
        let priced = PricedBasket(basket, menu: menu)
        #expect(priced.lines[0].availability.unavailable?.until == until)
        #expect(priced.sets[0].availability.unavailable?.until == Self.at(until.microseconds + 5_000_000))
        #expect(!priced.isAvailable && !priced.actions.contains(.checkout) && !priced.actions.contains(.increment))
        for change in [BasketChange.increment(4001), .addItem(4001, quantity: 1)] {
            #expect(basket.applying(change, menu: menu) == .failure(.itemSoldOut))
            #expect(throws: Never.self) { try basket.applying(change, menu: menu.evaluated(at: until)).get() }
        }
        #expect(Basket.empty().applying(.addSale(200), menu: menu.evaluated(at: until)) == .failure(.itemSoldOut))
        #expect(throws: Never.self) {
            try Basket.empty().applying(
                .addSale(200), menu: menu.evaluated(at: Self.at(until.microseconds + 5_000_000))
            ).get()
        }
    }

    @Test("Items outside their serving hours keep all basket actions, and sold-out items lose checkout and increment")
    func outsideServingHours() throws {
        let shift = try #require(Shift(opens: 1080, closes: 1320))
        let evening = ServingHours([try #require(WeeklyShift(weekday: 4, shift: shift))])
        func menu(soldOut: Int64? = nil, until: Instant? = nil) throws -> Menu {
            var app = MenuFixture()
            if let soldOut { app.changeItem(soldOut) { ($0.isAvailable, $0.soldOutUntil) = (until != nil, until) } }
            let plain = try app.menu()
            return Menu(
                revision: 1, currency: plain.currency, defaultCountry: "US", timeZone: "UTC", categories: [],
                items: plain.items,
                sales: plain.sales, coupons: [], serving: ServingSchedule(items: [2001: evening, 2002: evening]),
                at: plain.moment)
        }
        let served = try menu()
        let opensAt = try #require(served.availability(of: 2001).unavailable?.until)
        let baskets = [
            CheckoutFixture.basket([(2001, 1)]), CheckoutFixture.basket([(2001, 1), (4001, 2)]),
            CheckoutFixture.basket([(2001, 1)], sets: [(200, [(2002, 3)])]),
        ]
        for basket in baskets {
            let priced = PricedBasket(basket, menu: served)
            #expect(!priced.isAvailable && !priced.isOrderable && priced.actions.first == .checkout)
            #expect(
                priced.actions.contains(.increment)
                    && priced.actions == PricedBasket(basket, menu: served.evaluated(at: opensAt)).actions)
            #expect(throws: Never.self) { try basket.applying(.increment(2001), menu: served).get() }
        }
        for until in [nil, opensAt.advanced(by: .seconds(1)), opensAt.advanced(by: .seconds(-1))] {
            let soldOut = try menu(soldOut: 2001, until: until)
            let priced = PricedBasket(baskets[0], menu: soldOut)
            #expect(!priced.actions.contains(.checkout) && !priced.actions.contains(.increment))
            #expect(baskets[0].applying(.increment(2001), menu: soldOut) == .failure(.itemSoldOut))
            let set = PricedBasket(baskets[2], menu: try menu(soldOut: 2002, until: until))
            #expect(!set.actions.contains(.checkout) && set.actions.contains(.increment))
        }
    }

    @Test("RFC 3339 times are parsed with any offset, and other texts return nil")
    func parsing() {
        var random = SeededRandom()
        for _ in 0..<5_000 {
            let milliseconds = Int64.random(in: -62_135_596_800_000...253_402_300_799_999, using: &random)
            let instant = Self.at(milliseconds * 1000)
            #expect(Instant(rfc3339: instant.rfc3339) == instant, "\(random)")
        }
        for (text, seconds) in [
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01t00:00:00z", 0), ("1970-01-01T02:00:00+02:00", 0),
            ("1969-12-31T19:00:00-05:00", 0),
            ("2000-02-29T12:00:00Z", 951_825_600), ("1970-01-01T00:00:00-00:00", 0),
            ("2026-11-22T00:00:00+05:45", 1_795_284_900),
        ] as [(String, Int64)] {
            #expect(Instant(rfc3339: text) == Self.at(seconds * 1_000_000), "\(text)")
        }
        #expect(Instant(rfc3339: "1970-01-01T00:00:00.1234567899Z") == Self.at(123_456))
        #expect(Instant(rfc3339: "1970-01-01T00:00:00.5+00:01") == Self.at(-59_500_000))
        for text in [
            "", "now", "2026-11-22", "2026-11-22T17:00:00", "2026-11-22T17:00Z", "2026-11-22 17:00:00Z",
            "2026-02-30T00:00:00Z",
            "2026-13-01T00:00:00Z", "0000-01-01T00:00:00Z", "2026-11-22T24:00:00Z", "2026-11-22T23:59:60Z",
            "2026-11-22T23:60:00Z",
            "2026-11-22T17:00:00.Z", "2026-11-22T17:00:00+0100", "2026-11-22T17:00:00+01", "2026-11-22T17:00:00+24:00",
            "2026-11-22T17:00:00+01:60", "2026-11-22T17:00:00ZZ", "2026-11-22T17:00:00Z ", " 2026-11-22T17:00:00Z",
            "+2026-11-22T17:00:00Z",
            "2026-11-22T17:00:00.1Z1", "2026/11/22T17:00:00Z", "２０２６-11-22T17:00:00Z", "infinity",
            "2026-11-22T17:00:0\u{0}Z",
            "2026-11-22T17:00:00." + String(repeating: "1", count: 100_000) + "Z", "-999-11-22T17:00:00Z",
            "0001-01-01T00:00:00+00:01",
            "9999-12-31T23:59:59-00:01",
        ] { #expect(Instant(rfc3339: text) == nil, "\(text.prefix(40))") }
    }
}
