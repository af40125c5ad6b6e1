-- Stock counts of the items and options that staff count. Without a row, an item or option is unlimited.
--
-- Staff write remaining, the number that is left, or per_day, the number for each business day. An order takes its
-- stock in its own transaction, never more than is left. A cancelled or rejected order returns it once. stock_movements
-- records every change.

-- 1. The counts. The same columns and rules for both tables.

create table item_stock   (menu_item_id bigint not null, constraint item_stock_pkey   primary key (menu_item_id),
                           constraint counted_item_exists   foreign key (menu_item_id)
                               references menu_items) with (fillfactor = 20);
create table option_stock (option_id    bigint not null, constraint option_stock_pkey primary key (option_id),
                           constraint counted_option_exists foreign key (option_id)
                               references options) with (fillfactor = 20);
-- Free space on the page allows HOT updates by checkouts.

-- How many units were sold per business day, for stock that is counted per day.
create table stock_days (
    subject text   not null,           -- menu_items or options
    id      bigint not null,
    day     date   not null,
    sold    bigint not null default 0,
    constraint stock_days_pkey primary key (subject, id, day),
    constraint stock_day_sold_is_counted check (sold >= 0)
) with (fillfactor = 20);

-- The ledger, append-only. Rows without a day add up to remaining, except set_per_day, which records changes of
-- per_day. Rows with a day add up to the units sold on that day.
create table stock_movements (
    subject  text        not null, -- menu_items or options
    id       bigint      not null,
    change   bigint      not null,
    -- sold, given_back; wasted: sold and not returned, change 0; by staff: set, set_per_day
    reason   text        not null,
    day      date,                 -- the business day; null: a change of remaining
    order_id uuid,                 -- the order; null: changed by staff
    at       timestamptz not null,
    -- An order takes each item or option once and returns it once.
    constraint stock_movement_is_unique unique (order_id, subject, id, reason),
    constraint stock_movement_is_known
        check (subject in ('menu_items', 'options')
        and reason in ('sold', 'given_back', 'wasted', 'set', 'set_per_day'))
);

-- Records the changes of staff, by SQL or through the server. Orders change remaining and sold by opposite amounts, so
-- a change of their sum is a change by staff.
create function record_stock() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    before  constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
    after   constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
    counted constant bigint := coalesce(after, before) ->> tg_argv[1];
    left_over numeric := coalesce((after ->> 'remaining')::numeric, 0) - coalesce((before ->> 'remaining')::numeric, 0);
    daily     numeric := coalesce((after ->> 'per_day')::numeric, 0) - coalesce((before ->> 'per_day')::numeric, 0);
begin
    if tg_op = 'UPDATE' then
        left_over := left_over + (after ->> 'sold')::bigint - (before ->> 'sold')::bigint;
    end if;
    insert into stock_movements (subject, id, change, reason, at)
    select tg_argv[0], counted, moved.change, moved.reason, clock_timestamp()
    from (values (left_over, 'set', 'remaining'), (daily, 'set_per_day', 'per_day')) as moved (change, reason, name)
    where moved.change <> 0 or (tg_op = 'INSERT' and after ->> moved.name is not null);
    perform audit_row(tg_argv[2], array[tg_argv[1]], '{sold}', before, after); -- 020_staff.sql
    return null;
end $$;

create function refuse_stock_truncate() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
    raise exception 'counts must be deleted row by row'
        using errcode = 'restrict_violation', constraint = tg_table_name || '_is_not_truncated',
              hint = format('Each change is recorded in stock_movements: delete from %I;', tg_table_name);
end $$;

do $do$
declare
    counted record;
