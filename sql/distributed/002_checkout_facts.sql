-- Loads the facts of a batch of checkouts on a Citus cluster. Elsewhere the server uses one statement
-- (LoadCheckoutFacts.swift), but it joins tables that are on different nodes here.
--
-- The steps read only what the batch needs. Without coupons, which is most batches, one statement on the worker of the
-- shard reads baskets and orders: a quarter of the work. Coupons with a guest limit or for first orders also need their
-- uses and the orders of the guests on all shards. place_orders verifies everything again.
--
-- Servers of the version before may need the facts of their own file, so load it when all servers have this version.

select to_regtype('stock_at_time') is null as is_first \gset
\if :is_first
-- An earlier order that redeemed a coupon.
create type past_use as (coupon_id bigint, phone text, email text, placed_at timestamptz, order_id uuid);

-- The stock at a wanted time.
create type stock_at_time as (wanted_at timestamptz, counts stock_count[]);
\endif

-- Returns the columns of CheckoutFactsRow.swift, in its order.
create or replace function load_checkout_facts(queries checkout_query[]) returns table (
    stock stock_count[], slots slot_use[], stock_then stock_count[], now timestamptz, today date, revision bigint,
    id uuid, state text, version bigint, currency text, lines_made bigint, lines basket_line[], options order_option[],
    idempotency_key text, fingerprint bytea,
    coupon_id bigint, key text, title text, benefit text, percent integer, amount bigint, free_category_id bigint,
    condition text, starts_at timestamptz, ends_at timestamptz, minimum_subtotal bigint, redemption_limit bigint,
    redeemed bigint, guest_limit integer, guest_period text, coupon_version bigint, has_ordered boolean, uses integer,
    used_numbers integer[]
)
language plpgsql as $$
#variable_conflict use_column
declare
    basket_ids   constant uuid[] := array(select basket_id from unnest(queries));
    this_day     date;
    menu         bigint;
    all_stock    stock_count[];   -- of everything that is counted; in the first row only
    stocks       stock_at_time[]; -- the same at the wanted times
    slots_in_use slot_use[];      -- of the wanted slots; in the first row only
    new_year     timestamptz;
    limited      bigint[]; -- coupons whose uses count; 0 for first orders
    phones       text[];   -- of all guests with a coupon
    emails       text[];
    guest_keys   text[];   -- of the same guests, as in coupon_uses
    pads         constant bytea := (select guest_key from shop_secrets); -- null: no order has hashed keys
    first_phones text[];   -- guests with a first-order coupon
    first_emails text[];
    known_phones text[] := '{}';
    known_emails text[] := '{}';
    numbers      coupon_use[];
    past_uses    past_use[];
    counted      bigint[]; -- the coupons of the batch
    redemptions  bigint[]; -- of the same coupons
