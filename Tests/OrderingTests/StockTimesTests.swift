// Offered slots with daily stock counts: a slot is offered exactly if a checkout accepts it, over random stock, hours
// and sold-out times.
import TestBasics
import Testing

@testable import Ordering

@Suite("Offered slots with daily stock counts")
struct StockTimesTests {
    /// Random counts of the basket's dishes and options: for each day, without an end, or none.
    private static func stock(_ days: [TimeRange], using random: inout SeededRandom) -> DailyStock {
        let options = [9101, 9102].map { StockKey.option(OptionID(rawValue: $0)) }
        let things: [StockKey] = [.item(2001), .item(4001), .item(2002)] + options
        var counts: [StockKey: [StockCount]] = [:]
        for thing in things {
            switch Int.random(in: 0...3, using: &random) {
            case 0: counts[thing] = [StockCount(remaining: .random(in: 0...6, using: &random))]
            case 1, 2:
                counts[thing] = days.map { StockCount(remaining: .random(in: 0...6, using: &random), validity: $0) }
            default: break
            }
        }
        return DailyStock(counts)
    }

    @Test(
        "With daily stock counts, a checkout accepts exactly the offered times, and a full slot offers the next three"
    )
    func stockOfDays() throws {
        var random = SeededRandom()
        var (accepted, refused, alternatives) = (0, 0, 0)
        for _ in 0..<60 {
            var app = MenuFixture.withOptions()
            app.terms = ShopTerms(
                zone: .utc, opening: OpeningHours(),
                delivery: FulfilmentTerms(leadMinutes: 0, slotMinutes: 120, horizonDays: 2, ordersPerSlot: 1),
                pickup: FulfilmentTerms())
            let now = app.moment
            for id in [2001, 4001] as [Int64] where Bool.random(using: &random) {
                app.changeItem(id) {
                    $0.soldOutUntil = now.advanced(by: .seconds(3600 * Int.random(in: 0...60, using: &random)))
                }
            }
            app.changeOption(9102) {
                $0.soldOutUntil = now.advanced(by: .seconds(3600 * Int.random(in: -9...60, using: &random)))
            }
            let plain = try app.menu()
            let (opens, closes) = (Int.random(in: 0...12, using: &random), Int.random(in: 13...24, using: &random))
            let shift = try #require(Shift(opens: 60 * opens, closes: 60 * closes))
            let hours = ServingHours(try (1...7).map { try #require(WeeklyShift(weekday: $0, shift: shift)) })
            let menu = Menu(
                revision: 1, currency: plain.currency, defaultCountry: "US", timeZone: "UTC", terms: plain.terms,
                categories: [],
                items: plain.items, sales: plain.sales, coupons: [], optionGroups: plain.optionGroups,
                itemOptionGroups: [2001: [OptionGroupID(rawValue: 91)]],
                serving: ServingSchedule(items: Bool.random(using: &random) ? [2001: hours] : [:]), at: now)
            let days = try #require(BusinessDays(in: .utc))
            let spans = (-1...3).map {
                days.timeRange(of: LocalDate(daysSince1970: days.day(of: now).daysSince1970 + $0))
            }
            let stock = Self.stock(spans, using: &random)

            var shop = CheckoutFixture()
            (shop.menu, shop.now) = (menu, now)
            let dish = RawDish(2001, options: [RawOptionChoice.of(Bool.random(using: &random) ? 9101 : 9102)])
            var basket = CheckoutFixture.basket([(4001, .random(in: 1...3, using: &random))])
            for change in [BasketChange.addSale(200), .addItem(dish, quantity: .random(in: 1...3, using: &random))]
            where Bool.random(using: &random) {
                // Changes with sold-out dishes are left out.
                if case .success(let fuller) = basket.applying(change, menu: plain) { basket = fuller }
            }
            shop.basket = basket
            func accepts(_ wanted: Instant?) throws -> Bool {
                shop.stock = stock.levels(at: wanted ?? now)
                let total = Checkout.validate(CheckoutForm(wantedAt: wanted?.rfc3339), shop.facts).quote?.total
                    .minorUnits
                return try shop.decide(expectedTotal: total) { $0.wantedAt = wanted?.rfc3339 }.order != nil
            }
            var all: [Instant] = []
            for number in 0...3 as ClosedRange<Int64> {
                let day = LocalDate(daysSince1970: menu.terms.zone.date(of: now).daysSince1970 + number)
                let times = menu.offeredTimes(.delivery, on: day, basket: basket, stock: stock)
                #expect(try (times.readyAt != nil) == accepts(nil), "\(random)")
                let offered = Set(times.slots.map(\.startsAt))
                let queried = menu.slotQuery(.delivery, on: day)?.starts
                #expect(offered.allSatisfy { queried?.contains($0) ?? false }, "\(random)")
                for start in (0..<12).map({ menu.terms.zone.firstInstant(on: day, minutes: $0 * 120) }) {
                    let isAccepted = try accepts(start)
                    #expect(offered.contains(start) == isAccepted, "\(random) \(start.rfc3339)")
                    if isAccepted { accepted += 1 } else { refused += 1 }
                }
                all += offered
            }
            // A full slot.
            let tomorrow = LocalDate(daysSince1970: menu.terms.zone.date(of: now).daysSince1970 + 1)
            let wanted = menu.terms.zone.firstInstant(on: tomorrow, minutes: 0)
            let taken = SlotOccupancy([SlotKey(.delivery, wanted): SlotUse(orders: 1, items: 1)])
            let facts = CheckoutFacts(
                clockReading: ClockReading(now: now, today: shop.today), menu: menu, basket: basket, placedOrder: nil,
                coupon: nil, guestHistory: .none,
                stock: stock.levels(at: wanted), slotOccupancy: taken)
            let form = CheckoutForm(wantedAt: wanted.rfc3339)
            let query = try #require(
                facts.alternativesQuery(for: form, rejectedBecause: Checkout.validate(form, facts).errors))
            let counted = basket.stockKeys(countedIn: facts.stock)
            #expect(query.stock.keys == counted, "\(random)")
            let asksForDays = spans[1...3].allSatisfy { query.stock.moments.contains(where: $0.contains) }
            #expect(asksForDays || counted.isEmpty, "\(random)")
            // Some of the later slots are full too. The wanted slot stays full if it becomes free meanwhile.
            let later = all.sorted().filter { $0 > wanted }
            #expect(query.slots.fulfilments == [.delivery] && later.allSatisfy { query.slots.starts.contains($0) })
            let full = Set(later.filter { _ in Int.random(in: 0...2, using: &random) == 0 })
            let others = SlotOccupancy(
                Dictionary(
                    uniqueKeysWithValues: ([wanted] + later).map { start in
                        (SlotKey(.delivery, start), full.contains(start) ? SlotUse(orders: 1, items: 1) : .none)
                    }))
            let complete = facts.adding(occupancy: others, stock: stock)
            let errors = Checkout.validate(form, complete).errors.filter { $0.code == .slotFull }
            let next = later.filter { !full.contains($0) }.prefix(3)
            #expect(errors.map(\.params) == [["alternatives": .texts(next.map(\.rfc3339))]], "\(random)")
            #expect(complete.alternativesQuery(for: form, rejectedBecause: errors) == nil)
            alternatives += next.count
        }
        #expect(accepted > 100 && refused > 100 && alternatives > 20)
    }
}