begin
    for counted in select *
        from (values ('item_stock', 'menu_item_id', 'menu_items'),
        ('option_stock', 'option_id', 'options')) as counted (stock, thing, subject) loop
        execute format($ddl$
            alter table %1$I
                add column remaining numeric,                   -- numeric: see menu_items.price
                add column per_day   numeric,
                -- units of remaining that orders took and did not return; only take_stock and give_stock_back write it
                add column sold      bigint not null default 0,
                add constraint stock_has_one_count
                    check (check_with_hint(num_nonnulls(remaining, per_day) = 1, 'stock_has_one_count',
                    'Write either remaining, the number left now, or per_day, the number for each day, and null for '
                        'the other. To stop counting: delete from %1$I where %2$I = ...;', %2$I)),
                add constraint stock_remaining_in_range
                    check (check_with_hint(remaining between 0 and 1000000000 and scale(remaining) = 0,
                    'stock_remaining_in_range',
                    'remaining is a whole number from 0 to 1000000000.', %2$I)),
                add constraint stock_per_day_in_range
                    check (check_with_hint(per_day between 0 and 1000000000 and scale(per_day) = 0,
                    'stock_per_day_in_range',
                    'per_day is a whole number from 0 to 1000000000.', %2$I));
            -- Orders do not change the id, so these triggers do not fire for them.
            create trigger check_row before insert or update of %2$I on %1$I for each row
                execute function explain_row();
            create trigger explain_parents before insert or update of %2$I on %1$I for each row
                execute function explain_parents();
            create trigger record_stock after insert or delete on %1$I for each row
                execute function record_stock(%3$L, %2$L, %1$L);
            create trigger record_stock_update after update on %1$I for each row
                when ((new.remaining + new.sold, new.per_day) is distinct from (old.remaining + old.sold, old.per_day))
                    execute function record_stock(%3$L, %2$L, %1$L);
            create trigger %4$I before truncate on %1$I for each statement execute function refuse_stock_truncate();
            -- Starting or stopping to count changes the menu snapshot. The counts themselves do not: servers poll them
            -- every second.
            create trigger lock_menu_revision before insert or delete on %1$I for each statement
                execute function lock_menu_revision();
            create trigger count_menu_revision after insert or delete on %1$I for each row
                execute function count_menu_revision();
            $ddl$, counted.stock, counted.thing, counted.subject, counted.stock || '_is_not_truncated');
    end loop;
end $do$;

-- 2. Business days, same rules as Sources/Ordering/Hours/BusinessDays.swift.

-- The first instant at which the clocks of a zone show this time or a later one: in a gap, the instant after the gap;
-- for a repeated time, the first occurrence.
create function first_shown(shown timestamp, zone text) returns timestamptz
language plpgsql stable as $$
declare
    -- No zone is a day ahead of or behind UTC, so the result lies between these two, and at most one clock change.
    day_before constant timestamptz := (shown - interval '1 day') at time zone 'UTC';
    day_after  constant timestamptz := (shown + interval '1 day') at time zone 'UTC';
    by_old     constant timestamptz := shown at time zone 'UTC'
                   - (day_before at time zone zone - day_before at time zone 'UTC');
    by_new     constant timestamptz := shown at time zone 'UTC'
                   - (day_after at time zone zone - day_after at time zone 'UTC');
    low        bigint;
    high       bigint;
    middle     bigint;
begin
    if by_old at time zone zone = shown then return by_old; end if;
    if by_new at time zone zone = shown then return by_new; end if;
    -- The local time does not exist: the clock changes between the two instants.
    low := extract(epoch from by_new);
    high := extract(epoch from by_old);
    while high - low > 1 loop
        middle := (low + high) / 2;
        if to_timestamp(middle) at time zone zone >= shown then high := middle; else low := middle; end if;
    end loop;
    return to_timestamp(high);
end $$;

-- The business day of a moment: the last one that has begun. It stays the same if the clocks go back over its start.
create function business_day(moment timestamptz, out day date, out begins timestamptz, out ends timestamptz)
language plpgsql stable as $$
declare
    zone   text;
    starts interval;
begin
    select time_zone, business_day_start into zone, starts from shop;
    day := (moment at time zone zone - starts)::date;
    ends := first_shown(day + 1 + starts, zone);
    while ends <= moment loop
        day := day + 1;
        ends := first_shown(day + 1 + starts, zone);
    end loop;
    begins := first_shown(day + starts, zone);
end $$;

