-- Finds the rows that another transaction has locked, without waiting. Staff sometimes change a count or a coupon in a
-- transaction and leave it open. Checkouts that need such a row wait in the server, so that they occupy no connection.
-- The server calls this after a lock timeout, and then until the rows are free
-- (Sources/Database/Locks/LoadLockedRows.swift). It covers every existing row that a checkout locks; CheckoutLockTests
-- derives the tables from PostgreSQL.

-- Entry n of the four arrays names one row:
--     orders, baskets       uuids[n]
--     coupons               ids[n]
--     menu_items, options   ids[n]; with starts[n], the units sold on the business day that starts then
--     delivery, pickup      the slot that starts at starts[n]
-- Returns the n of each locked row, followed by the id of the transaction that holds it. Checkouts lock popular rows
-- in quick succession. Only an id that stays the same shows that one transaction keeps the row. The id is 0 for orders
-- and baskets, which have few writers. The function's own locks end with its transaction.
create function locked_rows(subjects text[], uuids uuid[], ids bigint[], starts timestamptz[]) returns bigint[]
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '100ms' as $$
declare
    locked   bigint[] := '{}';
    holder   bigint;
    the_uuid uuid;
    sold_on  date;
begin
    for n in 1..cardinality(subjects) loop
        the_uuid := uuids[n];
        holder := null;
        if subjects[n] = 'orders' then
            perform from orders where id = the_uuid for update skip locked;
            if not found then
                perform from orders where id = the_uuid;
                if found then locked := locked || array[n, 0]; end if;
            end if;
        elsif subjects[n] = 'baskets' then
            perform from baskets where id = the_uuid for update skip locked;
            if not found then
                perform from baskets where id = the_uuid;
                if found then locked := locked || array[n, 0]; end if;
            end if;
        elsif subjects[n] = 'coupons' then
            perform from coupon_redemptions where coupon_id = ids[n] for update skip locked;
            if not found then
                holder := (select xmax::text::bigint from coupon_redemptions where coupon_id = ids[n]);
            end if;
        elsif subjects[n] in ('menu_items', 'options') and starts[n] is not null then
            sold_on := (select day from business_day(starts[n]));
            perform from stock_days where subject = subjects[n] and id = ids[n] and day = sold_on
            for update skip locked;
            if not found then
                holder := (select xmax::text::bigint from stock_days
                           where subject = subjects[n] and id = ids[n] and day = sold_on);
            end if;
        elsif subjects[n] = 'menu_items' then
            perform from item_stock where menu_item_id = ids[n] for update skip locked;
            if not found then
                holder := (select xmax::text::bigint from item_stock where menu_item_id = ids[n]);
            end if;
        elsif subjects[n] = 'options' then
            perform from option_stock where option_id = ids[n] for update skip locked;
            if not found then
                holder := (select xmax::text::bigint from option_stock where option_id = ids[n]);
            end if;
        else
            perform from slot_uses where fulfilment = subjects[n] and starts_at = starts[n] for update skip locked;
            if not found then
                holder := (select xmax::text::bigint from slot_uses
                           where fulfilment = subjects[n] and starts_at = starts[n]);
            end if;
        end if;
        -- Null: the row does not exist. 0: the transaction that held the lock has just ended.
        if holder > 0 then locked := locked || array[n, holder]; end if;
    end loop;
    return locked;
end $$;

grant execute on function locked_rows(text[], uuid[], bigint[], timestamptz[]) to welms_server;
