-- How long the personal data of guests is kept. The setting is off until staff switch it on:
--   update shop set personal_data_days = 365;
--
-- So many days after its last step, an order loses name, address, comment and the notes of its lines; phone and email
-- are replaced by keyed hashes. Amounts, titles, times and the postcode stay. The hashes keep the conditions of coupons
-- exact: a checkout looks for the plain keys of its guest and for the hashed ones.

-- 1. The secret and the setting. The tables are locked in the order of place_orders: shop_secrets, shop, orders.

-- The inner and the outer pad of an HMAC key, 64 bytes each. Null: no personal data has ever been replaced, so
-- checkouts look for no hashed keys.
alter table shop_secrets add column guest_key bytea;

alter table shop
    -- after how many days the personal data of finished orders is replaced; null: never; numeric: see menu_items.price
    add column personal_data_days numeric;
-- A statement of its own, because Citus cannot execute both.
alter table shop
    add constraint shop_personal_data_days_in_range
        check (check_with_hint(personal_data_days between 1 and 36500 and scale(personal_data_days) = 0,
        'shop_personal_data_days_in_range',
        'personal_data_days is a whole number from 1 to 36500, or null to keep the data for ever.'));

-- 2. Orders without personal data. The name is null exactly if the personal data has been replaced.

alter table orders alter column name drop not null;

