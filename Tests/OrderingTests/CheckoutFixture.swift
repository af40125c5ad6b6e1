// The facts of a checkout as a fixture: the app's menu, the coupons FRST, LAST, FOLLOW and HAPPY, and valid drafts
// that tests modify.
import FoundationEssentials
import Ordering

/// The facts of a checkout. A test changes them before it asks for a decision.
struct CheckoutFixture {
    var menu = CheckoutFixture.menu()
    /// Noon in New York on 16 September 2026.
    var now = Instant(microseconds: 1_789_574_400_000_000)
    var today = CheckoutFixture.date(2026, 9, 16)
    var basket: Basket? = CheckoutFixture.basket([(2001, 2), (4001, 1)])
    var placedOrder: PlacedOrder?
    var coupon: Coupon?
    var history = GuestHistory.none
    var stock = StockLevels.untracked

    var facts: CheckoutFacts {
        CheckoutFacts(
            clockReading: ClockReading(now: now, today: today), menu: menu, basket: basket, placedOrder: placedOrder,
            coupon: coupon, guestHistory: history, stock: stock)
    }

    /// A valid draft for the basket, with the coupon if there is one.
    func draft(
        key: String = "try-1", fingerprint: [UInt8] = [1], expectedTotal: Int64?, phone: String = "5550100199",
        email: String = "ann@example.com",
        birthday: String? = nil, edit: (inout CheckoutForm) -> Void = { _ in }
    ) throws -> CheckoutDraft {
        var form = CheckoutForm(
            name: "Ann Lee", phone: phone, email: email, address: "12 Elm Street", coupon: coupon?.key.text,
            birthday: birthday,
            expectedTotal: expectedTotal)
        edit(&form)
        return CheckoutDraft(
            basketID: basket?.id ?? CheckoutFixture.basketID(1), key: try CheckoutIdempotencyKey.parse(key).get(),
            fingerprint: fingerprint,
            form: form,
            validation: form.validated(defaultCountry: menu.defaultCountry), openOrders: 0)
    }

    func decide(expectedTotal: Int64?, birthday: String? = nil, edit: (inout CheckoutForm) -> Void = { _ in }) throws
        -> CheckoutDecision
    {
        Checkout.decide(try draft(expectedTotal: expectedTotal, birthday: birthday, edit: edit), facts)
    }

    static func basketID(_ number: UInt8) -> BasketID {
        BasketID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, number)))
    }

    static func date(_ year: Int, _ month: Int, _ day: Int) -> LocalDate {
        guard let date = LocalDate(year: year, month: month, day: day) else {
            preconditionFailure("not a date: \(year)-\(month)-\(day)")
        }
        return date
    }

    static func money(_ minorUnits: Int64) -> Money {
        guard let money = Money(minorUnits: minorUnits) else { preconditionFailure("not an amount: \(minorUnits)") }
        return money
    }

    static func percent(_ value: Int) -> Percent {
        guard let percent = Percent(value) else { preconditionFailure("not a percent: \(value)") }
        return percent
    }

    /// A basket of lines and sets at the menu's prices. A set is given by its sales group.
    static func basket(
        _ lines: [(Int64, Int)], sets: [(Int64, [(Int64, Int)])] = [], number: UInt8 = 1, version: Int64 = 7,
        recordedAt menu: Menu = CheckoutFixture.menu()
    ) -> Basket {
        // A line's id is its item's id, so that a field path names the item.
        func line(_ id: Int64, _ quantity: Int) -> Line? {
            let item = MenuItemID(rawValue: id)
            return Line(id, item, quantity, menu.item(item)?.currentPrice ?? money(1))
        }
        let lines = lines.compactMap(line)
        let sets = sets.map { sale, items in
            BasketSet(salesGroupID: SalesGroupID(rawValue: sale), items: items.compactMap(line))
        }
        return Basket(
            id: basketID(number), state: .open, version: version, currency: menu.currency.code, createdLineCount: 9999,
            lines: lines, sets: sets)
    }

    /// The menu of the app with changed prices and sold-out items.
    /// - Parameter sets: sales groups with these items, instead of those of the app.
    static func menu(
        prices: [Int64: Int64] = [:], soldOut: Set<Int64> = [], currency: String = "USD",
        terms: ShopTerms = ShopTerms(), sets: [(Int64, [(Int64, Int)])]? = nil
    ) -> Menu {
        var app = MenuFixture()
        app.terms = terms
        app.currency = currency
        for (id, price) in prices { app.changeItem(id) { $0.price = price } }
        for id in soldOut { app.changeItem(id) { $0.isAvailable = false } }
        if let sets {
            app.sales = sets.map { id, items in
                MenuFixture.SalesGroupRow(id: id, title: "Sale", entries: items.map { (item: $0.0, quantity: $0.1) })
            }
        }
        guard let menu = try? app.menu() else { preconditionFailure("invalid menu rows") }
        return menu
    }

    /// The ids of all items.
    static let itemIDs = MenuFixture().items.map(\.id)
}

