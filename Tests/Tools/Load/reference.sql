-- The second reference of `make bench`: PL/pgSQL on the product's own tables, optimised for a fast checkout inside
-- PostgreSQL. A checkout is one call and one transaction, without batches. pgbench -M prepared calls these functions.
--
-- It does the database work of a checkout under the same constraints: it reads the basket, prices its lines from the
-- menu, evaluates the coupon, closes the basket, counts the redemption and writes the order. It omits the other work of
-- the server, to its advantage: HTTP, JSON, the validation and normalisation of five fields, and the answer.

create schema reference;
set search_path = reference, public;

-- Returns a basket's lines at current prices, as the order stores them.
create function price_order_lines(
    basket baskets, out lines order_line[], out items bigint[], out prices bigint[], out subtotal bigint,
    out for_sale boolean
) language plpgsql stable as $$
begin
    select array_agg(row(entry.line_id, entry.menu_item_id, entry.sales_group_id, menu_items.price, unit.price, 0, null,
               entry.quantity, menu_items.kind, menu_items.title, sales_groups.title, entry.note)::order_line
               order by entry.ordinality),
           array_agg(entry.menu_item_id order by entry.ordinality), array_agg(unit.price order by entry.ordinality),
           sum(unit.price * entry.quantity),
           bool_and(menu_items.is_available and not menu_items.is_retired and sales_groups.is_retired is not true)
    into lines, items, prices, subtotal, for_sale
    from unnest(basket.lines) with ordinality as entry
    join menu_items on menu_items.id = entry.menu_item_id
    cross join lateral (
        select ((menu_items.price * (100 - coalesce(sale_percent, 0)) * 2 + 100)::bigint / 200)) as unit (price)
    left join sales_groups on sales_groups.id = entry.sales_group_id;
end $$;

-- Returns the same lines as JSON, as the answers for a basket show them.
create function price_basket(
    basket baskets, out lines jsonb, out items bigint[], out prices bigint[], out subtotal bigint
)
language plpgsql stable as $$
begin
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
               'menuItemId', entry.menu_item_id, 'kind', menu_items.kind, 'title', menu_items.title,
               'quantity', entry.quantity,
               'regularUnitPrice', menu_items.price::bigint, 'unitPrice', unit.price,
               'total', unit.price * entry.quantity,
               'salesGroupId', sales_groups.id, 'salesGroupTitle', sales_groups.title)) order by entry.ordinality),
           array_agg(entry.menu_item_id order by entry.ordinality), array_agg(unit.price order by entry.ordinality),
           sum(unit.price * entry.quantity)
    into lines, items, prices, subtotal
    from unnest(basket.lines) with ordinality as entry
    join menu_items on menu_items.id = entry.menu_item_id
    cross join lateral (
        select ((menu_items.price * (100 - coalesce(sale_percent, 0)) * 2 + 100)::bigint / 200)) as unit (price)
    left join sales_groups on sales_groups.id = entry.sales_group_id;
end $$;

-- Evaluates a coupon for a basket: the reason for its rejection, or null, and the discount.
create function evaluate_coupon(
    coupon coupons, items bigint[], prices bigint[], subtotal bigint, the_phone text, the_email text, birthday text,
    out refusal text, out discount bigint, out period integer
) language plpgsql stable as $$
declare
    today date := (now() at time zone (select time_zone from shop))::date;
begin
    period := case when coupon.guest_period = 'calendar_year' and coupon.condition <> 'first_order'
        then extract(year from today)::integer else 0 end;
    discount := case coupon.benefit
        when 'percent' then subtotal - (subtotal * (100 - coupon.percent) * 2 + 100) / 200
        when 'amount' then least(coupon.amount::bigint, subtotal)
        else (select min(price) from unnest(items, prices) as line (item, price)
              where left(item::text, 3)::bigint = coupon.free_category_id) end;
    refusal := case
        when coupon.id is null then 'coupon_unknown'
        when now() < coupon.starts_at then 'coupon_not_started'
        when now() >= coupon.ends_at then 'coupon_expired'
        when coupon.condition = 'last_day_of_month' and extract(day from today + 1) <> 1 then 'coupon_not_today'
        when coupon.condition = 'birthday' and birthday is null then 'coupon_needs_birthday'
        when coupon.condition = 'birthday' and to_char(today, 'MM-DD') <> birthday then 'coupon_not_today'
        when (select redeemed >= redemption_limit from coupon_redemptions where coupon_id = coupon.id)
            then 'coupon_exhausted'
        when subtotal < coupon.minimum_subtotal then 'coupon_minimum_not_reached'
        when discount is null then 'coupon_needs_item'
        when coupon.condition = 'first_order' and (
            exists (select from orders where phone = the_phone and state not in ('cancelled', 'rejected'))
            or exists (select from orders
                       where lower(email collate "C") = lower(the_email) and state not in ('cancelled', 'rejected')))
            then 'coupon_first_order_only'
        end;
