-- Places the orders of a whole batch of checkouts in one call, which is one transaction. The caller has decided each from
-- one snapshot; this makes sure that what it decided from still holds, under row locks and each statement with a fresh
-- snapshot. It filters and never raises: an order that is not returned was not placed, and nothing of it remains.
-- Called by PlaceOrders.swift. Read next: 007_order_steps.sql.
--
-- orders[n] of every array is one order, in the order of their ids, so that two calls lock in the same order. (Found
-- by a bitmap scan they would be locked in the order in which they lie.)
-- The lines of all orders stand behind one another, one array a column; order n has those from firsts[n] to lasts[n]. So does what stands
-- between their subtotals and totals, in totals_*. An array that would hold nothing for any order is null: mostly no order has a coupon (and discounts
-- are null with it), a comment, a postcode or a time, all are delivered (fulfilments) and in English (languages), and the two sums are called as the program
-- calls them (subtotal_titles, sum_titles).
-- coupon_versions are those that the orders were decided by. uses_* are the rows for coupon_uses, two for an order whose coupon has a limit per
-- guest or is for a first order (uses_order is its n).
-- stock_* are what the orders take of what is counted, see take_stock.
-- An order for a time, wanted_ats, takes its place of that slot, with so many dishes.
-- any_basket is one of the ids: where the tables are spread over machines, it names the one that does the work. There each statement also
-- says which baskets, or which coupon, it is for, in values that are known before it is planned, or it is sent to all shards.
-- What was decided holds from holds_from[n] on and before holds_until[n], null being without bound: an order that finds itself outside is not placed.
-- at is the moment that the facts were read, and then menu is null. Without a look at the facts at is null, which means now, and menu is
-- the revision of the menu that the orders were priced by: where another one counts by now, nothing is placed.

create function place_orders(
    any_basket uuid, at timestamptz, menu bigint, the_currency text, ids uuid[], versions bigint[], keys text[], fingerprints bytea[],
    names text[], phones text[], emails text[], addresses text[], comments text[],
    coupon_keys text[], coupon_ids bigint[], coupon_versions bigint[], subtotals bigint[], discounts bigint[], totals bigint[], etas integer[], minimum_ages integer[],
    fulfilments text[], postcodes text[], wanted_ats timestamptz[], slot_items integer[],
    total_firsts integer[], total_lasts integer[], totals_kinds text[], totals_codes text[], totals_titles text[], totals_amounts bigint[], totals_are_included boolean[],
    totals_rates text[], totals_nets bigint[], subtotal_titles text[], sum_titles text[], holds_from timestamptz[], holds_until timestamptz[], languages text[],
    firsts integer[], lasts integer[], line_numbers bigint[], sales bigint[], items bigint[], quantities integer[], prices bigint[], notes text[], options jsonb[],
    kinds text[], titles text[], regular_prices bigint[], shares bigint[], taxes bigint[], sale_titles text[],
    uses_order integer[], uses_coupon bigint[], uses_guest_key text[], uses_period integer[], uses_number integer[],
    stock_subjects text[], stock_things bigint[], stock_moments timestamptz[], stock_takers integer[], stock_parts integer[], stock_units bigint[]
) returns table (id uuid, number text, placed_at timestamptz, day_number integer)
language plpgsql set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    one     record;
    closed  uuid[] := '{}'; -- the baskets that are ours
    placed  uuid[];         -- the orders that are written
    numbers text[];         -- of each draft that becomes an order: its number
    days    integer[];      -- and its number of the day; null: the server gives it later (number_orders)
    lost    uuid[] := '{}'; -- baskets closed here whose order can't be placed
    clock   timestamptz := now();
    secret  bytea := (select order_number from shop_secrets);
    coupon  record;
    use     record;
    taken   bigint;
    no_place uuid[] := '{}'; -- orders whose slot has no place
    short   uuid[] := '{}'; -- orders for which not enough is left of something
