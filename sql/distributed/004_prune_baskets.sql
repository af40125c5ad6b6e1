-- Pruning on a Citus cluster (010_prune_baskets.sql elsewhere). Rows of many shards can't be locked by one statement there, so the baskets
-- that are old enough are found first, on all shards, and then taken one by one, each on its own. Which shards these are depends on the
-- values: Citus refuses the generic plans that the server's sessions ask for (ShopDatabase.sessionSettings).

create or replace function prune_baskets(after uuid, before timestamptz, most integer)
returns table (last uuid, abandoned integer, emptied integer)
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
    made_before uuid := (lpad(to_hex((extract(epoch from before) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;
    looked_at   uuid[];
    stale       uuid[];
    one         uuid;
    its_state   text;
begin
    if before > now() - interval '1 hour' then
        raise exception 'a basket is left alone for an hour at least'
            using errcode = 'check_violation', constraint = 'basket_lives_an_hour', hint = 'Prune what is older than an hour.';
    end if;
    looked_at := array(select id from baskets where id > after and id < made_before order by id limit least(most, 10000));
    stale := array(select id from baskets
                   where id = any (looked_at) and changed_at < before and (state = 'open' or cardinality(line_ids) > 0));
    abandoned := 0;
    emptied := 0;
    foreach one in array stale loop
        -- Somebody may have changed it since, or work on it this very moment.
        select state into its_state from baskets where baskets.id = one and changed_at < before for update skip locked;
        if its_state = 'open' then
            delete from baskets where baskets.id = one;
            abandoned := abandoned + 1;
        elsif its_state = 'ordered' then
            perform empty_baskets(array[one]);
            emptied := emptied + 1;
        end if;
    end loop;
    last := looked_at[cardinality(looked_at)];
    return next;
end $$;
