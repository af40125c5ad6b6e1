-- Deletes abandoned baskets, and the lines of ordered baskets, whose orders keep a copy. `welms prune` and a timer in
-- the server call this in a loop. The row of an ordered basket stays, because it records that the basket was ordered.
--
-- Examines up to batch_size baskets in id order and returns where to continue. An id starts with the creation time of
-- the basket (RFC 9562, section 5.7), so recent baskets are not read and no other index is needed. Skips locked baskets
-- until the next run.

create function prune_baskets(after uuid, before timestamptz, batch_size integer)
    returns table (last uuid, abandoned integer, emptied integer)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    made_before uuid := (lpad(to_hex((extract(epoch from before) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;
    candidates   uuid[];
    stale_open  uuid[];
    stale_ordered  uuid[];
begin
    -- The caller may be a compromised server.
    if before > now() - interval '1 hour' then
        raise exception 'baskets younger than an hour cannot be pruned'
            using errcode = 'check_violation', constraint = 'basket_is_older_than_an_hour',
                hint = 'Prune baskets that are older than an hour.';
    end if;
    candidates := array(select id from baskets where id > after and id < made_before order by id
        limit least(batch_size, 10000));
    select array_agg(id) filter (where state = 'open'), array_agg(id) filter (where state = 'ordered')
        into stale_open, stale_ordered
    from (select id, state from baskets
          where id = any (candidates) and changed_at < before and (state = 'open' or cardinality(lines) > 0)
          for update skip locked) as stale;
    -- Each statement has a fresh snapshot; the rows are locked.
    delete from baskets where id = any (stale_open);
    perform empty_baskets(stale_ordered);
    return query select candidates[cardinality(candidates)], coalesce(cardinality(stale_open), 0),
        coalesce(cardinality(stale_ordered), 0);
end $$;

grant execute on function prune_baskets(uuid, timestamptz, integer) to welms_server;
