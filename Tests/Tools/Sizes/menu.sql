-- A large menu on top of the shipped one, written as staff write it. Variables: options, and the first and the last
-- number of the new items. Item n is in one of a hundred categories and offers three groups of up to twenty options.

begin;

insert into categories (id, title, position)
select 700 + n, 'Category ' || n, 700 + n from generate_series(0, 99) as n
on conflict do nothing;

insert into option_groups (id, title, minimum, maximum, position)
select 1000 + n, 'Choice ' || n, 0, 5, n from generate_series(0, (:options - 1) / 20) as n
on conflict do nothing;

insert into options (id, group_id, title, price, position, contains, diets)
select 100000 + n, 1000 + n / 20,
    (array['Cheddar', 'Bacon', 'Onions', 'Pickles', 'Jalapeños', 'Avocado', 'Salsa', 'Egg'])[1 + n % 8] || ' ' || n,
    n % 10 * 25, n % 20, case n % 8 when 0 then '{milk}' when 7 then '{eggs}' else '{}' end::text[], '{gluten_free}'
from generate_series(0, :options - 1) as n
on conflict do nothing;

insert into menu_items (id, category_id, kind, title, description, price, position, contains, diets)
select (700 + n % 100) * 100000 + n, 700 + n % 100, 'regular',
    (array['Grilled', 'Smoked', 'Crispy', 'Spicy', 'Roasted', 'Classic', 'Golden', 'Fresh'])[1 + n / 100 % 8] || ' '
        || (array['Chicken', 'Salmon', 'Tofu', 'Noodles', 'Curry', 'Salad', 'Pizza', 'Ribs', 'Soup', 'Wrap', 'Risotto',
                  'Tacos'])[1 + n / 800 % 12] || ' ' || n,
    'A generous portion with herbs from the market, a side of the day and a sauce that the kitchen makes itself.',
    500 + n % 1500, 1000 + n, case n % 3 when 0 then '{milk}' else '{}' end::text[], '{gluten_free}'
from generate_series(:first, :last) as n;

insert into menu_item_option_groups (menu_item_id, group_id, position)
select (700 + n % 100) * 100000 + n, 1000 + (n * 7 + k) % ((:options + 19) / 20), k
from generate_series(:first, :last) as n
cross join generate_series(0, least(3, (:options + 19) / 20) - 1) as k;

commit;
