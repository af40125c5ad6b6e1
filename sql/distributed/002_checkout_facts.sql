-- Loads the facts of a batch of checkouts on a Citus cluster. Elsewhere the server uses one statement
-- (LoadCheckoutFacts.swift), but it joins tables that are on different nodes here.
--
-- The steps read only what the batch needs. Without coupons, which is most batches, one statement on the worker of the
-- shard reads baskets and orders: a quarter of the work. Coupons with a guest limit or for first orders also need their
-- uses and the orders of the guests on all shards. place_orders verifies everything again.

create function load_checkout_facts(
    basket_ids uuid[], coupon_keys text[], phones text[], emails text[], phone_keys text[], email_keys text[],
    wanted_ats timestamptz[]
) returns table (
    stock bigint[], slots bigint[], stock_then bigint[], now timestamptz, year integer, month integer, day integer,
    revision bigint,
    id uuid, state text, version bigint, currency text, lines_made bigint,
    line_sales bigint[], line_ids bigint[], line_items bigint[], line_quantities integer[], line_prices bigint[],
    line_notes text[],
    line_options jsonb[],
    idempotency_key text, fingerprint bytea,
    coupon_id bigint, key text, title text, benefit text, percent integer, amount bigint, free_category_id bigint,
    condition text,
    starts_at timestamptz, ends_at timestamptz, minimum_subtotal bigint, redemption_limit bigint, redeemed bigint,
    guest_limit integer, guest_period text, coupon_version bigint, has_ordered boolean, uses integer,
        used_numbers integer[]
)
language plpgsql as $$
#variable_conflict use_column
declare
    today        date;
    menu         bigint;
    stock        bigint[]; -- of everything that is counted; in the first row only
    -- the same at the wanted time of each draft; as text, because arrays of different lengths cannot be elements
    stocks_at_wanted_times  text[];
    slots_in_use       bigint[]; -- in the first row only
    new_year     timestamptz;
    limited      bigint[]; -- coupons whose uses count; 0 for first orders
    first_phones text[];   -- guests with a first-order coupon
    first_emails text[];
    known_phones  text[] := '{}';
    known_emails  text[] := '{}';
    use_coupons  bigint[];
    use_keys     text[];
    use_periods  integer[];
    use_numbers    integer[];
    used_coupons bigint[]; -- and the orders that used them
    used_phones  text[];
    used_emails  text[];
    used_times   timestamptz[];
    used_orders  uuid[];
