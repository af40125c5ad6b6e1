-- Fills a shop with the orders of two years. Orders of a real server are the templates (fill.py), so that each filled
-- row has the columns that the server writes. All CHECKs are evaluated.
--
-- Order n is placed at begins + n * step. The other values follow from n and a hash of n, so that any range can be
-- filled by any session.

-- The settings of the fill: one row.
create table growth.plan (
    begins         timestamptz not null, -- when order 0 was placed
    moment         timestamptz not null, -- the time up to which the shop is filled
    step           double precision not null, -- seconds between two orders
    first_sequence bigint not null,      -- the value of order_sequence of order 0
    secret         bytea not null,       -- of the order numbers
    zone           text not null,
    day_start      interval not null,
    per_day        integer not null      -- at least the orders of a business day
);

-- The orders that the server placed, numbered from 0 in each class: plain, or the key of a coupon.
create table growth.templates as
select coalesce(orders.coupon_key, 'plain') as class,
    row_number() over (partition by orders.coupon_key order by orders.id) - 1 as position, orders.*,
    baskets.version as basket_version, baskets.lines_made, baskets.lines as basket_lines,
    baskets.options as basket_options, baskets.removed_items
from orders join baskets using (id);

create table growth.template_stock as
select order_id, subject, id, -change as units from stock_movements where reason = 'sold' and order_id is not null;

create table growth.coupon_keys (key text, id bigint, period_is_year boolean, first_order boolean);
insert into growth.coupon_keys
select key, case condition when 'first_order' then 0 else id end, guest_period = 'calendar_year',
    condition = 'first_order'
from coupons where guest_limit is not null;

-- The counts of each chunk, which growth.count adds up.
create table growth.slots_of_chunks (fulfilment text, starts_at timestamptz, orders bigint, items bigint);
create table growth.stock_of_chunks (subject text, id bigint, day date, units bigint);
create table growth.coupons_of_chunks (coupon_id bigint, orders bigint);

create function growth.hash(n bigint, salt bigint) returns bigint
language sql immutable parallel safe as $$ select hashint8extended(n, salt) & 1073741823 $$;

-- The guest of an order. Each fourth order is the first one of a new guest. The others are by a guest of a week, a
-- month or half a year before, and one in 400 is by one of twenty guests who order every day.
create function growth.guest(n bigint, per_day integer) returns bigint
language sql immutable parallel safe as $$
    select case when n % 4 = 3 and growth.hash(n, 9) % 100 = 0 then growth.hash(n, 10) % 20
                else 1000 + 64 * per_day + n / 4 - case n % 4 when 0 then 0 when 1 then 7 when 2 then 30 else 180 end
                    * (per_day::bigint / 4) end
$$;

create function growth.phone(guest bigint) returns text
language sql immutable parallel safe as $$ select '+1' || (2120000000 + guest) $$;

create function growth.name(n bigint) returns text
language sql immutable parallel safe as $$
    select (array['Ann', 'Ben', 'Carla', 'Dmitri', 'Elif', 'Farid', 'Grace', 'Hugo', 'Ines', 'Jonas', 'Karin', 'Luis',
                  'Mona', 'Nils', 'Olga', 'Paul', 'Quinn', 'Rosa', 'Sven', 'Tara'])[1 + growth.hash(n, 11) % 20] || ' '
        || (array['Lee', 'Smith', 'Garcia', 'Novak', 'Schmidt', 'Rossi', 'Kim', 'Jensen', 'Silva', 'Dubois', 'Okafor',
                  'Tanaka', 'Kowalski', 'Haddad', 'Berg', 'Costa', 'Ivanova', 'Murphy', 'Nagy', 'Singh'])
           [1 + growth.hash(n, 12) % 20] || case when growth.hash(n, 13) % 4 = 0
               then '-' || chr((65 + growth.hash(n, 14) % 26)::integer) || (growth.hash(n, 15) % 1000) else '' end
$$;

