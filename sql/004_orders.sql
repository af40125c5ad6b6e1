-- Orders: the immutable result of a checkout. Only the state changes.
--
-- An order has the id of its basket, so the primary key allows at most one order per basket. It keeps a snapshot of
-- titles and prices and has no foreign key to the menu. It has none to baskets either, because place_orders closes the
-- basket in the same transaction.
-- The lines are arrays in the row, so that a CHECK can verify their sums: line n is element n of each line_* column.
-- The same holds for the total lines (total_*). The views order_lines and order_totals show them as rows.

-- Whether the lines are valid and add up to the order's subtotal and discount. Uses arrays: parsing and summing a JSON
-- document of three lines took longer than the rest of an insert. A missing value makes a comparison null, which a
-- CHECK accepts, so this function returns false then.
create function lines_add_up(quantities integer[], prices bigint[], discounts bigint[], subtotal bigint,
    discount bigint) returns boolean
language plpgsql immutable as $$
declare
    total bigint;
begin
    for n in 1..cardinality(quantities) loop
        total := prices[n] * quantities[n];
        if (quantities[n] between 1 and 99 and prices[n] between 0 and 200000000000
            and discounts[n] between 0 and total) is not true then
            return false;
        end if;
        subtotal := subtotal - total;
        discount := discount - discounts[n];
    end loop;
    return subtotal = 0 and discount = 0;
end $$;

-- Whether the total lines are valid and lead from the subtotal to the total: no zeros, only discounts below zero, and
-- their sum is the order's discount. Same rules as Totals.init(stored:).
create function totals_add_up(
    kinds text[], codes text[], titles text[], amounts bigint[], are_included boolean[], rates text[], subtotal bigint,
        discount bigint, total bigint
) returns boolean
language plpgsql immutable as $$
declare
    most constant bigint := 9000000000000000; -- Money.highest
    many constant integer := cardinality(kinds);
begin
    if (many = coalesce(cardinality(codes), many) and many = cardinality(titles) and many = cardinality(amounts)
        and many = coalesce(cardinality(are_included), many) and many = coalesce(cardinality(rates), many)
        and subtotal between 0 and most and discount between 0 and subtotal and total between 0 and most) is not true
    then
        return false;
    end if;
    for n in 1..many loop
        if (titles[n] <> '' and (are_included is null or are_included[n] is not null)
            and case kinds[n] when 'discount' then amounts[n] between -most and -1
                              -- 0 is allowed, if a delivery area applies
                              when 'delivery_fee' then amounts[n] between 0 and most
                              else kinds[n] in ('small_order_fee', 'service_charge', 'tax', 'tip')
                                  and amounts[n] between 1 and most end) is not true
        then
            return false;
        end if;
        if are_included[n] is not true then total := total - amounts[n]; end if;
        if kinds[n] = 'discount' then discount := discount + amounts[n]; end if;
    end loop;
    return total = subtotal and discount = 0;
end $$;

-- Whether the taxes of the lines are at most the taxes of the order. The difference is the tax on fees.
create function taxes_add_up(line_taxes bigint[], kinds text[], amounts bigint[]) returns boolean
language plpgsql immutable as $$
begin
    return 0 <= all (line_taxes)
        and (select coalesce(sum(tax), 0) from unnest(line_taxes) as tax)
            <= (select coalesce(sum(amount), 0) from unnest(kinds, amounts) as total (kind, amount) where kind = 'tax');
end $$;

-- Whether every tax line, and no other line, has a net amount that matches its rate. Rounding may change the tax by
-- half a minor unit and the net amount by less than one. The sum of net amounts and taxes is at most the total without
-- the tip.
create function nets_add_up(nets bigint[], kinds text[], amounts bigint[], rates text[], total bigint) returns boolean
language plpgsql immutable as $$
begin
    if (cardinality(nets) = cardinality(kinds)) is not true then return false; end if;
    for n in 1..cardinality(kinds) loop
        if kinds[n] = 'tax' then
            if (nets[n] between 0 and 9000000000000000
                and abs(amounts[n] * 100 - nets[n] * rates[n]::numeric) <= 200) is not true then
                return false;
            end if;
            total := total - nets[n] - amounts[n];
        elsif nets[n] is not null then
            return false;
        elsif kinds[n] = 'tip' then
            total := total - amounts[n];
        end if;
    end loop;
    return total >= 0;
end $$;

