-- Orders: the immutable result of a checkout. Only the state moves on.
-- Written by place_orders (006_place_orders.sql), moved on by advance_order and cancel_order (007_order_steps.sql).
--
-- An order has its basket's id: its primary key is the rule that a basket becomes one order at most. It keeps a snapshot
-- of titles and prices, has no foreign key to the menu, and none to baskets either, since place_orders closes the basket
-- in the same transaction. The lines lie in the row (one row an order instead of one a line; the view order_lines shows
-- them as rows), which lets a CHECK prove that they add up: line n is the nth of each of the arrays
-- line_*. So does what stands between subtotal and total: total_*, and the view order_totals, which has the two sums as well.

-- True where the lines make the order's subtotal and discount, and each is possible in itself. What is missing is null, and a null would pass
-- the CHECK. Arrays and no JSON: to read a document of three lines and to prove that it adds up took more than all else that an insert does.
create function lines_add_up(quantities integer[], prices bigint[], discounts bigint[], subtotal bigint, discount bigint) returns boolean
language plpgsql immutable as $$
declare
    total bigint;
begin
    for n in 1..cardinality(quantities) loop
        total := prices[n] * quantities[n];
        if (quantities[n] between 1 and 99 and prices[n] between 0 and 200000000000 and discounts[n] between 0 and total) is not true then
            return false;
        end if;
        subtotal := subtotal - total;
        discount := discount - discounts[n];
    end loop;
    return subtotal = 0 and discount = 0;
end $$;

-- True where the totals between subtotal and total are possible, each in itself, and make the total of the subtotal: no zeros, only discounts
-- below zero, and together as much as the order's discount. The same as Ordering's Totals.init(stored:).
create function totals_add_up(
    kinds text[], codes text[], titles text[], amounts bigint[], are_included boolean[], rates text[], subtotal bigint, discount bigint, total bigint
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
                              when 'delivery_fee' then amounts[n] between 0 and most -- nothing too, where there is an area
                              else kinds[n] in ('small_order_fee', 'service_charge', 'tax', 'tip') and amounts[n] between 1 and most end) is not true
        then
            return false;
        end if;
        if are_included[n] is not true then total := total - amounts[n]; end if;
        if kinds[n] = 'discount' then discount := discount + amounts[n]; end if;
    end loop;
    return total = subtotal and discount = 0;
end $$;

-- True where the lines' shares of the taxes are possible: what they leave falls on fees.
create function taxes_add_up(line_taxes bigint[], kinds text[], amounts bigint[]) returns boolean
language plpgsql immutable as $$
begin
    return 0 <= all (line_taxes)
        and (select coalesce(sum(tax), 0) from unnest(line_taxes) as tax)
            <= (select coalesce(sum(amount), 0) from unnest(kinds, amounts) as total (kind, amount) where kind = 'tax');
end $$;

-- True where each tax has what it is of, and nothing else has: its rate of that, but for what rounding may move, the tax by a half and what it is of by
-- less than one; and all of them together are no more than what is paid without the tip.
create function nets_add_up(nets bigint[], kinds text[], amounts bigint[], rates text[], total bigint) returns boolean
language plpgsql immutable as $$
begin
    if (cardinality(nets) = cardinality(kinds)) is not true then return false; end if;
    for n in 1..cardinality(kinds) loop
        if kinds[n] = 'tax' then
            if (nets[n] between 0 and 9000000000000000 and abs(amounts[n] * 100 - nets[n] * rates[n]::numeric) <= 200) is not true then
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

