-- Whether what is written finds room. Called by the server once a second while something keeps it from taking orders, and never else
-- (Sources/Database/Checks/OrderingProbe.swift): a call of place_orders without orders writes nothing, so it can't see that a disk is full.
-- Nothing of it stays but a message of a few bytes in the log, which nobody keeps.

-- Always empty. What it takes to fill it is taken anew each time, because a table keeps the room that it once had.
create table writing_trial (page text not null);
alter table writing_trial alter page set storage plain;

create function try_writing() returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    begin
        -- Into a file of its own: 16 pages, of which the disk has to have some to spare before guests are told that all is well.
        truncate writing_trial;
        insert into writing_trial select repeat('-', 7000) from generate_series(1, 16);
        raise exception 'undone' using errcode = 'WTRIA';
    exception
        when sqlstate 'WTRIA' then null;
    end;
    -- And a commit that waits for the log, and for the standby that it has to be on.
    perform pg_logical_emit_message(true, 'welms', '');
end $$;

revoke execute on function try_writing() from public;
grant execute on function try_writing() to welms_server;