-- Returns true, or raises the name of the violated rule. A rule that evaluates to null is violated.
-- Functions are called with their schema, because pg_restore loads a dump with an empty search_path.
create function order_is_valid(
    number text, state text, coupon_key text, coupon_id bigint, line_ids bigint[], line_items bigint[],
    line_kinds text[], line_titles text[],
    line_quantities integer[], line_regular_prices bigint[], line_prices bigint[], line_discounts bigint[],
    line_sales bigint[],
    line_sale_titles text[], line_notes text[], line_options jsonb[], total_kinds text[], total_codes text[],
    total_titles text[], total_amounts bigint[],
    total_are_included boolean[], total_rates text[], subtotal bigint, discount bigint, total bigint,
    eta_minutes smallint, minimum_age smallint,
    fulfilment text, address text, wanted_at timestamptz, slot_items integer, line_taxes bigint[], language text,
        total_nets bigint[]
) returns boolean
language plpgsql immutable as $$
declare
    many   constant integer := cardinality(line_items);
    broken constant text := case
        when (number ~ '^[0-9]{8}$') is not true then 'order_number_has_eight_digits'
        when (state in ('placed', 'accepted', 'preparing', 'on_the_way', 'delivered', 'cancelled',
            'rejected')) is not true then 'order_state_is_known'
        when (case when total_kinds is null then total = subtotal and discount = 0 and total_codes is null
            and total_titles is null
                        and total_amounts is null and total_are_included is null and total_rates is null
                   else public.totals_add_up(total_kinds, total_codes, total_titles, total_amounts, total_are_included,
                       total_rates, subtotal, discount, total)
              end) is not true then 'order_total_adds_up'
        when (many > 0) is not true then 'order_is_not_empty'
        when (many = cardinality(line_kinds) and many = cardinality(line_titles) and many = cardinality(line_quantities)
              and many = cardinality(line_regular_prices) and many = cardinality(line_prices)
                  and many = cardinality(line_discounts)
              and many = cardinality(line_sales) and many = cardinality(line_ids)
                  and many = coalesce(cardinality(line_sale_titles), many)
              and many = coalesce(cardinality(line_notes), many)
                  and many = coalesce(cardinality(line_options), many)) is not true then 'order_lines_are_complete'
        when ((coupon_key is null) = (coupon_id is null)
            and (discount = 0 or coupon_id is not null)) is not true then 'order_coupon_is_complete'
        when public.lines_add_up(line_quantities, line_prices, line_discounts, subtotal,
            discount) is not true then 'order_lines_add_up'
        when (case when wanted_at is null then eta_minutes between 15 and 240 and eta_minutes % 5 = 0
            and slot_items is null
                   else eta_minutes is null and slot_items > 0 end) is not true then 'order_eta_in_range'
        when (case fulfilment when 'delivery' then address is not null
                              when 'pickup' then address is null end) is not true
            then 'order_address_matches_fulfilment'
        when line_taxes is not null
            and (many = cardinality(line_taxes)
            and public.taxes_add_up(line_taxes, total_kinds, total_amounts)) is not true
            then 'order_taxes_add_up'
        when (total_nets is not null or 'tax' = any (total_kinds))
            and public.nets_add_up(total_nets, total_kinds, total_amounts, total_rates, total) is not true
            then 'order_nets_add_up'
        when language is not null and public.is_language_tag(language) is not true then 'order_language_is_a_tag'
        when minimum_age <= 0 then 'order_minimum_age_is_an_age' end;
begin
    if broken is not null then
        raise check_violation using constraint = broken, table = 'orders',
            message = format('new row for relation "orders" violates check constraint "%s"', broken);
    end if;
    return true;
end $$;