begin
    if menu is not null then
        if menu <> (select revision from menu_revision) then return; end if;
    end if;
    at := coalesce(at, clock);

    -- 1. Close the baskets that are as they were priced, and whose decision holds at this moment. From here on they are ours: nobody else can place or change them.
    --    In a loop, because Citus keeps what a common table expression returns in a file.
    for one in
        update baskets set state = 'ordered'
        where baskets.id = any (ids) and baskets.version = versions[array_position(ids, baskets.id)] and baskets.state = 'open'
          and (holds_from is null or (holds_from[array_position(ids, baskets.id)] <= clock) is not false)
          and (holds_until is null or (clock < holds_until[array_position(ids, baskets.id)]) is not false)
        returning baskets.id
    loop
        closed := closed || one.id;
    end loop;

    -- 2. Enter the guests' uses. A guest whose phone or email has the use already loses.
    if cardinality(uses_order) > 0 then
        with wanted as (
            select ids[use.n] as order_id, coupon_id, guest_key, period, use_number
            from unnest(uses_order, uses_coupon, uses_guest_key, uses_period, uses_number) as use (n, coupon_id, guest_key, period, use_number)
            where ids[use.n] = any (closed)
        ), entered as (
            insert into coupon_uses (coupon_id, guest_key, period, use_number, order_id)
            select coupon_id, guest_key, period, use_number, order_id from wanted order by coupon_id, guest_key
            on conflict do nothing
            returning coupon_uses.order_id, coupon_uses.guest_key
        )
        select coalesce(array_agg(distinct order_id), '{}') into lost
        from wanted where not exists (select from entered where entered.order_id = wanted.order_id and entered.guest_key = wanted.guest_key);
    end if;

    -- 3. Write the orders. Without RETURNING, for the same reason: their numbers are drawn before.
    placed := array(select draft.id from unnest(closed) as draft (id) where draft.id <> all (lost));
    numbers := array(select case when draft.id = any (placed) then order_number(nextval('order_sequence'), secret) end
                     from unnest(ids) as draft (id));
    -- A pre-order gets its number of the day when it is due. Drawn here and not after the counters below, because an
    -- order's row is written once: an order that loses at one of them leaves a gap.
    if cardinality(placed) > 0 then
        days := draw_day_numbers(at, numbers, wanted_ats);
    end if;
    insert into orders (id, number, idempotency_key, fingerprint, name, phone, email, address, postcode, comment, fulfilment, wanted_at, slot_items,
                        coupon_key, coupon_id, line_ids, line_items, line_kinds, line_titles, line_quantities, line_regular_prices, line_prices,
                        line_discounts, line_taxes, line_sales, line_sale_titles, line_notes, line_options,
                        total_kinds, total_codes, total_titles, total_amounts, total_are_included, total_rates, total_nets,
                        subtotal, discount, total, currency, eta_minutes, minimum_age, language, subtotal_title,
                        total_title, placed_at, day_number)
    select draft.id, drawn_number, key, fingerprint, name, phone, email, address, postcode, comment,
           coalesce(fulfilment, 'delivery'), wanted_at,
           case when wanted_at is not null then slot_dishes end,
           coupon_key, coupon_id, line_numbers[first : last], items[first : last], kinds[first : last], titles[first : last],
           quantities[first : last], regular_prices[first : last], prices[first : last], shares[first : last], taxes[first : last], sales[first : last],
           sale_titles[first : last], notes[first : last], options[first : last],
           totals_kinds[total_first : total_last], totals_codes[total_first : total_last], totals_titles[total_first : total_last],
           totals_amounts[total_first : total_last], totals_are_included[total_first : total_last], totals_rates[total_first : total_last],
           totals_nets[total_first : total_last],
           subtotal, coalesce(discount, 0), total, the_currency, eta, age, language, subtotal_title, sum_title, at,
           drawn_day
    from unnest(ids, keys, fingerprints, names, phones, emails, addresses, comments, coupon_keys, coupon_ids, subtotals,
                discounts, totals, etas, minimum_ages, fulfilments, postcodes, wanted_ats, slot_items, languages,
                subtotal_titles, sum_titles, firsts, lasts, total_firsts, total_lasts, numbers, days)
        as draft (id, key, fingerprint, name, phone, email, address, comment, coupon_key, coupon_id, subtotal,
                  discount, total, eta, age, fulfilment, postcode, wanted_at, slot_dishes, language,
                  subtotal_title, sum_title, first, last, total_first, total_last, drawn_number, drawn_day)
    where drawn_number is not null;

    -- 4. Take the redemptions, a coupon once whatever the number of orders. Its row is what concurrent calls queue on, so it comes last:
    --    the next call waits for a commit and not for the work before it. A coupon that staff have changed since is taken by none: whoever is decided
    --    by the new limit per guest has read all orders that were placed by the old one.
    if coupon_ids is not null then
        for coupon in
            select draft.coupon_id as id, draft.version, array_agg(draft.id order by draft.n) as orders
            from unnest(ids, coupon_ids, coupon_versions) with ordinality as draft (id, coupon_id, version, n)
            where draft.coupon_id is not null and draft.id = any (placed)
            group by draft.coupon_id, draft.version order by draft.coupon_id, draft.version
        loop
            -- Other calls hold the row for a commit, which takes some milliseconds; staff may hold it for hours. Then the call fails as a whole, and its
            -- caller finds out whose orders want that row (022_locked_rows.sql) and places the others.
            set local lock_timeout = '100ms';
            update coupon_redemptions set redeemed = redeemed + cardinality(coupon.orders)
            where coupon_id = coupon.id and version = coupon.version and coalesce(redeemed + cardinality(coupon.orders) <= redemption_limit, true);
            if not found then
                -- What is left is not enough for all; or it was not, and is by now. Or it is another coupon.
                select redemption_limit - redeemed into taken from coupon_redemptions where coupon_id = coupon.id and version = coupon.version for update;
                taken := least(greatest(coalesce(taken, 0), 0), cardinality(coupon.orders));
                update coupon_redemptions set redeemed = redeemed + taken where coupon_id = coupon.id and taken > 0;
                lost := lost || coupon.orders[taken + 1 :];
            end if;
        end loop;
    end if;

    -- 5. Take the places in slots, then what is counted, of items and then of options, each by id; in this order coupons, slots and stock are locked
    --    everywhere. Who gets none gives back the redemption, of a coupon that is ours still, and the place.
    if wanted_ats is not null then
        no_place := take_slots(ids, array(select draft.id from unnest(placed) as draft (id) where draft.id <> all (lost)), fulfilments, wanted_ats, slot_items);
    end if;
    if stock_takers is not null then
        short := take_stock(ids, array(select draft.id from unnest(placed) as draft (id) where draft.id <> all (lost || no_place)), stock_subjects, stock_things,
                            stock_moments, stock_takers, stock_parts, stock_units, at);
    end if;
    if cardinality(no_place) > 0 or cardinality(short) > 0 then
        for coupon in
            select draft.coupon_id as id, count(*) as redemptions from unnest(ids, coupon_ids) as draft (id, coupon_id)
            where draft.coupon_id is not null and draft.id = any (no_place || short) group by draft.coupon_id order by draft.coupon_id
        loop
            update coupon_redemptions set redeemed = redeemed - coupon.redemptions where coupon_id = coupon.id;
        end loop;
        perform give_slot_back(coalesce(draft.fulfilment, 'delivery'), draft.wanted_at, draft.units)
        from unnest(ids, fulfilments, wanted_ats, slot_items) as draft (id, fulfilment, wanted_at, units)
        where draft.wanted_at is not null and draft.id = any (short);
        lost := lost || no_place || short;
    end if;

    -- 6. Undo what lost: its order, its uses and its basket, as if it had never come.
    if cardinality(lost) > 0 then
        delete from orders where orders.id = any (lost);
        -- One by one and by the whole key: a coupon can have any number of uses.
        for use in
            select ids[n] as order_id, coupon_id, guest_key, period, use_number
            from unnest(uses_order, uses_coupon, uses_guest_key, uses_period, uses_number) as entered (n, coupon_id, guest_key, period, use_number)
            where ids[n] = any (lost)
        loop
            delete from coupon_uses
            where coupon_uses.coupon_id = use.coupon_id and coupon_uses.guest_key = use.guest_key and coupon_uses.period = use.period
              and coupon_uses.use_number = use.use_number and coupon_uses.order_id = use.order_id;
        end loop;
        update baskets set state = 'open' where baskets.id = any (lost);
    end if;

    return query
    select written.id, written.number, at, written.day from unnest(ids, numbers, days) as written (id, number, day)
    where written.number is not null and written.id <> all (lost);
end $$;
