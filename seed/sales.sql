-- The sales groups of the home screen, and the items of the sets. Load seed/menu.sql first.
--
-- To change one: edit its rows below and load the file. It is live within a second.
--     psql "$(welms url --role staff)" -f seed/sales.sql      or      welms seed seed/sales.sql
--
--   * The file overrides changes by hand to its sales groups. Loading it again changes nothing.
--   * A sales group of kind information is text only; a set has items that go into the basket together.
--   * The items of a set are special items of the menu, 1 to 99 of each. An item is in at most one sales group: loading
--     the file moves its items from other sales groups into its sets, and removes items that it does not list.
--   * Sales groups that are not in the file stay as they are. To end one permanently:
--         update sales_groups set is_retired = true where id = 400;

begin;

-- The rows of the file, first in temporary tables that exist until the commit.

create temporary table sales_of_file (
    id bigint primary key, kind text, position integer, title text, headline text, preview_image_url text,
        background_image_url text, description text
) on commit drop;
insert into sales_of_file (id, kind, position, title, headline, preview_image_url, background_image_url,
    description) values
    (100, 'information', 1, 'Save our kids together', 'A dollar from every combo goes to the children’s hospital',
     '/pictures/sale-100.svg', '/pictures/sale-100-background.svg',
     'Order any combo and we give one dollar to the children’s hospital next door, in your name and ours. There is '
     'nothing to fill in and nothing to pay on top: the price stays the same. Thank you.'),
    (200, 'set', 2, 'Happy Saturday', 'Three BBQ Burgers, one happy table',
     '/pictures/sale-200.svg', '/pictures/sale-200-background.svg',
     'Call your friends: three BBQ Burgers with 10% off each, in the basket with one tap.'),
    (300, 'information', 3, 'Birthday Especially', 'Your day, your table: 15% off with HAPPY',
     '/pictures/sale-300.svg', '/pictures/sale-300-background.svg',
     'Is it your birthday? Type HAPPY at checkout, tell us the day, and you get 15% off the whole order. '
     'Once a year, as birthdays are.'),
    (400, 'set', 4, 'Hot Chicken Days', 'Two chicken dinners, crisp and cheaper',
     '/pictures/sale-400.svg', '/pictures/sale-400-background.svg',
     'Grandma Dinner and Cheese Peasy in one go: one roasted slowly, one crisp under '
     'melted cheese, and up to 20% off.'),
    (500, 'information', 5, 'Step by step', 'Ten thousand steps, one free sauce',
     '/pictures/sale-500.svg', '/pictures/sale-500-background.svg',
     'Walk to our cafe and show your steps at the counter: with ten thousand of them in one day, a '
     'sauce of your choice is on us.');

create temporary table sale_items_of_file (
    -- An item is in at most one sales group.
    sales_group_id bigint, menu_item_id bigint primary key, quantity numeric, position integer
) on commit drop;
insert into sale_items_of_file (sales_group_id, menu_item_id, quantity, position) values
    (200, 2002, 3, 1), -- BBQ Burger
    (400, 1002, 1, 1), -- Grandma Dinner
    (400, 1003, 1, 2); -- Cheese Peasy

-- First remove items that the file does not list for its sales groups, and its items from other sales groups.
delete from sales_group_items as item
where (sales_group_id in (select id from sales_of_file)
    or menu_item_id in (select menu_item_id from sale_items_of_file))
    and not exists (
        select from sale_items_of_file as file
        where file.sales_group_id = item.sales_group_id and file.menu_item_id = item.menu_item_id
    );

-- Write only rows that differ, so that servers need not reload the menu.

insert into sales_groups (id, kind, title, headline, description, preview_image_url, background_image_url, position)
select id, kind, title, headline, description, preview_image_url, background_image_url, position from sales_of_file
    order by id
on conflict (id) do update set
    (kind, title, headline, description, preview_image_url, background_image_url, position) =
    (excluded.kind, excluded.title, excluded.headline, excluded.description,
     excluded.preview_image_url, excluded.background_image_url, excluded.position)
where
    (sales_groups.kind, sales_groups.title, sales_groups.headline, sales_groups.description,
     sales_groups.preview_image_url, sales_groups.background_image_url, sales_groups.position)
    is distinct from
    (excluded.kind, excluded.title, excluded.headline, excluded.description,
     excluded.preview_image_url, excluded.background_image_url, excluded.position);

insert into sales_group_items (sales_group_id, menu_item_id, quantity, position)
select sales_group_id, menu_item_id, quantity, position from sale_items_of_file order by sales_group_id, menu_item_id
on conflict (sales_group_id, menu_item_id) do update set (quantity, position) = (excluded.quantity, excluded.position)
where (sales_group_items.quantity, sales_group_items.position) is distinct from (excluded.quantity, excluded.position);

commit;