create table orders (
    id              uuid        not null,                 -- the id of the basket
    number          text collate "C" not null,             -- eight digits, for guests and staff: see order_number
    idempotency_key text        not null,                 -- of the request that placed the order
    -- a digest of that request's fields: the same key with other fields is rejected
    fingerprint     bytea       not null,
    state           text        not null default 'placed',
    name            text        not null,
    -- E.164; compared by bytes, because the collation of the database is slower
    phone           text collate "C" not null,
    email           text        not null,                 -- as the guest typed it; compared in lower case
    address         text,                                 -- null for pickup
    postcode        text,                                 -- null: not given
    comment         text,
    coupon_key      text,
    coupon_id       bigint,
    line_ids        bigint[]    not null,                 -- the line numbers in the basket
    line_items      bigint[]    not null,
    line_kinds      text[]      not null,
    line_titles     text[]      not null,
    line_quantities integer[]   not null,
    line_regular_prices bigint[] not null,                -- of one unit, without the sale percent
    line_prices     bigint[]    not null,                 -- of one unit, as charged
    line_discounts  bigint[]    not null,                 -- the line's share of the coupon's discount
    -- 0, or the sales group of the line's set: single lines first, then each set
    line_sales      bigint[]    not null,
    line_sale_titles text[],                              -- null for single lines; null array: no line is in a set
    line_notes      text[],                               -- kitchen notes; null element: no note; null array: no notes
    line_options    jsonb[],                              -- the selections, as in baskets
    line_taxes      bigint[],                             -- the line's share of its tax; null: no taxes
    -- discount, delivery_fee, ...: the lines between subtotal and total, in their order; null: none
    total_kinds     text[],
    -- the coupon of a discount, the rate of a tax; null for other lines; null array: no line has a code
    total_codes     text[],
    total_titles    text[],
    total_amounts   bigint[],                             -- signed: a discount is negative
    total_are_included boolean[],                         -- whether the prices include it; null: none is included
    -- percent of a tax as a decimal number; null for other lines; null array: no taxes
    total_rates     text[],
    -- the net amount of a tax; null for other lines; null array: no taxes
    total_nets      bigint[],
    subtotal        bigint      not null,
    discount        bigint      not null,                 -- the sum of the discounts, positive
    total           bigint      not null,
    currency        text        not null,
    fulfilment      text        not null default 'delivery', -- or pickup
    wanted_at       timestamptz,                          -- the start of its slot; null: as soon as possible
    slot_items      integer,                              -- how many dishes it takes of the slot
    eta_minutes     smallint,                             -- null if wanted_at is set
    minimum_age     smallint,                             -- of the recipient; null: no restriction
    language        text,                                 -- of the guest; null: English
    subtotal_title  text,                                 -- in this language; null: the built-in title
    total_title     text,                                 -- the same for the total
    placed_at       timestamptz not null,
    -- Null until staff set them (007_order_steps.sql), so a checkout does not write them.
    promised_at     timestamptz,                          -- the time that staff promised; null: the checkout's estimate
    delay_reason    text,                                 -- the reason for the delay; the guest reads it
    day_number      integer,                              -- 1, 2, 3, ... on its business day
    -- Set if the checkout did not draw the number: the time at which staff began to prepare a pre-order without a
    -- number, or at which the server assigned it. A replay shows only a number that the first response had.
    day_number_wanted_at timestamptz,
    constraint one_order_per_basket primary key (id),
    -- One constraint for all rules: every CHECK costs 8 µs per statement to compile, and only functions write this
    -- table.
    constraint order_is_valid check (order_is_valid(
        number, state, coupon_key, coupon_id, line_ids, line_items, line_kinds, line_titles, line_quantities,
        line_regular_prices, line_prices,
        line_discounts, line_sales, line_sale_titles, line_notes, line_options, total_kinds, total_codes, total_titles,
        total_amounts,
        total_are_included, total_rates, subtotal, discount, total, eta_minutes, minimum_age, fulfilment, address,
        wanted_at, slot_items, line_taxes,
        language, total_nets))
) with (fillfactor = 90); -- the state changes a few times

-- Staff look up orders by number; numbers are unique by construction.
create index orders_by_number on orders (number);
-- Orders with a wanted time; other orders are not in the index. The id is for paging.
create index orders_by_wanted_at on orders (wanted_at, id) where wanted_at is not null;
-- Orders without a day number, by the time at which they need one: normally only pre-orders. The state is not
-- part of the condition, because every step would then write new entries into all indexes.
create index orders_without_day_number on orders (coalesce(day_number_wanted_at, wanted_at, placed_at), id)
    where day_number is null;
-- The orders of a guest, by phone or email, for coupon conditions. Emails are ASCII. Collation C gives the same lower
-- case everywhere; a Turkish database would turn I into a dotless i.
create index orders_by_phone on orders (phone, coupon_id);
create index orders_by_email on orders (lower(email collate "C"), coupon_id);

-- The steps of an order after its placement: 1, 2, ...
create table order_steps (
    order_id uuid        not null,
    step     integer     not null,
    state    text        not null,
    reason   text,                 -- why staff rejected or delayed it
    at       timestamptz not null,
    -- moved; taken_back: restores the state before the last step; delayed: keeps the state
    kind     text        not null default 'moved',
    promised_at timestamptz,       -- the new promised time, if staff set one with this step
    is_by_deadline boolean not null default false, -- rejected by the shop, because it was not accepted by its deadline
    constraint order_steps_pkey primary key (order_id, step),
    constraint order_step_kind_is_known check (kind in ('moved', 'taken_back', 'delayed'))
);

