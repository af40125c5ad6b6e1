-- Who accepts a new order: staff, within a time if the shop wants one, or the shop itself.
-- By when an order has to be accepted is worked out from its row and from the hours, with the functions that open and close the shop for guests:
-- Sources/Ordering/Orders/WaitingOrder.swift. What is due is looked for, once a second and only where one of these columns asks for it, by
-- Sources/Shop/Acceptance; whether it happens is decided here, under the order's lock, however many servers look at it at once.

alter table shop
    add column accept_within_minutes numeric, -- minutes in which the shop is open for the order; null: no deadline; numeric for menu_items.price's reason
    add column accepts_automatically boolean not null default false,
    add constraint shop_accept_within_in_range check (explained(accept_within_minutes between 1 and 1440 and scale(accept_within_minutes) = 0, 'shop_accept_within_in_range',
        'accept_within_minutes is a whole number from 1 to 1440, or null where an order may wait as long as it likes.')),
    add constraint shop_accepts_in_one_way check (explained(not (accepts_automatically and accept_within_minutes is not null), 'shop_accepts_in_one_way',
        'What is accepted automatically meets no deadline: update shop set accepts_automatically = true, accept_within_minutes = null; or the other one alone.'));

-- Rejects an order that nobody has accepted by its deadline, or, where there is none, accepts it; by the step that staff take (007_order_steps.sql), so that
-- coupon, place and stock come back there, once. True where it was done. It is not where somebody else was first or is at the order right now,
-- where staff have changed the hours or the deadline since it was worked out, or where it is not over yet by this clock: whoever looks, looks again.
-- Nor within ten seconds after staff took an acceptance back: they need the time to do something else with the order.
create function settle_waiting_order(the_id uuid, menu bigint, deadline timestamptz, reason text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    the_order orders;
begin
    select * into the_order from orders where id = the_id for update skip locked;
    if the_order.state is distinct from 'placed' or menu <> (select revision from menu_revision) or clock_timestamp() < deadline then
        return false;
    end if;
    if exists (select from order_steps
               where order_id = the_id and kind = 'taken_back' and at > clock_timestamp() - take_back_time())
    then
        return false;
    end if;
    -- Staff have decided otherwise: the automatic acceptance must not withdraw their rejection.
    if deadline is null and exists (select from pending_order_steps where order_id = the_id) then
        return false;
    end if;
    perform act_as('the shop itself', '');
    perform advance_order(the_order.number, case when deadline is null then 'accepted' else 'rejected' end, reason);
    if deadline is not null then
        update order_steps set is_by_deadline = true where order_id = the_id and state = 'rejected';
    end if;
    return true;
end $$;

-- Who may do what, as 009_roles.sql has it for the rest.

grant execute on function settle_waiting_order(uuid, bigint, timestamptz, text) to welms_server;
grant update (accept_within_minutes, accepts_automatically) on shop to welms_server;
