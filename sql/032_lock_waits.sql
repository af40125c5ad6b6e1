-- Lets the server wait longer for a row that a statement of another server keeps until its commit
-- (Sources/Database/Locks/LongerLockWait.swift). Commits may take longer than the lock timeout of 100 ms, for example
-- with a distant standby. PostgreSQL serves the statements that wait for a row in their order, and a statement that
-- tries again after each timeout may never get it.

-- Limits how long this transaction waits for a row: to 100 ms, or to the setting welms.lock_timeout. Staff may keep a
-- row for hours.
create function limit_lock_wait() returns void
language plpgsql as $$
begin
    if coalesce(current_setting('welms.lock_timeout', true), '') = '' then
        set local lock_timeout = '100ms'; -- Citus sends this statement to the other nodes, and no set_config
    else
        perform set_config('lock_timeout', current_setting('welms.lock_timeout'), true);
    end if;
end $$;

-- Makes this transaction wait for a row up to 0.3 of its statement timeout, because it may wait for a coupon, a slot
-- and stock one after the other. Returns true.
create function prolong_lock_wait() returns boolean
language plpgsql as $$
declare
    -- 0 if there is no statement timeout.
    seconds numeric := extract(epoch from current_setting('statement_timeout')::interval);
    wait    text := ceil(coalesce(nullif(seconds, 0), 5) * 300) || 'ms';
begin
    perform set_config('welms.lock_timeout', wait, true), set_config('lock_timeout', wait, true);
    return true;
end $$;

grant execute on function prolong_lock_wait() to welms_server;

-- The functions that lock these rows call it instead of setting 100 ms. Nothing else changes.
do $$
declare
    fixed constant text := 'set local lock_timeout = ''100ms''';
    name  text;
begin
    foreach name in array array['place_orders', 'take_slots', 'take_stock', 'cancel_order'] loop
        if position(fixed in pg_get_functiondef(name::regproc)) = 0 then
            raise exception 'the function % does not limit its lock wait', name;
        end if;
        execute replace(pg_get_functiondef(name::regproc), fixed, 'perform limit_lock_wait()');
    end loop;
end $$;
