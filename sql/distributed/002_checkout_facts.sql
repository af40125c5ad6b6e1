-- The facts of a batch of checkouts on a Citus cluster: what the server asks in one statement elsewhere (LoadCheckoutFacts.swift) joins
-- tables that lie apart here. The server calls this function where there is one. Read next: 003_foreign_keys.sql.
--
-- The steps read one after the other what a batch needs and no more: baskets and orders of one shard; the uses of coupons with a limit per
-- guest; and, for a coupon of the first order only, the guests' orders on all shards. place_orders makes sure of it all again.

create function load_checkout_facts(
    basket_ids uuid[], coupon_keys text[], phones text[], emails text[], phone_keys text[], email_keys text[]
) returns table (
    now timestamptz, year integer, month integer, day integer, revision bigint,
    id uuid, state text, version bigint, entry_sales bigint[], entry_items bigint[], entry_quantities integer[], entry_prices bigint[],
    idempotency_key text, fingerprint bytea,
    coupon_id bigint, key text, title text, benefit text, percent integer, amount bigint, free_category_id bigint, condition text,
    starts_at timestamptz, ends_at timestamptz, minimum_subtotal bigint, redemption_limit bigint, redeemed bigint,
    guest_limit integer, guest_period text, has_ordered boolean, uses integer, slots integer[]
)
language plpgsql as $$
#variable_conflict use_column
declare
    limited      bigint[]; -- the coupons whose uses count
    first_phones text[];   -- the guests who must not have ordered
    first_emails text[];
    past_phones  text[] := '{}';
    past_emails  text[] := '{}';
    use_coupons  bigint[];
    use_keys     text[];
    use_periods  integer[];
    use_slots    integer[];
    use_orders   uuid[];
begin
    select array_agg(distinct coupons.id) filter (where guest_limit is not null or condition = 'first_order'),
           array_agg(draft.phone) filter (where condition = 'first_order'), array_agg(draft.email) filter (where condition = 'first_order')
    into limited, first_phones, first_emails
    from unnest(coupon_keys, phones, emails) as draft (coupon_key, phone, email) join coupons on coupons.key = draft.coupon_key
    where draft.phone is not null;

    if limited is not null then
        select array_agg(coupon_uses.coupon_id), array_agg(guest_key), array_agg(period), array_agg(slot::integer), array_agg(order_id)
        into use_coupons, use_keys, use_periods, use_slots, use_orders
        from coupon_uses where coupon_uses.coupon_id = any (limited) and guest_key = any (phone_keys || email_keys);
    end if;
    if first_phones is not null then
        select coalesce(array_agg(phone), '{}'), coalesce(array_agg(lower(email collate "C")), '{}') into past_phones, past_emails
        from orders
        where state not in ('cancelled', 'rejected') and (phone = any (first_phones) or lower(email collate "C") = any (first_emails));
    end if;

    return query
    with clock as (
        select now(), (now() at time zone time_zone)::date as today, menu_revision.revision from shop cross join menu_revision
    ), found as materialized (
        select baskets.id, baskets.state, version, entry_sales, entry_items, entry_quantities, entry_prices, idempotency_key, fingerprint
        from baskets left join orders on orders.id = baskets.id and baskets.state = 'ordered'
        where baskets.id = any (basket_ids)
    )
    select clock.now, extract(year from today)::integer, extract(month from today)::integer, extract(day from today)::integer,
           clock.revision,
           found.id, found.state, found.version, found.entry_sales, found.entry_items, found.entry_quantities, found.entry_prices,
           found.idempotency_key, found.fingerprint,
           coupons.id, coupons.key, coupons.title, coupons.benefit, coupons.percent::integer, coupons.amount::bigint,
           coupons.free_category_id, coupons.condition, coupons.starts_at, coupons.ends_at, coupons.minimum_subtotal::bigint,
           coupons.redemption_limit::bigint, coupons.redeemed, coupons.guest_limit::integer, coupons.guest_period,
           case when coupons.condition = 'first_order' then
               coalesce(draft.phone = any (past_phones) or draft.email = any (past_emails), false) end,
           past.uses, past.slots
    from unnest(basket_ids, coupon_keys, phones, emails, phone_keys, email_keys)
             with ordinality as draft (basket_id, coupon_key, phone, email, phone_key, email_key, n)
    cross join clock
    left join found on found.id = draft.basket_id
    left join coupons on coupons.key = draft.coupon_key
    left join lateral (
        select count(distinct use.order_id)::integer as uses, array_agg(distinct use.slot) as slots
        from unnest(use_coupons, use_keys, use_periods, use_slots, use_orders) as use (coupon_id, guest_key, period, slot, order_id)
        where use.coupon_id = coupons.id and use.guest_key in (draft.phone_key, draft.email_key)
          and use.period = case when coupons.guest_period = 'calendar_year' and coupons.condition <> 'first_order'
                                then extract(year from today)::integer else 0 end
    ) as past on coupons.guest_limit is not null or coupons.condition = 'first_order'
    order by draft.n;
end $$;
