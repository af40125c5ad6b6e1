-- Placed orders that guests follow: copies of the one order of the shop. Variable: orders.

create schema sizes;
create table sizes.followed (n integer primary key, id uuid not null, number text not null);

insert into sizes.followed
select n, (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8'
           || substr(md5(n::text), 4, 15))::uuid,
    order_number(nextval('order_sequence'), shop_secrets.order_number)
from generate_series(1, :orders) as n cross join shop_secrets;

insert into orders
select copy.*
from (select orders as original from orders) as template
cross join sizes.followed
cross join lateral jsonb_populate_record(original, jsonb_build_object(
    'id', followed.id, 'number', followed.number, 'idempotency_key', 'followed ' || n, 'phone', '+1' || 2120000000 + n,
    'email', 'guest.' || n || '@example.com', 'day_number', n)) as copy;

-- The next step of the nth order, as staff take it with SQL. An order that is on the way is delayed, so that its stream
-- does not end.
create function sizes.take_step(which integer) returns void
language plpgsql as $$
declare
    the_number constant text := (select number from sizes.followed where n = which);
    the_state  text;
begin
    select state into the_state from orders where number = the_number for update;
    perform act_as('Ann', 'manager');
    if the_state = 'on_the_way' then
        perform delay_order(the_number, 1, 'The traffic is heavy.');
    else
        perform advance_order(the_number, case the_state when 'placed' then 'accepted' when 'accepted' then 'preparing'
                                               else 'on_the_way' end);
    end if;
end $$;
