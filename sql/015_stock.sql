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

-- 3. The stock that is left on the business days of these moments, five numbers per entry: 0 for an item or 1 for an
-- option, the id, the units left, and the start and end of the day. Both are in microseconds since 1970, and null
-- without per_day. Counts per day have one entry per day.
-- items and options limit the result; null: everything that is counted.
create function stock_left(items bigint[], options bigint[], moments timestamptz[]) returns bigint[]
language plpgsql stable as $$
begin
    return array(
        select part.number
        from (select 0 as kind, 'menu_items' as subject, menu_item_id as id, remaining, per_day from item_stock
              where items is null or menu_item_id = any (items)
              union all
              select 1, 'options', option_id, remaining, per_day from option_stock
              where options is null or option_id = any (options)) as counted
        -- Usually nothing is counted per day; then no business day is computed.
        left join (select distinct day, (extract(epoch from begins) * 1000000)::bigint as begins,
            (extract(epoch from ends) * 1000000)::bigint as ends
                   from unnest(moments) as at cross join business_day(at)
                   where exists (select from item_stock where per_day is not null)
                       or exists (select from option_stock where per_day is not null)
                  ) as day on counted.per_day is not null
        left join stock_days on stock_days.subject = counted.subject and stock_days.id = counted.id
            and stock_days.day = day.day
        cross join lateral (values (1, counted.kind::bigint), (2, counted.id),
            (3, greatest(coalesce(counted.remaining, counted.per_day - coalesce(stock_days.sold, 0)), 0)::bigint),
            (4, day.begins), (5, day.ends)) as part (n, number)
        order by counted.kind, counted.id, day.day, part.n);
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

-- Takes the stock demand of the orders of a batch. Each order gets all that it demands, or nothing. Returns the orders
-- that got nothing.
--   ids        all orders of the batch
--   candidates the orders that may still be placed
--   subjects, things
--              the demanded items by id, then options by id, each once per wanted time
--   moments    their wanted times; null: now; a null array: now for all
--   takers, parts, units
--              order takers[n], an index into ids in ascending order, demands units[n] of things[parts[n]]
create function take_stock(
    ids uuid[], candidates uuid[], subjects text[], things bigint[], moments timestamptz[], takers integer[],
        parts integer[], units bigint[], moment timestamptz
) returns uuid[]
language plpgsql as $$
declare
    today    constant date := (select day from business_day(moment));
    days     date[] := array_fill(today, array[cardinality(things)]); -- the business days of the demands
    lefts    bigint[];  -- units left of each; null: no longer counted
    daily    boolean[];
    counts   integer[]; -- the index of the count that applies: without per_day, all wanted times share one count
    takes    bigint[] := array_fill(0, array[cardinality(things)]);
    locked   bigint;
    is_all   boolean;   -- whether all counted rows are locked
    out_of_stock    uuid[] := '{}';
    n        integer := 1;
    last     integer;
    gets_all boolean;
begin
    set local lock_timeout = '100ms'; -- see place_orders
    if moments is not null then
        days := array(select coalesce((select day from business_day(part.at)), today) from unnest(moments)
            with ordinality as part (at, n) order by part.n);
    end if;
    loop
        locked := lock_stock(array(select id from unnest(subjects, things) as thing (subject, id)
            where subject = 'menu_items'),
                             array(select id from unnest(subjects, things) as thing (subject, id)
                                 where subject = 'options'));
        -- No other session can change the locked rows now.
        select array_agg(case when coalesce(item.remaining, item.per_day, option.remaining,
            option.per_day) is not null then
                             greatest(coalesce(item.remaining, option.remaining,
                                 coalesce(item.per_day, option.per_day) - coalesce(stock_days.sold, 0)), 0)::bigint
                         end order by thing.n),
               array_agg(coalesce(item.per_day, option.per_day) is not null order by thing.n),
               count(distinct item.menu_item_id) + count(distinct option.option_id) = locked
        into lefts, daily, is_all
        from unnest(subjects, things, days) with ordinality as thing (subject, id, day, n)
        left join item_stock as item on thing.subject = 'menu_items' and item.menu_item_id = thing.id
        left join option_stock as option on thing.subject = 'options' and option.option_id = thing.id
        left join stock_days on stock_days.subject = thing.subject and stock_days.id = thing.id
            and stock_days.day = thing.day;
        -- Staff may have deleted a row while we waited and inserted another one, which is not locked yet.
        exit when is_all;
    end loop;
    counts := array(select min(other.n) from unnest(subjects, things, days, daily)
        with ordinality as part (subject, id, day, is_daily, n)
                    join unnest(subjects, things, days) with ordinality as other (subject, id, day, n)
                         on other.subject = part.subject and other.id = part.id
                             and (not part.is_daily or other.day = part.day)
                    group by part.n order by part.n);

    while n <= cardinality(takers) loop
        last := n;
        gets_all := true;
        while last <= cardinality(takers) and takers[last] = takers[n] loop
            gets_all := gets_all and coalesce(lefts[counts[parts[last]]] >= units[last], true);
            last := last + 1;
        end loop;
        if ids[takers[n]] = any (candidates) then
            if gets_all then
                for part in n..last - 1 loop
                    if lefts[counts[parts[part]]] is not null then
                        lefts[counts[parts[part]]] := lefts[counts[parts[part]]] - units[part];
                        takes[counts[parts[part]]] := takes[counts[parts[part]]] + units[part];
                    end if;
                end loop;
            else
                out_of_stock := out_of_stock || ids[takers[n]];
            end if;
        end if;
        n := last;
    end loop;

    if 0 < any (takes) then
        update item_stock set remaining = remaining - take.units, sold = item_stock.sold + take.units
        from unnest(subjects, things, takes) as take (subject, id, units)
        where take.subject = 'menu_items' and menu_item_id = take.id and remaining is not null and take.units > 0;
        if 'options' = any (subjects) then
            update option_stock set remaining = remaining - take.units, sold = option_stock.sold + take.units
            from unnest(subjects, things, takes) as take (subject, id, units)
            where take.subject = 'options' and option_id = take.id and remaining is not null and take.units > 0;
        end if;
        if true = any (daily) then
            insert into stock_days (subject, id, day, sold)
            select take.subject, take.id, take.day, take.units
                from unnest(subjects, things, days, takes, daily) as take (subject, id, day, units, is_daily)
            where take.is_daily and take.units > 0 order by take.subject, take.id, take.day
            on conflict on constraint stock_days_pkey do update set sold = stock_days.sold + excluded.sold;
        end if;
        insert into stock_movements (subject, id, change, reason, day, order_id, at)
        select subjects[want.part], things[want.part], -want.units, 'sold',
            case when daily[want.part] then days[want.part] end, ids[want.taker], moment
        from unnest(takers, parts, units) as want (taker, part, units)
        where ids[want.taker] = any (candidates) and ids[want.taker] <> all (out_of_stock)
            and lefts[want.part] is not null;
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