-- A rejection or delivery that staff requested and that is held back for ten seconds (request_step), at most one per
-- order. It is deleted when it is executed or withdrawn. Writers lock the row of the order first. Guests never read
-- this table.
create table pending_order_steps (
    order_id       uuid        not null,
    state          text        not null, -- rejected or delivered
    reason         text,                 -- of a rejection; the guest reads it after the execution
    food_is_wasted boolean,              -- null: advance_order decides by the state of the order
    execute_at     timestamptz not null, -- when the server executes it
    member         text        not null, -- who requested it; the audit names this member for the execution, too
    member_role    text        not null,
    constraint pending_order_steps_pkey primary key (order_id),
    constraint pending_order_step_is_final check (state in ('rejected', 'delivered'))
);
create index pending_order_steps_by_time on pending_order_steps (execute_at, order_id);

create view order_lines as
select orders.id as order_id, number, position, menu_item_id, kind, title, quantity, regular_unit_price, unit_price,
    unit_price * quantity as total,
       line.discount, nullif(sales_group_id, 0) as sales_group_id, line_id, note, options, coalesce(tax, 0) as tax
from orders cross join lateral
     unnest(line_items, line_kinds, line_titles, line_quantities, line_regular_prices, line_prices, line_discounts,
         line_sales,
            line_ids, line_notes, line_options, line_taxes)
         with ordinality as line (menu_item_id, kind, title, quantity, regular_unit_price, unit_price, discount,
             sales_group_id, line_id, note, options, tax,
                                      position);

create view order_totals as
select orders.id as order_id, number, position, kind, code, title, amount, coalesce(is_included, false) as is_included,
    rate, net
from orders cross join lateral
     unnest(array['subtotal'] || total_kinds || array['total'], array[null] || total_codes || array[null],
            array[coalesce(subtotal_title, 'Subtotal')] || total_titles || array[coalesce(total_title, 'Total')],
                array[subtotal] || total_amounts || array[total],
            array[false] || total_are_included || array[false], array[null] || total_rates || array[null],
            array[null::bigint] || total_nets || array[null::bigint])
         with ordinality as line (kind, code, title, amount, is_included, rate, net, position);

-- Order numbers: a keyed permutation of a sequence, so that they are unique and do not reveal the next one. A Feistel
-- network of four rounds over two halves of 0..9999 (Luby and Rackoff, 1988), with SHA-256 under the shop's secret.
create sequence order_sequence minvalue 0 maxvalue 99999999 no cycle;

create function order_number(sequence_value bigint, secret bytea) returns text
language plpgsql immutable as $$
declare
    high   integer := sequence_value / 10000;
    low    integer := sequence_value % 10000;
    digest bytea;
begin
    -- The rounds change the halves alternately, so they need not be swapped.
    digest := sha256(secret || int4send(10000 + low));
    high := (high + get_byte(digest, 0) * 65536 + get_byte(digest, 1) * 256 + get_byte(digest, 2)) % 10000;
    digest := sha256(secret || int4send(20000 + high));
    low := (low + get_byte(digest, 0) * 65536 + get_byte(digest, 1) * 256 + get_byte(digest, 2)) % 10000;
    digest := sha256(secret || int4send(30000 + low));
    high := (high + get_byte(digest, 0) * 65536 + get_byte(digest, 1) * 256 + get_byte(digest, 2)) % 10000;
    digest := sha256(secret || int4send(40000 + high));
    low := (low + get_byte(digest, 0) * 65536 + get_byte(digest, 1) * 256 + get_byte(digest, 2)) % 10000;
    return lpad((high::bigint * 10000 + low)::text, 8, '0');
end $$;

-- Secrets that only the servers of the shop may read: one for order numbers, one for access tokens.
create table shop_secrets (
    only_row     boolean not null default true check (only_row),
    order_number bytea   not null,
    access_token bytea   not null,
    constraint shop_secrets_is_one_row primary key (only_row)
);
-- gen_random_uuid uses the random generator of the operating system: 122 random bits each.
insert into shop_secrets (order_number, access_token) values
    (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())),
        sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));