end $$;

-- Splits the discount over the lines. Rounds the running sum after each line, so that the shares add up.
create function split_discount(lines order_line[], subtotal bigint, discount bigint) returns order_line[]
language plpgsql immutable as $$
declare
    running_sum   bigint := 0;
    before bigint := 0;
begin
    for n in 1..cardinality(lines) loop
        running_sum := running_sum + (lines[n]).unit_price * (lines[n]).quantity;
        lines[n].discount := discount * running_sum / subtotal - before;
        before := before + (lines[n]).discount;
    end loop;
    return lines;
end $$;

-- Executes a checkout and returns the order's number. Raises an exception for a rejection, which rolls everything back.
create function checkout(
    basket_id uuid, the_key text, the_fingerprint bytea, the_name text, the_phone text, the_email text,
    the_address text, the_coupon text, birthday text, expected_total bigint, eta integer
) returns text
language plpgsql as $$
declare
    basket baskets;
    coupon coupons;
    price  record;
    evaluation record;
    number text;
    deduction    bigint := 0;
    lines  order_line[];
begin
    select * into basket from baskets where id = basket_id for update;
    if not found then raise exception 'basket_not_found'; end if;
    if basket.state <> 'open' then
        select orders.number into number from orders
        where id = basket_id and idempotency_key = the_key and fingerprint = the_fingerprint;
        if found then return number; end if;
        raise exception 'basket_already_ordered';
    end if;

    price := price_order_lines(basket);
    lines := price.lines;
    if lines is null then raise exception 'basket_empty'; end if;
    if not price.for_sale then raise exception 'item_sold_out'; end if;

    if the_coupon is not null then
        select * into coupon from coupons where key = the_coupon;
        evaluation := evaluate_coupon(
            coupon, price.items, price.prices, price.subtotal, the_phone, the_email, birthday);
        if evaluation.refusal is not null then raise exception '%', evaluation.refusal; end if;
        deduction := evaluation.discount;
        lines := split_discount(lines, price.subtotal, deduction);
    end if;
    if price.subtotal - deduction <> expected_total then raise exception 'price_changed'; end if;

    update baskets set state = 'ordered' where id = basket_id;
    insert into orders (id, number, idempotency_key, fingerprint, name, phone, email, address,
                        coupon_key, coupon_id, lines, totals,
                        subtotal, discount, total, currency, eta_minutes, placed_at)
    values (basket_id, order_number(nextval('order_sequence'), (select order_number from shop_secrets)), the_key,
            the_fingerprint,
            the_name, the_phone, the_email, the_address, coupon.key, coupon.id, lines,
            case when deduction > 0 then
                array[row(-deduction, null, false, 'discount', coupon.key, coupon.title, null)::order_total] end,
            price.subtotal, deduction, price.subtotal - deduction,
            (select currency from shop), eta, now())
    returning orders.number into number;

    if coupon.guest_limit is not null or coupon.condition = 'first_order' then
        insert into coupon_uses (coupon_id, guest_key, period, use_number, order_id)
        select coupon.id, guest.key, evaluation.period, free.nth, basket_id
        from (values ('tel:' || the_phone), ('mailto:' || lower(the_email))) as guest (key)
        cross join (select min(nth) as nth from generate_series(1, coalesce(coupon.guest_limit, 1)::integer) as nth
                    where not exists (
                        select from coupon_uses as use
                        where use.coupon_id = coupon.id and use.period = evaluation.period and use.use_number = nth.nth
                            and use.guest_key in ('tel:' || the_phone, 'mailto:' || lower(the_email)))) as free;
    end if;
    -- Updates the coupon last, because all other checkouts with this coupon wait for the row until the commit.
    if coupon.id is not null then
        update coupon_redemptions set redeemed = redeemed + 1
        where coupon_id = coupon.id and (redemption_limit is null or redeemed < redemption_limit);
        if not found then raise exception 'coupon_exhausted'; end if;
    end if;
    return number;
end $$;

-- The steps before the checkout. Each returns the priced basket, as the server does.

create function make_basket(basket_id uuid) returns jsonb
language plpgsql as $$
begin
    insert into baskets (id, currency, changed_at) values (basket_id, (select currency from shop), now());
    return jsonb_build_object('id', basket_id, 'lines', '[]'::jsonb, 'total', 0);
end $$;

create function add_item(basket_id uuid, item bigint, quantity integer) returns jsonb
language plpgsql as $$
declare
    basket baskets;
    price  bigint := (
        select (menu_items.price * (100 - coalesce(sale_percent, 0)) * 2 + 100)::bigint / 200 from menu_items
        where id = item and is_available and not is_retired);
    line_index integer;
    priced record;