-- True, or raises with the name of the rule that the order breaks. A rule that can't be told, because something is null, is broken.
-- The function in it is named with its schema, for a dump is loaded where nothing is found without.
create function order_is_right(
    number text, state text, coupon_key text, coupon_id bigint, line_ids bigint[], line_items bigint[], line_kinds text[], line_titles text[],
    line_quantities integer[], line_regular_prices bigint[], line_prices bigint[], line_discounts bigint[], line_sales bigint[],
    line_sale_titles text[], line_notes text[], line_options jsonb[], total_kinds text[], total_codes text[], total_titles text[], total_amounts bigint[],
    total_are_included boolean[], total_rates text[], subtotal bigint, discount bigint, total bigint, eta_minutes smallint, minimum_age smallint,
    fulfilment text, address text, wanted_at timestamptz, slot_items integer, line_taxes bigint[], language text, total_nets bigint[]
) returns boolean
language plpgsql immutable as $$
declare
    many   constant integer := cardinality(line_items);
    broken constant text := case
        when (number ~ '^[0-9]{8}$') is not true then 'order_number_has_eight_digits'
        when (state in ('placed', 'accepted', 'preparing', 'on_the_way', 'delivered', 'cancelled', 'rejected')) is not true then 'order_state_is_known'
        when (case when total_kinds is null then total = subtotal and discount = 0 and total_codes is null and total_titles is null
                        and total_amounts is null and total_are_included is null and total_rates is null
                   else public.totals_add_up(total_kinds, total_codes, total_titles, total_amounts, total_are_included, total_rates, subtotal, discount, total)
              end) is not true then 'order_total_adds_up'
        when (many > 0) is not true then 'order_is_not_empty'
        when (many = cardinality(line_kinds) and many = cardinality(line_titles) and many = cardinality(line_quantities)
              and many = cardinality(line_regular_prices) and many = cardinality(line_prices) and many = cardinality(line_discounts)
              and many = cardinality(line_sales) and many = cardinality(line_ids) and many = coalesce(cardinality(line_sale_titles), many)
              and many = coalesce(cardinality(line_notes), many) and many = coalesce(cardinality(line_options), many)) is not true then 'order_lines_are_whole'
        when ((coupon_key is null) = (coupon_id is null) and (discount = 0 or coupon_id is not null)) is not true then 'order_coupon_is_whole'
        when public.lines_add_up(line_quantities, line_prices, line_discounts, subtotal, discount) is not true then 'order_lines_add_up'
        when (case when wanted_at is null then eta_minutes between 15 and 240 and eta_minutes % 5 = 0 and slot_items is null
                   else eta_minutes is null and slot_items > 0 end) is not true then 'order_eta_in_fives'
        when (case fulfilment when 'delivery' then address is not null when 'pickup' then address is null end) is not true then 'order_address_is_for_delivery'
        when line_taxes is not null and (many = cardinality(line_taxes) and public.taxes_add_up(line_taxes, total_kinds, total_amounts)) is not true
            then 'order_taxes_add_up'
        when (total_nets is not null or 'tax' = any (total_kinds)) and public.nets_add_up(total_nets, total_kinds, total_amounts, total_rates, total) is not true
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
    id              uuid        not null,                 -- the basket's
    number          text collate "C" not null,             -- eight digits, what guest and staff call it: see order_number
    idempotency_key text        not null,                 -- the key of the request that placed it
    fingerprint     bytea       not null,                 -- a digest of that request's fields: the same key with other fields is refused
    state           text        not null default 'placed',
    name            text        not null,
    phone           text collate "C" not null,             -- E.164; compared by bytes, which the database's language would make slower
    email           text        not null,                 -- as the guest wrote it; compared in lower case
    address         text,                                 -- null for pickup
    postcode        text,                                 -- where one was given
    comment         text,
    coupon_key      text,
    coupon_id       bigint,
    line_ids        bigint[]    not null,                 -- their numbers in the basket
    line_items      bigint[]    not null,
    line_kinds      text[]      not null,
    line_titles     text[]      not null,
    line_quantities integer[]   not null,
    line_regular_prices bigint[] not null,                -- of one, without its sale percent
    line_prices     bigint[]    not null,                 -- of one, as charged
    line_discounts  bigint[]    not null,                 -- the line's share of the coupon's discount
    line_sales      bigint[]    not null,                 -- 0, or the sale in whose set it stands: the lines first, then set by set
    line_sale_titles text[],                              -- null where the sale is 0; null as a whole where all are
    line_notes      text[],                               -- what the kitchen is asked for; null: nothing, of a line or of all
    line_options    jsonb[],                              -- what was chosen, as in baskets
    line_taxes      bigint[],                             -- the line's share of its rate's tax; null: there are none
    total_kinds     text[],                               -- discount, delivery_fee and so on: what stands between subtotal and total, in the order in which it is shown; null: nothing
    total_codes     text[],                               -- the coupon of a discount, the rate of a tax; null where there is nothing to tell apart, and as a whole where there never is
    total_titles    text[],
    total_amounts   bigint[],                             -- signed: a discount is below zero
    total_are_included boolean[],                         -- whether the prices hold it already; null: nothing of it
    total_rates     text[],                               -- of a tax, percent as a decimal number; null elsewhere, and as a whole where nothing is taxed
    total_nets      bigint[],                             -- what a tax is of, without it; null elsewhere, and as a whole where nothing is taxed
    subtotal        bigint      not null,
    discount        bigint      not null,                 -- the discounts once more, above zero, for whoever asks for their sum
    total           bigint      not null,
    currency        text        not null,
    fulfilment      text        not null default 'delivery', -- or pickup
    wanted_at       timestamptz,                          -- the beginning of its slot; null: as soon as possible
    slot_items      integer,                              -- how many dishes it takes of that
    eta_minutes     smallint,                             -- null where it is wanted at a time
    minimum_age     smallint,                             -- how old whoever takes it has to be; null: anybody may
    language        text,                                 -- what the guest reads it in; null: English
    subtotal_title  text,                                 -- what its subtotal is called there; null: as the program calls it
    total_title     text,                                 -- and its total
    placed_at       timestamptz not null,
    -- Null until staff write them (007_order_steps.sql), so that a checkout pays nothing for them.
    promised_at     timestamptz,                          -- when staff say that it is ready; null: as the checkout said
    delay_reason    text,                                 -- why that is later than it was, as the guest reads it
    day_number      integer,                              -- 1, 2, 3 ... of the business day on which it was drawn
    -- Set if the checkout did not draw that number: when staff began to prepare a pre-order that had none, else when
    -- the server gave it. The repeated answer of a checkout shows only a number that the first answer had.
    day_number_wanted_at timestamptz,
    constraint one_order_per_basket primary key (id),
    -- One for all rules: each CHECK is compiled anew in every statement, 8 µs, and this table is written by functions alone.
    constraint order_is_right check (order_is_right(
        number, state, coupon_key, coupon_id, line_ids, line_items, line_kinds, line_titles, line_quantities, line_regular_prices, line_prices,
        line_discounts, line_sales, line_sale_titles, line_notes, line_options, total_kinds, total_codes, total_titles, total_amounts,
        total_are_included, total_rates, subtotal, discount, total, eta_minutes, minimum_age, fulfilment, address, wanted_at, slot_items, line_taxes,
        language, total_nets))
) with (fillfactor = 90); -- the state moves on a few times

