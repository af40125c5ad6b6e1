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
    basket baskets, out kinds text[], out titles text[], out regular_prices bigint[], out prices bigint[],
    out sale_titles text[], out subtotal bigint, out for_sale boolean
) language plpgsql stable as $$
begin
    select array_agg(menu_items.kind order by entry.n), array_agg(menu_items.title order by entry.n),
           array_agg(menu_items.price::bigint order by entry.n),
           array_agg(unit.price order by entry.n), array_agg(sales_groups.title order by entry.n),
           sum(unit.price * entry.quantity),
           bool_and(menu_items.is_available and not menu_items.is_retired and sales_groups.is_retired is not true)
    into kinds, titles, regular_prices, prices, sale_titles, subtotal, for_sale
    from unnest(basket.line_sales, basket.line_items, basket.line_quantities)
        with ordinality as entry (sale, item, quantity, n)
    join menu_items on menu_items.id = entry.item
    cross join lateral (
        select ((menu_items.price * (100 - coalesce(sale_percent, 0)) * 2 + 100)::bigint / 200)) as unit (price)
    left join sales_groups on sales_groups.id = entry.sale;
end $$;

-- Returns the same lines as JSON, as the answers for a basket show them.
create function price_basket(basket baskets, out lines jsonb, out prices bigint[], out subtotal bigint)
language plpgsql stable as $$
begin
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
               'menuItemId', entry.item, 'kind', menu_items.kind, 'title', menu_items.title, 'quantity', entry.quantity,
               'regularUnitPrice', menu_items.price::bigint, 'unitPrice', unit.price,
               'total', unit.price * entry.quantity,
               'salesGroupId', sales_groups.id, 'salesGroupTitle', sales_groups.title)) order by entry.n),
           array_agg(unit.price order by entry.n), sum(unit.price * entry.quantity)
    into lines, prices, subtotal
    from unnest(basket.line_sales, basket.line_items, basket.line_quantities)
        with ordinality as entry (sale, item, quantity, n)
    join menu_items on menu_items.id = entry.item
    cross join lateral (
        select ((menu_items.price * (100 - coalesce(sale_percent, 0)) * 2 + 100)::bigint / 200)) as unit (price)
    left join sales_groups on sales_groups.id = entry.sale;
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
create function split_discount(quantities integer[], prices bigint[], subtotal bigint, discount bigint) returns bigint[]
language plpgsql immutable as $$
declare
    running_sum   bigint := 0;
    before bigint := 0;
    shares bigint[];
begin
    for n in 1..cardinality(prices) loop
        running_sum := running_sum + prices[n] * quantities[n];
        shares[n] := discount * running_sum / subtotal - before;
        before := before + shares[n];
    end loop;
    return shares;
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
    shares bigint[];
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
    if price.kinds is null then raise exception 'basket_empty'; end if;
    if not price.for_sale then raise exception 'item_sold_out'; end if;

    if the_coupon is not null then
        select * into coupon from coupons where key = the_coupon;
        evaluation := evaluate_coupon(
            coupon, basket.line_items, price.prices, price.subtotal, the_phone, the_email, birthday);
        if evaluation.refusal is not null then raise exception '%', evaluation.refusal; end if;
        deduction := evaluation.discount;
        shares := split_discount(basket.line_quantities, price.prices, price.subtotal, deduction);
    else
        shares := array_fill(0::bigint, array[cardinality(price.prices)]);
    end if;
    if price.subtotal - deduction <> expected_total then raise exception 'price_changed'; end if;

    update baskets set state = 'ordered' where id = basket_id;
    insert into orders (id, number, idempotency_key, fingerprint, name, phone, email, address,
                        coupon_key, coupon_id, line_ids, line_notes, line_items, line_kinds, line_titles,
                        line_quantities,
                        line_regular_prices, line_prices, line_discounts, line_sales, line_sale_titles,
                        total_kinds, total_codes, total_titles, total_amounts,
                        subtotal, discount, total, currency, eta_minutes, placed_at)
    values (basket_id, order_number(nextval('order_sequence'), (select order_number from shop_secrets)), the_key,
            the_fingerprint,
            the_name, the_phone, the_email, the_address, coupon.key, coupon.id, basket.line_ids, basket.line_notes,
            basket.line_items, price.kinds, price.titles, basket.line_quantities, price.regular_prices, price.prices,
            shares,
            basket.line_sales, price.sale_titles,
            case when deduction > 0 then array['discount'] end, case when deduction > 0 then array[coupon.key] end,
            case when deduction > 0 then array[coupon.title] end, case when deduction > 0 then array[-deduction] end,
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
    select n into line_index
    from unnest(basket.line_sales, basket.line_items) with ordinality as entry (sale, entry_item, n)
    where sale = 0 and entry_item = item;
    if line_index is null then
        basket.lines_made := basket.lines_made + 1;
        basket.line_ids := basket.line_ids || basket.lines_made;
        basket.line_notes := basket.line_notes || null::text;
        basket.line_sales := basket.line_sales || 0::bigint;
        basket.line_items := basket.line_items || item;
        basket.line_quantities := basket.line_quantities || quantity;
        basket.line_prices := basket.line_prices || price;
    else
        basket.line_quantities[line_index] := basket.line_quantities[line_index] + quantity;
        basket.line_prices[line_index] := price;
    end if;
    update baskets set version = version + 1, changed_at = now(), lines_made = basket.lines_made,
        line_ids = basket.line_ids, line_notes = basket.line_notes, line_sales = basket.line_sales,
        line_items = basket.line_items, line_quantities = basket.line_quantities, line_prices = basket.line_prices
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
    evaluation := evaluate_coupon(coupon, basket.line_items, priced.prices, priced.subtotal, '', '', birthday);
    return jsonb_build_object(
        'lines', priced.lines, 'subtotal', priced.subtotal, 'discount', evaluation.discount,
        'refusal', evaluation.refusal);
end $$;

-- Inserts baskets as the server stores them, with ids that increase with time. `options` is the selection of the first
-- line, or null. Returns the subtotal of a basket.
create function fill(run integer, baskets bigint, items bigint[], quantities integer[], options jsonb) returns bigint
language plpgsql as $$
begin
    insert into baskets (id, version, lines_made, line_ids, line_notes, line_options, line_sales, line_items,
                         line_quantities, line_prices, currency, changed_at)
    select reference.basket_id(run, n), 1 + cardinality(items), cardinality(items),
           array(select generate_series(1, cardinality(items))), array_fill(null::text, array[cardinality(items)]),
           case when options is not null
               then array[options] || array_fill(null::jsonb, array[cardinality(items) - 1]) end,
           array_fill(0::bigint, array[cardinality(items)]), items, quantities,
           (select array_agg((price * (100 - coalesce(sale_percent, 0)) * 2 + 100)::bigint / 200 order by n)
            from unnest(items) with ordinality as wanted (item, n) join menu_items on menu_items.id = item),
           (select currency from shop), now()
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
