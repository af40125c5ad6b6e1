-- How long data is kept, and the deletion of older rows. `welms prune` and a timer in the server prune each kind of
-- data on its own (Sources/Database/Retention/Pruning.swift). They call each function until it deletes nothing.
--
-- Each call deletes at most batch_size rows and reads few others, however large the table is. It skips rows that
-- another transaction has locked, until the next round. Orders, their steps and stock_movements are kept for ever.

-- 1. How long each kind is kept. The article Operating gives the reasons. Baskets have a setting (--prune-older-than).

create function retained_since(kind text) returns timestamptz
language sql stable as $$
    select now() - case kind
        when 'audit'        then interval '2 years'
        when 'coupon_uses'  then interval '1 year'  -- the calendar year of this moment and later ones
        when 'order_mails'  then interval '1 year'
        when 'recent_mails' then interval '1 hour'  -- mails_an_hour in begin_order_mail
        when 'slot_uses'    then interval '30 days'
        when 'stock_days'   then interval '1 year'
    end
$$;

create or replace function audit_is_retained(at timestamptz) returns boolean
language sql stable as $$ select at > retained_since('audit') $$;

-- 2. One function for each kind.

-- Reads one batch of the rows with the lowest ids, which are the oldest except for concurrent transactions. So a round
-- in which no row has expired reads one batch.
create or replace function prune_audit(batch_size integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    expired bigint[];
    deleted integer;
begin
    expired := array(
        select id from (select id, at from audit order by id limit least(batch_size, 10000)) as oldest
        where not audit_is_retained(at));
    delete from audit where id = any (array(select id from audit where id = any (expired) for update skip locked));
    get diagnostics deleted = row_count;
    return deleted;
end $$;

-- Uses the index recent_mails_by_time. The server that sends mail deletes these rows too, but only while it has mails.
create function prune_recent_mails(batch_size integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    kept_since constant timestamptz := retained_since('recent_mails');
    deleted    integer;
begin
    with expired as materialized (
        select order_id, state, attempt from recent_mails where at <= kept_since order by at
        limit least(batch_size, 10000) for update skip locked)
    delete from recent_mails using expired
    where recent_mails.order_id = expired.order_id and recent_mails.state = expired.state
        and recent_mails.attempt = expired.attempt;
    get diagnostics deleted = row_count;
    return deleted;
end $$;

-- The least basket id with this creation time (RFC 9562, section 5.7). An order has the id of its basket.
create function basket_id_at(moment timestamptz) returns uuid
language sql immutable as $$
    select (lpad(to_hex(greatest(extract(epoch from moment) * 1000, 0)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- Reads in key order, because an id starts with the creation time of the basket. A basket may have been ordered long
-- after that time. The additional month leaves few mails in the range that are younger than their retention.
create function prune_order_mails(batch_size integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    kept_since  constant timestamptz := retained_since('order_mails');
    made_before constant uuid := basket_id_at(kept_since - interval '30 days');
    deleted     integer;
begin
    with expired as materialized (
        select order_id, state from order_mails where order_id < made_before and at <= kept_since
        order by order_id, state limit least(batch_size, 10000) for update skip locked)
    delete from order_mails using expired
    where order_mails.order_id = expired.order_id and order_mails.state = expired.state;
    get diagnostics deleted = row_count;
    return deleted;
end $$;

-- Uses the primary key, with one range for each fulfilment. No order can be placed for a past slot. A cancellation
-- returns a slot only if its row exists.
create function prune_slot_uses(batch_size integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    kept_since constant timestamptz := retained_since('slot_uses');
    kinds      constant text[] := array(select fulfilment from fulfilments);
    deleted    integer;
begin
    with expired as materialized (
        select fulfilment, starts_at from slot_uses where fulfilment = any (kinds) and starts_at <= kept_since
        order by fulfilment, starts_at limit least(batch_size, 10000) for update skip locked)
    delete from slot_uses using expired
    where slot_uses.fulfilment = expired.fulfilment and slot_uses.starts_at = expired.starts_at;
    get diagnostics deleted = row_count;
    return deleted;
end $$;

-- The uses in calendar years. Uses of coupons with a limit for ever (period 0) are not in the index.
create index coupon_uses_by_year on coupon_uses (period) where period > 0;

-- Uses the index above. Only the current year counts. The year before is kept too, because the clock, the time zone of
-- the shop and checkouts at midnight decide which year is the current one. Period 0 is kept for ever.
create function prune_coupon_uses(batch_size integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    first_year constant integer := extract(year from retained_since('coupon_uses'));
    deleted    integer;
begin
    with expired as materialized (
        select coupon_id, guest_key, period, use_number from coupon_uses where period > 0 and period < first_year
        order by period limit least(batch_size, 10000) for update skip locked)
    delete from coupon_uses using expired
    where coupon_uses.coupon_id = expired.coupon_id and coupon_uses.guest_key = expired.guest_key
        and coupon_uses.period = expired.period and coupon_uses.use_number = expired.use_number;
    get diagnostics deleted = row_count;
    return deleted;
end $$;

-- No update changes the day, so this index permits HOT updates of the sold units.
create index stock_days_by_day on stock_days (day);

-- Uses the index above. Checkouts need the business days from today on. A cancellation returns units only to an
-- existing row; stock_movements keeps what was sold.
create function prune_stock_days(batch_size integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    first_day constant date := retained_since('stock_days');
    deleted   integer;
begin
    with expired as materialized (
        select subject, id, day from stock_days where day < first_day
        order by day limit least(batch_size, 10000) for update skip locked)
    delete from stock_days using expired
    where stock_days.subject = expired.subject and stock_days.id = expired.id and stock_days.day = expired.day;
    get diagnostics deleted = row_count;
    return deleted;
end $$;

-- 3. Baskets. A basket is finished when it is deleted, or ordered and without lines. Pruning reads each finished basket
-- once: it walks the baskets in id order, from one round to the next, and remembers the few that it could not finish.

-- How far the walk has come: every older basket is finished or in unfinished_baskets. It holds only ids of baskets that
-- are at least an hour old, so no transaction inserts a smaller id later.
-- To walk all baskets once more:  update basket_pruning set examined_to = '00000000-0000-0000-0000-000000000000';
create table basket_pruning (
    only_row    boolean not null default true,
    examined_to uuid    not null default '00000000-0000-0000-0000-000000000000',
    constraint basket_pruning_is_one_row primary key (only_row),
    constraint basket_pruning_only_row_is_true check (only_row)
);
insert into basket_pruning default values;

-- The examined baskets that were in use: changed recently, or locked. Every round examines them again.
create table unfinished_baskets (
    id uuid not null,
    constraint unfinished_baskets_pkey primary key (id)
);

-- Deletes the open baskets among the candidates, and the lines of the ordered ones, unless they were changed recently
-- or are locked. Returns the candidates that are unfinished. sql/distributed/006_retention.sql replaces it on Citus.
create function finish_baskets(
    candidates uuid[], before timestamptz, out unfinished uuid[], out abandoned integer, out emptied integer
)
language plpgsql as $$
declare
    stale_open    uuid[];
    stale_ordered uuid[];
begin
    select array_agg(id) filter (where state = 'open'), array_agg(id) filter (where state = 'ordered')
        into stale_open, stale_ordered
    from (select id, state from baskets
          where id = any (candidates) and changed_at < before and (state = 'open' or cardinality(lines) > 0)
          for update skip locked) as stale;
    -- Each statement has a fresh snapshot; the rows are locked.
    delete from baskets where id = any (stale_open);
    perform empty_baskets(stale_ordered);
    unfinished := array(
        select id from baskets where id = any (candidates) and (state = 'open' or cardinality(lines) > 0));
    abandoned := coalesce(cardinality(stale_open), 0);
    emptied := coalesce(cardinality(stale_ordered), 0);
end $$;

-- Examines up to batch_size baskets in id order and returns the last one, with which the caller continues; null: the
-- round has ended. First come the unfinished baskets of earlier rounds, then those that the walk has not reached yet.
-- prune_baskets walks all baskets. It remains for servers of the previous version.
create function prune_basket_batch(after uuid, before timestamptz, batch_size integer)
    returns table (last uuid, abandoned integer, emptied integer)
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s' as $$
declare
    made_before constant uuid := basket_id_at(before);
    examined    uuid;
    candidates  uuid[];
    unfinished  uuid[];
begin
    -- The caller may be a compromised server.
    if (before <= now() - interval '1 hour') is not true then
        raise exception 'baskets younger than an hour cannot be pruned'
            using errcode = 'check_violation', constraint = 'basket_is_older_than_an_hour',
                hint = 'Prune baskets that are older than an hour.';
    end if;
    -- The lock serialises concurrent calls.
    select examined_to into examined from basket_pruning for update;
    candidates := array(
        select id from unfinished_baskets where id > after order by id limit least(batch_size, 10000));
    if cardinality(candidates) = 0 then
        candidates := array(
            select id from baskets where id > examined and id < made_before order by id
            limit least(batch_size, 10000));
    end if;
    last := candidates[cardinality(candidates)];
    select * into unfinished, abandoned, emptied from finish_baskets(candidates, before);
    delete from unfinished_baskets where id = any (candidates) and id <> all (unfinished);
    insert into unfinished_baskets (id) select unnest(unfinished) on conflict do nothing;
    update basket_pruning set examined_to = last where last > examined_to;
    return next;
end $$;

-- 4. Privileges.

grant execute on function prune_recent_mails(integer), prune_order_mails(integer), prune_slot_uses(integer),
    prune_coupon_uses(integer), prune_stock_days(integer), prune_basket_batch(uuid, timestamptz, integer)
to welms_server;
grant execute on function retained_since(text) to welms_staff;
grant select on basket_pruning, unfinished_baskets to welms_staff;
