-- Lets place_orders use numbers that the server drew from another PostgreSQL. On a Citus cluster, servers draw all
-- numbers from the coordinator, so that workers need no sequence: sql/distributed/008_order_numbers.sql replaces both
-- functions there.

-- When the PostgreSQL that draws the order numbers was started. A promoted standby may draw the same numbers again, so
-- place_orders uses only numbers with this origin. Null: it uses all numbers.
create function order_number_origin() returns timestamptz
language plpgsql stable as $$
begin
    return pg_postmaster_start_time();
end $$;

-- Draws a number for an order whose server had none at hand.
create function draw_order_number(secret bytea) returns text
language plpgsql as $$
begin
    return order_number(nextval('order_sequence'), secret);
end $$;

-- The only changes are that it calls these functions and redeem_coupon (028_old_snapshots.sql).
create or replace function place_orders(
    any_basket uuid, at timestamptz, menu bigint, the_currency text, batch new_order[]
) returns table (id uuid, number text, placed_at timestamptz, day_number integer)
language plpgsql security definer set search_path = public, pg_temp set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    ids     uuid[];         -- of the batch, in its order
    needs   record;         -- what any order of the batch has: coupons, uses, slots, stock
    basket  record;
    closed  uuid[] := '{}'; -- the baskets that this call has closed
    placed  uuid[];         -- the orders that this call has inserted
    day     record;         -- of the day numbers; null: the server assigns them later (number_orders)
    placements order_placement[]; -- of the inserted orders
    conflicts uuid[] := '{}'; -- closed baskets whose order cannot be placed
    clock   timestamptz := now();
    secret  bytea := (select order_number from shop_secrets);
    origin  timestamptz := order_number_origin();
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
    -- Usually no order has a coupon, a slot or a stock demand. Then their steps cost nothing.
    select array_agg(draft.id order by draft.ordinality) as ids, bool_or(draft.coupon_id is not null) as coupons,
        bool_or(draft.coupon_uses is not null) as uses, bool_or(draft.wanted_at is not null) as slots,
        bool_or(draft.stock_demands is not null) as stock
    into needs from unnest(batch) with ordinality as draft;
    ids := needs.ids;

    -- 1. Close the baskets that have the priced version and whose decision is still valid. Then no other session can
    -- place or change them.
    -- Uses a loop, because Citus writes the result of a common table expression to a file.
    for basket in
        update baskets set state = 'ordered'
        where baskets.id = any (ids) and baskets.version = (batch[array_position(ids, baskets.id)]).basket_version
            and baskets.state = 'open'
          and ((batch[array_position(ids, baskets.id)]).valid_from <= clock) is not false
          and (clock < (batch[array_position(ids, baskets.id)]).valid_until) is not false
        returning baskets.id
    loop
        closed := closed || basket.id;
    end loop;

    -- 2. Insert the coupon uses. An order conflicts if the guest's phone or email has this use already.
    if needs.uses then
        with wanted as (
            select draft.id as order_id, used.coupon_id, used.guest_key, used.period, used.use_number
            from unnest(batch) as draft cross join unnest(draft.coupon_uses) as used
            where draft.id = any (closed)
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
    placed := closed;
    if cardinality(conflicts) > 0 then
        placed := array(select draft.id from unnest(closed) as draft (id) where draft.id <> all (conflicts));
    end if;
    -- A pre-order gets its day number when it is due. The numbers are drawn here and not after the counters
    -- below, because an order's row is written once. An order that conflicts later leaves a gap.
    if cardinality(placed) > 0 then
        -- A number that another PostgreSQL drew is not used, because this one may draw the same number
        -- (OrderNumberRange.swift).
        select source, first into day from checkout_number_source(at);
        placements := array(
            select row(draft.id,
                coalesce(case when origin is null or draft.number_origin = origin then draft.number end,
                    draw_order_number(secret)),
                case when day.source is not null and (draft.wanted_at is null or is_due(draft.wanted_at))
                    then nextval(day.source) - day.first end)::order_placement
            from unnest(batch) with ordinality as draft where draft.id = any (placed) order by draft.ordinality);
        insert into orders (id, number, idempotency_key, fingerprint, name, phone, email, address, postcode, comment,
            fulfilment, wanted_at, slot_items, coupon_key, coupon_id, lines, options, totals, subtotal, discount, total,
            currency, eta_minutes, minimum_age, language, subtotal_title, total_title, placed_at, day_number)
        select draft.id, placement.order_number, draft.idempotency_key, draft.fingerprint, draft.name, draft.phone,
            draft.email, draft.address, draft.postcode, draft.comment, draft.fulfilment, draft.wanted_at,
            draft.slot_items, draft.coupon_key, draft.coupon_id, draft.lines, draft.options, draft.totals,
            draft.subtotal, draft.discount, draft.total, the_currency, draft.eta_minutes, draft.minimum_age,
            draft.language, draft.subtotal_title, draft.total_title, at, placement.day_number
        from unnest(placements) as placement join unnest(batch) as draft on draft.id = placement.order_id;
    end if;

    -- 4. Count the redemptions, once per coupon. Concurrent calls queue on this row, so it is locked last: the next
    -- call then waits only for a commit. If staff have changed the coupon since the decision, its orders conflict. The
    -- retry decides with the new guest limit, and reads all orders that were placed with the old one.
    if needs.coupons then
        for coupon in
            select draft.coupon_id as id, draft.coupon_version as version,
                array_agg(draft.id order by draft.ordinality) as orders
            from unnest(batch) with ordinality as draft
            where draft.coupon_id is not null and draft.id = any (placed)
            group by draft.coupon_id, draft.coupon_version order by draft.coupon_id, draft.coupon_version
        loop
            -- Other calls hold the row lock for a commit, some milliseconds; staff may hold it for hours. On a timeout
            -- the whole call fails. The caller then finds the locked rows (022_locked_rows.sql) and places the other
            -- orders.
            set local lock_timeout = '100ms';
            -- The limit may not allow all redemptions, or staff have just changed or replaced the coupon.
            taken := redeem_coupon(coupon.id, coupon.version, cardinality(coupon.orders));
            conflicts := conflicts || coupon.orders[taken + 1 :];
        end loop;
    end if;

    -- 5. Take the slots, then the stock of items and options, each sorted by id. Coupons, slots and stock are locked in
    -- this order everywhere. An order without a slot or without stock releases its redemption, and the slot it took.
    if needs.slots then
        slot_full := take_slots(batch,
            array(select draft.id from unnest(placed) as draft (id) where draft.id <> all (conflicts)));
    end if;
    if needs.stock then
        out_of_stock := take_stock(batch,
            array(select draft.id from unnest(placed) as draft (id) where draft.id <> all (conflicts || slot_full)),
            at);
    end if;
    if cardinality(slot_full) > 0 or cardinality(out_of_stock) > 0 then
        for coupon in
            select draft.coupon_id as id, count(*) as redemptions from unnest(batch) as draft
            where draft.coupon_id is not null and draft.id = any (slot_full || out_of_stock) group by draft.coupon_id
                order by draft.coupon_id
        loop
            update coupon_redemptions set redeemed = redeemed - coupon.redemptions where coupon_id = coupon.id;
        end loop;
        perform give_slot_back(draft.fulfilment, draft.wanted_at, draft.slot_items) from unnest(batch) as draft
        where draft.wanted_at is not null and draft.id = any (out_of_stock);
        conflicts := conflicts || slot_full || out_of_stock;
    end if;

    -- 6. Undo the orders that conflict: delete the order and its coupon uses, and open the basket again.
    if cardinality(conflicts) > 0 then
        delete from orders where orders.id = any (conflicts);
        -- Deletes by the whole primary key: a coupon can have any number of uses, and a scan would read them all.
        for use in
            select draft.id as order_id, used.coupon_id, used.guest_key, used.period, used.use_number
            from unnest(batch) as draft cross join unnest(draft.coupon_uses) as used
            where draft.id = any (conflicts)
        loop
            delete from coupon_uses
            where coupon_uses.coupon_id = use.coupon_id and coupon_uses.guest_key = use.guest_key
              and coupon_uses.period = use.period
              and coupon_uses.use_number = use.use_number and coupon_uses.order_id = use.order_id;
        end loop;
        update baskets set state = 'open' where baskets.id = any (conflicts);
    end if;

    return query
    select placement.order_id, placement.order_number, at, placement.day_number from unnest(placements) as placement
    where placement.order_id <> all (conflicts);
end $$;
