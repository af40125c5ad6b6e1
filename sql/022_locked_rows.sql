-- Which rows somebody holds right now. Staff change a count or a coupon in transactions of their own, and forget to end them: whoever wants such a row
-- waits for it outside of the database, so that no connection waits along. Called by Sources/Database/Locks/LoadLockedRows.swift once something has
-- waited in vain, and then until the rows are free.

-- Of these rows, the places of those that another transaction holds; an order's place is negative. It waits for none, and its own locks end with it.
-- A row is named by what it counts: coupons, menu_items or options with the id, delivery or pickup with the beginning of the slot in microseconds since 1970.
create function locked_rows(order_ids uuid[], kinds text[], ids bigint[]) returns integer[]
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '200ms' as $$
declare
    locked    integer[] := '{}';
    the_order uuid;
    begins    timestamptz;
begin
    foreach the_order in array order_ids loop
        perform from orders where id = the_order for update skip locked;
        if not found then
            perform from orders where id = the_order;
            if found then locked := locked || -array_position(order_ids, the_order); end if;
        end if;
    end loop;
    for n in 1..cardinality(kinds) loop
        if kinds[n] = 'coupons' then
            perform from coupon_redemptions where coupon_id = ids[n] for update skip locked;
            if found or not exists (select from coupon_redemptions where coupon_id = ids[n]) then continue; end if;
        elsif kinds[n] = 'menu_items' then
            perform from item_stock where menu_item_id = ids[n] for update skip locked;
            if found or not exists (select from item_stock where menu_item_id = ids[n]) then continue; end if;
        elsif kinds[n] = 'options' then
            perform from option_stock where option_id = ids[n] for update skip locked;
            if found or not exists (select from option_stock where option_id = ids[n]) then continue; end if;
        else
            begins := 'epoch'::timestamptz + ids[n] * interval '1 microsecond';
            perform from slot_uses where fulfilment = kinds[n] and starts_at = begins for update skip locked;
            if found or not exists (select from slot_uses where fulfilment = kinds[n] and starts_at = begins) then continue; end if;
        end if;
        locked := locked || n;
    end loop;
    return locked;
end $$;

revoke execute on function locked_rows(uuid[], text[], bigint[]) from public;
grant execute on function locked_rows(uuid[], text[], bigint[]) to welms_server;
