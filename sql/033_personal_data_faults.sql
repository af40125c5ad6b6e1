-- An order whose personal data cannot be replaced no longer stops the walk of 030_personal_data.sql. For example, such
-- an order violates a newer constraint, or its row is damaged. It is reported and tried again after a day.

-- Replaces the personal data of these orders, and postpones those that still need it. Returns the ids of the orders
-- that failed, and the first reason. A subtransaction contains all orders. If it fails, each order gets its own.
-- Locks, time-outs and missing resources affect all orders: these errors end the round.
create function replace_personal_data_batch(
    ids uuid[], kept_since timestamptz, pads bytea, out replaced integer, out failed uuid[], out reason text
)
language plpgsql as $$
declare
    the_id  uuid;
    is_done boolean; -- null: there was nothing to do
    single  record;
begin
    replaced := 0;
    failed := '{}';
    foreach the_id in array ids loop
        is_done := replace_personal_data(the_id, kept_since, pads);
        if is_done is false then
            insert into postponed_orders (order_id, retry_at) values (the_id, now() + interval '1 hour')
            on conflict on constraint postponed_orders_pkey do update set retry_at = excluded.retry_at;
        else
            delete from postponed_orders where order_id = the_id;
            replaced := replaced + coalesce(is_done, false)::integer;
        end if;
    end loop;
exception
    -- The classes 22, 23, 54, P0 and XX. The last one contains damaged rows.
    when data_exception or integrity_constraint_violation or program_limit_exceeded or plpgsql_error or internal_error
    then
        replaced := 0; -- a rollback does not restore variables
        if cardinality(ids) = 1 then
            failed := ids;
            -- The messages of class 22 may quote a guest's data.
            reason := sqlstate || case when sqlstate like '22%' then '' else ': ' || sqlerrm end;
            insert into postponed_orders (order_id, retry_at) values (ids[1], now() + interval '1 day')
            on conflict on constraint postponed_orders_pkey do update set retry_at = excluded.retry_at;
        else
            foreach the_id in array ids loop
                select * into single from replace_personal_data_batch(array[the_id], kept_since, pads);
                replaced := replaced + single.replaced;
                failed := failed || single.failed;
                reason := coalesce(reason, single.reason);
            end loop;
        end if;
end $$;

-- The only change is that it calls replace_personal_data_batch and reports the failed orders, in one warning for each
-- batch.
create or replace function prune_personal_data(batch_size integer, out examined integer, out replaced integer)
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s'
    set enable_seqscan = off set enable_bitmapscan = off as $$
declare
    kept_since constant timestamptz := now() - (select personal_data_days from shop) * interval '1 day';
    walked     personal_data_pruning;
    candidates uuid[];
    pads       bytea;
    the_id     uuid;
    failed     uuid[];
    reason     text;
begin
    examined := 0;
    replaced := 0;
    if kept_since is null then
        return;
    end if;
    -- The lock serialises concurrent calls.
    select * into walked from personal_data_pruning for update;
    candidates := array(
        select order_id from postponed_orders where retry_at <= now() order by retry_at
        limit least(batch_size, 1000));
    if cardinality(candidates) = 0 then
        candidates := array(
            select id from orders
            where (placed_at, id) > (walked.examined_to, walked.examined_id) and placed_at < kept_since
            order by placed_at, id limit least(batch_size, 1000));
        if cardinality(candidates) = 0 then
            return;
        end if;
        the_id := candidates[cardinality(candidates)];
        select placed_at, id into walked.examined_to, walked.examined_id from orders where id = the_id;
        update personal_data_pruning set examined_to = walked.examined_to, examined_id = walked.examined_id;
    end if;
    examined := cardinality(candidates);
    -- gen_random_uuid uses the random generator of the operating system: 122 random bits each.
    update shop_secrets
    set guest_key = hmac_pads(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())))
    where guest_key is null;
    select guest_key into pads from shop_secrets;
    select batch.replaced, batch.failed, batch.reason into replaced, failed, reason
    from replace_personal_data_batch(candidates, kept_since, pads) as batch;
    if cardinality(failed) > 0 then
        raise warning 'the personal data of % orders could not be replaced and is tried again after a day; order %: %',
            cardinality(failed), failed[1], reason;
    end if;
end $$;