-- The only change is that a finished delivery needs no address.
create or replace function order_is_valid(
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
                                  or state in ('delivered', 'cancelled', 'rejected')
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

-- 3. Hashed guest keys: HMAC-SHA256 (RFC 2104) under a secret of the shop, the first half of its bytes.

-- The pads of a key of up to 64 bytes. 54 and 92 are the bytes 0x36 and 0x5c of RFC 2104.
create function hmac_pads(secret bytea) returns bytea
language plpgsql immutable as $$
declare
    block bytea := secret || decode(repeat('00', 64 - length(secret)), 'hex');
    pads  bytea := block || block;
begin
    for n in 0..63 loop
        pads := set_byte(pads, n, get_byte(block, n) # 54);
        pads := set_byte(pads, 64 + n, get_byte(block, n) # 92);
    end loop;
    return pads;
end $$;

-- The hashed form of a guest key such as tel:+15551234567 or mailto:ann@example.com. Null if an argument is null.
-- Half of the digest suffices: the keys of a billion guests collide with a probability of 2e-21.
create function hashed_guest_key(guest_key text, pads bytea) returns text
language sql stable as $$
    select 'hmac:' || encode(substr(sha256(substr(pads, 65)
        || sha256(substr(pads, 1, 64) || convert_to(guest_key, 'UTF8'))), 1, 16), 'hex')
$$;

-- What the orders without personal data say about a guest: see load_checkout_facts in LoadCheckoutFacts.swift.
create type guest_history as (has_ordered boolean, uses integer, used_numbers integer[]);

-- The history of a guest in orders without personal data. An order has either plain or hashed keys, so the caller adds
-- these facts to those of the plain keys. Each key has its own subquery, as in the statement of the caller.
-- A separate function, because a checkout pays for each subquery of its statement, even if it is not executed. It is
-- strict: without a key, a guest or a guest limit PostgreSQL does not call it. Without a coupon whose orders count,
-- counted is 0.
create function hashed_guest_history(
    pads bytea, guest_phone text, guest_email text, used_up bigint, counted bigint, since timestamptz,
    the_period integer
) returns guest_history
language plpgsql stable strict as $$
declare
    phone_key text collate "default" := hashed_guest_key('tel:' || guest_phone, pads);
    email_key text collate "default" := hashed_guest_key('mailto:' || guest_email, pads);
    history   guest_history;
begin
    if used_up = 0 then
        history.has_ordered :=
            exists (select from orders where phone = phone_key and state not in ('cancelled', 'rejected'))
            or exists (select from orders where lower(email collate "C") = email_key
                and state not in ('cancelled', 'rejected'));
    end if;
    if counted > 0 then
        history.uses := (
            select count(distinct order_id)
            from ((select orders.id as order_id from orders
                   where phone = phone_key and coupon_id = counted and (placed_at >= since) is true
                     and state not in ('cancelled', 'rejected') limit 100)
                  union all
                  (select orders.id from orders
                   where lower(email collate "C") = email_key and coupon_id = counted
                     and (placed_at >= since) is true
                     and state not in ('cancelled', 'rejected') limit 100)) as use);
    end if;
    history.used_numbers := array(
        select use_number::integer from coupon_uses
        where coupon_id = used_up and guest_key = phone_key and period = the_period
        union all
        select use_number::integer from coupon_uses
        where coupon_id = used_up and guest_key = email_key and period = the_period);
    return history;
end $$;

-- 4. Replacing. Pruning reads each order once: it walks the orders in the order of their placement (orders_by_time)
-- from one round to the next, and remembers the few that it could not finish.

-- How far the walk has come: every earlier order is finished or in postponed_orders.
-- To walk all orders once more:  update personal_data_pruning set examined_to = '-infinity';
create table personal_data_pruning (
    only_row    boolean     not null default true,
    examined_to timestamptz not null default '-infinity',                          -- placed_at of the last order
    examined_id uuid        not null default '00000000-0000-0000-0000-000000000000', -- its id
    constraint personal_data_pruning_is_one_row primary key (only_row),
    constraint personal_data_pruning_only_row_is_true check (only_row)
);
insert into personal_data_pruning default values;

-- The examined orders that still need their personal data: open, finished recently, with a pending mail, or locked.
create table postponed_orders (
    order_id uuid        not null,
    retry_at timestamptz not null, -- rounds after this time examine the order again
    constraint postponed_orders_pkey primary key (order_id)
);
create index postponed_orders_by_time on postponed_orders (retry_at);

-- Replaces the personal data of an order, its coupon uses, its mails and its basket. Returns false if it has to wait,
-- and null if there is nothing to do. Works on one order, because on Citus one statement cannot lock rows of several
-- shards.
create function replace_personal_data(the_id uuid, kept_since timestamptz, pads bytea) returns boolean
language plpgsql as $$
declare
    the_order  orders;
    line       order_line;
    kept_lines order_line[] := '{}';
    phone_key  text collate "default";
    email_key  text collate "default";
    used       bigint;
    plain      text collate "default"; -- the collation of guest_key, which the key of coupon_uses needs
    hashed     text collate "default";
begin
    select * into the_order from orders where id = the_id for no key update skip locked;
    if not found then
        -- Locked, or deleted.
        return case when exists (select from orders where id = the_id) then false end;
    end if;
    if the_order.name is null then
        return null;
    end if;
    if the_order.state not in ('delivered', 'cancelled', 'rejected')
        or greatest(the_order.placed_at, (select max(at) from order_steps where order_id = the_id)) >= kept_since
        or exists (select from order_mails where order_id = the_id and coalesce(sent_at, failed_at) is null)
    then
        return false;
    end if;
    phone_key := hashed_guest_key('tel:' || the_order.phone, pads);
    email_key := hashed_guest_key('mailto:' || lower(the_order.email collate "C"), pads);
    if the_order.coupon_id is not null then
        -- The same keys as in move_order. The hashed use can exist only if a server of the previous version has
        -- accepted the use again.
        foreach used in array array[0, the_order.coupon_id] loop
            for n in 1..2 loop
                plain := case n when 1 then 'tel:' || the_order.phone
                                else 'mailto:' || lower(the_order.email collate "C") end;
                hashed := case n when 1 then phone_key else email_key end;
                update coupon_uses set guest_key = hashed
                where coupon_id = used and guest_key = plain and order_id = the_id
                  and not exists (
                    select from coupon_uses as other
                    where coupon_id = used and other.guest_key = hashed and other.period = coupon_uses.period
                        and other.use_number = coupon_uses.use_number);
                delete from coupon_uses where coupon_id = used and guest_key = plain and order_id = the_id;
            end loop;
        end loop;
    end if;
    foreach line in array the_order.lines loop
        line.note := null;
        kept_lines := array_append(kept_lines, line);
    end loop;
    update orders
    set name = null, phone = phone_key, email = email_key, address = null, comment = null, lines = kept_lines
    where id = the_id;
    update order_mails set answer = null where order_id = the_id and answer is not null;
    -- The basket keeps its notes until it is pruned.
    update baskets set lines = '{}', options = null, removed_items = null
    where id = the_id and state = 'ordered' and cardinality(lines) > 0;
    return true;
end $$;

-- Examines up to batch_size orders: first the postponed ones, then those that the walk has not reached yet. The round
-- ends when none was examined. Does nothing while the setting is off. The walk uses its index also while the table is
-- small.
create function prune_personal_data(batch_size integer, out examined integer, out replaced integer)
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s'
    set enable_seqscan = off set enable_bitmapscan = off as $$
declare
    kept_since constant timestamptz := now() - (select personal_data_days from shop) * interval '1 day';
    walked     personal_data_pruning;
    candidates uuid[];
    pads       bytea;
    the_id     uuid;
    is_done    boolean; -- null: there was nothing to do
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
    foreach the_id in array candidates loop
        is_done := replace_personal_data(the_id, kept_since, pads);
        if is_done is false then
            insert into postponed_orders (order_id, retry_at) values (the_id, now() + interval '1 hour')
            on conflict on constraint postponed_orders_pkey do update set retry_at = excluded.retry_at;
        else
            delete from postponed_orders where order_id = the_id;
            replaced := replaced + coalesce(is_done, false)::integer;
        end if;
    end loop;
end $$;

-- 5. Privileges.

grant execute on function prune_personal_data(integer), hashed_guest_key(text, bytea),
    hashed_guest_history(bytea, text, text, bigint, bigint, timestamptz, integer)
to welms_server;
grant select (guest_key) on shop_secrets to welms_server;
grant select on personal_data_pruning, postponed_orders to welms_staff;
