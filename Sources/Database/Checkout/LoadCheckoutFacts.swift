// Loads the facts of a batch of checkouts in one statement, so that prices, times and limits are judged at one moment.
import FoundationEssentials
import Ordering
import Postgres

/// The facts about one draft, without the menu: the caller adds a menu of at least `menuRevision`.
package struct StoredCheckoutFacts: Sendable {
    let moment: ClockReading
    /// The menu revision at that moment.
    package let menuRevision: Int64
    package let basket: Basket?
    let placed: PlacedOrder?
    let coupon: Coupon?
    let guestHistory: GuestHistory
    /// The stock left of at least all items in the batch's baskets.
    fileprivate(set) var stock = StockLevels.untracked
    /// The slots taken; read only if a draft of the batch has a wanted time.
    fileprivate(set) var slots = SlotOccupancy.none

    /// The facts from which the draft is decided.
    package func facts(menu: Menu) -> CheckoutFacts {
        CheckoutFacts(
            clockReading: moment, menu: menu, basket: basket, placedOrder: placed, coupon: coupon,
            guestHistory: guestHistory, stock: stock, slotOccupancy: slots)
    }
}

/// The query for one draft. The guest is nil without a coupon, with invalid fields, and while the form is being filled.
package struct CheckoutFactsQuery: Sendable {
    let basketID: BasketID
    let coupon: CouponKey?
    let guest: Guest?
    /// The wanted time; nil: as soon as possible.
    let wantedAt: Instant?

    struct Guest: Sendable {
        let phone: String
        let email: String
        let keys: [String]
    }

    package init(_ draft: CheckoutDraft) {
        basketID = draft.basketID
        coupon = draft.form.parsedCouponKey
        wantedAt = draft.form.parsedWantedTime
        if case .success(let details) = draft.validation, coupon != nil {
            guest = Guest(phone: details.phone.e164, email: details.email.comparisonKey, keys: details.guestKeys)
        } else {
            guest = nil
        }
    }

    package init(basketID: BasketID, form: CheckoutForm) {
        self.init(basketID: basketID, coupon: form.parsedCouponKey, wantedAt: form.parsedWantedTime)
    }

    init(basketID: BasketID, coupon: CouponKey?, wantedAt: Instant? = nil) {
        (self.basketID, self.coupon, guest, self.wantedAt) = (basketID, coupon, nil, wantedAt)
    }
}

extension ShopDatabase {
    /// Returns one result per query, in the same order. A row that cannot be decoded fails only its own draft.
    package func loadCheckoutFacts(_ questions: [CheckoutFactsQuery]) async throws(DatabaseFault) -> [Result<
        StoredCheckoutFacts, DatabaseFault
    >] {
        let rows: [FactsRow]
        // Most batches have no wanted time; then slots are not read.
        let wanted = questions.contains { $0.wantedAt != nil } ? questions.map { $0.wantedAt?.timestamp } : nil
        if !isDistributed, questions.allSatisfy({ $0.coupon == nil }) {
            rows = try await query(Self.plainFactsStatement, .reads, questions.map(\.basketID.uuid), wanted) {
                row throws(PostgresError) in
                FactsRow(
                    stock: try row.nextStock(), slots: try row.nextSlots(), stockAtWantedTime: try row.nextStock(),
                    facts: row.facts(hasCoupon: false))
            }
        } else {
            rows = try await query(
                isDistributed ? Self.distributedFactsStatement : Self.checkoutFactsStatement, .reads,
                questions.map(\.basketID.uuid),
                // Closures, because a key path through an optional is resolved at run time.
                questions.map { $0.coupon?.text }, questions.map { $0.guest?.phone }, questions.map { $0.guest?.email },
                questions.map { $0.guest?.keys.first }, questions.map { $0.guest?.keys.last }, wanted
            ) { row throws(PostgresError) in
                FactsRow(
                    stock: try row.nextStock(), slots: try row.nextSlots(), stockAtWantedTime: try row.nextStock(),
                    facts: row.facts(hasCoupon: true))
            }
        }
        guard rows.count == questions.count else {
            throw .undecodable("\(rows.count) facts for \(questions.count) drafts")
        }
        let (stock, slots) = (rows.first?.stock, rows.first?.slots)
        if stock == nil, slots == nil { return rows.map(\.facts) }
        return zip(rows, questions).map { row, question in
            row.facts.map { facts in
                var facts = facts
                facts.stock = (question.wantedAt == nil ? stock : row.stockAtWantedTime) ?? .untracked
                facts.slots = slots ?? .none
                return facts
            }
        }
    }