-- Staff and cancel look an order up by its number; it is unique by construction.
create index orders_by_number on orders (number);
-- What comes up in the kitchen; an order for as soon as possible pays nothing for it. The id is there for paging.
create index orders_by_wanted_at on orders (wanted_at, id) where wanted_at is not null;
-- The orders without a number of the day, by the time at which they need one: normally only pre-orders. The state is
-- not in the condition, because every step of an order would then write a new entry into all indexes.
create index orders_without_day_number on orders (coalesce(day_number_wanted_at, wanted_at, placed_at), id)
    where day_number is null;
-- The orders of a guest, by phone or by email: whether there is one, and how many used a coupon. An email is ASCII; collation C lowers it alike
-- everywhere, while a Turkish database would make a dotless i of I.
create index orders_by_phone on orders (phone, coupon_id);
create index orders_by_email on orders (lower(email collate "C"), coupon_id);

-- The steps that an order took after it was placed: 1, 2, ...
create table order_steps (
    order_id uuid        not null,
    step     integer     not null,
    state    text        not null,
    reason   text,                 -- why staff rejected or delayed it
    at       timestamptz not null,
    kind     text        not null default 'moved', -- or taken_back: it has the state again that it had before the last step; or delayed: it keeps its state
    promised_at timestamptz,       -- when it is ready, where staff say so with this step
    is_by_deadline boolean not null default false, -- the shop rejected the order because nobody accepted it in time
    constraint order_step_is_once primary key (order_id, step),
    constraint order_step_kind_is_known check (kind in ('moved', 'taken_back', 'delayed'))
);

-- A rejection or a delivery that staff requested and that is held back for ten seconds (request_step): at most one per
-- order. The row is deleted when the step is executed or withdrawn. Writers hold the row lock of the order. Guests
-- never read this table.
create table pending_order_steps (
    order_id       uuid        not null,
    state          text        not null, -- rejected or delivered
    reason         text,                 -- why staff reject it; the guest reads it after the execution
    food_is_wasted boolean,              -- null: advance_order decides by the state of the order
    execute_at     timestamptz not null, -- when the server executes it
    member         text        not null, -- who requested it; the audit names them for the execution, too
    member_role    text        not null,
    constraint pending_order_step_is_single primary key (order_id),
    constraint pending_order_step_is_final check (state in ('rejected', 'delivered'))
);
create index pending_order_steps_by_time on pending_order_steps (execute_at, order_id);

create view order_lines as
select orders.id as order_id, number, position, menu_item_id, kind, title, quantity, regular_unit_price, unit_price, unit_price * quantity as total,
       line.discount, nullif(sales_group_id, 0) as sales_group_id, line_id, note, options, coalesce(tax, 0) as tax
