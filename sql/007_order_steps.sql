-- The steps of an order: staff call advance_order, the server calls cancel_order for the guest.
--
--     placed -> accepted -> preparing -> on_the_way -> delivered
--     placed -> cancelled (by the guest);  any state before delivered -> rejected (by staff, with a reason)
--
-- take_back_step undoes a step within ten seconds. delay_order promises a later time, with a reason that the guest
-- reads.

create function order_may_move(from_state text, to_state text) returns boolean
language sql immutable as $$
    select (from_state, to_state) in (('placed', 'accepted'), ('accepted', 'preparing'), ('preparing', 'on_the_way'),
        ('on_the_way', 'delivered'), ('placed', 'cancelled'),
                                      ('placed', 'rejected'), ('accepted', 'rejected'), ('preparing', 'rejected'),
                                          ('on_the_way', 'rejected'))
$$;

-- How long staff can take a step back; its mail waits as long (018_order_mails.sql).
create function take_back_time() returns interval
language sql immutable as $$ select interval '10 seconds' $$;

-- When the order should be ready: as staff promised last, or as the checkout estimated.
create function order_promise(the_order orders) returns timestamptz
language plpgsql stable as $$
begin
    return coalesce(the_order.promised_at, the_order.wanted_at,
        the_order.placed_at + the_order.eta_minutes * interval '1 minute');
end $$;

-- Whether an order with this wanted time is due in the kitchen: one hour before (Kitchen.leadTime).
create function is_due(wanted_at timestamptz) returns boolean
language plpgsql stable as $$
begin
    return wanted_at is null or wanted_at <= now() + interval '1 hour';
end $$;

-- Notifies the servers of a change that is not a step, by repeating the last step.
create function notify_order_changed(the_id uuid) returns void
language plpgsql as $$
begin
    perform pg_notify('order_moved', the_id || ' ' || (select count(*) from order_steps where order_id = the_id));
end $$;

-- Withdraws the pending step of an order. The caller has locked the order's row. Returns false without a pending step.
create function withdraw_pending_step(the_order orders) returns boolean
language plpgsql as $$
declare
    withdrawn_state text;
begin
    delete from pending_order_steps where order_id = the_order.id returning state into withdrawn_state;
    if withdrawn_state is null then
        return false;
    end if;
    perform write_audit('orders', the_order.number, jsonb_build_object('pending_step', withdrawn_state),
                        jsonb_build_object('pending_step', null), null);
    return true;
end $$;