    // Once per batch, and only if something is counted. With more than 50 counted items, only those in the baskets are
    // read.
    private static let stockOfBaskets = """
        case when exists (select from item_stock) or exists (select from option_stock) then
            stock_left(case when (select count(*) from item_stock) > 50 then
                array(select unnest(line_items) from baskets where baskets.id = any ($1)) end, null, array[now()]) end
        """

    // The stock and the slots of the batch, only in the first row, and the stock on the day of the draft's wanted time.
    private static let counts = """
        case when draft.n = 1 then clock.stock end, case when draft.n = 1 then clock.slots end,
               case when draft.wanted_at is not null and clock.stock is not null
                    then stock_left(null, null, array[draft.wanted_at]) end
        """

    // `offset 0` keeps one lookup per row: with a free join, a plan made on empty tables would read whole tables for
    // each batch. The order is looked up only if the basket has been ordered.
    private static let basketAndOrder = """
        left join lateral (select * from baskets where id = draft.basket_id offset 0) as baskets on true
        left join lateral (
            select idempotency_key, fingerprint from orders
                where baskets.state = 'ordered' and orders.id = draft.basket_id offset 0
        ) as placed on true
        """

    // The facts without coupons, which most batches do not have: a third of the work.
    private static let plainFactsStatement = Statement(
        "load_plain_facts",
        """
        select \(counts), clock.now, clock.year, clock.month, clock.day, clock.revision,
               \(Row.basketColumns),
               placed.idempotency_key, placed.fingerprint
        from (select now(), extract(year from today)::integer as year, extract(month from today)::integer as month,
                     extract(day from today)::integer as day, revision,
                     \(stockOfBaskets) as stock,
                         case when $2::timestamptz[] is not null then slots_taken(now()) end as slots
              from (select (now() at time zone time_zone)::date as today, revision
                    from shop cross join menu_revision) as clock
              offset 0) as clock
        cross join unnest($1::uuid[], $2::timestamptz[]) with ordinality as draft (basket_id, wanted_at, n)
        \(basketAndOrder)
        order by draft.n
        """)

    // The columns of `checkoutFactsStatement` on Citus: sql/distributed/002_checkout_facts.sql.
    private static let distributedFactsStatement = Statement(
        "load_distributed_facts", "select * from load_checkout_facts($1, $2, $3, $4, $5, $6, $7)")

    // One row per draft. The guest history is read only for coupons that need it: existing orders, uses of this coupon,
    // and used numbers. Each guest key has its own subquery, and `is true` keeps the time condition off the indexes: a
    // plan made on empty tables would otherwise read all uses and orders.
    // No guest limit exceeds 100, so `limit 100` bounds the cost for guests with many orders.
    private static let checkoutFactsStatement = Statement(
        "load_checkout_facts",
        """
        select \(counts), clock.now, clock.year, clock.month, clock.day, clock.revision,
               \(Row.basketColumns),
               placed.idempotency_key, placed.fingerprint,
               coupons.id, coupons.key, coupons.title, benefit, percent::integer, amount::bigint, free_category_id,
               condition, starts_at, ends_at,
               minimum_subtotal::bigint, redemption_limit::bigint,
                   (select redeemed from coupon_redemptions where coupon_id = coupons.id),
               guest_limit::integer, guest_period, coupons.version,
               case when condition = 'first_order' then
                   exists (select from orders where phone = draft.phone and state not in ('cancelled', 'rejected'))
                   or exists (select from orders where lower(email collate "C") = draft.email
                       and state not in ('cancelled', 'rejected')) end,
               case when coupon.counted is not null then (
                   select count(distinct order_id)::integer
                   from ((select orders.id as order_id from orders
                          where orders.phone = draft.phone and orders.coupon_id = coupon.counted
                              and (placed_at >= coupon.since) is true
                            and orders.state not in ('cancelled', 'rejected') limit 100)
                         union all
                         (select orders.id from orders
                          where lower(orders.email collate "C") = draft.email and orders.coupon_id = coupon.counted
                              and (placed_at >= coupon.since) is true
                            and orders.state not in ('cancelled', 'rejected') limit 100)) as use) end,
               case when coupon.used_up is not null then array(
                   select use_number::integer from coupon_uses
                   where coupon_id = coupon.used_up and guest_key = draft.phone_key
                       and coupon_uses.period = coupon.period
                   union all
                   select use_number::integer from coupon_uses
                   where coupon_id = coupon.used_up and guest_key = draft.email_key
                       and coupon_uses.period = coupon.period) end
        from (select now(), extract(year from today)::integer as year, extract(month from today)::integer as month,
                     extract(day from today)::integer as day, new_year, revision,
                     \(stockOfBaskets) as stock,
                         case when $7::timestamptz[] is not null then slots_taken(now()) end as slots
              from (select (now() at time zone time_zone)::date as today,
                  date_trunc('year', now(), time_zone) as new_year, revision
                    from shop cross join menu_revision) as clock
              offset 0) as clock
        cross join unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])
                 with ordinality as draft (basket_id, coupon_key, phone, email, phone_key, email_key, wanted_at, n)
        \(basketAndOrder)
        left join coupons on coupons.key = draft.coupon_key
        cross join lateral (
            select case when guest_period = 'calendar_year' and condition <> 'first_order' then clock.year else 0 end,
                   case when guest_period = 'calendar_year' then clock.new_year else '-infinity' end,
                   -- The coupon of the used numbers (see coupon_uses), and the coupon whose orders count.
                   case when condition = 'first_order' then 0 when guest_limit is not null then coupons.id end,
                   case when condition <> 'first_order' and guest_limit is not null then coupons.id end
        ) as coupon (period, since, used_up, counted)
        order by draft.n
        """)
}