-- 3. The stock that is left on the business days of these moments. Counts per day have one entry per day.

create type stock_count as (
    id        bigint,
    remaining bigint,
    begins    timestamptz, -- of the business day; null without per_day
    ends      timestamptz,
    subject   text         -- menu_items or options
);

-- items and options limit the result; null: everything that is counted.
create function stock_left(items bigint[], options bigint[], moments timestamptz[]) returns stock_count[]
language plpgsql stable as $$
begin
    return array(
        select row(counted.id,
            greatest(coalesce(counted.remaining, counted.per_day - coalesce(stock_days.sold, 0)), 0), day.begins,
            day.ends, counted.subject)::stock_count
        from (select 'menu_items' as subject, menu_item_id as id, remaining, per_day from item_stock
              where items is null or menu_item_id = any (items)
              union all
              select 'options', option_id, remaining, per_day from option_stock
              where options is null or option_id = any (options)) as counted
        -- Usually nothing is counted per day; then no business day is computed.
        left join (select distinct day, begins, ends from unnest(moments) as at cross join business_day(at)
                   where exists (select from item_stock where per_day is not null)
                       or exists (select from option_stock where per_day is not null)
                  ) as day on counted.per_day is not null
        left join stock_days on stock_days.subject = counted.subject and stock_days.id = counted.id
            and stock_days.day = day.day
        order by counted.subject, counted.id, day.day);
end $$;

-- 4. Taking and returning stock. Rows are locked in one order: items by id, then options by id.

-- Returns the number of locked rows.
create function lock_stock(items bigint[], options bigint[]) returns bigint
language plpgsql as $$
declare
    locked_items   bigint := 0;
    locked_options bigint := 0;
begin
    if cardinality(items) > 0 then
        perform from item_stock where menu_item_id = any (items) order by menu_item_id for update;
        get diagnostics locked_items = row_count;
    end if;
    if cardinality(options) > 0 then
        perform from option_stock where option_id = any (options) order by option_id for update;
        get diagnostics locked_options = row_count;
    end if;
    return locked_items + locked_options;
end $$;

-- A stock demand of an order together with the count that applies while its row is locked.
create type stock_claim as (
    order_id  uuid,
    id        bigint,
    units     bigint,
    remaining bigint,  -- before this batch; null: no longer counted
    count     integer, -- numbers the counts of the batch; without per_day, all wanted times share one count
    day       date,    -- the business day of the order
    is_daily  boolean, -- whether the count is per day
    subject   text
);

-- Takes the stock demands of the orders of a batch that may still be placed (candidates). Each order gets all that it
-- demands, or nothing. Returns the orders that got nothing.
create function take_stock(batch new_order[], candidates uuid[], moment timestamptz) returns uuid[]
language plpgsql as $$
declare
    today    constant date := (select day from business_day(moment));
    claims   stock_claim[] := array( -- in the order of the batch
        select row(draft.id, demand.id, demand.units, null, null,
            case when draft.wanted_at is null then today else (select day from business_day(draft.wanted_at)) end,
            null, demand.subject)::stock_claim
        from unnest(batch) with ordinality as draft cross join unnest(draft.stock_demands) as demand
        where draft.id = any (candidates) order by draft.ordinality);
    claim    stock_claim;
    taken    bigint[] := array_fill(0, array[cardinality(claims)]); -- the units that the batch takes of each count
    locked   bigint;
    is_all   boolean;   -- whether all counted rows are locked
    of_items   boolean; -- whether any claim is on the remaining units of an item
    of_options boolean;
    of_days    boolean;
    out_of_stock uuid[] := '{}';
    n        integer := 1;
    last     integer;
    gets_all boolean;
