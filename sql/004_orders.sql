-- Orders: the immutable result of a checkout. Only the state changes.
--
-- An order has the id of its basket, so the primary key allows at most one order per basket. It keeps a snapshot of
-- titles and prices and has no foreign key to the menu. It has none to baskets either, because place_orders closes the
-- basket in the same transaction.
-- The lines, their options and the total lines are arrays in the row, so that a CHECK can verify their sums. The views
-- order_lines and order_totals show them as rows.

-- A line of an order: single lines first, then the lines of each set. Options are order_option, as in baskets.
create type order_line as (
    line_id            bigint, -- the line number in the basket
    menu_item_id       bigint,
    sales_group_id     bigint, -- of the line's set; null: a single line
    regular_unit_price bigint, -- of one unit, without the sale percent
    unit_price         bigint, -- of one unit, as charged
    discount           bigint, -- the line's share of the coupon's discount
    tax                bigint, -- the line's share of its tax; null in all lines: no taxes
    quantity           integer,
    kind               text,
    title              text,
    sale_title         text,   -- of the line's set; null: a single line
    note               text    -- for the kitchen; null: none
);

-- A line between subtotal and total: discount, delivery_fee, ...
create type order_total as (
    amount      bigint,  -- signed: a discount is negative
    net         bigint,  -- the net amount of a tax; null for other lines
    is_included boolean, -- whether the prices include it
    kind        text,
    code        text,    -- the coupon of a discount, the rate of a tax; null for other lines
    title       text,
    rate        text     -- percent of a tax as a decimal number; null for other lines
);

-- The kinds of the total lines. The position of a kind is its id for translations, so a new kind comes last.
create function total_kinds() returns text[] language sql immutable
return '{subtotal,discount,delivery_fee,small_order_fee,service_charge,tax,tip,total}'::text[];

-- Returns true, or raises the name of the violated rule. A rule that evaluates to null is violated.
-- One function with one loop for each array: a call of another function would cost 1 µs, and a query 5 µs.
-- The lines add up to subtotal and discount. The totals lead from the subtotal to the total: no zeros, only discounts
-- below zero, and their sum is the order's discount. Same rules as Totals.init(stored:).
-- The taxes of the lines are at most those of the order; the difference is the tax on fees. Every tax, and no other
-- total, has a net amount that matches its rate. Rounding may change the tax by half a minor unit and the net amount by
-- less than one. The sum of net amounts and taxes is at most the total without the tip.
-- Functions and types have their schema, because pg_restore loads a dump with an empty search_path.
create function order_is_valid(
    number text, state text, coupon_key text, coupon_id bigint, lines order_line[], options order_option[],
    totals order_total[], subtotal bigint, discount bigint, total bigint, eta_minutes smallint, minimum_age smallint,
    fulfilment text, address text, wanted_at timestamptz, slot_items integer, language text
) returns boolean
language plpgsql immutable as $$
declare
    most         constant bigint := 9000000000000000; -- Money.highest
    line         public.order_line;
    part         public.order_total;
    amount       bigint;
    lines_left   bigint := subtotal; -- the subtotal without the lines
    shares_left  bigint := discount; -- the discount without the lines' shares
    line_taxes   bigint := 0;
    taxed_lines  integer := 0;
    are_complete boolean := true;
    are_in_range boolean := true;
    reached      bigint := subtotal; -- the sum of the subtotal and the totals
    reduction    bigint := 0;        -- the sum of the discounts, positive
    taxes        bigint := 0;
    without_tip  bigint := total;    -- the total without tip, taxes and net amounts
    are_kinds    boolean := true;    -- whether each total has an amount that its kind permits
    are_nets     boolean := true;
    broken       text;
