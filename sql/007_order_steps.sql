-- How an order moves on: by staff with advance_order, by the guest with cancel_order.
--
--     placed -> accepted -> preparing -> on_the_way -> delivered
--     placed -> cancelled (by the guest);  any before delivered -> rejected (by staff, with a reason)
--
-- A tap by mistake: take_back_step, within ten seconds. What takes longer: delay_order, with a reason that the guest reads.

create function order_may_move(from_state text, to_state text) returns boolean
language sql immutable as $$
    select (from_state, to_state) in (('placed', 'accepted'), ('accepted', 'preparing'), ('preparing', 'on_the_way'), ('on_the_way', 'delivered'), ('placed', 'cancelled'),
                                      ('placed', 'rejected'), ('accepted', 'rejected'), ('preparing', 'rejected'), ('on_the_way', 'rejected'))
$$;

-- For how long a step of staff's can be taken back, and for how long its mail waits (018_order_mails.sql).
create function take_back_time() returns interval
language sql immutable as $$ select interval '10 seconds' $$;

-- When an order is to be ready: as staff said last, or as the checkout did.
create function order_promise(the_order orders) returns timestamptz
language plpgsql stable as $$
begin
    return coalesce(the_order.promised_at, the_order.wanted_at, the_order.placed_at + the_order.eta_minutes * interval '1 minute');
end $$;

-- Whether an order that is wanted at this time is due in the kitchen: a pre-order is due one hour before its time
-- (Kitchen.ahead).
create function is_due(wanted_at timestamptz) returns boolean
language plpgsql stable as $$
begin
    return wanted_at is null or wanted_at <= now() + interval '1 hour';
end $$;

-- Tells the servers that something other than the state of an order has changed: it repeats the last step.
create function notify_order_changed(the_id uuid) returns void
language plpgsql as $$
begin
    perform pg_notify('order_moved', the_id || ' ' || (select count(*) from order_steps where order_id = the_id));
end $$;

-- Withdraws the pending step of an order, whose row the caller has locked. Returns false if there is none.
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