from orders cross join lateral
     unnest(line_items, line_kinds, line_titles, line_quantities, line_regular_prices, line_prices, line_discounts, line_sales,
            line_ids, line_notes, line_options, line_taxes)
         with ordinality as line (menu_item_id, kind, title, quantity, regular_unit_price, unit_price, discount, sales_group_id, line_id, note, options, tax,
                                      position);

create view order_totals as
select orders.id as order_id, number, position, kind, code, title, amount, coalesce(is_included, false) as is_included, rate, net
from orders cross join lateral
     unnest(array['subtotal'] || total_kinds || array['total'], array[null] || total_codes || array[null],
            array[coalesce(subtotal_title, 'Subtotal')] || total_titles || array[coalesce(total_title, 'Total')], array[subtotal] || total_amounts || array[total],
            array[false] || total_are_included || array[false], array[null] || total_rates || array[null],
            array[null::bigint] || total_nets || array[null::bigint])
         with ordinality as line (kind, code, title, amount, is_included, rate, net, position);

-- Numbers: a keyed permutation of a sequence, so that each is unique by construction and says nothing about the next.
-- A Feistel network of four rounds over two halves of 0..9999 (Luby and Rackoff, 1988) with SHA-256 under the shop's secret.
create sequence order_sequence minvalue 0 maxvalue 99999999 no cycle;

create function order_number(place bigint, secret bytea) returns text
language plpgsql immutable as $$
declare
    high   integer := place / 10000;
    low    integer := place % 10000;
    digest bytea;
begin
    -- Round by round the halves take turns, so that none has to be moved.
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

-- What the shop's servers share and nobody else may read: one secret for the order numbers, one for the access tokens.
create table shop_secrets (
    only_row     boolean not null default true check (only_row),
    order_number bytea   not null,
    access_token bytea   not null,
    constraint shop_secrets_is_one_row primary key (only_row)
);
-- gen_random_uuid draws from the operating system's generator: 122 random bits each.
insert into shop_secrets (order_number, access_token) values
    (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));

-- Numbers of the day: short numbers that count from 1 on each business day. The checkout draws the number of an order
-- when it places the order. The server draws the others (number_orders): those of pre-orders when they are due, and
-- those of orders that were placed while the day had no row. Nobody waits for a number: a sequence has no lock that a
-- transaction holds. A number that is drawn for an order that is not placed after all, or is rejected later, is not
-- given again. Each weekday has a sequence, because one for each business day would have to be created while guests
-- order, and one for all days could not begin a day before the day before has ended. PostgreSQL logs 32 values of a
-- sequence ahead: after a crash the numbers may jump by up to 32.
create sequence day_numbers_1;
create sequence day_numbers_2;
create sequence day_numbers_3;
create sequence day_numbers_4;
create sequence day_numbers_5;
create sequence day_numbers_6;
create sequence day_numbers_7;

-- One row for each business day, which the server writes ahead in a transaction of its own (write_day_numbers).
-- Checkouts and staff's transactions only read it: an insert of a key waits for every open transaction that has
-- inserted the same key. A row has the bounds of its day, because business_day costs 30 us in each checkout. It counts
-- only while the shop has the settings from which these bounds follow.
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

-- Where the numbers of the business day of this moment come from: number = nextval(source) - first. Both are null while
-- the day has no row.
create function day_number_source(moment timestamptz, out source regclass, out first bigint)
language plpgsql stable as $$
begin
    select day_numbers.source, day_numbers.first into source, first
    from shop join day_numbers using (time_zone, business_day_start)
    where moment >= day_numbers.begins and moment < day_numbers.ends;
end $$;

-- The numbers of the day for the orders of a checkout's batch, in their order: null for a draft that becomes no order
-- and has no number, and for a pre-order that is not due. Null while the day has no row. Does not call
-- day_number_source, because each statement inside a checkout counts. On Citus a worker places the orders and has no
-- sequence: sql/distributed/005_day_numbers.sql replaces this function.
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
    -- A loop costs 4 us less than a query over the arrays.
    for n in 1..cardinality(numbers) loop
        if numbers[n] is not null and (wanted_ats[n] is null or is_due(wanted_ats[n])) then
            days[n] := nextval(day_source) - day_first;
        end if;
    end loop;
    return days;
end $$;

-- Writes the rows of this business day and the next one where they are missing, or have other settings than the shop.
-- Called by the server, in a transaction of its own. Two servers that call it at once write the same value, because
-- nothing is drawn for a day before its row is there. A row that an open transaction has inserted is left for the next
-- call; the other row is written. Deletes the rows of days that ended more than a week ago.
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
