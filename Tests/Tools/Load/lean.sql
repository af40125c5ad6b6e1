-- The first reference of `make bench`: a minimal shop with lean tables, optimised only for a fast checkout. A checkout
-- is one call and one transaction. pgbench -M prepared (lean.pgbench) and the Go service (service.go) call these
-- functions.
--
-- It has the foreign keys, unique keys and simple checks that such a shop needs, dishes without options, and a
-- percentage coupon. It lacks options, sales, hours, areas, taxes, stock, limits per guest, staff and the guest
-- history, which is to its advantage. Lines have no foreign key to the menu: it would lock the menu rows in each order,
-- the largest cost here with 64 clients.

create schema lean;

create table lean.items (
    id           bigint  primary key,
    title        text    not null,
    price        bigint  not null check (price >= 0), -- as charged, in minor units
    is_available boolean not null default true
);
insert into lean.items
select id, title, round(price * (100 - coalesce(sale_percent, 0)) / 100), is_available from public.menu_items;

create table lean.coupons (
    id               bigint  primary key,
    key              text    not null unique,
    percent          integer not null check (percent between 1 and 100),
    redemption_limit bigint,
    redeemed         bigint  not null default 0,
    check (redeemed <= redemption_limit)
) with (fillfactor = 50);
insert into lean.coupons (id, key, percent, redemption_limit)
select id, key, percent, redemption_limit from public.coupons where key = 'BENCH';

create table lean.baskets (
    id         uuid        primary key,
    is_ordered boolean     not null default false,
    changed_at timestamptz not null default now()
) with (fillfactor = 70);

create table lean.basket_lines (
    basket_id uuid    not null references lean.baskets,
    item_id   bigint  not null,
    quantity  integer not null check (quantity between 1 and 99),
    primary key (basket_id, item_id)
);

create table lean.orders (
    id              uuid        primary key references lean.baskets,
    number          bigint      generated always as identity unique,
    idempotency_key text        not null,
    name            text        not null,
    phone           text        not null,
    email           text        not null,
    address         text        not null,
    coupon_id       bigint      references lean.coupons,
    subtotal        bigint      not null,
    discount        bigint      not null,
    total           bigint      not null,
    eta_minutes     integer     not null,
    placed_at       timestamptz not null default now(),
    check (discount between 0 and subtotal),
    check (total = subtotal - discount)
);

create table lean.order_lines (
    order_id uuid    not null references lean.orders,
    item_id  bigint  not null,
    title    text    not null,
    quantity integer not null check (quantity > 0),
    price    bigint  not null check (price >= 0),
    primary key (order_id, item_id)
);

-- Executes a checkout and returns the order's number. Raises an exception for a rejection, which rolls everything back.
create function lean.checkout(
    the_basket uuid, the_key text, the_name text, the_phone text, the_email text, the_address text, the_coupon text,
    the_total bigint
) returns bigint
language plpgsql as $$
declare
    coupon       lean.coupons;
    the_subtotal bigint;
    is_available_now     boolean;
    deduction          bigint := 0;
    the_number   bigint;
begin
    update lean.baskets set is_ordered = true where id = the_basket and not is_ordered;
    if not found then
        select number into the_number from lean.orders where id = the_basket and idempotency_key = the_key;
        if found then return the_number; end if;
        raise exception 'basket_not_found_or_ordered';
    end if;
    select sum(price * quantity), bool_and(is_available) into the_subtotal, is_available_now
    from lean.basket_lines join lean.items on items.id = item_id where basket_id = the_basket;
    if is_available_now is not true then raise exception 'basket_empty_or_sold_out'; end if;
    if the_coupon is not null then
        select * into coupon from lean.coupons where key = the_coupon;
        if not found then raise exception 'coupon_unknown'; end if;
        deduction := the_subtotal - (the_subtotal * (100 - coupon.percent) * 2 + 100) / 200;
    end if;
    if the_subtotal - deduction <> the_total then raise exception 'price_changed'; end if;
    insert into lean.orders (
        id, idempotency_key, name, phone, email, address, coupon_id, subtotal, discount, total, eta_minutes)
    values (
        the_basket, the_key, the_name, the_phone, the_email, the_address, coupon.id, the_subtotal, deduction,
        the_subtotal - deduction, 30)
    returning number into the_number;
    insert into lean.order_lines (order_id, item_id, title, quantity, price)
    select the_basket, item_id, title, quantity, price
    from lean.basket_lines join lean.items on items.id = item_id where basket_id = the_basket;
    -- Updates the coupon last, because all other checkouts with this coupon wait for the row until the commit.
    if coupon.id is not null then
        update lean.coupons set redeemed = redeemed + 1
        where id = coupon.id and (redemption_limit is null or redeemed < redemption_limit);
        if not found then raise exception 'coupon_exhausted'; end if;
    end if;
    return the_number;
end $$;

-- The steps before the checkout. Each returns the basket.

create function lean.basket_answer(the_basket uuid, out lines jsonb, out count bigint, out total bigint)
language plpgsql stable as $$
begin
    select coalesce(jsonb_agg(jsonb_build_object(
               'menuItemId', item_id, 'title', title, 'quantity', quantity, 'unitPrice', price,
               'total', price * quantity)), '[]'),
           coalesce(sum(quantity), 0), coalesce(sum(price * quantity), 0)
    into lines, count, total
    from lean.basket_lines join lean.items on items.id = item_id where basket_id = the_basket;
end $$;

create function lean.make_basket(the_basket uuid) returns jsonb
language plpgsql as $$
begin
    insert into lean.baskets (id) values (the_basket);
    return '[]';
end $$;

create function lean.add_item(
    the_basket uuid, the_item bigint, the_quantity integer, out lines jsonb, out count bigint, out total bigint
)
language plpgsql as $$
begin
    perform from lean.items where id = the_item and is_available;
    if not found then raise exception 'menu_item_not_found'; end if;
    update lean.baskets set changed_at = now() where id = the_basket and not is_ordered;
    if not found then raise exception 'basket_not_found_or_ordered'; end if;
    insert into lean.basket_lines (basket_id, item_id, quantity) values (the_basket, the_item, the_quantity)
    on conflict (basket_id, item_id) do update set quantity = basket_lines.quantity + the_quantity;
    select * into lines, count, total from lean.basket_answer(the_basket);
end $$;

-- Validates the form during input: returns the discount of the coupon.
create function lean.validate(
    the_basket uuid, the_coupon text, out lines jsonb, out count bigint, out total bigint, out discount bigint
)
language plpgsql stable as $$
begin
    select * into lines, count, total from lean.basket_answer(the_basket);
    select total - (total * (100 - percent) * 2 + 100) / 200 into discount from lean.coupons
    where key = the_coupon and (redemption_limit is null or redeemed < redemption_limit);
end $$;

-- Inserts baskets as these functions write them. Returns the total of a basket.
create function lean.fill(run integer, basket_count bigint, the_items bigint[], the_quantities integer[]) returns bigint
language plpgsql as $$
begin
    insert into lean.baskets (id) select reference.basket_id(run, n) from generate_series(0, basket_count - 1) as n;
    insert into lean.basket_lines (basket_id, item_id, quantity)
    select reference.basket_id(run, n), item, quantity
    from generate_series(0, basket_count - 1) as n, unnest(the_items, the_quantities) as line (item, quantity);
    return (lean.basket_answer(reference.basket_id(run, 0))).total;
end $$;