-- The orders first..last, as facts from which all rows follow. A time is null if the step has not happened.
create function growth.facts(first bigint, last bigint) returns table (
    n bigint, id uuid, number text, placed_at timestamptz, wanted_at timestamptz, state text, template uuid,
    class text, guest bigint, day date, day_number integer, day_number_wanted_at timestamptz, promised_at timestamptz,
    accepted_at timestamptz, preparing_at timestamptz, on_the_way_at timestamptz, delivered_at timestamptz,
    ended_at timestamptz
) language sql stable as $$
    with numbered as (
        select n, plan.*, begins + n * step * interval '1 second' as placed_at,
            case when n % 4 = 0 and growth.hash(n, 1) % 100 < 30 then 'FRST'
                 when n % 4 = 1 and growth.hash(n, 1) % 100 < 12 then 'FOLLOW'
                 when n % 4 = 2 and growth.hash(n, 1) % 100 < 8 then 'HAPPY' else 'plain' end as class
        from growth.plan cross join generate_series(first, last) as n
    ), counts as (
        select class, count(*) as templates from growth.templates group by class
    ), chosen as (
        select numbered.*, templates.id as template, templates.wanted_at is not null as is_wanted,
            growth.hash(n, 3) % 100 as fate
        from numbered join counts using (class)
        join growth.templates on templates.class = numbered.class
            and templates.position = growth.hash(n, 2) % counts.templates
    ), wanted as (
        select chosen.*, (placed_at at time zone zone - day_start)::date as placed_on,
            case when is_wanted then date_bin('15 minutes', placed_at + interval '2 hours'
                + (growth.hash(n, 4) % 20) * interval '15 minutes'
                + case when growth.hash(n, 5) % 4 = 0 then (1 + growth.hash(n, 6) % 3) * interval '1 day'
                       else interval '0' end, timestamptz '2000-01-01 00:00+00') end as wanted_at
        from chosen
    ), timed as (
        select wanted.*, (coalesce(wanted_at, placed_at) at time zone zone - day_start)::date as day,
            placed_at + (60 + growth.hash(n, 7) % 120) * interval '1 second' as t1,
            coalesce(wanted_at - interval '30 minutes', placed_at + interval '8 minutes') as t2,
            coalesce(wanted_at - interval '10 minutes', placed_at + interval '25 minutes') as t3,
            coalesce(wanted_at + interval '5 minutes', placed_at + interval '40 minutes') as t4
        from wanted
    )
    select n,
        (lpad(to_hex((extract(epoch from placed_at) * 1000)::bigint - 300000 - growth.hash(n, 16) % 600000), 12, '0')
            || '7' || substr(digest, 1, 3) || '8' || substr(digest, 4, 15))::uuid,
        order_number(first_sequence + n, secret), placed_at, wanted_at,
        case when fate in (0, 1) and t1 <= moment then 'rejected' when fate in (2, 3) and t1 <= moment then 'cancelled'
             when t4 <= moment then 'delivered' when t3 <= moment then 'on_the_way' when t2 <= moment then 'preparing'
             when t1 <= moment then 'accepted' else 'placed' end,
        template, class, growth.guest(n, per_day), day,
        case when wanted_at is null or fate > 3 and wanted_at - interval '1 hour' <= moment then
            1 + per_day * (day - placed_on)
            + (n - ceil(extract(epoch from (placed_on + day_start) at time zone zone - begins) / step))::integer end,
        case when fate > 3 and wanted_at - interval '1 hour' <= moment then wanted_at - interval '1 hour' end,
        case when fate > 3 and wanted_at is null and growth.hash(n, 8) % 10 < 4 and t1 <= moment
             then t1 + interval '30 minutes' end,
        case when fate > 3 and t1 <= moment then t1 end, case when fate > 3 and t2 <= moment then t2 end,
        case when fate > 3 and t3 <= moment then t3 end, case when fate > 3 and t4 <= moment then t4 end,
        case when fate <= 3 and t1 <= moment then t1 end
    from timed cross join lateral md5(n::text) as digest
$$;

-- Fills the orders first..last with all their rows. `audit_base` is the audit id before their first row.
create function growth.fill(first bigint, last bigint, audit_base bigint) returns void
language plpgsql as $$
declare
    plan growth.plan := (select plan from growth.plan);
    kept constant timestamptz := plan.moment - interval '31 days'; -- older baskets are pruned