begin
    if cardinality(claims) = 0 then return out_of_stock; end if;
    set local lock_timeout = '100ms'; -- see place_orders
    loop
        locked := lock_stock(array(select id from unnest(claims) where subject = 'menu_items'),
                             array(select id from unnest(claims) where subject = 'options'));
        -- No other session can change the locked rows now.
        select array_agg(row(order_id, id, units, remaining, count, day, is_daily, subject)::stock_claim
                   order by ordinality),
               count(distinct item) + count(distinct option) = locked,
               bool_or(subject = 'menu_items' and remaining is not null and not is_daily),
               bool_or(subject = 'options' and remaining is not null and not is_daily),
               bool_or(is_daily)
        into claims, is_all, of_items, of_options, of_days
        from (
            select wanted.order_id, wanted.id, wanted.units, wanted.day, wanted.subject, wanted.ordinality,
                item.menu_item_id as item, option.option_id as option, counted.is_daily,
                case when coalesce(item.remaining, option.remaining, counted.per_day) is not null then
                    greatest(coalesce(item.remaining, option.remaining,
                        counted.per_day - coalesce(stock_days.sold, 0)), 0) end as remaining,
                dense_rank() over (order by wanted.subject, wanted.id,
                    case when counted.is_daily then wanted.day end) as count
            from unnest(claims) with ordinality as wanted
            left join item_stock as item on wanted.subject = 'menu_items' and item.menu_item_id = wanted.id
            left join option_stock as option on wanted.subject = 'options' and option.option_id = wanted.id
            left join stock_days on stock_days.subject = wanted.subject and stock_days.id = wanted.id
                and stock_days.day = wanted.day
            cross join lateral (select coalesce(item.per_day, option.per_day) as per_day,
                coalesce(item.per_day, option.per_day) is not null as is_daily) as counted
        ) as counted_claim;
        -- Staff may have deleted a row while we waited and inserted another one, which is not locked yet.
        exit when is_all;
    end loop;

    while n <= cardinality(claims) loop
        last := n;
        gets_all := true;
        while last <= cardinality(claims) and (claims[last]).order_id = (claims[n]).order_id loop
            claim := claims[last];
            gets_all := gets_all and coalesce(claim.units <= claim.remaining - taken[claim.count], true);
            last := last + 1;
        end loop;
        if gets_all then
            for part in n..last - 1 loop
                claim := claims[part];
                if claim.remaining is not null then
                    taken[claim.count] := taken[claim.count] + claim.units;
                end if;
            end loop;
        else
            out_of_stock := out_of_stock || claim.order_id;
        end if;
        n := last;
    end loop;

    -- Staff may have inserted counts since, which are not locked: a claim that had none takes nothing.
    if of_items then
        update item_stock set remaining = item_stock.remaining - take.units, sold = item_stock.sold + take.units
        from (select id, sum(units)::bigint as units from unnest(claims)
              where subject = 'menu_items' and remaining is not null and not is_daily and order_id <> all (out_of_stock)
              group by id) as take
        where menu_item_id = take.id;
    end if;
    if of_options then
        update option_stock set remaining = option_stock.remaining - take.units, sold = option_stock.sold + take.units
        from (select id, sum(units)::bigint as units from unnest(claims)
              where subject = 'options' and remaining is not null and not is_daily and order_id <> all (out_of_stock)
              group by id) as take
        where option_id = take.id;
    end if;
    if of_days then
        insert into stock_days (subject, id, day, sold)
        select subject, id, day, sum(units) from unnest(claims) where is_daily and order_id <> all (out_of_stock)
        group by subject, id, day order by subject, id, day
        on conflict on constraint stock_days_pkey do update set sold = stock_days.sold + excluded.sold;
    end if;
    if of_items or of_options or of_days then
        insert into stock_movements (subject, id, change, reason, day, order_id, at)
        select subject, id, -units, 'sold', case when is_daily then day end, order_id, moment
        from unnest(claims) where remaining is not null and order_id <> all (out_of_stock);
    end if;
    return out_of_stock;
end $$;

-- Returns the stock of an order, once, to the day from which it was taken. A count that no longer exists gets nothing.
create function give_stock_back(the_order uuid) returns void
language plpgsql as $$
declare
    movement record;
