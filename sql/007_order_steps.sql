-- How an order moves on: by staff with advance_order, by the guest with cancel_order.
--
--     placed -> accepted -> preparing -> on_the_way -> delivered
--     placed -> cancelled (by the guest);  any before delivered -> rejected (by staff, with a reason)

create function order_may_move(from_state text, to_state text) returns boolean
language sql immutable as $$
    select (from_state, to_state) in (('placed', 'accepted'), ('accepted', 'preparing'), ('preparing', 'on_the_way'), ('on_the_way', 'delivered'), ('placed', 'cancelled'),
                                      ('placed', 'rejected'), ('accepted', 'rejected'), ('preparing', 'rejected'), ('on_the_way', 'rejected'))
$$;

-- The one way in which an order changes: its state, the step that says when and why, the word to those who follow it, and the
-- return of coupon and stock. The word is the order's id and the step. NOTIFY makes commits wait for one another, so placing an order
-- never sends one: whoever follows new orders looks for them. The caller holds the order's row and has checked the move.
-- A cancelled or rejected order counts for nothing: its coupon can be redeemed again, by this guest too, and what it took is there again.
create function move_order(the_order orders, to_state text, reason text) returns void
language plpgsql as $$
declare
    this_step integer;
    used_by   text;
    used      bigint;
begin
    update orders set state = to_state where id = the_order.id;
    select 1 + count(*) into this_step from order_steps where order_id = the_order.id;
    insert into order_steps (order_id, step, state, reason, at) values (the_order.id, this_step, to_state, reason, now());
    perform pg_notify('order_moved', the_order.id || ' ' || this_step);

    if to_state in ('cancelled', 'rejected') and the_order.coupon_id is not null then
        -- A key at a time: with both in one condition, PostgreSQL reads all uses of the coupon. It may have been one for first orders, which use 0.
        foreach used in array array[0, the_order.coupon_id] loop
            foreach used_by in array array['mailto:' || lower(the_order.email collate "C"), 'tel:' || the_order.phone] loop
                delete from coupon_uses where coupon_id = used and guest_key = used_by and order_id = the_order.id;
            end loop;
        end loop;
        -- Above zero, so that no order is stuck because somebody wrote the count by hand.
        update coupons set redeemed = redeemed - 1 where id = the_order.coupon_id and redeemed > 0;
    end if;
    if to_state in ('cancelled', 'rejected') then
        perform give_stock_back(the_order.id);
    end if;
end $$;

-- For staff:  select advance_order('04219377', 'preparing');  select advance_order('04219377', 'rejected', 'out of burgers');
create function advance_order(order_number text, to_state text, reason text default null) returns text
language plpgsql as $$
declare
    the_id    uuid := (select id from orders where number = order_number);
    the_order orders;
begin
    -- Locked by its id: where orders are spread over machines, the number doesn't say which one has it.
    select * into the_order from orders where id = the_id for update;
    if not found then
        raise exception 'there is no order %', order_number
            using errcode = 'no_data_found', hint = 'An order''s number has eight digits, with its leading zeros, in quotes: ''04219377''.';
    end if;
    if to_state = 'cancelled' or order_may_move(the_order.state, to_state) is not true then
        raise exception 'order % is % and can''t become %', order_number, the_order.state, coalesce(to_state, 'null')
            using errcode = 'check_violation', constraint = 'order_step_makes_sense',
                  hint = coalesce('It can become ' || (
                      select string_agg(candidate, ' or ')
                      from unnest(array['accepted', 'preparing', 'on_the_way', 'delivered', 'rejected']) as candidate
                      where order_may_move(the_order.state, candidate)) || '.', 'It is at its end.');
    end if;
    if to_state = 'rejected' and coalesce(btrim(reason), '') = '' then
        raise exception 'a rejected order needs a reason'
            using errcode = 'check_violation', constraint = 'rejection_has_a_reason',
                  hint = format('select advance_order(%L, ''rejected'', ''why'');', order_number);
    end if;
    if char_length(reason) > 500 then
        raise exception 'a reason of % characters', char_length(reason)
            using errcode = 'check_violation', constraint = 'reason_is_short', hint = 'The guest reads it: write up to 500 characters.';
    end if;
    perform move_order(the_order, to_state, reason);
    return format('order %s: %s -> %s', order_number, the_order.state, to_state);
end $$;

-- A number without its quotes has lost its leading zeros: this says so, where PostgreSQL would say that there is no such function.
create function advance_order(order_number bigint, to_state text, reason text default null) returns text
language plpgsql as $$
begin
    raise exception 'an order''s number is text'
        using errcode = 'datatype_mismatch', hint = format('Write it in quotes, with its leading zeros: select advance_order(%L, %L);',
                                                           lpad(order_number::text, 8, '0'), to_state);
end $$;

-- For the guest, through the server, which has checked the token. Returns the state that the order has now; null: unknown.
create function cancel_order(the_id uuid) returns text
language plpgsql as $$
declare
    the_order orders;
begin
    select * into the_order from orders where id = the_id for update;
    if not found or the_order.state <> 'placed' then
        return the_order.state;
    end if;
    perform move_order(the_order, 'cancelled', null);
    return 'cancelled';
end $$;