extension Coupon {
    /// A coupon with this key, by default 10 % off everything.
    static func test(
        _ key: String, id: Int64 = 1, _ benefit: CouponBenefit = .percent(CheckoutFixture.percent(10)),
        condition: CouponCondition = .none,
        startsAt: Int64? = nil,
        endsAt: Int64? = nil, minimum: Int64? = nil, limit: Int64? = nil, redeemed: Int64 = 0, guestLimit: Int? = nil,
        period: CouponPeriod = .ever
    ) throws -> Coupon {
        guard let parsed = try CouponKey.parse(key).get() else { throw FieldError(.coupon, .couponUnknown) }
        return Coupon(
            id: CouponID(rawValue: id), key: parsed, title: key, benefit: benefit, condition: condition,
            startsAt: startsAt.map(Instant.init(microseconds:)),
            endsAt: endsAt.map(Instant.init(microseconds:)), minimumSubtotal: minimum.map(CheckoutFixture.money),
            redemptionLimit: limit,
            redemptionCount: redeemed,
            guestLimit: guestLimit, guestPeriod: period)
    }

    /// 10 % off the first order.
    static func frst() throws -> Coupon { try test("FRST", id: 1, condition: .firstOrder) }
    /// 15 % off on the last day of the month.
    static func last() throws -> Coupon {
        try test("LAST", id: 2, .percent(CheckoutFixture.percent(15)), condition: .lastDayOfMonth)
    }
    /// A free burger, once per guest.
    static func follow() throws -> Coupon {
        try test("FOLLOW", id: 3, .freeItem(CategoryID(rawValue: 200)), guestLimit: 1)
    }
    /// 15 % off on the guest's birthday, once per guest and calendar year.
    static func happy() throws -> Coupon {
        try test(
            "HAPPY", id: 4, .percent(CheckoutFixture.percent(15)), condition: .birthday, guestLimit: 1,
            period: .calendarYear)
    }
}

extension CheckoutDecision: Hashable {
    /// Whether all properties are equal.
    package static func == (left: Self, right: Self) -> Bool { left.dumped == right.dumped }

    package func hash(into hasher: inout Hasher) { hasher.combine(dumped) }

    private var dumped: String {
        var text = ""
        dump(self, to: &text)
        return text
    }

    /// The accepted order, if any.
    var order: OrderDraft? { if case .accept(let order) = self { order } else { nil } }

    /// "coupon coupon_expired" for each error of a rejection, or the name of the outcome.
    var summaries: [String] {
        switch self {
        case .accept: ["accept"]
        case .replay: ["replay"]
        case .retry: ["retry"]
        case .reject(.basketAlreadyOrdered): ["basket_already_ordered"]
        case .reject(.idempotencyKeyReused): ["idempotency_key_reused"]
        case .reject(.basketNotFound): ["basket_not_found"]
        case .reject(.priceChanged): ["price_changed"]
        case .reject(.validationFailed(let errors)): Result<CheckoutDetails, FieldErrors>.failure(errors).summaries
        }
    }
}
