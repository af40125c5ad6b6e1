// Loads the facts of a batch of checkouts in one statement, so that prices, times and limits are judged at one moment.
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
    /// The occupancy of the slots that the batch wants.
    fileprivate(set) var slots = SlotOccupancy.none

    /// The facts from which the draft is decided.
    package func facts(menu: Menu) -> CheckoutFacts {
        CheckoutFacts(
            clockReading: moment, menu: menu, basket: basket, placedOrder: placed, coupon: coupon,
            guestHistory: guestHistory, stock: stock, slotOccupancy: slots)
    }
}

extension ShopDatabase {
    /// Returns one result per query, in the same order. A row that cannot be decoded fails only its own draft.
    package func loadCheckoutFacts(_ queries: [CheckoutFactsQuery]) async throws(DatabaseFault) -> [Result<
        StoredCheckoutFacts, DatabaseFault
    >] {
        let hasCoupon = isDistributed || queries.contains { $0.coupon != nil }
        let statement =
            isDistributed
            ? Self.distributedFactsStatement : hasCoupon ? Self.checkoutFactsStatement : Self.plainFactsStatement
        let rows = try await query(statement, .reads, queries.map { CheckoutQueryRecord($0) }) {
            row throws(PostgresError) in try CheckoutFactsRow(&row, hasCoupon: hasCoupon)
        }
        guard rows.count == queries.count else {
            throw .undecodable("\(rows.count) facts for \(queries.count) drafts")
        }
        let (stock, slots) = (rows.first?.stock, rows.first?.slots)
        if stock == nil, slots == nil { return rows.map(\.facts) }
        // Most drafts of a batch order for the same time.
        var levels: [Instant: StockLevels] = [:]
        return zip(rows, queries).map { row, query in
            row.facts.map { facts in
                var facts = facts
                let moment = query.wantedAt ?? facts.moment.now
                if let known = row.stockAtWantedTime ?? levels[moment] {
                    facts.stock = known
                } else if let stock {
                    facts.stock = stock.levels(at: moment)
                    levels[moment] = facts.stock
                }
                facts.slots = slots ?? .none
                return facts
            }
        }
    }

    // The stock and the slots of the batch, only in the first row, and the draft's basket. Only the function for Citus
    // returns a stock for each wanted time.
    private static let plainColumns = """
        case when draft.ordinality = 1 then clock.stock end as stock,
               case when draft.ordinality = 1 then clock.slots end as slots,
               null::stock_count[] as stock_then, clock.now, clock.today, clock.revision,
               \(Row.basketColumns),
               placed.idempotency_key, placed.fingerprint
        """

    // The stock is read once per batch, and only if something is counted. With more than 50 counted items, only those
    // in the baskets are read. Of the slots, only those that the batch wants are read.
    // `offset 0` keeps one lookup per row: with a free join, a plan made on empty tables would read whole tables for
    // each batch. The order is looked up only if the basket has been ordered.
    private static let drafts = """
        from (select now(), clock.today, clock.new_year, clock.revision,
                     case when exists (select from item_stock) or exists (select from option_stock) then
                         stock_left(case when (select count(*) from item_stock) > 50 then
                             array(select line.menu_item_id from unnest($1::checkout_query[]) as draft
                                   cross join lateral (select lines from baskets
                                                       where id = draft.basket_id offset 0) as basket
                                   cross join unnest(basket.lines) as line) end,
                             null, array(select distinct coalesce(draft.wanted_at, now())
                                         from unnest($1::checkout_query[]) as draft)) end as stock,
                     case when exists (select from unnest($1::checkout_query[]) as draft
                                       where draft.wanted_at is not null) then
                         slots_taken(array(select draft.wanted_at from unnest($1::checkout_query[]) as draft
                                           where draft.wanted_at is not null)) end as slots
              from (select (now() at time zone time_zone)::date as today,
                           date_trunc('year', now(), time_zone) as new_year, revision
                    from shop cross join menu_revision) as clock
              offset 0) as clock
        cross join unnest($1::checkout_query[]) with ordinality as draft
        left join lateral (select * from baskets where id = draft.basket_id offset 0) as baskets on true
        left join lateral (
            select idempotency_key, fingerprint from orders
                where baskets.state = 'ordered' and orders.id = draft.basket_id offset 0
        ) as placed on true
        """