begin
    if not exists (select from stock_movements where order_id = the_order) then
        return;
    end if;
    -- Counts per day change only in stock_days, so staff's rows need no lock.
    perform lock_stock(array(select id from stock_movements
        where order_id = the_order and subject = 'menu_items' and day is null),
                       array(select id from stock_movements
                           where order_id = the_order and subject = 'options' and day is null));
    for movement in
        select subject, id, day, -change as units from stock_movements as taken
        where order_id = the_order and reason = 'sold'
          and not exists (select from stock_movements
              where order_id = the_order and subject = taken.subject and id = taken.id
              and reason in ('given_back', 'wasted'))
        order by subject, id
    loop
        -- Staff may have changed the count, so it is limited to its range: a cancellation must not fail.
        if movement.day is not null then
            update stock_days set sold = greatest(sold - movement.units, 0)
                where subject = movement.subject and id = movement.id and day = movement.day;
        elsif movement.subject = 'menu_items' then
            update item_stock set remaining = least(remaining + movement.units, 1000000000),
                sold = sold - movement.units
            where menu_item_id = movement.id and remaining is not null;
        else
            update option_stock set remaining = least(remaining + movement.units, 1000000000),
                sold = sold - movement.units
            where option_id = movement.id and remaining is not null;
        end if;
        if found then
            insert into stock_movements (subject, id, change, reason, day, order_id, at)
            values (movement.subject, movement.id, movement.units, 'given_back', movement.day, the_order,
                clock_timestamp());
        end if;
    end loop;
end $$;

-- Records that the stock of an order is wasted. It is never returned afterwards.
create function record_waste(the_order uuid) returns void
language plpgsql as $$
begin
    insert into stock_movements (subject, id, change, reason, day, order_id, at)
    select subject, id, 0, 'wasted', day, the_order, clock_timestamp() from stock_movements as taken
    where order_id = the_order and reason = 'sold'
      and not exists (select from stock_movements
          where order_id = the_order and subject = taken.subject and id = taken.id
          and reason in ('given_back', 'wasted'));
end $$;

-- Sets or, with two nulls, ends a count, for the routes of the server. Locks the row first and menu_revision second,
-- like `update item_stock ...; update menu_items ...` in SQL, so that the two cannot deadlock. Skips retired items.
create function set_count(the_subject text, thing bigint, left_over numeric, daily numeric) returns void
language plpgsql as $$
begin
    if the_subject = 'menu_items' then
        perform from item_stock where menu_item_id = thing for update;
        if num_nulls(left_over, daily) = 2 then
            delete from item_stock where menu_item_id = thing;
        elsif found then
            update item_stock set remaining = left_over, per_day = daily
            where menu_item_id = thing and exists (select from menu_items where id = thing and not is_retired);
        else
            insert into item_stock (menu_item_id, remaining, per_day) select id, left_over, daily from menu_items
                where id = thing and not is_retired
            on conflict (menu_item_id) do update set remaining = excluded.remaining, per_day = excluded.per_day;
        end if;
    else
        perform from option_stock where option_id = thing for update;
        if num_nulls(left_over, daily) = 2 then
            delete from option_stock where option_id = thing;
        elsif found then
            update option_stock set remaining = left_over, per_day = daily
            where option_id = thing and exists (select from options where id = thing and not is_retired);
        else
            insert into option_stock (option_id, remaining, per_day) select id, left_over, daily from options
                where id = thing and not is_retired
            on conflict (option_id) do update set remaining = excluded.remaining, per_day = excluded.per_day;
        end if;
    end if;
end $$;

-- 5. Privileges. Staff and the routes of the server write counts. No role writes sold units directly.

grant execute on function
    set_count(text, bigint, numeric, numeric), stock_left(bigint[], bigint[], timestamptz[]), business_day(timestamptz),
    first_shown(timestamp, text)
to welms_server;
grant select on item_stock, option_stock, stock_days, stock_movements to welms_server, welms_staff;
grant delete, insert (menu_item_id, remaining, per_day), update (remaining, per_day) on item_stock to welms_server,
    welms_staff;
grant delete, insert (option_id, remaining, per_day), update (remaining, per_day) on option_stock to welms_server,
    welms_staff;
