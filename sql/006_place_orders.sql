-- Places the orders of a batch of checkouts in one call, which is one transaction. Each order was decided from one
-- snapshot. This function verifies the decisions again under row locks, each statement with a fresh snapshot.
-- A conflict raises no error: an order that is missing from the result was undone completely. A lock timeout fails the
-- whole call.
--
-- Element n of every array belongs to one order, sorted by id, so that concurrent calls lock rows in the same order. A
-- bitmap scan would lock them in physical order.
-- The lines of all orders are concatenated, one array per column; order n has lines firsts[n] to lasts[n]. The total
-- lines between subtotal and total are concatenated in totals_*.
-- An array is null if no order needs it. Usually no order has a coupon (coupon_*, discounts), a comment, a postcode or
-- a wanted time. Usually all orders are for delivery (fulfilments: null), in English (languages: null) and with the
-- built-in titles of subtotal and total (subtotal_titles, sum_titles: null).
-- coupon_versions are the versions that the decisions used. uses_* are rows for coupon_uses: two for an order whose
-- coupon has a guest limit or is for a first order. uses_order is the n of that order.
-- stock_* is the stock demand, see take_stock. An order for a slot (wanted_ats) takes slot_items dishes of it.
-- any_basket is one of the ids: on Citus it selects the worker. Every statement names its baskets or its coupon in
-- values that are known before planning, because Citus sends other statements to all shards.
-- The decision for order n is valid from holds_from[n] until holds_until[n] (null: unlimited). At any other time the
-- order is not placed.
-- at is the time at which the facts were read; menu is null then. For orders that were decided without facts, at is
-- null (now) and menu is the menu revision of their prices: if the current revision differs, nothing is placed.

create function place_orders(
    any_basket uuid, at timestamptz, menu bigint, the_currency text, ids uuid[], versions bigint[], keys text[],
    fingerprints bytea[],
    names text[], phones text[], emails text[], addresses text[], comments text[],
    coupon_keys text[], coupon_ids bigint[], coupon_versions bigint[], subtotals bigint[], discounts bigint[],
    totals bigint[], etas integer[], minimum_ages integer[],
    fulfilments text[], postcodes text[], wanted_ats timestamptz[], slot_items integer[],
    total_firsts integer[], total_lasts integer[], totals_kinds text[], totals_codes text[], totals_titles text[],
    totals_amounts bigint[], totals_are_included boolean[],
    totals_rates text[], totals_nets bigint[], subtotal_titles text[], sum_titles text[], holds_from timestamptz[],
    holds_until timestamptz[], languages text[],
    firsts integer[], lasts integer[], line_numbers bigint[], sales bigint[], items bigint[], quantities integer[],
    prices bigint[], notes text[], options jsonb[],
    kinds text[], titles text[], regular_prices bigint[], shares bigint[], taxes bigint[], sale_titles text[],
    uses_order integer[], uses_coupon bigint[], uses_guest_key text[], uses_period integer[], uses_number integer[],
    stock_subjects text[], stock_things bigint[], stock_moments timestamptz[], stock_takers integer[],
    stock_parts integer[], stock_units bigint[]
) returns table (id uuid, number text, placed_at timestamptz, day_number integer)
language plpgsql set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    basket  record;
    closed  uuid[] := '{}'; -- the baskets that this call has closed
    placed  uuid[];         -- the orders that this call has inserted
    numbers text[];         -- the order number of each draft that becomes an order
    days    integer[];      -- the day numbers; null: the server assigns them later (number_orders)
    conflicts uuid[] := '{}'; -- closed baskets whose order cannot be placed
    clock   timestamptz := now();
    secret  bytea := (select order_number from shop_secrets);
    coupon  record;
    use     record;
    taken   bigint;
    slot_full uuid[] := '{}'; -- orders whose slot has no capacity left
    out_of_stock uuid[] := '{}'; -- orders with an item or option that is out of stock