    // The facts without coupons, which most batches do not have: a third of the work.
    static let plainFactsStatement = Statement(
        "load_plain_facts",
        """
        select \(plainColumns)
        \(drafts)
        order by draft.ordinality
        """)

    // The same as `checkoutFactsStatement` on Citus: sql/distributed/002_checkout_facts.sql.
    private static let distributedFactsStatement = Statement(
        "load_distributed_facts", "select \(CheckoutFactsRow.columns) from load_checkout_facts($1)")

    // One row per draft. The guest history is read only for coupons that need it: existing orders, uses of this coupon,
    // and used numbers. Each guest key has its own subquery, and `is true` keeps the time condition off the indexes: a
    // plan made on empty tables would otherwise read all uses and orders.
    // No guest limit exceeds 100, so `limit 100` bounds the cost for guests with many orders.
    // The orders without personal data have hashed keys (sql/030_personal_data.sql). Their part of the history is read
    // only if the shop has a key for them, which it gets with the first of these orders: the function is strict.
    // `offset 0` calls it once per row.
    // The index of the redemptions is read backward: while a transaction holds an old snapshot, a look-up by equality
    // passes all older versions (sql/028_old_snapshots.sql). Without one, a single read per batch costs 15 µs more.
    static let checkoutFactsStatement = Statement(
        "load_checkout_facts",
        """
        select \(plainColumns),
               coupons.id as coupon_id, coupons.key, coupons.title, benefit, percent::integer, amount::bigint,
               free_category_id, condition, starts_at, ends_at, minimum_subtotal::bigint, redemption_limit::bigint,
               (select redeemed from coupon_redemptions where coupon_id >= coupons.id and coupon_id <= coupons.id
                order by coupon_id desc limit 1) as redeemed,
               guest_limit::integer, guest_period, coupons.version as coupon_version,
               case when condition = 'first_order' then
                   exists (select from orders where phone = draft.phone and state not in ('cancelled', 'rejected'))
                   or exists (select from orders where lower(email collate "C") = draft.email
                       and state not in ('cancelled', 'rejected'))
                   or coalesce((hashed.history).has_ordered, false) end as has_ordered,
               case when coupon.counted is not null then coalesce((hashed.history).uses, 0) + (
                   select count(distinct order_id)::integer
                   from ((select orders.id as order_id from orders
                          where orders.phone = draft.phone and orders.coupon_id = coupon.counted
                              and (placed_at >= coupon.since) is true
                            and orders.state not in ('cancelled', 'rejected') limit 100)
                         union all
                         (select orders.id from orders
                          where lower(orders.email collate "C") = draft.email and orders.coupon_id = coupon.counted
                              and (placed_at >= coupon.since) is true
                            and orders.state not in ('cancelled', 'rejected') limit 100)) as use) end as uses,
               case when coupon.used_up is not null then array(
                   select use_number::integer from coupon_uses
                   where coupon_id = coupon.used_up and guest_key = 'tel:' || draft.phone
                       and coupon_uses.period = coupon.period
                   union all
                   select use_number::integer from coupon_uses
                   where coupon_id = coupon.used_up and guest_key = 'mailto:' || draft.email
                       and coupon_uses.period = coupon.period) || (hashed.history).used_numbers end as used_numbers
        \(drafts)
        left join coupons on coupons.key = draft.coupon_key
        cross join lateral (
            select case when guest_period = 'calendar_year' and condition <> 'first_order'
                        then extract(year from clock.today)::integer else 0 end,
                   case when guest_period = 'calendar_year' then clock.new_year else '-infinity' end,
                   -- The coupon of the used numbers (see coupon_uses), and the coupon whose orders count.
                   case when condition = 'first_order' then 0 when guest_limit is not null then coupons.id end,
                   case when condition <> 'first_order' and guest_limit is not null then coupons.id end
        ) as coupon (period, since, used_up, counted)
        cross join lateral (
            select hashed_guest_history((select guest_key from shop_secrets), draft.phone, draft.email,
                       coupon.used_up, coalesce(coupon.counted, 0), coupon.since, coupon.period) as history
            offset 0
        ) as hashed
        order by draft.ordinality
        """)
}
