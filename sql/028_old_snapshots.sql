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
-- An old snapshot keeps all versions of the counter, and the table grows. A look-up by equality reaches the newest
-- version last, so a large table is read from its newest version: the condition and the order make PostgreSQL read the
-- index backward. That takes a second statement, and costs checkouts with a coupon 5 % while the table is small. On
-- Citus the table that this function sees is empty.
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