-- The one way in which an order changes: its state and promise, the step that says when and why, the word to those who follow it, and the
-- return of coupon, place and stock. The word is the order's id and the step. NOTIFY makes commits wait for one another, so placing an order
-- never sends one: whoever follows new orders looks for them. The caller holds the order's row and has checked the move.
-- A cancelled or rejected order counts for nothing: its coupon can be redeemed again, by this guest too, and what it took is there again, unless
-- the food is wasted.
create function move_order(
    the_order orders, to_state text, reason text, step_kind text default 'moved', new_promise timestamptz default null,
    is_wasted boolean default false,
    moment timestamptz default clock_timestamp() -- of the step: the transaction may have begun long before
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
    -- Staff requested the pending step for the order as it was before this step.
    perform withdraw_pending_step(the_order);
    -- A pre-order that staff begin to prepare before it is due gets its number of the day from the server
    -- (number_orders). A step never draws one. The order does not need it any more if that step is taken back.
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
        -- A key at a time: with both in one condition, PostgreSQL reads all uses of the coupon. It may have been one for first orders, which use 0.
        foreach used in array array[0, the_order.coupon_id] loop
            foreach used_by in array array['mailto:' || lower(the_order.email collate "C"), 'tel:' || the_order.phone] loop
                delete from coupon_uses where coupon_id = used and guest_key = used_by and order_id = the_order.id;
            end loop;
        end loop;
        -- Above zero, so that no order is stuck because somebody wrote the count by hand.
        update coupon_redemptions set redeemed = redeemed - 1 where coupon_id = the_order.coupon_id and redeemed > 0;
    end if;
    if to_state in ('cancelled', 'rejected') then
        if the_order.wanted_at is not null then
            perform give_slot_back(the_order.fulfilment, the_order.wanted_at, the_order.slot_items);
        end if;
        if is_wasted then
            perform note_waste(the_order.id);
        else
            perform give_stock_back(the_order.id);
        end if;
    end if;
end $$;

-- Gives these orders their numbers of the day, as far as they have none and need one by now. Called by the server,
-- which looks for such orders each second. A locked order is left for the next look. Returns
-- the orders that could not be written: one such order keeps no other from its number. Watchers of an order hear its
-- last step again; step 0 is the placing.
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
                -- Written before the number is drawn: an order that cannot be written must not use up a number with
                -- each look.
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

-- The order of this number, held until the transaction ends.
create function hold_order(order_number text) returns orders
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
    return the_order;
end $$;

-- Raises unless the order may take this step now. is_wasted is what staff say of the food; null counts as no.
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
    if minutes is not null and to_state <> 'accepted' then
        raise exception 'an order that becomes % is promised no other time', to_state
            using errcode = 'check_violation', constraint = 'minutes_are_for_accepting',
                  hint = format('Say minutes when you accept it. Later: select delay_order(%L, 20, ''why'');', order_number);
    end if;
    if minutes is not null and the_order.wanted_at is not null then
        raise exception 'order % is wanted at a time of its own', order_number
            using errcode = 'check_violation', constraint = 'minutes_are_for_soon', hint = 'Accept it without minutes: it is for the time that the guest chose.';
    end if;
    if minutes is not null and (minutes between 5 and 180 and minutes = trunc(minutes)) is not true then
        raise exception 'ready in % minutes', minutes
            using errcode = 'check_violation', constraint = 'minutes_in_range', hint = 'Minutes are a whole number from 5 to 180.';
    end if;
    if is_wasted and to_state <> 'rejected' then
        raise exception 'an order that becomes % is not wasted', to_state
            using errcode = 'check_violation', constraint = 'waste_is_rejected', hint = 'Food is wasted where an order is rejected.';
    end if;
end $$;

-- For staff:  select advance_order('04219377', 'preparing');  select advance_order('04219377', 'accepted', minutes => 25);
--             select advance_order('04219377', 'rejected', 'out of burgers');  ... 'rejected', 'nobody opened', food_is_wasted => false
-- What is rejected while it is made, or after, was used up unless staff say otherwise; what nobody has begun is there again.
create function advance_order(
    order_number text, to_state text, reason text default null, minutes numeric default null, food_is_wasted boolean default null
) returns text
language plpgsql as $$
declare
    the_order orders := hold_order(order_number);
    moment    constant timestamptz := clock_timestamp(); -- after the wait for the row
    is_wasted constant boolean := coalesce(food_is_wasted, to_state = 'rejected' and the_order.state in ('preparing', 'on_the_way'));
begin
    perform check_step(the_order, to_state, reason, minutes, is_wasted);
    perform move_order(the_order, to_state, reason, 'moved', moment + minutes * interval '1 minute', is_wasted, moment);
    perform write_audit('orders', order_number, jsonb_build_object('state', the_order.state), -- 020_staff.sql
                        jsonb_strip_nulls(jsonb_build_object('state', to_state, 'minutes', minutes, 'food_is_wasted', nullif(is_wasted, false))), reason);
    return format('order %s: %s -> %s', order_number, the_order.state, to_state);
end $$;

-- Requests a rejection or a delivery for a member of staff whom act_as has named. Called by the server, which executes
-- the step after take_back_time unless another step withdraws it or take_back_step does. The same request again changes
-- nothing; another one replaces it. Staff who use SQL call advance_order, which takes the step at once.
create function request_step(
    order_number text, to_state text, reason text default null, food_is_wasted boolean default null
) returns text
language plpgsql as $$
declare
    the_order orders := hold_order(order_number);
    known     pending_order_steps;
begin
    if (to_state in ('rejected', 'delivered')) is not true then
        raise exception 'a step to % is not held back', coalesce(to_state, 'null')
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

-- Executes the pending step of an order as the member who requested it. Called by the servers for the steps whose time
-- has come: the row lock makes one of them the first, and the others find no step any more. Returns false if nothing
-- was executed, also while somebody has the order locked. Deletes the step of an order that the owner has deleted.
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
    -- Somebody wrote another state into the row without a step.
    if not order_may_move(the_order.state, pending.state) then
        perform notify_order_changed(the_id);
        return withdraw_pending_step(the_order);
    end if;
    delete from pending_order_steps where order_id = the_id;
    perform advance_order(the_order.number, pending.state, pending.reason, food_is_wasted => pending.food_is_wasted);
    return true;
end $$;

-- For staff, within ten seconds of a step, or while a step is pending:  select take_back_step('04219377');  select take_back_step('04219377', 'accepted');
-- The state is the one that the order was moved to by mistake: who says it takes nothing else back that came meanwhile.
create function take_back_step(order_number text, taken_state text default null) returns text
language plpgsql as $$
declare
    the_order orders := hold_order(order_number);
    the_step  order_steps;
    pending_state text;
    back_to   text;
begin
    if taken_state not in ('accepted', 'preparing', 'on_the_way', 'rejected', 'delivered') then
        raise exception 'nothing takes % back', taken_state
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
    back_to := case taken_state when 'accepted' then 'placed' when 'preparing' then 'accepted' when 'on_the_way' then 'preparing' end;
    if (back_to is not null and the_step.state = taken_state and the_step.kind = 'moved') is not true then
        raise exception 'the last step of order % is not that it became %', order_number, case when back_to is null then 'accepted, preparing or on_the_way' else taken_state end
            using errcode = 'check_violation', constraint = 'last_step_is_taken_back', hint = format('It is %s now.', the_order.state);
    end if;
    -- By the clock and not by the beginning of this transaction, which may have waited for the row.
    if clock_timestamp() > the_step.at + take_back_time() then
        raise exception 'order % became % more than ten seconds ago', order_number, taken_state
            using errcode = 'check_violation', constraint = 'step_is_taken_back_in_time',
                  hint = format('It stays so: its guest is told. select delay_order(%L, ...) or advance_order(%L, ''rejected'', ''why'') go on from here.',
                                order_number, order_number);
    end if;
    -- It waits for this moment to pass, and is noted anew if the order comes to that state again.
    delete from order_mails where order_id = the_order.id and state = taken_state and attempts = 0;
    perform move_order(the_order, back_to, null, 'taken_back');
    perform write_audit('orders', order_number, jsonb_build_object('state', taken_state), jsonb_build_object('state', back_to), null);
    return format('order %s: %s -> %s', order_number, taken_state, back_to);
end $$;

-- For staff, later than it was promised by so many minutes:  select delay_order('04219377', 25, 'The oven is cold.');
create function delay_order(order_number text, minutes numeric, reason text) returns text
language plpgsql as $$
declare
    the_order orders := hold_order(order_number);
    -- Of an order that is late already, nothing can be promised for a moment that is over.
    moment    constant timestamptz := clock_timestamp();
    earliest  constant timestamptz := greatest(order_promise(the_order), moment);
    ready_at  timestamptz;
begin
    if the_order.state not in ('accepted', 'preparing', 'on_the_way') then
        raise exception 'order % is % and can''t be delayed', order_number, the_order.state
            using errcode = 'check_violation', constraint = 'delay_is_of_an_accepted_order',
                  hint = case the_order.state when 'placed' then format('Accept it with a time: select advance_order(%L, ''accepted'', minutes => 45);', order_number)
                                              else 'It is at its end.' end;
    end if;
    if coalesce(btrim(reason), '') = '' then
        raise exception 'a delayed order needs a reason'
            using errcode = 'check_violation', constraint = 'delay_has_a_reason', hint = 'The guest reads it: ''The oven is cold.''';
    end if;
    if char_length(reason) > 200 then
        raise exception 'a reason of % characters', char_length(reason)
            using errcode = 'check_violation', constraint = 'delay_reason_is_short', hint = 'The guest reads it: write up to 200 characters.';
    end if;
    if (minutes between 1 and 180 and minutes = trunc(minutes)) is not true then
        raise exception 'order % by % minutes later', order_number, coalesce(minutes::text, 'null')
            using errcode = 'check_violation', constraint = 'delay_in_range', hint = 'Minutes are a whole number from 1 to 180.';
    end if;
    ready_at := earliest + minutes * interval '1 minute';
    perform move_order(the_order, the_order.state, reason, 'delayed', ready_at, moment => moment);
    perform write_audit('orders', order_number, jsonb_build_object('ready_at', order_promise(the_order)), jsonb_build_object('ready_at', ready_at), reason);
    return format('order %s: ready at %s', order_number, ready_at);
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
    set local lock_timeout = '100ms'; -- see place_orders
    select * into the_order from orders where id = the_id for update;
    if not found or the_order.state <> 'placed' then
        return the_order.state;
    end if;
    -- The cancellation withdraws a pending step of staff, and the audit says whose doing that was.
    perform act_as('the guest', '');
    perform move_order(the_order, 'cancelled', null);
    return 'cancelled';
end $$;
