-- Finds the snapshots that sessions, standbys, prepared transactions and replication slots hold. PostgreSQL keeps every
-- row version that the oldest of them may still read. Each batch of checkouts adds a version to every counter that it
-- changes: coupon_redemptions, item_stock, option_stock, stock_days and slot_uses. A look-up passes all of them.
--
-- `welms doctor` and the server report old snapshots (Sources/Database/Snapshots/HeldSnapshot.swift).

-- PostgreSQL shows process, user, application and snapshot of every session to all roles. State and begin of the
-- transaction are visible to members of the session's role and of pg_read_all_stats. The function runs as the owner,
-- who usually sees more than the server.
create function held_snapshots() returns table (
    holder       text,    -- session, standby, prepared_transaction, replication_slot or logical_slot
    name         text,    -- of the application, the standby, the prepared transaction or the slot
    pid          integer, -- null: no process holds it
    user_name    text,
    database     text,    -- null: all databases
    state        text,
    seconds      bigint,  -- since the begin of the transaction; null: unknown
    transactions bigint,  -- the number of transactions that began since
    oldest       bigint   -- the id of the oldest transaction whose changes the snapshot may not see
)
language sql security definer set search_path = public, pg_temp as $$
    with held as (
        select case when sender.pid is null then 'session' else 'standby' end as holder,
            nullif(session.application_name, '') as name, session.pid, session.usename::text as user_name,
            session.datname::text as database, session.state, session.xact_start as begins, snapshot.xid
        from pg_stat_activity as session
        -- A standby with hot_standby_feedback and without a slot. Its own sessions are not visible here.
        left join pg_stat_replication as sender on sender.pid = session.pid
        cross join lateral (
            select xid from unnest(array[session.backend_xmin, session.backend_xid]) as xid
            where xid is not null order by age(xid) desc limit 1
        ) as snapshot
        -- A transaction that writes affects all databases, a reading one only its own. VACUUM affects none.
        where session.pid <> pg_backend_pid() and session.leader_pid is null
          and (session.datname = current_database() or session.backend_xid is not null or sender.pid is not null)
          and not exists (select from pg_stat_progress_vacuum as vacuum where vacuum.pid = session.pid)
        union all
        select 'prepared_transaction', gid, null, owner::text, database::text, 'prepared', prepared, transaction
        from pg_prepared_xacts
        union all
        -- A logical slot keeps only row versions of the catalog.
        select case when xmin is null then 'logical_slot' else 'replication_slot' end, slot_name::text, active_pid,
            null, database::text, case when active then 'active' else 'inactive' end, null, coalesce(xmin, catalog_xmin)
        from pg_replication_slots where coalesce(xmin, catalog_xmin) is not null
    )
    select holder, name, pid, user_name, database, state,
        floor(extract(epoch from clock_timestamp() - begins))::bigint, age(xid)::bigint, xid::text::bigint
    from held order by age(xid) desc
$$;

grant execute on function held_snapshots() to welms_server;

-- Redeems a coupon for up to `wanted` orders, as far as its limit permits, and returns their number. Returns 0 if staff
-- have changed, replaced or deleted the coupon.
--
-- An old snapshot keeps all versions of the counter, and the table grows. A look-up by equality passes the newest version
-- last, so a large table is read from its newest version: the condition and the order make PostgreSQL read the index
-- backward. That takes a second statement, and costs checkouts with a coupon 5 % in a small table. On Citus the table
-- that this function sees is empty.
create function redeem_coupon(the_coupon bigint, the_version bigint, wanted integer) returns integer
language plpgsql as $$
declare
    counter record;
    granted bigint;
begin
    if pg_relation_size('coupon_redemptions') <= 32 * 8192 then
        update coupon_redemptions set redeemed = redeemed + wanted
        where coupon_id = the_coupon and version = the_version
            and coalesce(redeemed + wanted <= redemption_limit, true);
        if found then return wanted; end if;
        -- The limit does not allow all redemptions, or staff have just changed or replaced the coupon.
        select redemption_limit - redeemed into granted from coupon_redemptions
            where coupon_id = the_coupon and version = the_version for update;
        granted := least(greatest(coalesce(granted, 0), 0), wanted);
        update coupon_redemptions set redeemed = redeemed + granted where coupon_id = the_coupon and granted > 0;
        return granted;
    end if;
    select ctid as place, redeemed, redemption_limit, version into counter from coupon_redemptions
    where coupon_id >= the_coupon and coupon_id <= the_coupon order by coupon_id desc limit 1 for no key update;
    if not found or counter.version <> the_version then return 0; end if;
    granted := least(greatest(coalesce(counter.redemption_limit - counter.redeemed, wanted), 0), wanted);
    -- The row is locked, so its ctid is valid in this statement, whose snapshot is fresh.
    if granted > 0 then
        update coupon_redemptions set redeemed = redeemed + granted where ctid = counter.place;
        if not found then return 0; end if;
    end if;
    return granted;
end $$;

-- The only change is that redeem_coupon counts the redemptions.
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
                coalesce(case when draft.number_origin = pg_postmaster_start_time() then draft.number end,
                    order_number(nextval('order_sequence'), secret)),
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

-- The only change is that the slot is locked with one look-up, also from the newest version, and inserted only if it
-- is missing.
create or replace function take_slots(batch new_order[], candidates uuid[]) returns uuid[]
language plpgsql as $$
declare
    slot  record;
    want  record;
    used  record;
    terms record;
    many  bigint;
    items_more bigint;
    slot_full uuid[] := '{}';
begin
    set local lock_timeout = '100ms'; -- see place_orders
    for slot in
        select draft.fulfilment, draft.wanted_at as starts_at from unnest(batch) as draft
        where draft.wanted_at is not null and draft.id = any (candidates) group by 1, 2 order by 1, 2
    loop
        loop
            select order_count, item_count into used from slot_uses
            where fulfilment = slot.fulfilment and starts_at >= slot.starts_at and starts_at <= slot.starts_at
            order by starts_at desc limit 1 for update;
            exit when found;
            insert into slot_uses (fulfilment, starts_at) values (slot.fulfilment, slot.starts_at)
            on conflict do nothing;
        end loop;
        select orders_per_slot, items_per_slot into terms from fulfilments where fulfilment = slot.fulfilment;
        many := 0;
        items_more := 0;
        for want in
            select draft.id, draft.slot_items as units from unnest(batch) with ordinality as draft
            where draft.fulfilment = slot.fulfilment and draft.wanted_at = slot.starts_at
                and draft.id = any (candidates) order by draft.ordinality
        loop
            if coalesce(used.order_count + many + 1 <= terms.orders_per_slot, true)
                and coalesce(used.item_count + items_more + want.units <= terms.items_per_slot, true) then
                many := many + 1;
                items_more := items_more + want.units;
            else
                slot_full := slot_full || want.id;
            end if;
        end loop;
        update slot_uses set order_count = order_count + many, item_count = item_count + items_more
            where fulfilment = slot.fulfilment and starts_at = slot.starts_at and many > 0;
    end loop;
    return slot_full;
end $$;