begin
    if price is null then raise exception 'menu_item_not_found'; end if;
    select * into basket from baskets where id = basket_id and state = 'open' for update;
    if not found then raise exception 'basket_not_found'; end if;
    select ordinality into line_index from unnest(basket.lines) with ordinality
    where sales_group_id is null and menu_item_id = item;
    if line_index is null then
        basket.lines_made := basket.lines_made + 1;
        basket.lines := basket.lines || row(basket.lines_made, item, null, price, quantity, null)::basket_line;
    else
        basket.lines[line_index].quantity := (basket.lines[line_index]).quantity + quantity;
        basket.lines[line_index].unit_price := price;
    end if;
    update baskets set version = version + 1, changed_at = now(), lines_made = basket.lines_made, lines = basket.lines
    where id = basket_id;
    priced := price_basket(basket);
    return jsonb_build_object(
        'id', basket_id, 'version', basket.version + 1, 'lines', priced.lines, 'total', priced.subtotal);
end $$;

-- Validates the form during input: returns the discount of the coupon.
create function validate(basket_id uuid, the_coupon text, birthday text) returns jsonb
language plpgsql as $$
declare
    basket baskets;
    coupon coupons;
    priced record;
    evaluation record;
begin
    select * into basket from baskets where id = basket_id;
    if not found then raise exception 'basket_not_found'; end if;
    select * into coupon from coupons where key = the_coupon;
    priced := price_basket(basket);
    evaluation := evaluate_coupon(coupon, priced.items, priced.prices, priced.subtotal, '', '', birthday);
    return jsonb_build_object(
        'lines', priced.lines, 'subtotal', priced.subtotal, 'discount', evaluation.discount,
        'refusal', evaluation.refusal);
end $$;

-- Inserts baskets as the server stores them, with ids that increase with time. `options` are those of all lines, or
-- null. Returns the subtotal of a basket.
create function fill(run integer, baskets bigint, items bigint[], quantities integer[], options order_option[])
    returns bigint
language plpgsql as $$
begin
    insert into baskets (id, version, lines_made, lines, options, currency, changed_at)
    select reference.basket_id(run, n), 1 + cardinality(items), cardinality(items),
           (select array_agg(row(wanted.n, wanted.item, null,
                (price * (100 - coalesce(sale_percent, 0)) * 2 + 100)::bigint / 200, wanted.quantity, null)::basket_line
                order by wanted.n)
            from unnest(items, quantities) with ordinality as wanted (item, quantity, n)
            join menu_items on menu_items.id = wanted.item),
           fill.options, (select currency from shop), now()
    from generate_series(0, baskets - 1) as n;
    return (price_basket(b)).subtotal from public.baskets as b where id = reference.basket_id(run, 0);
end $$;

-- The id of the nth basket of a run, in the form of a UUID version 7: as on the server, new rows are neighbours in the
-- index.
create function basket_id(run integer, n bigint) returns uuid
language sql immutable as $$
    select ('019b' || lpad(to_hex(run), 4, '0') || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid
$$;

-- The phone number of the nth guest of a run. It differs between runs, because coupons with a limit per guest use it.
create function phone(run integer, n bigint) returns text language sql immutable as $$
    select '+1' || 2000000000 + (run::bigint * 1000000 + n) % 8000000000
$$;

-- The floor of a checkout in PostgreSQL: the same orders with the same indexes, without CHECKs, locks and other tables.
create table written_orders (like orders including defaults including indexes) with (fillfactor = 90);

create function write_orders(the_currency text, batch new_order[]) returns void
language plpgsql as $$
begin
    insert into written_orders (id, number, idempotency_key, fingerprint, name, phone, email, address, fulfilment,
        lines, options, totals, subtotal, discount, total, currency, eta_minutes, placed_at, day_number)
    select id, number, idempotency_key, fingerprint, name, phone, email, address, fulfilment,
        lines, options, totals, subtotal, discount, total, the_currency, eta_minutes, now(), 1
    from unnest(batch);
end $$;

-- The orders of `size` baskets of a run, from basket `first` on. JSON names the fields, so their order does not matter.
create function order_batch(run integer, first bigint, size bigint) returns new_order[]
language plpgsql stable as $$
begin
    return (
        select array_agg(jsonb_populate_record(null::new_order, jsonb_build_object(
                'id', basket.id, 'number', lpad(n::text, 8, '0'), 'idempotency_key', 'key of ' || n,
                'fingerprint', sha256(int8send(n)), 'name', 'Ann Lee', 'phone', phone(run, n),
                'email', format('ann.lee+%s.%s@example.com', run, n), 'address', '12 Elm Street, Springfield',
                'fulfilment', 'delivery', 'lines', priced.lines, 'options', basket.options,
                'subtotal', priced.subtotal, 'discount', 0, 'total', priced.subtotal, 'eta_minutes', 30)) order by n)
        from generate_series(first, first + size - 1) as n
        join baskets as basket on basket.id = basket_id(run, n)
        cross join price_order_lines(basket) as priced);
end $$;
