// A case of the times oracle, written by Tests/Tools/Times/cases.py: a shop, the used capacity of its slots, and
// questions. Times are Unix seconds.
import FoundationEssentials

@testable import Ordering

/// A shop around a day with a clock change.
struct TimesCase: Decodable {
    struct InvalidCase: Error { let description: String }

    /// A row of weekly hours: `[1, "18:00", "26:00", null]`.
    struct Weekly: Decodable {
        let shift: WeeklyShift

        init(from decoder: any Decoder) throws {
            var row = try decoder.unkeyedContainer()
            let (weekday, opens, closes) = (
                try row.decode(Int.self), try row.decode(String.self), try row.decode(String.self)
            )
            let kind = row.isAtEnd ? nil : try row.decode(String?.self)
            guard let shift = Shift(opens: opens, closes: closes),
                let weekly = WeeklyShift(weekday: weekday, shift: shift, fulfilment: kind.flatMap(Fulfilment.init))
            else { throw InvalidCase(description: "\(weekday) \(opens) \(closes)") }
            self.shift = weekly
        }
    }

    /// A row of exceptions: `["2026-03-29", "18:00", "26:00", null]`.
    struct Exception: Decodable {
        let exception: OpeningException

        init(from decoder: any Decoder) throws {
            var row = try decoder.unkeyedContainer()
            let date = try TimesCase.date(row.decode(String.self))
            let (opens, closes) = (try row.decode(String?.self), try row.decode(String?.self))
            let kind = try row.decode(String?.self)
            let shift = opens.flatMap { opens in closes.flatMap { Shift(opens: opens, closes: $0) } }
            guard (shift == nil) == (opens == nil) else { throw InvalidCase(description: "\(date) \(opens ?? "")") }
            exception = OpeningException(date: date, shift: shift, fulfilment: kind.flatMap(Fulfilment.init))
        }
    }

    /// A used slot with its orders and items: `["pickup", 1774742400, 2, 5]`.
    struct UsedSlot: Decodable {
        let key: SlotKey
        let use: SlotUse

        init(from decoder: any Decoder) throws {
            var row = try decoder.unkeyedContainer()
            key = SlotKey(try TimesCase.kind(row.decode(String.self)), Instant(seconds: try row.decode(Int64.self)))
            use = SlotUse(orders: try row.decode(Int64.self), items: try row.decode(Int64.self))
        }
    }

    struct Terms: Decodable {
        var offered: Bool
        var lead: Int
        var slot: Int?
        var horizon: Int
        var orders: Int64?
        var items: Int64?

        var terms: FulfilmentTerms {
            FulfilmentTerms(
                isOffered: offered, leadMinutes: lead, slotMinutes: slot, horizonDays: horizon, ordersPerSlot: orders,
                itemsPerSlot: items)
        }
    }

    struct Shop: Decodable {
        var weekly: [Weekly]
        var exceptions: [Exception]
        var serving: [Weekly]
        var delivery: Terms
        var pickup: Terms
        var pauseUntil: Int64?
        var busy: Int
        var busyUntil: Int64?
        /// The travel minutes of the shop's only delivery area, or nil if it has no area.
        var extra: Int?
    }

    /// A question at a time, for a basket with `quantity` units of the dish, or without a basket if it is nil.
    struct Question: Decodable {
        var now: Int64
        var kind: String
        var quantity: Int?
        var openOrders: Int
        var dates: [String]
        /// Whether each minute is asked as the wanted time.
        var wanted: Bool
    }

    var name: String
    /// Whether every minute is compared, or only samples and the minutes at which the answer changes.
    var everyMinute: Bool
    var zone: [[Int64]]
    var shop: Shop
    var taken: [UsedSlot]
    /// The first minute and the number of minutes.
    var minutes: [Int64]
    var asks: [Question]

    static let dish = MenuItemID(rawValue: 1001)
    /// The postcode of the deliveries.
    static let postcode = "10117"

    static func kind(_ text: String) throws -> Fulfilment {
        guard let kind = Fulfilment(rawValue: text) else { throw InvalidCase(description: text) }
        return kind
    }

    static func date(_ text: String) throws -> LocalDate {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, let date = LocalDate(year: parts[0], month: parts[1], day: parts[2]) else {
            throw InvalidCase(description: text)
        }
        return date
    }
}

extension TimesCase {
    var allMinutes: [Instant] { (0..<minutes[1]).map { Instant(seconds: minutes[0] + $0 * 60) } }
    var slots: SlotOccupancy { SlotOccupancy(Dictionary(taken.map { ($0.key, $0.use) }) { first, _ in first }) }
    var servingHours: ServingHours? { shop.serving.isEmpty ? nil : ServingHours(shop.serving.map(\.shift)) }