begin
    select (now() at time zone time_zone)::date, date_trunc('year', now(), time_zone), menu_revision.revision
        into today, new_year, menu
    from shop cross join menu_revision;
    if exists (select from item_stock) or exists (select from option_stock) then
        stock := stock_left(null, null, array[now()]);
    end if;
    if wanted_ats is not null then
        slots_in_use := slots_taken(now());
        if stock is not null then
            stocks_at_wanted_times := array(select case when draft.wanted_at is not null then stock_left(null, null,
                array[draft.wanted_at])::text end
                                 from unnest(wanted_ats) with ordinality as draft (wanted_at, n) order by draft.n);
        end if;
    end if;

    -- Each table has its own condition: Citus derives none from a join, and one table without a condition sends the
    -- statement to all shards.
    if coalesce(array_length(array_remove(coupon_keys, null), 1), 0) = 0 then
        return query
        select case when draft.n = 1 then stock end, case when draft.n = 1 then slots_in_use end,
               draft.stock_then::bigint[], now(), extract(year from today)::integer,
                   extract(month from today)::integer, extract(day from today)::integer, menu,
               baskets.id, baskets.state, version, baskets.currency, lines_made, baskets.line_sales, baskets.line_ids,
               baskets.line_items,
               baskets.line_quantities, baskets.line_prices, baskets.line_notes, baskets.line_options,
               idempotency_key, fingerprint,
               null::bigint, null, null, null, null::integer, null::bigint, null::bigint, null, null::timestamptz,
               null::timestamptz,
               null::bigint, null::bigint, null::bigint, null::integer, null, null::bigint, null::boolean,
                   null::integer, null::integer[]
        from unnest(basket_ids, stocks_at_wanted_times) with ordinality as draft (basket_id, stock_then, n)
        left join baskets on baskets.id = any (basket_ids) and baskets.id = draft.basket_id
        left join orders on orders.id = any (basket_ids) and orders.id = draft.basket_id and baskets.state = 'ordered'
        order by draft.n;
        return;
    end if;

    select array_agg(distinct case when condition = 'first_order' then 0
        else coupons.id end) filter (where guest_limit is not null or condition = 'first_order'),
           array_agg(draft.phone) filter (where condition = 'first_order'),
               array_agg(draft.email) filter (where condition = 'first_order')
    into limited, first_phones, first_emails
    from unnest(coupon_keys, phones, emails) as draft (coupon_key, phone, email) join coupons
        on coupons.key = draft.coupon_key
    where draft.phone is not null;

    -- The uses are read before the orders: an order that is placed in between is counted, and place_orders rejects its
    -- use number.
    if limited is not null then
        select array_agg(coupon_uses.coupon_id), array_agg(guest_key), array_agg(period), array_agg(use_number::integer)
        into use_coupons, use_keys, use_periods, use_numbers
        from coupon_uses where coupon_uses.coupon_id = any (limited) and guest_key = any (phone_keys || email_keys);
        select array_agg(orders.coupon_id), array_agg(phone), array_agg(lower(email collate "C")),
            array_agg(placed_at), array_agg(orders.id)
        into used_coupons, used_phones, used_emails, used_times, used_orders
        from orders
        where orders.coupon_id = any (limited) and orders.state not in ('cancelled', 'rejected')
          and (phone = any (phones) or lower(email collate "C") = any (emails));
    end if;
    if first_phones is not null then
        select coalesce(array_agg(phone), '{}'), coalesce(array_agg(lower(email collate "C")), '{}')
            into known_phones, known_emails
        from orders
        where orders.state not in ('cancelled', 'rejected')
            and (phone = any (first_phones) or lower(email collate "C") = any (first_emails));
    end if;

    return query
    with found as materialized (
        select baskets.id, baskets.state, version, baskets.currency, lines_made, baskets.line_sales, baskets.line_ids,
            baskets.line_items,
               baskets.line_quantities, baskets.line_prices, baskets.line_notes, baskets.line_options, idempotency_key,
                   fingerprint
        from baskets left join orders on orders.id = any (basket_ids) and orders.id = baskets.id
            and baskets.state = 'ordered'
        where baskets.id = any (basket_ids)
    )
    select case when draft.n = 1 then stock end, case when draft.n = 1 then slots_in_use end,
               draft.stock_then::bigint[], now(), extract(year from today)::integer,
                   extract(month from today)::integer, extract(day from today)::integer, menu,
           found.id, found.state, found.version, found.currency, found.lines_made, found.line_sales, found.line_ids,
           found.line_items,
           found.line_quantities, found.line_prices, found.line_notes, found.line_options,
           found.idempotency_key, found.fingerprint,
           coupons.id, coupons.key, coupons.title, coupons.benefit, coupons.percent::integer, coupons.amount::bigint,
           coupons.free_category_id, coupons.condition, coupons.starts_at, coupons.ends_at,
           coupons.minimum_subtotal::bigint,
           coupons.redemption_limit::bigint,
               (select redeemed from coupon_redemptions where coupon_redemptions.coupon_id = coupons.id),
               coupons.guest_limit::integer, coupons.guest_period, coupons.version,
           case when coupons.condition = 'first_order' then
               coalesce(draft.phone = any (known_phones) or draft.email = any (known_emails), false) end,
           used.orders, taken.numbers
    from unnest(basket_ids, coupon_keys, phones, emails, phone_keys, email_keys, stocks_at_wanted_times)
             with ordinality as draft (basket_id, coupon_key, phone, email, phone_key, email_key, stock_then, n)
    left join found on found.id = draft.basket_id
    left join coupons on coupons.key = draft.coupon_key
    left join lateral (
        select count(distinct use.order_id)::integer as orders
        from unnest(used_coupons, used_phones, used_emails, used_times, used_orders) as use (coupon_id, phone, email,
            at, order_id)
        where use.coupon_id = coupons.id and (use.phone = draft.phone or use.email = draft.email)
          and (coupons.guest_period <> 'calendar_year' or use.at >= new_year)
    ) as used on coupons.guest_limit is not null and coupons.condition <> 'first_order'
    left join lateral (
        select array_agg(distinct use.use_number) as numbers
        from unnest(use_coupons, use_keys, use_periods, use_numbers) as use (coupon_id, guest_key, period, use_number)
        where use.coupon_id = case when coupons.condition = 'first_order' then 0 else coupons.id end
            and use.guest_key in (draft.phone_key, draft.email_key)
          and use.period = case when coupons.guest_period = 'calendar_year' and coupons.condition <> 'first_order'
                                then extract(year from today)::integer else 0 end
    ) as taken on coupons.guest_limit is not null or coupons.condition = 'first_order'
    order by draft.n;
end $$;

-- The role that runs this file may have other default privileges than the owner of the shop (000_rules.sql).
revoke execute on function load_checkout_facts from public;
grant execute on function load_checkout_facts to welms_server;