begin
    foreach line in array lines loop
        amount := line.unit_price * line.quantity;
        are_complete := are_complete and num_nulls(line.line_id, line.menu_item_id, line.regular_unit_price, line.kind,
            line.title) = 0;
        are_in_range := are_in_range and line.quantity between 1 and 99 and line.unit_price between 0 and 200000000000
            and line.discount between 0 and amount;
        lines_left := lines_left - amount;
        shares_left := shares_left - line.discount;
        if line.tax is not null then
            taxed_lines := taxed_lines + 1;
            line_taxes := case when line.tax >= 0 then line_taxes + line.tax end;
        end if;
    end loop;

    if totals is not null then
        foreach part in array totals loop
            are_kinds := are_kinds and part.title <> '' and part.is_included is not null
                and case part.kind when 'discount' then part.amount between -most and -1
                                   -- 0 is allowed, if a delivery area applies
                                   when 'delivery_fee' then part.amount between 0 and most
                                   else part.kind = any (public.total_kinds())
                                       and part.kind not in ('subtotal', 'total')
                                       and part.amount between 1 and most end;
            if part.is_included is not true then reached := reached + part.amount; end if;
            if part.kind = 'tax' then
                taxes := taxes + part.amount;
                are_nets := are_nets and part.net between 0 and most
                    and abs(part.amount * 100 - part.net * part.rate::numeric) <= 200;
                without_tip := without_tip - part.net - part.amount;
            else
                are_nets := are_nets and part.net is null;
                if part.kind = 'tip' then
                    without_tip := without_tip - part.amount;
                elsif part.kind = 'discount' then
                    reduction := reduction - part.amount;
                end if;
            end if;
        end loop;
    end if;

    broken := case
        when (char_length(number) = 8 and ltrim(number, '0123456789') = '') is not true
            then 'order_number_has_eight_digits'
        when (state in ('placed', 'accepted', 'preparing', 'on_the_way', 'delivered', 'cancelled',
            'rejected')) is not true then 'order_state_is_known'
        when (are_kinds and coalesce(array_ndims(totals), 1) = 1 and total = reached and discount = reduction
              and subtotal between 0 and most and discount between 0 and subtotal and total between 0 and most)
            is not true then 'order_total_adds_up'
        when (cardinality(lines) > 0) is not true then 'order_is_not_empty'
        when (are_complete and array_ndims(lines) = 1
            and (options is null or public.options_are_complete(options, cardinality(lines)))) is not true
            then 'order_lines_are_complete'
        when ((coupon_key is null) = (coupon_id is null)
            and (discount = 0 or coupon_id is not null)) is not true then 'order_coupon_is_complete'
        when (are_in_range and lines_left = 0 and shares_left = 0) is not true then 'order_lines_add_up'
        when (case when wanted_at is null then eta_minutes between 15 and 240 and eta_minutes % 5 = 0
            and slot_items is null
                   else eta_minutes is null and slot_items > 0 end) is not true then 'order_eta_in_range'
        when (case fulfilment when 'delivery' then address is not null
                              when 'pickup' then address is null end) is not true
            then 'order_address_matches_fulfilment'
        when (taxed_lines in (0, cardinality(lines)) and line_taxes <= taxes) is not true then 'order_taxes_add_up'
        when (are_nets and (taxes = 0 or without_tip >= 0)) is not true then 'order_nets_add_up'
        when language is not null and public.is_language_tag(language) is not true then 'order_language_is_a_tag'
        when minimum_age <= 0 then 'order_minimum_age_is_an_age' end;
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
    lines           order_line[] not null,
    options         order_option[],                       -- the selections of the lines; null: no line has options
    totals          order_total[],                        -- the lines between subtotal and total; null: none
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
        number, state, coupon_key, coupon_id, lines, options, totals, subtotal, discount, total, eta_minutes,
        minimum_age, fulfilment, address, wanted_at, slot_items, language))
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

-- The options of a line for staff: [{"id", "group_id", "title", "quantity", "price", "total", "options"}], where
-- "options" may be missing. Null without options. Calls itself for the options below the option the_parent.
create function options_as_json(options order_option[], the_line bigint, the_parent bigint default null) returns jsonb
language plpgsql immutable as $$
begin
    return (select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', option.option_id, 'group_id', option.group_id,
                'title', option.title, 'quantity', option.quantity, 'price', option.price, 'total', option.total,
                'options', case when exists (
                        select from unnest(options) as below where below.parent = option.ordinality)
                    then public.options_as_json(options, the_line, option.ordinality) end)) order by option.ordinality)
            from unnest(options) with ordinality as option
            where option.line = the_line and option.parent is not distinct from the_parent);
end $$;

-- The views use neither WITH ORDINALITY nor row(...): a dump lists all columns of a function by position, so a view
-- with either could not be restored after ADD ATTRIBUTE.
create view order_lines as
select orders.id as order_id, number, line.n::bigint as position, menu_item_id, kind, title, quantity,
    regular_unit_price, unit_price, unit_price * quantity as total, line.discount, sales_group_id, line_id, note,
    case when options is not null then options_as_json(options, line.n) end as options,
    coalesce(tax, 0) as tax
from orders cross join lateral rows from (generate_subscripts(lines, 1), unnest(lines)) as line (n);

-- Has no UNION: Citus does not push it down to the shards for each order.
create view order_totals as
select orders.id as order_id, number, n::bigint as position,
    coalesce((totals[n - 1]).kind, case n when 1 then 'subtotal' else 'total' end) as kind,
    (totals[n - 1]).code as code,
    coalesce((totals[n - 1]).title,
        case n when 1 then coalesce(subtotal_title, 'Subtotal') else coalesce(total_title, 'Total') end) as title,
    coalesce((totals[n - 1]).amount, case n when 1 then subtotal else total end) as amount,
    coalesce((totals[n - 1]).is_included, false) as is_included, (totals[n - 1]).rate as rate,
    (totals[n - 1]).net as net
from orders cross join lateral generate_series(1, coalesce(cardinality(totals), 0) + 2) as n;

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

-- The same for the checkouts. Repeats the query instead of calling day_number_source, to save time in every checkout.
-- On Citus a worker places the orders and has no sequence: sql/distributed/005_day_numbers.sql replaces this function.
create function checkout_number_source(moment timestamptz, out source regclass, out first bigint)
language plpgsql stable as $$
begin
    select day_numbers.source, day_numbers.first into source, first
    from shop join day_numbers using (time_zone, business_day_start)
    where moment >= day_numbers.begins and moment < day_numbers.ends;
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