    /// The shop's terms, without the pause if only the hours matter.
    func terms(isPaused: Bool = true) throws -> ShopTerms {
        guard let zone = ShopZone(zone.map { ShopZone.Change(from: Instant(seconds: $0[0]), offset: Int($0[1])) })
        else {
            throw InvalidCase(description: "\(zone)")
        }
        return ShopTerms(
            zone: zone,
            opening: OpeningHours(weekly: shop.weekly.map(\.shift), exceptions: shop.exceptions.map(\.exception)),
            delivery: shop.delivery.terms, pickup: shop.pickup.terms,
            pauseUntil: isPaused ? shop.pauseUntil.map(Instant.init(seconds:)) : nil, busyMinutes: shop.busy,
            busyUntil: shop.busyUntil.map(Instant.init(seconds:)), areas: try areas())
    }

    private func areas() throws -> DeliveryAreas {
        guard let extra = shop.extra else { return DeliveryAreas() }
        guard let postcodes = PostcodePattern("10*") else { throw InvalidCase(description: "area") }
        return DeliveryAreas([DeliveryArea(id: 1, title: "Mitte", postcodes: [postcodes], extraMinutes: extra)])
    }

    /// A menu with one dish for 10.00.
    func menu(isPaused: Bool = true) throws -> Menu {
        guard let price = Money(minorUnits: 1000), let currency = Currency("USD") else {
            throw InvalidCase(description: "menu")
        }
        let category = CategoryID(rawValue: 100)
        let facts = MenuItemDetails(
            id: Self.dish, category: category, title: "Dish", description: "", imageURL: "", price: price, tags: [],
            isAvailable: true, isRetired: false, position: 0)
        return Menu(
            revision: 1, currency: currency, defaultCountry: "US", timeZone: "UTC",
            terms: try terms(isPaused: isPaused), categories: [],
            items: [RegularItem(facts)], sales: [], coupons: [],
            serving: ServingSchedule(categories: servingHours.map { [category: $0] } ?? [:]),
            at: Instant(microseconds: 0))
    }
}

extension TimesCase.Question {
    /// A basket with `quantity` units of the dish.
    func basket(_ menu: Menu) throws -> Basket? {
        guard let quantity else { return nil }
        guard let item = menu.item(TimesCase.dish), let line = Line(1, TimesCase.dish, quantity, item.price) else {
            throw TimesCase.InvalidCase(description: "\(quantity)")
        }
        return Basket(
            id: CheckoutFixture.basketID(1), state: .open, version: 1, currency: menu.currency.code,
            createdLineCount: 1, lines: [line], sets: [])
    }

    /// The facts at the time of the question.
    func facts(_ menu: Menu, _ slots: SlotOccupancy) throws -> CheckoutFacts {
        let now = Instant(seconds: now)
        return CheckoutFacts(
            clockReading: ClockReading(now: now, today: menu.terms.zone.date(of: now)), menu: menu,
            basket: try basket(menu), placedOrder: nil, coupon: nil,
            guestHistory: .none, slotOccupancy: slots)
    }

    func form(_ wanted: Instant?, offsetMinutes offset: Int = 0) -> CheckoutForm {
        CheckoutForm(fulfilment: kind, wantedAt: wanted?.formatted(offsetMinutes: offset), postcode: TimesCase.postcode)
    }

    /// A complete draft.
    func draft(_ wanted: Instant?, total: Int64, id: BasketID) throws -> CheckoutDraft {
        let form = CheckoutForm(
            name: "Ann Lee", phone: "5550100199", email: "ann@example.com", address: "12 Elm Street", fulfilment: kind,
            wantedAt: wanted?.rfc3339, postcode: TimesCase.postcode, expectedTotal: total)
        return CheckoutDraft(
            basketID: id, key: try CheckoutIdempotencyKey.parse("try-1").get(), fingerprint: [1], form: form,
            validation: form.validated(defaultCountry: "US"), openOrders: openOrders)
    }
}

extension Instant {
    init(seconds: Int64) { self.init(microseconds: seconds * 1_000_000) }

    var seconds: Int64 { microseconds / 1_000_000 }

    /// RFC 3339 with a UTC offset of so many minutes.
    func formatted(offsetMinutes minutes: Int) -> String {
        guard minutes != 0 else { return rfc3339 }
        let (hours, rest) = abs(minutes).quotientAndRemainder(dividingBy: 60)
        let digits = [hours, rest].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        return advanced(by: .seconds(minutes * 60)).rfc3339.dropLast() + (minutes < 0 ? "-" : "+") + digits
    }
}
