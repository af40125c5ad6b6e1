-- Which rows somebody holds right now. Staff change a count or a coupon in transactions of their own, and forget to end them: whoever wants such a row
-- waits for it outside of the database, so that no connection waits along. Called by Sources/Database/Locks/LoadLockedRows.swift once something has
-- waited in vain, and then until the rows are free.

-- Of these rows, the places of those that another transaction holds, each with the number of that; an order's place is negative, and nobody asks who
-- holds it. It waits for none, and its own locks end with it. What is sold all the time is held by some order whenever one looks: only by its number it is
-- told from somebody who does not let go.
-- A row is named by what it counts: coupons, menu_items or options with the id, delivery or pickup with the beginning of the slot in microseconds since 1970.
create function locked_rows(order_ids uuid[], kinds text[], ids bigint[]) returns bigint[]
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '100ms' as $$
declare
    locked    bigint[] := '{}';
    holder    bigint;
    the_order uuid;
    begins    timestamptz;
begin
    foreach the_order in array order_ids loop
        perform from orders where id = the_order for update skip locked;
        if not found then
            perform from orders where id = the_order;
            if found then locked := locked || array[-array_position(order_ids, the_order), 0]; end if;
        end if;
    end loop;
    for n in 1..cardinality(kinds) loop
        if kinds[n] = 'coupons' then
            perform from coupon_redemptions where coupon_id = ids[n] for update skip locked;
            if found then continue; end if;
            holder := (select xmax::text::bigint from coupon_redemptions where coupon_id = ids[n]);
        elsif kinds[n] = 'menu_items' then
            perform from item_stock where menu_item_id = ids[n] for update skip locked;
            if found then continue; end if;
            holder := (select xmax::text::bigint from item_stock where menu_item_id = ids[n]);
        elsif kinds[n] = 'options' then
            perform from option_stock where option_id = ids[n] for update skip locked;
            if found then continue; end if;
            holder := (select xmax::text::bigint from option_stock where option_id = ids[n]);
        else
            begins := 'epoch'::timestamptz + ids[n] * interval '1 microsecond';
            perform from slot_uses where fulfilment = kinds[n] and starts_at = begins for update skip locked;
            if found then continue; end if;
            holder := (select xmax::text::bigint from slot_uses where fulfilment = kinds[n] and starts_at = begins);
        end if;
        -- Null: there is no such row. 0: nobody has touched this version yet, it is that of who has just let go.
        if holder > 0 then locked := locked || array[n, holder]; end if;
    end loop;
    return locked;
end $$;

revoke execute on function locked_rows(uuid[], text[], bigint[]) from public;
grant execute on function locked_rows(uuid[], text[], bigint[]) to welms_server;
