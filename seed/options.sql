-- The options of the menu items: doneness, extras, ingredients to leave out, and the drinks, sides and dips of combos.
-- Load seed/menu.sql first.
--
-- To change it: edit a row below, or add one, and load the file. It is live within a second.
--     psql "$(welms url --role staff)" -f seed/options.sql      or      welms seed seed/options.sql
--
--   * The file overrides changes by hand to its groups and options. Loading it again changes nothing.
--   * minimum and maximum limit the chosen units of a group (null: no limit); included units are free.
--   * A price is in minor units: 0.95 is written 95. A maximum is how often one option may be chosen.
--   * Without a choice, the defaults apply. Here they are free, and each group with a minimum has one, so that every
--     item can be ordered with one tap.
--   * Ids are permanent, because orders and baskets refer to them. Here an option's id starts with that of its group.
--   * A group is attached to the items and options that the file lists, and to no others.
--   * Groups and options that are not in the file stay as they are. To retire one:
--         update options set is_retired = true where id = 1206;
--   * The file does not set is_available. To mark an option as sold out:
--         update options set is_available = false where id = 1203;

begin;

-- The rows of the file, first in temporary tables that exist until the commit.

create temporary table groups_of_file (
    id bigint primary key, minimum numeric, maximum numeric, included numeric, position integer, title text
) on commit drop;
insert into groups_of_file (id, minimum, maximum, included, position, title) values
    -- Burgers
    (11, 1, 1,    0, 1,  'Doneness'),
    (12, 0, 6,    0, 2,  'Extras'),
    (13, 0, null, 0, 3,  'Leave out'), -- of The Big Tasty
    (14, 0, null, 0, 4,  'Leave out'), -- of the BBQ Burger
    (15, 0, null, 0, 5,  'Leave out'), -- of the Cheeseburger
    (16, 0, null, 0, 6,  'Leave out'), -- of the Chickenburger
    -- Combos
    (21, 1, 1,    0, 7,  'Drink'),
    (22, 2, 2,    0, 8,  'Two drinks'),
    (23, 1, 1,    0, 9,  'Size'),
    (24, 1, 1,    0, 10, 'Cup'),
    (25, 1, 1,    0, 11, 'Side'),
    (26, 0, 6,    3, 12, 'Dips, three are on us'),
    -- Fries and tea
    (31, 0, 3,    1, 13, 'Dips, one is on us'),
    (41, 0, null, 0, 14, 'Leave out'); -- of the Apple Tea

