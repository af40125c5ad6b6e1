// The validity of a decision: within this interval, a checkout at any other time makes the same decision.
import TestBasics
import Testing

@testable import Ordering

@Suite("The validity of a decision")
struct DecisionValidityTests {
    private static let hour: Int64 = 3_600_000_000

    /// A shop with random hours, pause, busy minutes, serving hours and sold-out times, all at full minutes.
    private static func shop(using random: inout SeededRandom) throws -> CheckoutFixture {
        var shop = CheckoutFixture()
        func moment(_ range: ClosedRange<Int64>) -> Instant? {
            Bool.random(using: &random)
                ? Instant(microseconds: shop.now.microseconds + .random(in: range, using: &random) * hour / 4) : nil
        }
        func weekly() throws -> [WeeklyShift] {
            let opens = Int.random(in: 0...20, using: &random)
            let shift = try #require(
                Shift(opens: 60 * opens, closes: 60 * (opens + .random(in: 4...20, using: &random))))
            return try (1...7).map { try #require(WeeklyShift(weekday: $0, shift: shift)) }
        }
        let terms = FulfilmentTerms(
            leadMinutes: 15 * .random(in: 0...4, using: &random), slotMinutes: 60, horizonDays: 1)
        var app = MenuFixture()
        app.changeItem(4001) { $0.soldOutUntil = moment(-8...8) }
        let plain = try app.menu()
        let served = Bool.random(using: &random) ? [MenuItemID(2001): ServingHours(try weekly())] : [:]
        shop.menu = Menu(
            revision: 1, currency: plain.currency, defaultCountry: "US", timeZone: "UTC",
            terms: ShopTerms(
                zone: .utc, opening: OpeningHours(weekly: Bool.random(using: &random) ? try weekly() : []),
                delivery: terms, pickup: terms,
                pauseUntil: moment(-8...8), busyMinutes: 15 * .random(in: 1...3, using: &random),
                busyUntil: moment(-8...8)),
            categories: [], items: plain.items, sales: plain.sales, coupons: [],
            serving: ServingSchedule(items: served), at: shop.now)
        return shop
    }

    /// The stock of a dish that is counted each business day, at a time.
    private static func stock(at moment: Instant, _ left: [Int64]) throws -> StockLevels {
        let days = try #require(BusinessDays(in: .utc))
        let day = days.day(of: moment)
        let index = Int((day.daysSince1970 % Int64(left.count) + Int64(left.count)) % Int64(left.count))
        return StockLevels([.item(2001): StockCount(remaining: left[index], validity: days.timeRange(of: day))])
    }

    @Test(
        "A decision is the same throughout its validity, which ends when the wanted time is too soon"
    )
    func validity() throws {
        var random = SeededRandom()
        var (soon, later, ended, tooSoon) = (0, 0, 0, 0)
        for _ in 0..<1_500 {
            let original = try Self.shop(using: &random)
            let left = (0..<3).map { _ in Int64.random(in: 0...5, using: &random) }
            let isCounted = Bool.random(using: &random)
            let wanted =
                Bool.random(using: &random)
                ? original.menu.terms.zone.firstInstant(on: original.today, minutes: 0)
                    .advanced(by: .seconds(3600 * Int.random(in: 17...40, using: &random))) : nil
            func decide(at now: Instant) throws -> CheckoutDecision {
                var shop = original
                shop.now = now
                shop.today = shop.menu.terms.zone.date(of: now)
                if isCounted { shop.stock = try Self.stock(at: wanted ?? now, left) }
                return try shop.decide(expectedTotal: 1895) { $0.wantedAt = wanted?.rfc3339 }
            }
            guard let order = try decide(at: original.now).order else { continue }
            if wanted == nil { soon += 1 } else { later += 1 }
            #expect(order.validity.contains(original.now), "\(random)")
            let (from, until) = (order.validity.from, order.validity.until)
            var moments = (0..<20).map { _ in
                Instant(
                    microseconds: original.now.microseconds
                        + .random(in: -30 * Self.hour...30 * Self.hour, using: &random))
            }
            moments += [from, until.map { $0.advanced(by: .microseconds(-1)) }].compactMap(\.self)
            for moment in moments where order.validity.contains(moment) {
                let other = try decide(at: moment).order
                #expect(other?.quote == order.quote && other?.stock == order.stock, "\(random) \(moment.rfc3339)")
                #expect(other?.validity == order.validity, "\(random) \(moment.rfc3339)")
            }
            guard let until else { continue }
            let after = try decide(at: until)
            if after.order == nil { ended += 1 }
            if after.summaries == ["wantedAt too_soon"] { tooSoon += 1 }
        }
        #expect(soon > 100 && later > 100 && ended > 50 && tooSoon > 50, "\(soon) \(later) \(ended) \(tooSoon)")
    }
}