begin
    create temporary table chunk on commit drop as select * from growth.facts(first, last);
    analyze chunk;

    insert into orders (id, number, idempotency_key, fingerprint, state, name, phone, email, address, postcode, comment,
        coupon_key, coupon_id, lines, options, totals, subtotal, discount, total, currency, fulfilment, wanted_at,
        slot_items, eta_minutes, minimum_age, language, subtotal_title, total_title, placed_at, promised_at, day_number,
        day_number_wanted_at)
    select chunk.id, chunk.number, gen_random_uuid()::text, sha256(int8send(n)), chunk.state, growth.name(n),
        growth.phone(guest), 'guest.' || guest || '@example.com', address, postcode, comment, coupon_key, coupon_id,
        lines, options, totals, subtotal, discount, total, currency, fulfilment, chunk.wanted_at, slot_items,
        eta_minutes, minimum_age, language, subtotal_title, total_title, chunk.placed_at, chunk.promised_at,
        chunk.day_number, chunk.day_number_wanted_at
    from chunk join growth.templates on templates.id = chunk.template order by n;

    insert into baskets (id, state, version, lines_made, lines, options, removed_items, currency, changed_at)
    select chunk.id, 'ordered', basket_version, lines_made,
        case when chunk.placed_at > kept then basket_lines else '{}' end,
        case when chunk.placed_at > kept then basket_options end,
        case when chunk.placed_at > kept then removed_items end, currency, chunk.placed_at - interval '30 seconds'
    from chunk join growth.templates on templates.id = chunk.template order by n;

    -- Two abandoned baskets for each order of the last month.
    insert into baskets (id, state, version, lines_made, lines, options, removed_items, currency, changed_at)
    select (lpad(to_hex((extract(epoch from chunk.placed_at) * 1000)::bigint + copy), 12, '0') || '7'
            || substr(md5(n || ' ' || copy), 1, 3) || '8' || substr(md5(n || ' ' || copy), 4, 15))::uuid,
        'open', basket_version, lines_made, basket_lines, basket_options, removed_items, currency,
        chunk.placed_at + interval '1 minute'
    from chunk join growth.templates on templates.id = chunk.template cross join generate_series(1, 2) as copy
    where chunk.placed_at > kept order by n;

    insert into order_steps (order_id, step, state, reason, at, promised_at)
    select chunk.id, step, step_state, case when step_state = 'rejected' then 'The kitchen has no burgers left.' end,
        step_at, case when step = 1 then chunk.promised_at end
    from chunk cross join lateral (values (1, 'accepted', accepted_at), (2, 'preparing', preparing_at),
        (3, 'on_the_way', on_the_way_at), (4, 'delivered', delivered_at),
        (1, case when chunk.state in ('rejected', 'cancelled') then chunk.state end, ended_at))
        as moved (step, step_state, step_at)
    where step_at is not null order by n, step;

    -- The server delivers and rejects in two parts, and each has a row.
    insert into audit (id, at, who, role, what, subject, before, after, why) overriding system value
    select audit_base + row_number() over (order by step_at), step_at,
        (array['Ann', 'Ben', 'Carla'])[1 + n % 3], (array['manager', 'counter', 'kitchen'])[1 + n % 3], 'orders',
        chunk.number, before, after, why
    from chunk cross join lateral (values
        (accepted_at, '{"state": "placed"}'::jsonb,
            case when chunk.promised_at is not null then '{"state": "accepted", "minutes": 30}'::jsonb
                 else '{"state": "accepted"}' end, null),
        (preparing_at, '{"state": "accepted"}', '{"state": "preparing"}', null),
        (on_the_way_at, '{"state": "preparing"}', '{"state": "on_the_way"}', null),
        (delivered_at - interval '10 seconds', '{"pending_step": null}', '{"pending_step": "delivered"}', null),
        (delivered_at, '{"state": "on_the_way"}', '{"state": "delivered"}', null),
        (case when chunk.state = 'rejected' then ended_at - interval '10 seconds' end, '{"pending_step": null}',
            '{"pending_step": "rejected"}', 'The kitchen has no burgers left.'),
        (case when chunk.state = 'rejected' then ended_at end, '{"state": "placed"}', '{"state": "rejected"}',
            'The kitchen has no burgers left.')) as change (step_at, before, after, why)
    where step_at is not null order by step_at;

    -- Mails that are a minute old are sent. A server with a mail server sends the others.
    insert into order_mails (order_id, state, at, due_at, attempts, sent_at)
    select chunk.id, mail_state, mail_at, sent_at + interval '1 minute', 1, sent_at
    from chunk cross join lateral (values ('placed', chunk.placed_at, chunk.placed_at + interval '1 second'),
        ('accepted', accepted_at, accepted_at + interval '11 seconds'),
        ('on_the_way', on_the_way_at, on_the_way_at + interval '11 seconds'),
        (case when chunk.state in ('rejected', 'cancelled') then chunk.state end, ended_at,
            ended_at + interval '1 second')) as mail (mail_state, mail_at, sent_at)
    where mail_at <= plan.moment - interval '1 minute' order by mail_at;

    insert into coupon_uses (coupon_id, guest_key, period, use_number, order_id)
    select coupon_keys.id, guest_key,
        case when period_is_year then extract(year from chunk.placed_at at time zone plan.zone)::integer else 0 end,
        1, chunk.id
    from chunk join growth.coupon_keys on coupon_keys.key = chunk.class
    cross join lateral (values ('tel:' || growth.phone(guest)), ('mailto:guest.' || guest || '@example.com'))
        as used (guest_key)
    where state not in ('rejected', 'cancelled') order by n;

    insert into stock_movements (subject, id, change, reason, day, order_id, at)
    select subject, template_stock.id, case reason when 'sold' then -units else units end, reason, day, chunk.id,
        case reason when 'sold' then chunk.placed_at else ended_at end
    from chunk join growth.template_stock on template_stock.order_id = chunk.template
    cross join unnest(array['sold', 'given_back']) as reason
    where reason = 'sold' or ended_at is not null order by n;

    insert into growth.slots_of_chunks
    select fulfilment, chunk.wanted_at, count(*) filter (where ended_at is null),
        coalesce(sum(slot_items) filter (where ended_at is null), 0)
    from chunk join growth.templates on templates.id = chunk.template where chunk.wanted_at is not null group by 1, 2;
    insert into growth.stock_of_chunks
    select subject, template_stock.id, day, coalesce(sum(units) filter (where ended_at is null), 0)
    from chunk join growth.template_stock on template_stock.order_id = chunk.template group by 1, 2, 3;
    insert into growth.coupons_of_chunks
    select coupon_id, count(*) from chunk join growth.templates on templates.id = chunk.template
    where coupon_id is not null and ended_at is null group by 1;
    drop table chunk;