begin
    select (now() at time zone time_zone)::date, date_trunc('year', now(), time_zone), menu_revision.revision
        into this_day, new_year, menu
    from shop cross join menu_revision;
    if exists (select from item_stock) or exists (select from option_stock) then
        all_stock := stock_left(null, null, array[now()]);
    end if;
    if exists (select from unnest(queries) as draft where draft.wanted_at is not null) then
        slots_in_use := slots_taken(array(select wanted_at from unnest(queries) where wanted_at is not null));
        if all_stock is not null then
            stocks := array(
                select row(draft.wanted_at, stock_left(null, null, array[draft.wanted_at]))::stock_at_time
                from (select distinct wanted_at from unnest(queries)) as draft where draft.wanted_at is not null);
        end if;
    end if;

    -- Each table has its own condition: Citus derives none from a join, and one table without a condition sends the
    -- statement to all shards.
    if not exists (select from unnest(queries) as draft where draft.coupon_key is not null) then
        return query
        select case when draft.ordinality = 1 then all_stock end, case when draft.ordinality = 1 then slots_in_use end,
            wanted.counts, now(), this_day, menu,
            baskets.id, baskets.state, baskets.version, baskets.currency, baskets.lines_made, baskets.lines,
            baskets.options, orders.idempotency_key, orders.fingerprint,
            null::bigint, null, null, null, null::integer, null::bigint, null::bigint, null, null::timestamptz,
            null::timestamptz, null::bigint, null::bigint, null::bigint, null::integer, null, null::bigint,
            null::boolean, null::integer, null::integer[]
        from unnest(queries) with ordinality as draft
        left join unnest(stocks) as wanted on wanted.wanted_at = draft.wanted_at
        left join baskets on baskets.id = any (basket_ids) and baskets.id = draft.basket_id
        left join orders on orders.id = any (basket_ids) and orders.id = draft.basket_id and baskets.state = 'ordered'
        order by draft.ordinality;
        return;
    end if;

    select array_agg(distinct case when condition = 'first_order' then 0
               else coupons.id end) filter (where guest_limit is not null or condition = 'first_order'),
           array_agg(draft.phone), array_agg(draft.email),
           array_agg('tel:' || draft.phone) || array_agg('mailto:' || draft.email),
           array_agg(draft.phone) filter (where condition = 'first_order'),
           array_agg(draft.email) filter (where condition = 'first_order')
    into limited, phones, emails, guest_keys, first_phones, first_emails
    from unnest(queries) as draft join coupons on coupons.key = draft.coupon_key
    where draft.phone is not null;

    -- Orders without personal data have hashed keys (030_personal_data.sql).
    if pads is not null then
        phones := phones || array(select hashed_guest_key('tel:' || phone, pads) from unnest(phones) as phone);
        emails := emails || array(select hashed_guest_key('mailto:' || email, pads) from unnest(emails) as email);
        guest_keys := guest_keys || array(
            select hashed_guest_key(guest_key, pads) from unnest(guest_keys) as guest_key);
    end if;
    if pads is not null and first_phones is not null then
        first_phones := first_phones || array(
            select hashed_guest_key('tel:' || phone, pads) from unnest(first_phones) as phone);
        first_emails := first_emails || array(
            select hashed_guest_key('mailto:' || email, pads) from unnest(first_emails) as email);
    end if;

    -- Once per coupon: with an old snapshot, a look-up passes all older versions of the row.
    select array_agg(coupon_redemptions.coupon_id), array_agg(redeemed) into counted, redemptions
    from coupon_redemptions where coupon_redemptions.coupon_id = any (array(
        select coupons.id from unnest(queries) as draft join coupons on coupons.key = draft.coupon_key));

    -- The uses are read before the orders: an order that is placed in between is counted, and place_orders rejects its
    -- use number.
    if limited is not null then
        select array_agg(row(coupon_uses.coupon_id, guest_key, period, use_number)::coupon_use) into numbers
        from coupon_uses where coupon_uses.coupon_id = any (limited) and guest_key = any (guest_keys);
        select array_agg(row(orders.coupon_id, phone, lower(email collate "C"), placed_at, orders.id)::past_use)
        into past_uses from orders
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
        select baskets.id, baskets.state, baskets.version, baskets.currency, baskets.lines_made, baskets.lines,
            baskets.options, orders.idempotency_key, orders.fingerprint
        from baskets left join orders on orders.id = any (basket_ids) and orders.id = baskets.id
            and baskets.state = 'ordered'
        where baskets.id = any (basket_ids)
    )
    select case when draft.ordinality = 1 then all_stock end, case when draft.ordinality = 1 then slots_in_use end,
        wanted.counts, now(), this_day, menu,
        found.id, found.state, found.version, found.currency, found.lines_made, found.lines, found.options,
        found.idempotency_key, found.fingerprint,
        coupons.id, coupons.key, coupons.title, coupons.benefit, coupons.percent::integer, coupons.amount::bigint,
        coupons.free_category_id, coupons.condition, coupons.starts_at, coupons.ends_at,
        coupons.minimum_subtotal::bigint, coupons.redemption_limit::bigint,
        redemptions[array_position(counted, coupons.id)],
        coupons.guest_limit::integer, coupons.guest_period, coupons.version,
        case when coupons.condition = 'first_order' then
            coalesce(draft.phone = any (known_phones) or draft.email = any (known_emails)
                or hashed_guest_key('tel:' || draft.phone, pads) = any (known_phones)
                or hashed_guest_key('mailto:' || draft.email, pads) = any (known_emails), false) end,
        used.orders, taken.numbers
    from unnest(queries) with ordinality as draft
    left join unnest(stocks) as wanted on wanted.wanted_at = draft.wanted_at
    left join found on found.id = draft.basket_id
    left join coupons on coupons.key = draft.coupon_key
    left join lateral (
        select count(distinct use.order_id)::integer as orders from unnest(past_uses) as use
        where use.coupon_id = coupons.id
          and (use.phone in (draft.phone, hashed_guest_key('tel:' || draft.phone, pads))
               or use.email in (draft.email, hashed_guest_key('mailto:' || draft.email, pads)))
          and (coupons.guest_period <> 'calendar_year' or use.placed_at >= new_year)
    ) as used on coupons.guest_limit is not null and coupons.condition <> 'first_order'
    left join lateral (
        select array_agg(distinct use.use_number::integer) as numbers from unnest(numbers) as use
        where use.coupon_id = case when coupons.condition = 'first_order' then 0 else coupons.id end
            and use.guest_key in ('tel:' || draft.phone, 'mailto:' || draft.email,
                hashed_guest_key('tel:' || draft.phone, pads), hashed_guest_key('mailto:' || draft.email, pads))
          and use.period = case when coupons.guest_period = 'calendar_year' and coupons.condition <> 'first_order'
                                then extract(year from this_day)::integer else 0 end
    ) as taken on coupons.guest_limit is not null or coupons.condition = 'first_order'
    order by draft.ordinality;
end $$;

-- The role that runs this file may have other default privileges than the owner of the shop (000_rules.sql).
revoke execute on function load_checkout_facts from public;
grant execute on function load_checkout_facts to welms_server;
