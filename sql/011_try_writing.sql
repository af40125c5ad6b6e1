-- Tests whether a write would succeed. The server calls it once a second while it cannot take orders, and `welms
-- doctor` calls it, too. place_orders without orders writes nothing, so it does not detect a full disk. Only a message
-- of a few bytes remains in the WAL.

-- Takes no lock that conflicts with a backup: pg_dump holds ACCESS SHARE on every table until it ends, and a waiting
-- ACCESS EXCLUSIVE makes the workers of `pg_dump --jobs` fail, because they lock with NOWAIT.
create function try_writing() returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    begin
        -- The test needs a new file, because an existing table reuses free pages. The rollback below removes the file,
        -- and no other session sees the table. With fill factor 10 a page holds 8 of these rows, so 128 rows take 16
        -- pages. A column of type name needs no TOAST table.
        create table writing_trial (filler name not null) with (fillfactor = 10);
        insert into writing_trial select repeat('-', 63) from generate_series(1, 128);
        raise exception 'undone' using errcode = 'WTRIA';
    exception
        when sqlstate 'WTRIA' then null;
    end;
    -- The commit waits for the WAL flush, and for a synchronous standby.
    perform pg_logical_emit_message(true, 'welms', '');
end $$;

grant execute on function try_writing() to welms_server;