end $$;

-- Adds the counts of the filled orders to the counters. The shop has sent mails since its beginning.
create function growth.count() returns void
language plpgsql as $$
begin
    insert into slot_uses (fulfilment, starts_at, order_count, item_count)
    select fulfilment, starts_at, sum(orders), sum(items) from growth.slots_of_chunks group by 1, 2
    on conflict on constraint slot_uses_pkey do update
    set order_count = slot_uses.order_count + excluded.order_count,
        item_count = slot_uses.item_count + excluded.item_count;
    insert into stock_days (subject, id, day, sold)
    select subject, id, day, sum(units) from growth.stock_of_chunks group by 1, 2, 3
    on conflict on constraint stock_days_pkey do update set sold = stock_days.sold + excluded.sold;
    update coupon_redemptions set redeemed = redeemed + placed.orders
    from (select coupon_id, sum(orders) as orders from growth.coupons_of_chunks group by 1) as placed
    where coupon_redemptions.coupon_id = placed.coupon_id;
    insert into mailing (since) select begins from growth.plan on conflict do nothing;
    truncate growth.slots_of_chunks, growth.stock_of_chunks, growth.coupons_of_chunks;
end $$;

-- The rows of the business days of the last week and of today, as write_day_numbers has written them.
create function growth.write_days() returns void
language plpgsql as $$
declare
    plan growth.plan := (select plan from growth.plan);
    today date := (plan.moment at time zone plan.zone - plan.day_start)::date;
    used  constant bigint := 5 * plan.per_day; -- at least the numbers of a day
begin
    delete from day_numbers;
    insert into day_numbers (day, time_zone, business_day_start, begins, ends, source, first)
    select day, shop.time_zone, shop.business_day_start, (day + business_day_start) at time zone shop.time_zone,
        (day + 1 + business_day_start) at time zone shop.time_zone,
        format('public.day_numbers_%s', extract(isodow from day))::regclass, case when day = today then used else 0 end
    from shop cross join generate_series(0, 7) as age cross join lateral (select today - age as day) as days;
    perform setval(source, case when day = today then 2 * used else used end) from day_numbers
    where day > today - 7;
end $$;