create temporary table options_of_file (
    id bigint primary key, group_id bigint, price numeric, maximum numeric, is_default boolean, position integer,
        title text,
    contains text[], may_contain text[], diets text[]
) on commit drop;
insert into options_of_file (id, group_id, price, maximum, is_default, position, title, contains, may_contain,
    diets) values
    -- Doneness. These options add no ingredients, so they suit every diet.
    (1101, 11, 0,   1, false, 1, 'Medium rare',       '{}',        '{}',
     '{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}'),
    (1102, 11, 0,   1, true,  2, 'Medium',            '{}',        '{}',
     '{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}'),
    (1103, 11, 0,   1, false, 3, 'Well done',         '{}',        '{}',
     '{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}'),
    -- Extras
    (1201, 12, 95,  2, false, 1, 'Cheddar',           '{milk}',    '{}',            '{vegetarian,gluten_free}'),
    (1202, 12, 145, 2, false, 2, 'Bacon',             '{}',        '{mustard}',     '{gluten_free,lactose_free}'),
    (1203, 12, 125, 1, false, 3, 'Fried egg',         '{eggs}',    '{}',
     '{vegetarian,gluten_free,lactose_free}'),
    (1204, 12, 75,  2, false, 4, 'Jalapeños',         '{}',        '{}',
     '{vegan,vegetarian,gluten_free,lactose_free}'),
    (1205, 12, 60,  2, false, 5, 'Browned onions',    '{}',        '{}',
     '{vegan,vegetarian,gluten_free,lactose_free}'),
    (1206, 12, 295, 1, false, 6, 'Second beef patty', '{}',        '{celery}',      '{gluten_free,lactose_free}'),
    -- Leave out
    (1301, 13, 0,   1, false, 1, 'No lettuce',        '{}',        '{}',
     '{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}'),
    (1302, 13, 0,   1, false, 2, 'No tomato',         '{}',        '{}',
     '{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}'),
    (1303, 13, 0,   1, false, 3, 'No onion',          '{}',        '{}',
     '{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}'),
    (1304, 13, 0,   1, false, 4, 'No house sauce',    '{}',        '{}',
     '{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}'),
    (1401, 14, 0,   1, false, 1, 'No onion rings',    '{}',        '{}',
     '{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}'),
    (1402, 14, 0,   1, false, 2, 'No cheddar',        '{}',        '{}',
     '{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}'),
    (1501, 15, 0,   1, false, 1, 'No pickles',        '{}',        '{}',
     '{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}'),
    (1502, 15, 0,   1, false, 2, 'No ketchup',        '{}',        '{}',
     '{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}'),
    (1601, 16, 0,   1, false, 1, 'No lettuce',        '{}',        '{}',
     '{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}'),
    (1602, 16, 0,   1, false, 2, 'No mayonnaise',     '{}',        '{}',
     '{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}'),
    -- The drink of a combo, and the two drinks of Date Tonight: one of each, or two of one
    (2101, 21, 0,   1, true,  1, 'Cola Soda',         '{}',        '{}',
     '{vegan,vegetarian,gluten_free,lactose_free}'),
    (2102, 21, 0,   1, false, 2, 'Fanta Soda',        '{}',        '{}',
     '{vegan,vegetarian,gluten_free,lactose_free}'),
    (2103, 21, 150, 1, false, 3, 'Apple Tea',         '{}',        '{}',
     '{vegan,vegetarian,gluten_free,lactose_free}'),
    (2104, 21, 95,  1, false, 4, 'Orange Juice',      '{}',        '{}',
     '{vegan,vegetarian,gluten_free,lactose_free}'),
    (2105, 21, 320, 1, false, 5, 'Beer',              '{gluten}',  '{}',            '{lactose_free}'),
    (2201, 22, 0,   2, true,  1, 'Cola Soda',         '{}',        '{}',
     '{vegan,vegetarian,gluten_free,lactose_free}'),
    (2202, 22, 0,   2, true,  2, 'Fanta Soda',        '{}',        '{}',
     '{vegan,vegetarian,gluten_free,lactose_free}'),
    (2203, 22, 150, 2, false, 3, 'Apple Tea',         '{}',        '{}',
     '{vegan,vegetarian,gluten_free,lactose_free}'),
    (2204, 22, 95,  2, false, 4, 'Orange Juice',      '{}',        '{}',
     '{vegan,vegetarian,gluten_free,lactose_free}'),
    (2205, 22, 320, 2, false, 5, 'Beer',              '{gluten}',  '{}',            '{lactose_free}'),
    -- The size of a cold drink, and the cup of a large one
    (2301, 23, 0,   1, true,  1, 'Regular',           '{}',        '{}',
     '{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}'),
    (2302, 23, 80,  1, false, 2, 'Large',             '{}',        '{}',
     '{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}'),
    (2401, 24, 0,   1, true,  1, 'Paper cup',         '{}',        '{}',
     '{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}'),
    (2402, 24, 250, 1, false, 2, 'Cup to keep',       '{}',        '{}',
     '{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}'),
    -- Sides
    (2501, 25, 0,   1, true,  1, 'French Fries',      '{}',        '{}',
     '{vegan,vegetarian,gluten_free,lactose_free}'),
    (2502, 25, 0,   1, false, 2, 'Village Fries',     '{}',        '{celery,mustard}',
     '{vegan,vegetarian,gluten_free,lactose_free}'),
    (2503, 25, 100, 1, false, 3, 'Fried Potatoes',    '{milk}',    '{}',            '{vegetarian,gluten_free}'),
    -- Dips
    (2601, 26, 165, 6, true,  1, 'Tomato Sauce',      '{}',        '{celery}',
     '{vegan,vegetarian,gluten_free,lactose_free}'),
    (2602, 26, 165, 6, true,  2, 'BBQ Sauce',         '{mustard}', '{celery,soya}',
     '{vegan,vegetarian,gluten_free,lactose_free}'),
    (2603, 26, 165, 6, true,  3, 'Mustard Sauce',     '{mustard}', '{celery}',
     '{vegan,vegetarian,gluten_free,lactose_free}'),
    (3101, 31, 165, 3, false, 1, 'Tomato Sauce',      '{}',        '{celery}',
     '{vegan,vegetarian,gluten_free,lactose_free}'),
    (3102, 31, 165, 3, false, 2, 'BBQ Sauce',         '{mustard}', '{celery,soya}',
     '{vegan,vegetarian,gluten_free,lactose_free}'),
    (3103, 31, 165, 3, false, 3, 'Mustard Sauce',     '{mustard}', '{celery}',
     '{vegan,vegetarian,gluten_free,lactose_free}'),
    -- Tea
    (4101, 41, 0,   1, false, 1, 'No sugar',          '{}',        '{}',
     '{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}'),
    (4102, 41, 0,   1, false, 2, 'No cinnamon',       '{}',        '{}',
     '{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}');