-- The only function that changes the state of an order. It writes the state, the promised time and the step, sends the
-- notification (order id and step), and returns coupon, slot and stock. The caller has locked the row and checked the
-- step.
-- NOTIFY serialises commits, so placing an order sends none: the servers poll for new orders.
-- A cancelled or rejected order no longer counts: the same guest can redeem the coupon again. Its stock returns, unless
-- the food is wasted.
create function move_order(
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
    used_by   text;
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

-- Assigns day numbers to those of these orders that need one and have none. The server calls it every second.
-- Skips locked orders until the next call. Returns the orders that could not be updated, so that one of them does not
-- block the others. Watchers of the order are notified of its last step; step 0 is the placement.
create function number_orders(ids uuid[]) returns uuid[]
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '100ms' as $$
declare
    moment    constant timestamptz := now();
    numbers   record;
    the_id    uuid;
    the_order orders;
    wanted    timestamptz;
    drawn     integer;
    failed    uuid[] := '{}';
begin
    select source, first into numbers from day_number_source(moment);
    if numbers.source is null then
        return failed;
    end if;
    foreach the_id in array ids loop
        begin
            select * into the_order from orders where id = the_id for update skip locked;
            if the_order.day_number is null and the_order.state not in ('cancelled', 'rejected')
                and (the_order.day_number_wanted_at is not null or is_due(the_order.wanted_at))
            then
                -- Updated before the number is drawn: an order that cannot be updated must not use up a number on every
                -- call.
                wanted := coalesce(the_order.day_number_wanted_at, moment);
                update orders set day_number_wanted_at = wanted where id = the_id;
                drawn := nextval(numbers.source) - numbers.first;
                update orders set day_number = drawn where id = the_id;
                perform pg_notify('order_moved',
                                  the_id || ' ' || (select count(*) from order_steps where order_id = the_id));
            end if;
        exception when others then
            failed := failed || the_id;
        end;
    end loop;
    return failed;
end $$;

-- Returns the order with this number, locked until the end of the transaction.
create function lock_order(order_number text) returns orders
language plpgsql as $$
declare
    the_id    uuid := (select id from orders where number = order_number);
    the_order orders;
begin
    -- Locks by id: on Citus the number does not identify the shard.
    select * into the_order from orders where id = the_id for update;
    if not found then
        raise exception 'there is no order %', order_number
            using errcode = 'no_data_found',
                hint = 'An order number has eight digits, with its leading zeros, in quotes: ''04219377''.';
    end if;
    return the_order;
end $$;

-- Raises unless the order permits this step now. is_wasted says whether staff declare the food wasted; null counts as
-- no.
create function check_step(
    the_order orders, to_state text, reason text, minutes numeric, is_wasted boolean
) returns void
language plpgsql as $$
declare
    order_number constant text := the_order.number;
begin
    if to_state = 'cancelled' or order_may_move(the_order.state, to_state) is not true then
        raise exception 'order % is % and can''t become %', order_number, the_order.state, coalesce(to_state, 'null')
            using errcode = 'check_violation', constraint = 'order_step_makes_sense',
                  hint = coalesce('It can become ' || (
                      select string_agg(candidate, ' or ')
                      from unnest(array['accepted', 'preparing', 'on_the_way', 'delivered', 'rejected']) as candidate
                      where order_may_move(the_order.state, candidate)) || '.', 'It is final.');
    end if;
    if to_state = 'rejected' and coalesce(btrim(reason), '') = '' then
        raise exception 'a rejected order needs a reason'
            using errcode = 'check_violation', constraint = 'rejection_has_a_reason',
                  hint = format('select advance_order(%L, ''rejected'', ''why'');', order_number);
    end if;
    if char_length(reason) > 500 then
        raise exception 'a reason of % characters', char_length(reason)
            using errcode = 'check_violation', constraint = 'reason_is_short',
                hint = 'The guest reads it: write up to 500 characters.';
    end if;
    if minutes is not null and to_state <> 'accepted' then
        raise exception 'minutes are not for a step to %', to_state
            using errcode = 'check_violation', constraint = 'minutes_are_for_accepting',
                  hint = format('Set minutes when you accept the order. Later: select delay_order(%L, 20, ''why'');',
                      order_number);
    end if;
    if minutes is not null and the_order.wanted_at is not null then
        raise exception 'order % has a wanted time', order_number
            using errcode = 'check_violation', constraint = 'minutes_are_for_soon',
                hint = 'Accept it without minutes: it is for the time that the guest chose.';
    end if;
    if minutes is not null and (minutes between 5 and 180 and minutes = trunc(minutes)) is not true then
        raise exception 'ready in % minutes', minutes
            using errcode = 'check_violation', constraint = 'minutes_in_range',
                hint = 'Minutes are a whole number from 5 to 180.';
    end if;
    if is_wasted and to_state <> 'rejected' then
        raise exception 'food_is_wasted is not for a step to %', to_state
            using errcode = 'check_violation', constraint = 'waste_is_rejected',
                hint = 'Only a rejected order can have wasted food.';
    end if;
end $$;

-- For staff:
--   select advance_order('04219377', 'preparing');
--   select advance_order('04219377', 'accepted', minutes => 25);
--   select advance_order('04219377', 'rejected', 'out of burgers');
--   select advance_order('04219377', 'rejected', 'nobody opened', food_is_wasted => false);
-- Without food_is_wasted, the food of a rejected order is wasted if its preparation has begun; otherwise the stock
-- returns.
create function advance_order(
    order_number text, to_state text, reason text default null, minutes numeric default null,
        food_is_wasted boolean default null
) returns text
language plpgsql as $$
declare
    the_order orders := lock_order(order_number);
    moment    constant timestamptz := clock_timestamp(); -- after waiting for the row lock
    is_wasted constant boolean := coalesce(food_is_wasted, to_state = 'rejected'
        and the_order.state in ('preparing', 'on_the_way'));
begin
    perform check_step(the_order, to_state, reason, minutes, is_wasted);
    perform move_order(the_order, to_state, reason, 'moved', moment + minutes * interval '1 minute', is_wasted, moment);
    perform write_audit('orders', order_number, jsonb_build_object('state', the_order.state), -- 020_staff.sql
                        jsonb_strip_nulls(jsonb_build_object('state', to_state, 'minutes', minutes, 'food_is_wasted',
                            nullif(is_wasted, false))), reason);
    return format('order %s: %s -> %s', order_number, the_order.state, to_state);
end $$;

-- Requests a rejection or delivery for the member that act_as has named. The server executes it after take_back_time,
-- unless another step or take_back_step withdraws it. Repeating the request changes nothing; another request replaces
-- it. Staff who use SQL call advance_order, which takes the step immediately.
create function request_step(
    order_number text, to_state text, reason text default null, food_is_wasted boolean default null
) returns text
language plpgsql as $$
declare
    the_order orders := lock_order(order_number);
    known     pending_order_steps;
begin
    if (to_state in ('rejected', 'delivered')) is not true then
        raise exception 'a step to % cannot be requested', coalesce(to_state, 'null')
            using errcode = 'check_violation', constraint = 'requested_step_is_final',
                  hint = format('select advance_order(%L, %L);', order_number, to_state);
    end if;
    perform check_step(the_order, to_state, reason, null, food_is_wasted);
    select * into known from pending_order_steps where order_id = the_order.id;
    if known.state = to_state and known.reason is not distinct from reason
        and known.food_is_wasted is not distinct from food_is_wasted
    then
        return format('order %s: pending %s', order_number, to_state);
    end if;
    perform withdraw_pending_step(the_order);
    insert into pending_order_steps (order_id, state, reason, food_is_wasted, execute_at, member, member_role)
    values (the_order.id, to_state, reason, food_is_wasted, clock_timestamp() + take_back_time(),
            current_setting('welms.member'), current_setting('welms.member_role'));
    perform write_audit('orders', order_number, jsonb_build_object('pending_step', null),
                        jsonb_build_object('pending_step', to_state), reason);
    perform notify_order_changed(the_order.id);
    return format('order %s: pending %s', order_number, to_state);
end $$;

-- Executes the pending step of an order as the member who requested it. All servers call it for due steps, and the row
-- lock lets one of them execute the step. Returns false if nothing was done, also while the order is locked. Deletes
-- the pending step of a deleted order.
create function execute_pending_step(the_id uuid) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    the_order orders;
    pending   pending_order_steps;
begin
    select * into the_order from orders where id = the_id for update skip locked;
    if not found then
        perform from orders where id = the_id;
        if not found then
            delete from pending_order_steps where order_id = the_id;
        end if;
        return false;
    end if;
    select * into pending from pending_order_steps where order_id = the_id;
    if not found or clock_timestamp() < pending.execute_at then
        return false;
    end if;
    perform act_as(pending.member, pending.member_role);
    -- The order's state has been changed without a step and no longer permits this one.
    if not order_may_move(the_order.state, pending.state) then
        perform notify_order_changed(the_id);
        return withdraw_pending_step(the_order);
    end if;
    delete from pending_order_steps where order_id = the_id;
    perform advance_order(the_order.number, pending.state, pending.reason, food_is_wasted => pending.food_is_wasted);
    return true;
end $$;

-- For staff, within ten seconds of a step or while a step is pending:
--   select take_back_step('04219377');  select take_back_step('04219377', 'accepted');
-- taken_state is the state of the mistaken step, so that a later step is not taken back by accident.
create function take_back_step(order_number text, taken_state text default null) returns text
language plpgsql as $$
declare
    the_order orders := lock_order(order_number);
    the_step  order_steps;
    pending_state text;
    back_to   text;
begin
    if taken_state not in ('accepted', 'preparing', 'on_the_way', 'rejected', 'delivered') then
        raise exception '% cannot be taken back', taken_state
            using errcode = 'check_violation', constraint = 'state_can_be_taken_back',
                  hint = 'accepted, preparing and on_the_way can be taken back, rejected and delivered while pending.';
    end if;
    select state into pending_state from pending_order_steps where order_id = the_order.id;
    if pending_state = coalesce(taken_state, pending_state) then
        perform withdraw_pending_step(the_order);
        perform notify_order_changed(the_order.id);
        return format('order %s: not %s', order_number, pending_state);
    end if;
    if taken_state in ('rejected', 'delivered') then
        raise exception 'order % is % and has no pending step to %', order_number, the_order.state, taken_state
            using errcode = 'check_violation',
                  constraint = case when the_order.state = taken_state then 'step_is_taken_back_in_time'
                                    else 'last_step_is_taken_back' end,
                  hint = format('It is %s now. accepted, preparing and on_the_way can be taken back, '
                                'rejected and delivered while pending.', the_order.state);
    end if;
    select * into the_step from order_steps where order_id = the_order.id order by step desc limit 1;
    taken_state := coalesce(taken_state, the_step.state);
    back_to := case taken_state when 'accepted' then 'placed'
                                when 'preparing' then 'accepted'
                                when 'on_the_way' then 'preparing' end;
    if (back_to is not null and the_step.state = taken_state and the_step.kind = 'moved') is not true then
        raise exception 'the last step of order % was not to %', order_number,
            case when back_to is null then 'accepted, preparing or on_the_way' else taken_state end
            using errcode = 'check_violation', constraint = 'last_step_is_taken_back',
                hint = format('It is %s now.', the_order.state);
    end if;
    -- clock_timestamp(), because the transaction may have waited for the row lock.
    if clock_timestamp() > the_step.at + take_back_time() then
        raise exception 'order % became % more than ten seconds ago', order_number, taken_state
            using errcode = 'check_violation', constraint = 'step_is_taken_back_in_time',
                  hint = format('Its guest has been notified. Use select delay_order(%L, ...) or advance_order(%L, '
                      '''rejected'', ''why'').',
                                order_number, order_number);
    end if;
    -- The mail is not sent before this time has passed. It is created again if the order returns to that state.
    delete from order_mails where order_id = the_order.id and state = taken_state and attempts = 0;
    perform move_order(the_order, back_to, null, 'taken_back');
    perform write_audit('orders', order_number, jsonb_build_object('state', taken_state),
        jsonb_build_object('state', back_to), null);
    return format('order %s: %s -> %s', order_number, taken_state, back_to);
end $$;

-- For staff, adds minutes to the promised time:  select delay_order('04219377', 25, 'The oven is cold.');
create function delay_order(order_number text, minutes numeric, reason text) returns text
language plpgsql as $$
declare
    the_order orders := lock_order(order_number);
    -- If the promised time has passed, the minutes count from now.
    moment    constant timestamptz := clock_timestamp();
    earliest  constant timestamptz := greatest(order_promise(the_order), moment);
    ready_at  timestamptz;
begin
    if the_order.state not in ('accepted', 'preparing', 'on_the_way') then
        raise exception 'order % is % and can''t be delayed', order_number, the_order.state
            using errcode = 'check_violation', constraint = 'delay_is_of_an_accepted_order',
                  hint = case the_order.state when 'placed' then format('Accept it with a time: select '
                      'advance_order(%L, ''accepted'', minutes => 45);', order_number)
                                              else 'It is final.' end;
    end if;
    if coalesce(btrim(reason), '') = '' then
        raise exception 'a delayed order needs a reason'
            using errcode = 'check_violation', constraint = 'delay_has_a_reason',
                hint = 'The guest reads it: ''The oven is cold.''';
    end if;
    if char_length(reason) > 200 then
        raise exception 'a reason of % characters', char_length(reason)
            using errcode = 'check_violation', constraint = 'delay_reason_is_short',
                hint = 'The guest reads it: write up to 200 characters.';
    end if;
    if (minutes between 1 and 180 and minutes = trunc(minutes)) is not true then
        raise exception 'order % cannot be delayed by % minutes', order_number, coalesce(minutes::text, 'null')
            using errcode = 'check_violation', constraint = 'delay_in_range',
                hint = 'Minutes are a whole number from 1 to 180.';
    end if;
    ready_at := earliest + minutes * interval '1 minute';
    perform move_order(the_order, the_order.state, reason, 'delayed', ready_at, moment => moment);
    perform write_audit('orders', order_number, jsonb_build_object('ready_at', order_promise(the_order)),
        jsonb_build_object('ready_at', ready_at), reason);
    return format('order %s: ready at %s', order_number, ready_at);
end $$;

-- A number without quotes loses its leading zeros. This overload explains that; without it PostgreSQL reports a missing
-- function.
create function advance_order(order_number bigint, to_state text, reason text default null) returns text
language plpgsql as $$
begin
    raise exception 'an order number is text'
        using errcode = 'datatype_mismatch',
            hint = format('Write it in quotes, with its leading zeros: select advance_order(%L, %L);',
                                                           lpad(order_number::text, 8, '0'), to_state);
end $$;

-- For the guest, through the server, which has checked the order token. Returns the current state, or null for an
-- unknown id.
create function cancel_order(the_id uuid) returns text
language plpgsql as $$
declare
    the_order orders;
begin
    set local lock_timeout = '100ms'; -- see place_orders
    select * into the_order from orders where id = the_id for update;
    if not found or the_order.state <> 'placed' then
        return the_order.state;
    end if;
    -- The cancellation withdraws a pending step of staff. The audit then names the guest.
    perform act_as('the guest', '');
    perform move_order(the_order, 'cancelled', null);
    return 'cancelled';
end $$;