/// The facts of one draft. Only the first row of a batch contains `stock` and `slots`.
private struct FactsRow: Sendable {
    let stock: StockLevels?
    let slots: SlotOccupancy?
    /// The stock left on the day of the wanted time.
    let stockAtWantedTime: StockLevels?
    let facts: Result<StoredCheckoutFacts, DatabaseFault>
}

extension Row {
    fileprivate mutating func facts(hasCoupon: Bool) -> Result<StoredCheckoutFacts, DatabaseFault> {
        do throws(PostgresError) { return .success(try nextFacts(hasCoupon: hasCoupon)) } catch {
            return .failure(DatabaseFault(error))
        }
    }

    private mutating func nextFacts(hasCoupon: Bool) throws(PostgresError) -> StoredCheckoutFacts {
        let now = Instant(try next(Timestamp.self))
        let (year, month, day) = (try next(Int32.self), try next(Int32.self), try next(Int32.self))
        guard let today = LocalDate(year: Int(year), month: Int(month), day: Int(day)) else {
            throw .undecodable("\(year)-\(month)-\(day) is no date")
        }
        return StoredCheckoutFacts(
            moment: ClockReading(now: now, today: today), menuRevision: try next(), basket: try nextBasket(),
            placed: try nextPlacedOrder(),
            coupon: hasCoupon ? try nextCoupon() : nil,
            guestHistory: hasCoupon ? try nextGuestHistory() : .none)
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
        let (id, key, title) = (try next(Int64?.self), try next(String?.self), try next(String?.self))
        let (benefit, percent, amount) = (try next(String?.self), try next(Int32?.self), try next(Int64?.self))
        let (freeCategory, condition) = (try next(Int64?.self), try next(String?.self))
        let (startsAt, endsAt, minimum) = (try next(Timestamp?.self), try next(Timestamp?.self), try next(Int64?.self))
        let (limit, redeemed) = (try next(Int64?.self), try next(Int64?.self))
        let (guestLimit, guestPeriod, version) = (try next(Int32?.self), try next(String?.self), try next(Int64?.self))
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
            startsAt: startsAt.map(Instant.init),
            endsAt: endsAt.map(Instant.init), minimumSubtotal: minimum.flatMap(Money.init(minorUnits:)),
            redemptionLimit: limit,
            redemptionCount: redeemed, guestLimit: guestLimit.map(Int.init), guestPeriod: guestPeriod, version: version)
    }

    private mutating func nextGuestHistory() throws(PostgresError) -> GuestHistory {
        let (hasOrdered, uses, numbers) = (try next(Bool?.self), try next(Int32?.self), try next([Int32]?.self))
        return GuestHistory(
            hasOrdered: hasOrdered ?? false, redemptionCount: Int(uses ?? 0), usedNumbers: (numbers ?? []).map(Int.init)
        )
    }
}
