-- The menu: five categories with their items and food information. The options are in seed/options.sql.
--
-- To change it: edit a row below, or add one, and load the file. It is live within a second.
--     psql "$(welms url --role staff)" -f seed/menu.sql      or      welms seed seed/menu.sql
--
--   * The file overrides changes by hand to its items. Loading it again changes nothing.
--   * Prices are in minor units: 16.99 is written 1699.
--   * An item's id starts with the three digits of its category: after 2009 the next burger is 20010. Ids are
--     permanent, because orders and baskets refer to them.
--   * regular items have no sale_percent (null); discount and special items have one, from 1 to 99.
--   * position orders the whole menu: 203 is the third burger, after all combos.
--   * A picture is a file in seed/pictures/, an https:// address, or '' for none.
--   * contains and may_contain list allergens by the fourteen names of EU 1169/2011, diets lists suitable diets. The
--     drinks and dips of a combo are options with food information of their own, which is added to the item's.
--   * Items that are not in the file stay as they are. To take one off the menu:
--         update menu_items set is_retired = true where id = 2003;
--   * The file does not set is_available and is_retired: a sold-out item stays sold out when the file is loaded.
--         update menu_items set is_available = false where id = 2003;

begin;

-- The rows of the file, first in temporary tables that exist until the commit.

create temporary table categories_of_file (id bigint primary key, title text, image_url text,
    position integer) on commit drop;
insert into categories_of_file (id, title, image_url, position) values
    (100, 'Combo',     '/pictures/category-100.svg', 1),
    (200, 'Burgers',   '/pictures/category-200.svg', 2),
    (300, 'Fries',     '/pictures/category-300.svg', 3),
    (400, 'Beverages', '/pictures/category-400.svg', 4),
    (500, 'Sauces',    '/pictures/category-500.svg', 5);