create temporary table item_groups_of_file (menu_item_id bigint, group_id bigint, position integer,
    primary key (menu_item_id, group_id)) on commit drop;
insert into item_groups_of_file (menu_item_id, group_id, position) values
    (1001, 11, 1), (1001, 12, 2), (1001, 25, 3), (1001, 21, 4), -- Grill Combo
    (1003, 25, 1),                                              -- Cheese Peasy
    (1004, 26, 1),                                              -- Triospeciality
    (1005, 11, 1), (1005, 22, 2),                               -- Date Tonight
    (2001, 11, 1), (2001, 12, 2), (2001, 13, 3),                -- The Big Tasty
    (2002, 11, 1), (2002, 12, 2), (2002, 14, 3),                -- BBQ Burger
    (2003, 11, 1), (2003, 12, 2), (2003, 15, 3),                -- Cheeseburger
    (2004, 12, 1), (2004, 16, 2),                               -- Chickenburger
    (2005, 11, 1), (2005, 12, 2),                               -- Patty Melt
    (3002, 31, 1), (3003, 31, 1),                               -- Village Fries, Fried Potatoes
    (4002, 23, 1), (4004, 23, 1),                               -- Fanta Soda, Orange Juice
    (4003, 41, 1);                                              -- Apple Tea

create temporary table option_groups_of_file (option_id bigint, group_id bigint, position integer,
    primary key (option_id, group_id)) on commit drop;
insert into option_groups_of_file (option_id, group_id, position) values
    (2101, 23, 1), (2102, 23, 1), (2104, 23, 1), -- the size of a combo's drink
    (2201, 23, 1), (2202, 23, 1), (2204, 23, 1),
    (2302, 24, 1);                               -- the cup of a large one

-- First detach the groups of the file where the file does not list them.
delete from menu_item_option_groups as old
where group_id in (select id from groups_of_file)
    and not exists (select from item_groups_of_file as file
        where file.menu_item_id = old.menu_item_id and file.group_id = old.group_id);
delete from option_option_groups as old
where group_id in (select id from groups_of_file)
    and not exists (select from option_groups_of_file as file
        where file.option_id = old.option_id and file.group_id = old.group_id);

-- Write only rows that differ, so that servers need not reload the menu.

insert into option_groups (id, title, minimum, maximum, included, position)
select id, title, minimum, maximum, included, position from groups_of_file order by id
on conflict (id) do update set
    (title, minimum, maximum, included, position) =
    (excluded.title, excluded.minimum, excluded.maximum, excluded.included, excluded.position)
where
    (option_groups.title, option_groups.minimum, option_groups.maximum, option_groups.included, option_groups.position)
    is distinct from
    (excluded.title, excluded.minimum, excluded.maximum, excluded.included, excluded.position);

insert into options (id, group_id, title, price, maximum, is_default, position, contains, may_contain,
    allergens_are_known, diets)
select id, group_id, title, price, maximum, is_default, position, contains, may_contain, true, diets
    from options_of_file order by id
on conflict (id) do update set
    (group_id, title, price, maximum, is_default, position, contains, may_contain, allergens_are_known, diets) =
    (excluded.group_id, excluded.title, excluded.price, excluded.maximum, excluded.is_default, excluded.position,
     excluded.contains, excluded.may_contain, excluded.allergens_are_known, excluded.diets)
where
    (options.group_id, options.title, options.price, options.maximum, options.is_default, options.position,
     options.contains, options.may_contain, options.allergens_are_known, options.diets)
    is distinct from
    (excluded.group_id, excluded.title, excluded.price, excluded.maximum, excluded.is_default, excluded.position,
     excluded.contains, excluded.may_contain, excluded.allergens_are_known, excluded.diets);

insert into menu_item_option_groups (menu_item_id, group_id, position)
select menu_item_id, group_id, position from item_groups_of_file order by menu_item_id, group_id
on conflict (menu_item_id, group_id) do update set position = excluded.position
where menu_item_option_groups.position is distinct from excluded.position;

insert into option_option_groups (option_id, group_id, position)
select option_id, group_id, position from option_groups_of_file order by option_id, group_id
on conflict (option_id, group_id) do update set position = excluded.position
where option_option_groups.position is distinct from excluded.position;

commit;
