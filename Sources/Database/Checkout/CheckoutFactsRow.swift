// Reads the facts of one draft from a row of the statements in LoadCheckoutFacts.swift.
import Ordering
import Postgres

/// The facts of one draft. Only the first row of a batch contains `stock` and `slots`, which are those of all drafts.
struct CheckoutFactsRow: Sendable {
    /// The columns, in the order in which `init` reads them. Without coupons, they end before `coupon_id`.
    static let columns = """
        stock, slots, stock_then, now, today, revision, id, state, version, currency, lines_made, lines, options, \
        idempotency_key, fingerprint, coupon_id, key, title, benefit, percent, amount, free_category_id, condition, \
        starts_at, ends_at, minimum_subtotal, redemption_limit, redeemed, guest_limit, guest_period, coupon_version, \
        has_ordered, uses, used_numbers
        """

    /// The stock left on the business days for which the batch orders; on Citus only on the current one.
    let stock: DailyStock?
    let slots: SlotOccupancy?
    /// The stock left on the day of the wanted time; only on Citus.
    let stockAtWantedTime: StockLevels?
    /// A failure is only that of this draft.
    let facts: Result<StoredCheckoutFacts, DatabaseFault>

    init(_ row: inout Row, hasCoupon: Bool) throws(PostgresError) {
        stock = try row.nextDailyStock()
        slots = try row.nextSlots()
        stockAtWantedTime = try row.nextStock()
        facts = row.facts(hasCoupon: hasCoupon)
    }
}

extension Row {
    fileprivate mutating func facts(hasCoupon: Bool) -> Result<StoredCheckoutFacts, DatabaseFault> {
        do throws(PostgresError) { return .success(try nextFacts(hasCoupon: hasCoupon)) } catch {
            return .failure(DatabaseFault(error))
        }
    }

    private mutating func nextFacts(hasCoupon: Bool) throws(PostgresError) -> StoredCheckoutFacts {
        StoredCheckoutFacts(
            moment: try nextClockReading(), menuRevision: try next(), basket: try nextBasket(),
            placed: try nextPlacedOrder(), coupon: hasCoupon ? try nextCoupon() : nil,
            guestHistory: hasCoupon ? try nextGuestHistory() : .none)
    }

    private mutating func nextClockReading() throws(PostgresError) -> ClockReading {
        let now = Instant(try next(Timestamp.self))
        let date = try next(CalendarDate.self)
        guard let today = LocalDate(year: date.year, month: date.month, day: date.day) else {
            throw .undecodable("the shop's date is in year \(date.year)")
        }
        return ClockReading(now: now, today: today)
    }

    private mutating func nextPlacedOrder() throws(PostgresError) -> PlacedOrder? {
        let key = try next(String?.self)
        let fingerprint = try next([UInt8]?.self)
        guard let key, let fingerprint else { return nil }
        guard case .success(let key) = CheckoutIdempotencyKey.parse(key) else {
            throw .undecodable("an order has no valid idempotency key")
        }
        return PlacedOrder(key: key, fingerprint: fingerprint)
    }

    private mutating func nextCoupon() throws(PostgresError) -> Coupon? {
        let id = try next(Int64?.self)
        let key = try next(String?.self)
        let title = try next(String?.self)
        let benefit = try next(String?.self)
        let percent = try next(Int32?.self)
        let amount = try next(Int64?.self)
        let freeCategory = try next(Int64?.self)
        let condition = try next(String?.self)
        let startsAt = try next(Timestamp?.self)
        let endsAt = try next(Timestamp?.self)
        let minimumSubtotal = try next(Int64?.self)
        let redemptionLimit = try next(Int64?.self)
        let redeemed = try next(Int64?.self)
        let guestLimit = try next(Int32?.self)
        let guestPeriod = try next(String?.self)
        let version = try next(Int64?.self)
        guard let id else { return nil }

        let couponBenefit: CouponBenefit? =
            switch benefit {
            case "percent": percent.flatMap { Percent(Int($0)) }.map(CouponBenefit.percent)
            case "amount": amount.flatMap(Money.init(minorUnits:)).map(CouponBenefit.amount)
            case "free_item": freeCategory.map { .freeItem(CategoryID(rawValue: $0)) }
            default: nil
            }
        guard let couponBenefit, case .success(let key?)? = key.map(CouponKey.parse),
            let condition = condition.flatMap(CouponCondition.init),
            let guestPeriod = guestPeriod.flatMap(CouponPeriod.init), let redeemed, let title, let version
        else { throw .undecodable("coupon \(id) is incomplete") }
        return Coupon(
            id: CouponID(rawValue: id), key: key, title: title, benefit: couponBenefit, condition: condition,
            startsAt: startsAt.map(Instant.init), endsAt: endsAt.map(Instant.init),
            minimumSubtotal: minimumSubtotal.flatMap(Money.init(minorUnits:)), redemptionLimit: redemptionLimit,
            redemptionCount: redeemed, guestLimit: guestLimit.map(Int.init), guestPeriod: guestPeriod, version: version)
    }

    private mutating func nextGuestHistory() throws(PostgresError) -> GuestHistory {
        let hasOrdered = try next(Bool?.self)
        let uses = try next(Int32?.self)
        let numbers = try next([Int32]?.self)
        return GuestHistory(
            hasOrdered: hasOrdered ?? false, redemptionCount: Int(uses ?? 0), usedNumbers: (numbers ?? []).map(Int.init)
        )
    }
}
