-- Demonstration settings for a restaurant in the United States: sales tax that is added to the prices, with a rate of
-- three decimals, two delivery areas by ZIP code, a small order fee and a service charge.
-- Loaded only on request. Load seed/menu.sql first; loading this file again changes nothing:
--     psql "$(welms url --role staff)" -f seed/restaurant-us.sql      or      welms seed seed/restaurant-us.sql
-- Alternative to seed/restaurant.sql: it replaces the areas and taxes of that file.

begin;

update shop set tax_number = '12-3456789' where tax_number is null;

-- The city's and the state's tax together. Delivery is not taxed; service is taxed like the goods.
insert into tax_rates (id, title, percent) values (1, 'Sales tax', 8.875), (2, 'Not taxed', 0)
on conflict (id) do update set (title, percent) = (excluded.title, excluded.percent)
where (tax_rates.title, tax_rates.percent) is distinct from (excluded.title, excluded.percent);
update shop set prices_include_tax = false, delivery_tax_rate_id = 2
    where prices_include_tax or delivery_tax_rate_id is distinct from 2;
delete from category_taxes where fulfilment is not null;
insert into category_taxes (category_id, tax_rate_id) select id, 1 from categories order by id
on conflict (category_id, fulfilment) do update set tax_rate_id = excluded.tax_rate_id
    where category_taxes.tax_rate_id is distinct from excluded.tax_rate_id;

create temporary table areas_of_file (id bigint, title text, priority integer, postcodes text[],
    minimum_subtotal numeric, extra_minutes numeric) on commit drop;
insert into areas_of_file values (1, 'Downtown', 1, '{10001,10011}', 1000, 0),
    (2, 'The city', 2, '{100*,101*}', 2000, 15);
delete from delivery_areas where id not in (select id from areas_of_file);
insert into delivery_areas (id, title, priority, postcodes, minimum_subtotal, extra_minutes) select *
    from areas_of_file order by id
on conflict (id) do update set
    (title, priority, postcodes, minimum_subtotal, extra_minutes, is_active) =
    (excluded.title, excluded.priority, excluded.postcodes, excluded.minimum_subtotal, excluded.extra_minutes, true)
where
    (delivery_areas.title, delivery_areas.priority, delivery_areas.postcodes, delivery_areas.minimum_subtotal,
     delivery_areas.extra_minutes,
     delivery_areas.is_active)
    is distinct from
    (excluded.title, excluded.priority, excluded.postcodes, excluded.minimum_subtotal, excluded.extra_minutes, true);

create temporary table fees_of_file (area_id bigint, from_subtotal numeric, fee numeric) on commit drop;
insert into fees_of_file values (1, 0, 299), (1, 3500, 0), (2, 0, 499);
delete from delivery_fees where (area_id, from_subtotal) not in (select area_id, from_subtotal from fees_of_file);
insert into delivery_fees (area_id, from_subtotal, fee) select area_id, from_subtotal, fee from fees_of_file
    order by area_id, from_subtotal
on conflict (area_id, from_subtotal) do update set fee = excluded.fee
    where delivery_fees.fee is distinct from excluded.fee;

update fulfilments set (small_order_below, small_order_fee, service_charge_percent) = (1200, 200, 5)
where fulfilment = 'delivery'
    and (small_order_below, small_order_fee, service_charge_percent) is distinct from (1200, 200, 5);

commit;