create temporary table items_of_file (
    id bigint primary key, kind text, price numeric, sale_percent numeric, position integer, title text, tags text[],
        image_url text, description text
) on commit drop;
insert into items_of_file (id, kind, price, sale_percent, position, title, tags, image_url, description) values
    -- Category Combo
    (1001, 'regular',  1699, null, 101, 'Grill Combo', '{beef,grilled,single}', '/pictures/1001.svg',
     'A flame-grilled burger, a heap of golden fries and a cold cola. The whole evening on one tray.'),
    (1002, 'special',  1999, 10,   102, 'Grandma Dinner', '{chicken,roasted,single}', '/pictures/1002.svg',
     'Chicken roasted slowly with thyme, buttered potatoes and a spoon of gravy, just as grandma '
     'insists: nobody leaves hungry.'),
    (1003, 'special',  2099, 20,   103, 'Cheese Peasy', '{chicken,cheese,single}', '/pictures/1003.svg',
     'A crisp chicken fillet under a blanket of melted cheddar, with sweet green peas and fries to '
     'chase the last of the cheese.'),
    (1004, 'discount', 2899, 15,   104, 'Triospeciality', '{beef,chicken,sharing}', '/pictures/1004.svg',
     'Three small burgers, three characters: smoky beef, crunchy chicken, melting cheese. '
     'Served with fries and three dips.'),
    (1005, 'discount', 2005, 15,   105, 'Date Tonight', '{beef,for-two,sharing}', '/pictures/1005.svg',
     'Two burgers, one big box of fries and two drinks. Candles are up to you.'),
    -- Category Burgers
    (2001, 'regular',  805,  null, 201, 'The Big Tasty', '{beef,classic}', '/pictures/2001.svg',
     'A broad beef patty, crisp lettuce, tomato, onion and our smoky house sauce in a toasted sesame bun.'),
    (2002, 'special',  999,  10,   202, 'BBQ Burger', '{beef,bbq,smoky}', '/pictures/2002.svg',
     'Grilled beef glazed with dark barbecue sauce, crunchy onion rings and a slice of '
     'cheddar that gives in to the heat.'),
    (2003, 'discount', 999,  10,   203, 'Cheeseburger', '{beef,cheese,classic}', '/pictures/2003.svg',
     'Juicy beef, two slices of melted cheddar, pickles and a streak of ketchup. Nothing '
     'to add, nothing to take away.'),
    (2004, 'regular',  918,  null, 204, 'Chickenburger', '{chicken,crispy}', '/pictures/2004.svg',
     'Buttermilk chicken fried until it crackles, cool lettuce and a spoon of light mayonnaise in a soft bun.'),
    (2005, 'discount', 918,  10,   205, 'Patty Melt', '{beef,cheese,toasted}', '/pictures/2005.svg',
     'Beef, slowly browned onions and Swiss cheese pressed between two slices of rye, toasted in butter.'),
    -- Category Fries
    (3001, 'regular',  459,  null, 301, 'French Fries', '{potato,vegan,crispy}', '/pictures/3001.svg',
     'Thin, golden and salted the moment they leave the fryer.'),
    (3002, 'regular',  459,  null, 302, 'Village Fries', '{potato,vegan,herbs}', '/pictures/3002.svg',
     'Thick wedges in their skin, baked with rosemary, paprika and a little garlic.'),
    (3003, 'regular',  559,  null, 303, 'Fried Potatoes', '{potato,vegetarian,herbs}', '/pictures/3003.svg',
     'Sliced potatoes from the iron pan, with browned onions, butter and chives.'),
    -- Category Beverages
    (4001, 'regular',  285,  null, 401, 'Cola Soda', '{cold,sparkling,vegan}', '/pictures/4001.svg',
     'Ice-cold cola with a slice of lemon. It tickles the nose.'),
    (4002, 'regular',  285,  null, 402, 'Fanta Soda', '{cold,sparkling,vegan}', '/pictures/4002.svg',
     'Orange, sunny and full of bubbles, poured over ice.'),
    (4003, 'regular',  499,  null, 403, 'Apple Tea', '{hot,vegan}', '/pictures/4003.svg',
     'Black tea with apple slices, a cinnamon stick and a little sugar. A warm blanket in a glass.'),
    (4004, 'discount', 405,  10,   404, 'Orange Juice', '{cold,fresh,vegan}', '/pictures/4004.svg',
     'Pressed this morning from ripe oranges, with all of the pulp and none of the sugar.'),
    (4005, 'regular',  699,  null, 405, 'Beer', '{cold,alcohol}', '/pictures/4005.svg',
     'A crisp lager, well chilled, with a proper head. For guests of legal age.'),
    -- Category Sauces
    (5001, 'regular',  165,  null, 501, 'Tomato Sauce', '{dip,vegan}', '/pictures/5001.svg',
     'Ripe tomatoes simmered until thick and sweet, with a leaf of basil.'),
    (5002, 'regular',  165,  null, 502, 'BBQ Sauce', '{dip,smoky,vegan}', '/pictures/5002.svg',
     'Dark, sticky and smoky, with a little heat at the end.'),
    (5003, 'regular',  165,  null, 503, 'Mustard Sauce', '{dip,spicy,vegan}', '/pictures/5003.svg',
     'Mild yellow mustard with whole grains that pop.');

-- The food information, complete for each item. Items without a row have unknown food information.
create temporary table food_of_file (id bigint primary key, contains text[], may_contain text[],
    diets text[]) on commit drop;
