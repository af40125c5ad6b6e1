-- Replaces functions of 023_retention.sql on a Citus cluster, where one statement cannot lock rows of several shards.
-- They find the rows on all shards first, then lock and delete them one by one. They use custom plans, because the
-- shard depends on the values: Citus rejects the generic plans of the server's sessions (ShopDatabase.sessionSettings).

create or replace function prune_order_mails(batch_size integer) returns integer
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
    kept_since  constant timestamptz := retained_since('order_mails');
    made_before constant uuid := basket_id_at(kept_since - interval '30 days');
    order_ids   uuid[];
    states      text[];
    the_order   uuid;
    the_state   text;
    deleted     integer := 0;
begin
    select array_agg(order_id), array_agg(state) into order_ids, states
    from (select order_id, state from order_mails where order_id < made_before and at <= kept_since
          order by order_id, state limit least(batch_size, 10000)) as expired;
    for n in 1..coalesce(cardinality(order_ids), 0) loop
        the_order := order_ids[n];
        the_state := states[n];
        -- The mail may be locked, or have changed since.
        perform from order_mails where order_id = the_order and state = the_state and at <= kept_since
        for update skip locked;
        if found then
            delete from order_mails where order_id = the_order and state = the_state;
            deleted := deleted + 1;
        end if;
    end loop;
    return deleted;
end $$;

create or replace function prune_coupon_uses(batch_size integer) returns integer
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
    first_year constant integer := extract(year from retained_since('coupon_uses'));
    coupon_ids bigint[];
    guest_keys text[];
    periods    integer[];
    numbers    smallint[];
    the_coupon bigint;
    deleted    integer := 0;
begin
    select array_agg(coupon_id), array_agg(guest_key), array_agg(period), array_agg(use_number)
        into coupon_ids, guest_keys, periods, numbers
    from (select coupon_id, guest_key, period, use_number from coupon_uses where period > 0 and period < first_year
          order by period limit least(batch_size, 10000)) as expired;
    for n in 1..coalesce(cardinality(coupon_ids), 0) loop
        the_coupon := coupon_ids[n];
        perform from coupon_uses
        where coupon_id = the_coupon and guest_key = guest_keys[n] and period = periods[n] and use_number = numbers[n]
        for update skip locked;
        if found then
            delete from coupon_uses
            where coupon_id = the_coupon and guest_key = guest_keys[n] and period = periods[n]
                and use_number = numbers[n];
            deleted := deleted + 1;
        end if;
    end loop;
    return deleted;
end $$;

create or replace function finish_baskets(
    candidates uuid[], before timestamptz, out unfinished uuid[], out abandoned integer, out emptied integer
)
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
    stale     uuid[];
    stale_id  uuid;
    its_state text;
begin
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
    unfinished := array(
        select id from baskets where id = any (candidates) and (state = 'open' or cardinality(lines) > 0));
end $$;

-- Its read of the baskets goes to all shards.
alter function prune_basket_batch(uuid, timestamptz, integer) set plan_cache_mode = force_custom_plan;
