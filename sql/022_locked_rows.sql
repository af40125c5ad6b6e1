-- Finds the rows that another transaction has locked, without waiting. Staff sometimes change a count or a coupon in a
-- transaction and leave it open. Checkouts that need such a row wait in the server, so that they occupy no connection.
-- The server calls this after a lock timeout, and then until the rows are free
-- (Sources/Database/Locks/LoadLockedRows.swift). It covers every existing row that a checkout locks; CheckoutLockTests
-- derives the tables from PostgreSQL.

create type contested_row as (
    subject   text,
    uuid      uuid,        -- orders, baskets
    id        bigint,      -- coupons, menu_items, options
    starts_at timestamptz  -- menu_items, options: the units sold on the business day that starts then; null: the count
                           -- delivery, pickup: the slot that starts then
);

-- Returns the position of each locked row, with the id of the transaction that holds it. Checkouts lock popular rows
-- in quick succession. Only an id that stays the same shows that one transaction keeps the row. The id is 0 for orders
-- and baskets, which have few writers. The function's own locks end with its transaction.
create function locked_rows(wanted contested_row[]) returns table (n integer, holder bigint)
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '100ms' as $$
declare
    one      contested_row;
    the_uuid uuid;
    sold_on  date;
begin
    n := 0;
    foreach one in array wanted loop
        n := n + 1;
        holder := null;
        the_uuid := one.uuid;
        if one.subject = 'orders' then
            perform from orders where id = the_uuid for update skip locked;
            if not found then
                perform from orders where id = the_uuid;
                if found then holder := 0; end if;
            end if;
        elsif one.subject = 'baskets' then
            perform from baskets where id = the_uuid for update skip locked;
            if not found then
                perform from baskets where id = the_uuid;
                if found then holder := 0; end if;
            end if;
        elsif one.subject = 'coupons' then
            perform from coupon_redemptions where coupon_id = one.id for update skip locked;
            if not found then
                holder := (select nullif(xmax::text::bigint, 0) from coupon_redemptions where coupon_id = one.id);
            end if;
        elsif one.subject in ('menu_items', 'options') and one.starts_at is not null then
            sold_on := (select day from business_day(one.starts_at));
            perform from stock_days where subject = one.subject and id = one.id and day = sold_on
            for update skip locked;
            if not found then
                holder := (select nullif(xmax::text::bigint, 0) from stock_days
                           where subject = one.subject and id = one.id and day = sold_on);
            end if;
        elsif one.subject = 'menu_items' then
            perform from item_stock where menu_item_id = one.id for update skip locked;
            if not found then
                holder := (select nullif(xmax::text::bigint, 0) from item_stock where menu_item_id = one.id);
            end if;
        elsif one.subject = 'options' then
            perform from option_stock where option_id = one.id for update skip locked;
            if not found then
                holder := (select nullif(xmax::text::bigint, 0) from option_stock where option_id = one.id);
            end if;
        else
            perform from slot_uses where fulfilment = one.subject and starts_at = one.starts_at for update skip locked;
            if not found then
                holder := (select nullif(xmax::text::bigint, 0) from slot_uses
                           where fulfilment = one.subject and starts_at = one.starts_at);
            end if;
        end if;
        -- Null: the row is free or does not exist, or the transaction that held the lock has just ended (xmax is 0).
        if holder is not null then return next; end if;
    end loop;
end $$;

grant execute on function locked_rows(contested_row[]) to welms_server;