insert into food_of_file (id, contains, may_contain, diets) values
    -- Category Combo: allergens, possible allergens, diets
    (1001, '{gluten,sesame}',              '{celery,eggs,milk,mustard,soya}',     '{}'),
    (1002, '{celery,gluten,milk}',         '{mustard,soya}',                      '{}'),
    (1003, '{eggs,gluten,milk}',           '{celery,mustard,soya}',               '{}'),
    (1004, '{eggs,gluten,milk,sesame}',    '{celery,mustard,soya}',               '{}'),
    (1005, '{gluten,sesame}',              '{celery,eggs,milk,mustard,soya}',     '{}'),
    -- Category Burgers: allergens, possible allergens, diets
    (2001, '{eggs,gluten,mustard,sesame}', '{celery,milk,soya}',                  '{}'),
    (2002, '{gluten,milk,mustard}',        '{celery,eggs,sesame,soya}',           '{}'),
    (2003, '{gluten,milk,mustard}',        '{celery,eggs,sesame,soya}',           '{}'),
    (2004, '{eggs,gluten,milk,mustard}',   '{celery,sesame,soya}',                '{}'),
    (2005, '{gluten,milk}',                '{eggs,mustard,sesame,soya}',          '{}'),
    -- Category Fries: allergens, possible allergens, diets
    (3001, '{}',                           '{}',
                                      '{vegan,vegetarian,gluten_free,lactose_free}'),
    (3002, '{}',                           '{celery,mustard}',
                        '{vegan,vegetarian,gluten_free,lactose_free}'),
    (3003, '{milk}',                       '{}',                                  '{vegetarian,gluten_free}'),
    -- Category Beverages: allergens, possible allergens, diets
    (4001, '{}',                           '{}',
                                      '{vegan,vegetarian,gluten_free,lactose_free}'),
    (4002, '{}',                           '{}',
                                      '{vegan,vegetarian,gluten_free,lactose_free}'),
    (4003, '{}',                           '{}',
                                      '{vegan,vegetarian,gluten_free,lactose_free}'),
    (4004, '{}',                           '{}',
                                      '{vegan,vegetarian,gluten_free,lactose_free}'),
    (4005, '{gluten}',                     '{}',                                  '{lactose_free}'),
    -- Category Sauces: allergens, possible allergens, diets
    (5001, '{}',                           '{celery}',
                                '{vegan,vegetarian,gluten_free,lactose_free}'),
    (5002, '{mustard}',                    '{celery,soya}',
                           '{vegan,vegetarian,gluten_free,lactose_free}'),
    (5003, '{mustard}',                    '{celery}',
                                '{vegan,vegetarian,gluten_free,lactose_free}');

-- Write only rows that differ, so that servers need not reload the menu.

insert into categories (id, title, image_url, position)
select id, title, image_url, position from categories_of_file order by id
on conflict (id) do update set (title, image_url, position) = (excluded.title, excluded.image_url, excluded.position)
where (categories.title, categories.image_url, categories.position)
    is distinct from (excluded.title, excluded.image_url, excluded.position);

-- Only special items can be in a set: remove items that the file makes regular or discount.
delete from sales_group_items using items_of_file
where menu_item_id = items_of_file.id and items_of_file.kind in ('regular', 'discount');

insert into menu_items (id, category_id, kind, title, description, image_url, price, sale_percent, tags, position,
    contains, may_contain, allergens_are_known, diets)
select id, left(id::text, 3)::bigint, kind, title, description, image_url, price, sale_percent, tags, position,
       coalesce(contains, '{}'), coalesce(may_contain, '{}'), food_of_file.id is not null, coalesce(diets, '{}')
from items_of_file left join food_of_file using (id) order by id
on conflict (id) do update set
    (kind, title, description, image_url, price, sale_percent, tags, position, contains, may_contain,
     allergens_are_known, diets) =
    (excluded.kind, excluded.title, excluded.description, excluded.image_url, excluded.price, excluded.sale_percent,
     excluded.tags, excluded.position,
     excluded.contains, excluded.may_contain, excluded.allergens_are_known, excluded.diets)
where
    (menu_items.kind, menu_items.title, menu_items.description, menu_items.image_url, menu_items.price,
     menu_items.sale_percent, menu_items.tags,
     menu_items.position, menu_items.contains, menu_items.may_contain, menu_items.allergens_are_known, menu_items.diets)
    is distinct from
    (excluded.kind, excluded.title, excluded.description, excluded.image_url, excluded.price, excluded.sale_percent,
     excluded.tags,
     excluded.position, excluded.contains, excluded.may_contain, excluded.allergens_are_known, excluded.diets);

commit;
