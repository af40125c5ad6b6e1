-- Replaces 010_prune_baskets.sql on a Citus cluster, where one statement cannot lock rows of several shards. Finds old
-- baskets on all shards first, then locks and handles them one by one. Uses custom plans, because the shard depends on
-- the values: Citus rejects the generic plans of the server's sessions (ShopDatabase.sessionSettings).

create or replace function prune_baskets(after uuid, before timestamptz, batch_size integer)
returns table (last uuid, abandoned integer, emptied integer)
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
    made_before uuid := (lpad(to_hex((extract(epoch from before) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;
    candidates   uuid[];
    stale       uuid[];
    stale_id    uuid;
    its_state   text;
begin
    if before > now() - interval '1 hour' then
        raise exception 'baskets younger than an hour cannot be pruned'
            using errcode = 'check_violation', constraint = 'basket_is_older_than_an_hour',
                hint = 'Prune baskets that are older than an hour.';
    end if;
    candidates := array(select id from baskets where id > after and id < made_before order by id
        limit least(batch_size, 10000));
    stale := array(select id from baskets
                   where id = any (candidates) and changed_at < before
                       and (state = 'open' or cardinality(lines) > 0));
    abandoned := 0;
    emptied := 0;
    foreach stale_id in array stale loop
        -- The basket may have changed since, or be locked.
        select state into its_state from baskets
            where baskets.id = stale_id and changed_at < before for update skip locked;
        if its_state = 'open' then
            delete from baskets where baskets.id = stale_id;
            abandoned := abandoned + 1;
        elsif its_state = 'ordered' then
            perform empty_baskets(array[stale_id]);
            emptied := emptied + 1;
        end if;
    end loop;
    last := candidates[cardinality(candidates)];
    return next;
end $$;
