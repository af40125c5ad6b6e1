-- What nobody needs any more: baskets that were left behind, and the entries of ordered ones, which their orders keep.
-- Called in a loop by `welms prune` and by a timer in the server. What stays: an ordered basket's row, for it says that the basket
-- is ordered, and the order itself.
--
-- Looks at so many baskets, the next ones in the order of their ids, and says where to go on: an id begins with the time at which the
-- basket was made (RFC 9562, section 5.7), so what is too young is never looked at, and no index has to be kept for this.
-- A basket that somebody works on this very moment is left for the next time.

create function prune_baskets(after uuid, before timestamptz, most integer) returns table (last uuid, abandoned integer, emptied integer)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    made_before uuid := (lpad(to_hex((extract(epoch from before) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;
    looked_at   uuid[];
    stale_open  uuid[];
    stale_done  uuid[];
begin
    -- Whoever calls this may be the server, or whoever has taken it over.
    if before > now() - interval '1 hour' then
        raise exception 'a basket is left alone for an hour at least'
            using errcode = 'check_violation', constraint = 'basket_lives_an_hour', hint = 'Prune what is older than an hour.';
    end if;
    looked_at := array(select id from baskets where id > after and id < made_before order by id limit least(most, 10000));
    select array_agg(id) filter (where state = 'open'), array_agg(id) filter (where state = 'ordered') into stale_open, stale_done
    from (select id, state from baskets
          where id = any (looked_at) and changed_at < before and (state = 'open' or cardinality(line_ids) > 0)
          for update skip locked) as stale;
    -- Each with a fresh snapshot, and the rows are ours.
    delete from baskets where id = any (stale_open);
    perform empty_baskets(stale_done);
    return query select looked_at[cardinality(looked_at)], coalesce(cardinality(stale_open), 0), coalesce(cardinality(stale_done), 0);
end $$;

grant execute on function prune_baskets(uuid, timestamptz, integer) to welms_server;
