-- Whether a write would succeed. The server calls this while something keeps it from taking orders, once a second, and
-- `welms doctor` calls it (Sources/Database/Checks/OrderingProbe.swift). A call of place_orders without orders writes
-- nothing, so it does not detect a full disk. Nothing stays but a message of a few bytes in the log.

-- Takes no lock that conflicts with a backup: pg_dump holds ACCESS SHARE on every table until it ends, and a statement
-- that waits for ACCESS EXCLUSIVE makes the workers of `pg_dump --jobs` fail, because they lock with NOWAIT.
create function try_writing() returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    begin
        -- The test needs a new file, because a table that exists reuses its free pages. The rollback below removes the
        -- file, and no other session ever sees the table. A fill factor of 10 puts 8 of these rows on a page, so 128
        -- rows take 16 pages. A column of type name needs no TOAST table.
        create table writing_trial (filler name not null) with (fillfactor = 10);
        insert into writing_trial select repeat('-', 63) from generate_series(1, 128);
        raise exception 'undone' using errcode = 'WTRIA';
    exception
        when sqlstate 'WTRIA' then null;
    end;
    -- The commit waits for the log, and for a synchronous standby.
    perform pg_logical_emit_message(true, 'welms', '');
end $$;

grant execute on function try_writing() to welms_server;