-- Day numbers: short numbers that restart at 1 on each business day. The checkout draws the number when it
-- places the order. The server draws the others (number_orders): for pre-orders that become due, and for orders that
-- were placed before the day had a row.
-- A sequence has no transactional lock, so no checkout waits for a number. If an order is not placed after all or is
-- rejected later, its number is not reused.
-- Each weekday has a sequence. A sequence per business day would have to be created while guests order. A single
-- sequence could not start a day before the previous day ends. After a crash, numbers may jump by up to 32, because
-- PostgreSQL logs 32 values ahead.
create sequence day_numbers_1;
create sequence day_numbers_2;
create sequence day_numbers_3;
create sequence day_numbers_4;
create sequence day_numbers_5;
create sequence day_numbers_6;
create sequence day_numbers_7;

-- One row per business day, which the server inserts ahead in its own transaction (write_day_numbers). Other
-- transactions only read it, because an insert waits for every open transaction that inserted the same key.
-- A row stores the bounds of its day, because business_day costs 30 µs in each checkout. It is valid only while the
-- shop has the same settings.
create table day_numbers (
    day                date        not null,
    time_zone          text        not null, -- as in shop
    business_day_start time        not null,
    begins             timestamptz not null,
    ends               timestamptz not null,
    source             regclass    not null, -- the weekday's sequence
    first              bigint      not null, -- the value of this sequence before number 1
    constraint day_numbers_pkey primary key (day)
);

-- The sequence of the business day at this moment, and its value before number 1: a day number is
-- nextval(source) - first. Both are null while the day has no row.
create function day_number_source(moment timestamptz, out source regclass, out first bigint)
language plpgsql stable as $$
begin
    select day_numbers.source, day_numbers.first into source, first
    from shop join day_numbers using (time_zone, business_day_start)
    where moment >= day_numbers.begins and moment < day_numbers.ends;
end $$;

-- Draws the day numbers for a batch, in its order: null for a draft without an order number and for a pre-order
-- that is not due. Returns null while the day has no row. Repeats the query of day_number_source instead of calling it,
-- to save time in every checkout.
-- On Citus a worker places the orders and has no sequence: sql/distributed/005_day_numbers.sql replaces this function.
create function draw_day_numbers(moment timestamptz, numbers text[], wanted_ats timestamptz[]) returns integer[]
language plpgsql as $$
declare
    day_source regclass;
    day_first  bigint;
    days       integer[] := array_fill(null::integer, array[cardinality(numbers)]);
begin
    select day_numbers.source, day_numbers.first into day_source, day_first
    from shop join day_numbers using (time_zone, business_day_start)
    where moment >= day_numbers.begins and moment < day_numbers.ends;
    if day_source is null then
        return null;
    end if;
    -- A loop costs 4 µs less than a query over the arrays.
    for n in 1..cardinality(numbers) loop
        if numbers[n] is not null and (wanted_ats[n] is null or is_due(wanted_ats[n])) then
            days[n] := nextval(day_source) - day_first;
        end if;
    end loop;
    return days;
end $$;

-- Inserts the rows of this business day and the next one, or updates them to the settings of the shop. The server calls
-- it in its own transaction. Servers that call it concurrently write the same value for first, because no server draws
-- a number for a day without a row.
-- Skips a row that an open transaction has inserted, until the next call. Deletes the rows of days that ended more than
-- a week ago.
create function write_day_numbers() returns void
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '100ms' as $$
declare
    moment   timestamptz := now();
    the_day  record;
    sequence regclass;
begin
    for n in 1..2 loop
        select * into the_day from business_day(moment);
        sequence := format('public.day_numbers_%s', extract(isodow from the_day.day));
        if not exists (select from day_numbers join shop using (time_zone, business_day_start)
                       where day_numbers.day = the_day.day) then
            begin
                insert into day_numbers (day, time_zone, business_day_start, begins, ends, source, first)
                select the_day.day, shop.time_zone, shop.business_day_start, the_day.begins, the_day.ends, sequence,
                       coalesce(pg_sequence_last_value(sequence), 0)
                from shop
                on conflict on constraint day_numbers_pkey do update
                set time_zone = excluded.time_zone, business_day_start = excluded.business_day_start,
                    begins = excluded.begins, ends = excluded.ends;
            exception when lock_not_available then
                null;
            end;
        end if;
        moment := the_day.ends;
    end loop;
    delete from day_numbers where day in (
        select day from day_numbers where ends < now() - interval '7 days' for update skip locked);
end $$;