begin
    if menu is not null then
        if menu <> (select revision from menu_revision) then return; end if;
    end if;
    at := coalesce(at, clock);

    -- 1. Close the baskets that have the priced version and whose decision is still valid. Then no other session can
    -- place or change them.
    -- Uses a loop, because Citus writes the result of a common table expression to a file.
    for basket in
        update baskets set state = 'ordered'
        where baskets.id = any (ids) and baskets.version = versions[array_position(ids, baskets.id)]
            and baskets.state = 'open'
          and (holds_from is null or (holds_from[array_position(ids, baskets.id)] <= clock) is not false)
          and (holds_until is null or (clock < holds_until[array_position(ids, baskets.id)]) is not false)
        returning baskets.id
    loop
        closed := closed || basket.id;
    end loop;

    -- 2. Insert the coupon uses. An order conflicts if the guest's phone or email has this use already.
    if cardinality(uses_order) > 0 then
        with wanted as (
            select ids[use.n] as order_id, coupon_id, guest_key, period, use_number
            from unnest(uses_order, uses_coupon, uses_guest_key, uses_period, uses_number) as use (n, coupon_id,
                guest_key, period, use_number)
            where ids[use.n] = any (closed)
        ), entered as (
            insert into coupon_uses (coupon_id, guest_key, period, use_number, order_id)
            select coupon_id, guest_key, period, use_number, order_id from wanted order by coupon_id, guest_key
            on conflict do nothing
            returning coupon_uses.order_id, coupon_uses.guest_key
        )
        select coalesce(array_agg(distinct order_id), '{}') into conflicts
        from wanted where not exists (
            select from entered where entered.order_id = wanted.order_id and entered.guest_key = wanted.guest_key);
    end if;

    -- 3. Insert the orders. RETURNING would need a common table expression, too, so the numbers are drawn before.
    placed := array(select draft.id from unnest(closed) as draft (id) where draft.id <> all (conflicts));
    numbers := array(select case when draft.id = any (placed) then order_number(nextval('order_sequence'), secret) end
                     from unnest(ids) as draft (id));
    -- A pre-order gets its day number when it is due. The numbers are drawn here and not after the counters
    -- below, because an order's row is written once. An order that conflicts later leaves a gap.
    if cardinality(placed) > 0 then
        days := draw_day_numbers(at, numbers, wanted_ats);
    end if;
    insert into orders (id, number, idempotency_key, fingerprint, name, phone, email, address, postcode, comment,
        fulfilment, wanted_at, slot_items,
                        coupon_key, coupon_id, line_ids, line_items, line_kinds, line_titles, line_quantities,
                        line_regular_prices, line_prices,
                        line_discounts, line_taxes, line_sales, line_sale_titles, line_notes, line_options,
                        total_kinds, total_codes, total_titles, total_amounts, total_are_included, total_rates,
                        total_nets,
                        subtotal, discount, total, currency, eta_minutes, minimum_age, language, subtotal_title,
                        total_title, placed_at, day_number)
    select draft.id, drawn_number, key, fingerprint, name, phone, email, address, postcode, comment,
           coalesce(fulfilment, 'delivery'), wanted_at,
           case when wanted_at is not null then slot_dishes end,
           coupon_key, coupon_id, line_numbers[first : last], items[first : last], kinds[first : last],
           titles[first : last],
           quantities[first : last], regular_prices[first : last], prices[first : last], shares[first : last],
           taxes[first : last], sales[first : last],
           sale_titles[first : last], notes[first : last], options[first : last],
           totals_kinds[total_first : total_last], totals_codes[total_first : total_last],
           totals_titles[total_first : total_last],
           totals_amounts[total_first : total_last], totals_are_included[total_first : total_last],
           totals_rates[total_first : total_last],
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

    -- 4. Count the redemptions, once per coupon. Concurrent calls queue on this row, so it is locked last: the next
    -- call then waits only for a commit. If staff have changed the coupon since the decision, its orders conflict. The
    -- retry decides with the new guest limit, and reads all orders that were placed with the old one.
    if coupon_ids is not null then
        for coupon in
            select draft.coupon_id as id, draft.version, array_agg(draft.id order by draft.n) as orders
            from unnest(ids, coupon_ids, coupon_versions) with ordinality as draft (id, coupon_id, version, n)
            where draft.coupon_id is not null and draft.id = any (placed)
            group by draft.coupon_id, draft.version order by draft.coupon_id, draft.version
        loop
            -- Other calls hold the row lock for a commit, some milliseconds; staff may hold it for hours. On a timeout
            -- the whole call fails. The caller then finds the locked rows (022_locked_rows.sql) and places the other
            -- orders.
            set local lock_timeout = '100ms';
            update coupon_redemptions set redeemed = redeemed + cardinality(coupon.orders)
            where coupon_id = coupon.id and version = coupon.version
                and coalesce(redeemed + cardinality(coupon.orders) <= redemption_limit, true);
            if not found then
                -- The limit does not allow all redemptions, or staff have just changed or replaced the coupon.
                select redemption_limit - redeemed into taken from coupon_redemptions
                    where coupon_id = coupon.id and version = coupon.version for update;
                taken := least(greatest(coalesce(taken, 0), 0), cardinality(coupon.orders));
                update coupon_redemptions set redeemed = redeemed + taken where coupon_id = coupon.id and taken > 0;
                conflicts := conflicts || coupon.orders[taken + 1 :];
            end if;
        end loop;
    end if;

    -- 5. Take the slots, then the stock of items and options, each sorted by id. Coupons, slots and stock are locked in
    -- this order everywhere. An order without a slot or without stock releases its redemption, and the slot it took.
    if wanted_ats is not null then
        slot_full := take_slots(ids,
            array(select draft.id from unnest(placed) as draft (id) where draft.id <> all (conflicts)), fulfilments,
            wanted_ats, slot_items);
    end if;
    if stock_takers is not null then
        out_of_stock := take_stock(ids,
            array(select draft.id from unnest(placed) as draft (id) where draft.id <> all (conflicts || slot_full)),
            stock_subjects, stock_things, stock_moments, stock_takers, stock_parts, stock_units, at);
    end if;
    if cardinality(slot_full) > 0 or cardinality(out_of_stock) > 0 then
        for coupon in
            select draft.coupon_id as id, count(*) as redemptions from unnest(ids, coupon_ids) as draft (id, coupon_id)
            where draft.coupon_id is not null and draft.id = any (slot_full || out_of_stock) group by draft.coupon_id
                order by draft.coupon_id
        loop
            update coupon_redemptions set redeemed = redeemed - coupon.redemptions where coupon_id = coupon.id;
        end loop;
        perform give_slot_back(coalesce(draft.fulfilment, 'delivery'), draft.wanted_at, draft.units)
        from unnest(ids, fulfilments, wanted_ats, slot_items) as draft (id, fulfilment, wanted_at, units)
        where draft.wanted_at is not null and draft.id = any (out_of_stock);
        conflicts := conflicts || slot_full || out_of_stock;
    end if;

    -- 6. Undo the orders that conflict: delete the order and its coupon uses, and open the basket again.
    if cardinality(conflicts) > 0 then
        delete from orders where orders.id = any (conflicts);
        -- Deletes by the whole primary key: a coupon can have any number of uses, and a scan would read them all.
        for use in
            select ids[n] as order_id, coupon_id, guest_key, period, use_number
            from unnest(uses_order, uses_coupon, uses_guest_key, uses_period, uses_number) as entered (n, coupon_id,
                guest_key, period, use_number)
            where ids[n] = any (conflicts)
        loop
            delete from coupon_uses
            where coupon_uses.coupon_id = use.coupon_id and coupon_uses.guest_key = use.guest_key
              and coupon_uses.period = use.period
              and coupon_uses.use_number = use.use_number and coupon_uses.order_id = use.order_id;
        end loop;
        update baskets set state = 'open' where baskets.id = any (conflicts);
    end if;

    return query
    select written.id, written.number, at, written.day from unnest(ids, numbers, days) as written (id, number, day)
    where written.number is not null and written.id <> all (conflicts);
end $$;
