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
