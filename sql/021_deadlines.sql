-- How new orders are accepted: by staff, optionally with a deadline, or automatically.
-- Sources/Ordering/Orders/UnacceptedOrder.swift computes the deadline from the order and the opening hours.
-- Sources/Shop/Acceptance searches for due orders once a second, if one of these columns is set. The function below
-- decides under the row lock, so several servers can search at once.

alter table shop
    -- how long staff have to accept an order, in minutes of opening hours; null: no deadline; numeric: see
    -- menu_items.price
    add column accept_within_minutes numeric,
    add column accepts_automatically boolean not null default false,
    add constraint shop_accept_within_in_range
        check (check_with_hint(accept_within_minutes between 1 and 1440 and scale(accept_within_minutes) = 0,
        'shop_accept_within_in_range',
        'accept_within_minutes is a whole number from 1 to 1440, or null for no deadline.')),
    add constraint shop_has_one_acceptance_mode
        check (check_with_hint(not (accepts_automatically and accept_within_minutes is not null),
        'shop_has_one_acceptance_mode',
        'Automatic acceptance has no deadline: update shop set accepts_automatically = true, accept_within_minutes = '
            'null; or set only the deadline.'));

-- Rejects an order that nobody accepted by its deadline, or accepts it if deadline is null. Takes the step with
-- advance_order, which returns coupon, slot and stock.
-- Returns false if nothing was done; the caller retries later. Reasons: the order is locked or no longer placed; the
-- menu revision has changed since the deadline was computed; the database clock has not reached the deadline; or staff
-- took a step back within the last ten seconds and may still choose another one.
create function settle_waiting_order(the_id uuid, menu bigint, deadline timestamptz, reason text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    the_order orders;
begin
    select * into the_order from orders where id = the_id for update skip locked;
    if the_order.state is distinct from 'placed' or menu <> (select revision from menu_revision)
        or clock_timestamp() < deadline then
        return false;
    end if;
    if exists (select from order_steps
               where order_id = the_id and kind = 'taken_back' and at > clock_timestamp() - take_back_time())
    then
        return false;
    end if;
    -- A pending rejection by staff takes precedence over the automatic acceptance.
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

-- Privileges.

grant execute on function settle_waiting_order(uuid, bigint, timestamptz, text) to welms_server;
grant update (accept_within_minutes, accepts_automatically) on shop to welms_server;
