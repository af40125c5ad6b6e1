-- Returning a coupon reads only the uses of its guest. The steps that the server executes pass the order's number,
-- whose collation is C. The variables of their functions inherited it, and the comparison with guest_key could not use
-- the key: a rejection read all uses of the coupon.

-- The only change is the collation of used_by.
create or replace function move_order(
    the_order orders, to_state text, reason text, step_kind text default 'moved', new_promise timestamptz default null,
    is_wasted boolean default false,
    moment timestamptz default clock_timestamp() -- of the step: the transaction may have begun much earlier
) returns void
language plpgsql as $$
declare
    this_step integer;
    number_wanted_at timestamptz := the_order.day_number_wanted_at;
    promise   timestamptz := coalesce(new_promise, the_order.promised_at);
    excuse    text := case step_kind when 'delayed' then reason else the_order.delay_reason end;
    used_by   text collate "default"; -- the collation of guest_key, which the key of coupon_uses needs
    used      bigint;
begin
    -- A pending step was requested for the state that this step ends.
    perform withdraw_pending_step(the_order);
    -- A pre-order that staff prepare before it is due gets its day number from the server (number_orders); a
    -- step never draws one. If staff take that step back, the order does not need the number yet.
    if the_order.day_number is null then
        number_wanted_at := case when to_state in ('preparing', 'on_the_way', 'delivered')
                                 then coalesce(number_wanted_at, moment) end;
    end if;
    if to_state = 'placed' then
        promise := null;
        excuse := null;
    end if;
    update orders
    set state = to_state, promised_at = promise, delay_reason = excuse, day_number_wanted_at = number_wanted_at
    where id = the_order.id;
    select 1 + count(*) into this_step from order_steps where order_id = the_order.id;
    insert into order_steps (order_id, step, state, reason, at, kind, promised_at)
    values (the_order.id, this_step, to_state, reason, moment, step_kind, new_promise);
    perform pg_notify('order_moved', the_order.id || ' ' || this_step);

    if to_state in ('cancelled', 'rejected') and the_order.coupon_id is not null then
        -- One key at a time: with both in one condition, PostgreSQL reads all uses of the coupon. First-order coupons
        -- use id 0.
        foreach used in array array[0, the_order.coupon_id] loop
            foreach used_by in array array['mailto:' || lower(the_order.email collate "C"), 'tel:'
                || the_order.phone] loop
                delete from coupon_uses where coupon_id = used and guest_key = used_by and order_id = the_order.id;
            end loop;
        end loop;
        -- Because of redeemed > 0, the step succeeds even if the owner has set the count to 0.
        update coupon_redemptions set redeemed = redeemed - 1 where coupon_id = the_order.coupon_id and redeemed > 0;
    end if;
    if to_state in ('cancelled', 'rejected') then
        if the_order.wanted_at is not null then
            perform give_slot_back(the_order.fulfilment, the_order.wanted_at, the_order.slot_items);
        end if;
        if is_wasted then
            perform record_waste(the_order.id);
        else
            perform give_stock_back(the_order.id);
        end if;
    end if;
end $$;
