-- The shop and its menu, which staff write. 000_rules.sql explains how the rules are written.

-- 1. The shop: one row, created with the schema, updated by staff.

create table shop (
    only_row        boolean not null default true,
    name            text    not null default 'Welm''s Delivery',
    time_zone       text    not null default 'America/New_York', -- for the days and months of coupons
    currency        text    not null default 'USD',              -- every amount in the database is in its minor unit
    default_country text    not null default 'US',               -- the country of phone numbers without a country code
    -- the highest tip, in percent of the subtotal; numeric: see menu_items.price
    tip_limit_percent numeric not null default 100,
    -- local time; orders before it belong to the day before (015_stock.sql)
    business_day_start time not null default '04:00',
    -- false: taxes are added to the prices (017_delivery_and_taxes.sql)
    prices_include_tax boolean not null default true,
    delivery_tax_rate_id    bigint,                              -- tax rates of fees; null: taxed like the goods
    small_order_tax_rate_id bigint,
    service_tax_rate_id     bigint,
    pause_until     timestamptz,                                 -- orders wanted before this time are rejected
    pause_reason    text,
    busy_minutes    numeric not null default 0,                  -- minutes added to every estimate
    busy_until      timestamptz,                                 -- until this time
    address         text,                                        -- for guests, like the next three columns
    phone           text,
    imprint         text,
    privacy         text,                                        -- the privacy notice
    tax_number      text,                                        -- printed on receipts
    -- the language of these tables first, then those of 014_translations.sql
    languages       text[]  not null default '{en}',
    constraint shop_is_one_row primary key (only_row),
    constraint shop_only_row_is_true
        check (check_with_hint(only_row, 'shop_only_row_is_true', 'There is one shop: update the existing row.')),
    constraint shop_name_is_plain_text check (check_with_hint(is_plain_text(name, 100), 'shop_name_is_plain_text',
        'Write 1 to 100 characters of plain text, without < or > and without spaces around it.')),
    constraint shop_currency_is_an_iso_4217_code
        check (check_with_hint(is_currency_code(currency), 'shop_currency_is_an_iso_4217_code',
        'Write the three capital letters of a currency in use, such as USD.')),
    constraint shop_country_is_an_iso_3166_code
        check (check_with_hint(is_country_code(default_country), 'shop_country_is_an_iso_3166_code',
        'Write the two capital letters of a country, such as US.')),
    constraint shop_tip_limit_in_range
        check (check_with_hint(tip_limit_percent between 0 and 1000 and scale(tip_limit_percent) = 0,
        'shop_tip_limit_in_range',
        'Write the highest tip in whole percent of the subtotal, from 0 (no tips) to 1000.')),
    constraint shop_business_day_starts_at_a_minute check (check_with_hint(
        business_day_start < '24:00' and business_day_start = date_trunc('minute', business_day_start)::time,
            'shop_business_day_starts_at_a_minute',
        'Write hours and minutes from 00:00 to 23:59, such as 04:00.')),
    constraint shop_pause_reason_is_plain_text
        check (check_with_hint(is_plain_text(pause_reason, 200), 'shop_pause_reason_is_plain_text',
        'Write up to 200 characters of plain text for the guest, without < or > and without '
            'spaces around it, or null.')),
    constraint shop_busy_minutes_in_range
        check (check_with_hint(busy_minutes between 0 and 180 and scale(busy_minutes) = 0, 'shop_busy_minutes_in_range',
        'busy_minutes is a whole number from 0 to 180.')),
    constraint shop_address_is_plain_text
        check (check_with_hint(is_plain_text(address, 300), 'shop_address_is_plain_text',
        'Write up to 300 characters of plain text in one line, without < or > and without spaces around it, or null.')),
    constraint shop_phone_is_plain_text check (check_with_hint(is_plain_text(phone, 40), 'shop_phone_is_plain_text',
        'Write up to 40 characters of plain text, without < or > and without spaces around it, or null.')),
    constraint shop_imprint_is_plain_text
        check (check_with_hint(is_plain_text(imprint, 2000), 'shop_imprint_is_plain_text',
        'Write up to 2000 characters of plain text in one line, without < or > and without '
            'spaces around it, or null.')),
    constraint shop_privacy_is_plain_text
        check (check_with_hint(is_plain_text(privacy, 8000), 'shop_privacy_is_plain_text',
        'Write up to 8000 characters of plain text in one line, without < or > and without '
            'spaces around it, or null.')),
    constraint shop_tax_number_is_plain_text
        check (check_with_hint(is_plain_text(tax_number, 40), 'shop_tax_number_is_plain_text',
        'Write up to 40 characters of plain text, such as DE123456789, without < or > and without '
            'spaces around it, or null.')),
    constraint shop_languages_are_tags check (check_with_hint(are_language_tags(languages), 'shop_languages_are_tags',
        'Write 1 to 20 language tags, each once, such as {en,de,pt-BR}; the first is the one that '
            'the menu itself is written in.'))
);
insert into shop default values;
create trigger shop_is_not_deleted before delete or truncate on shop for each statement
    execute function refuse_removal();

-- A trigger checks the time zone: a CHECK must be immutable, but the list of time zones depends on the machine.
create function check_shop_time_zone() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
    -- PostgreSQL accepts the name of any file in the machine's time zone data. Browsers reject the names below.
    if new.time_zone ~ '^(posix|right)/|^(posixrules|localtime|Factory)$' then
        raise exception 'browsers do not know the time zone %', new.time_zone
            using errcode = 'check_violation', constraint = 'shop_time_zone_works_in_browsers',
                  hint = 'Take the name of a place: '
                         'select name from pg_timezone_names where name ~ ''^[A-Z][A-Za-z]+/'' order by 1; '
                         'for example Europe/Berlin.';
    end if;
    if not exists (select from pg_timezone_names where name = new.time_zone) then
        raise exception 'unknown time zone %', new.time_zone
            using errcode = 'check_violation', constraint = 'shop_time_zone_is_known',
                  hint = 'Take a name from: select name from pg_timezone_names; for example Europe/Berlin.';
    end if;
    return new;
end $$;
create trigger shop_time_zone_is_known before insert or update of time_zone on shop
    for each row execute function check_shop_time_zone();

-- 2. The menu revision: every change that a guest can see increments it in the same transaction. Servers hold a menu
-- snapshot in memory. NOTIFY menu_changed tells them to reload it. Each change of a basket and each checkout compares
-- the revision of its snapshot with this number.

create table menu_revision (
    only_row boolean not null default true check (only_row),
    revision bigint  not null default 1,
    -- The transaction that incremented it last, and the start of that transaction. Only the pair is unique after a
    -- restore into another cluster, where transaction ids start again.
    counted_in xid8,
    counted_at timestamptz,
    constraint menu_revision_is_one_row primary key (only_row)
);
insert into menu_revision default values;
create trigger menu_revision_is_not_deleted before delete or truncate on menu_revision for each statement
    execute function refuse_removal();

-- Locks menu_revision before the first row changes, so that concurrent writers of the menu wait here and cannot
-- deadlock.
create function lock_menu_revision() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    perform from menu_revision for update;
    return null;
end $$;

-- Increments the revision once per transaction, because no other session sees the values in between. The row records
-- which transaction incremented it last. A session setting would not do: staff could forge it.
create function count_menu_revision() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    update menu_revision set revision = revision + 1, counted_in = pg_current_xact_id(), counted_at = now()
    where (counted_in, counted_at) is distinct from (pg_current_xact_id(), now());
    if found then
        notify menu_changed;
    end if;
    return null;
end $$;

-- 3. Categories, and the menu items in them.

create table categories (
    id        bigint  not null,
    title     text    not null,
    image_url text    not null default '',
    position  integer not null default 0,
    constraint categories_pkey primary key (id),
    constraint category_id_has_three_digits
        check (check_with_hint(id between 100 and 999, 'category_id_has_three_digits',
        'A category''s id has three digits: its items'' ids begin with them.', id)),
    constraint category_image_url_is_safe
        check (check_with_hint(is_picture_url(image_url), 'category_image_url_is_safe',
        'Write a path on this server such as /pictures/category-200.svg, an https:// address, or nothing.', id)),
    constraint category_title_is_plain_text
        check (check_with_hint(is_plain_text(title, 60), 'category_title_is_plain_text',
        'Write 1 to 60 characters of plain text, without < or > and without spaces around it.', id))
);

create trigger keep_id before update of id on categories for each row execute function keep_id('category_keeps_its_id',
    'Its items'' ids begin with it. Insert a new category, move its items there and delete this one.');

create table menu_items (
    id           bigint  not null,
    category_id  bigint  not null,
    kind         text    not null,
    title        text    not null,
    description  text    not null,
    image_url    text    not null default '',
    -- in minor units: 16.99 is 1699; a bigint would silently round 16.99 to 17
    price        numeric not null,
    sale_percent numeric,                           -- numeric for the same reason: a bigint would store 13 for 12.5
    tags         text[]  not null default '{}',
    is_available boolean not null default true,     -- false: sold out until further notice, still on the menu
    sold_out_until timestamptz,                     -- sold out until this time; null: not sold out by time
    is_retired   boolean not null default false,    -- true: off the menu; old baskets and orders still refer to it
    position     integer not null default 0,        -- order within the menu, then by id
    constraint menu_items_pkey primary key (id),
    constraint menu_item_category_exists foreign key (category_id) references categories,
    -- referenced by sales_group_items, which allows only special items
    constraint menu_item_id_with_kind unique (id, kind),
    constraint menu_item_id_begins_with_category
        check (check_with_hint(left(id::text, 3) = category_id::text, 'menu_item_id_begins_with_category',
        'An item''s id begins with the three digits of its category: 2003 and 20010 are in category 200.', id)),
    constraint menu_item_kind_is_known
        check (check_with_hint(kind in ('regular', 'discount', 'special'), 'menu_item_kind_is_known',
        'A menu item is regular, discount or special.', id)),
    constraint menu_item_kind_and_sale_percent_agree check (check_with_hint(
        case kind when 'regular' then sale_percent is null
                  when 'discount' then sale_percent is not null
                  when 'special' then sale_percent is not null end,
        'menu_item_kind_and_sale_percent_agree',
        'A regular item has no sale_percent (null); discount and special items have one.', id)),
    constraint menu_item_sale_percent_in_range
        check (check_with_hint(sale_percent between 1 and 99 and scale(sale_percent) = 0,
        'menu_item_sale_percent_in_range',
        'A sale percent is a whole number from 1 to 99.', id)),
    constraint menu_item_price_in_range
        check (check_with_hint(price between 1 and 100000000 and scale(price) = 0, 'menu_item_price_in_range',
        'Write the price in whole minor units, from 1 to 100000000: 16.99 is 1699.', id)),
    constraint menu_item_title_is_plain_text
        check (check_with_hint(is_plain_text(title, 100), 'menu_item_title_is_plain_text',
        'Write 1 to 100 characters of plain text, without < or > and without spaces around it.', id)),
    constraint menu_item_description_is_plain_text
        check (check_with_hint(is_plain_text(description, 1000), 'menu_item_description_is_plain_text',
        'Write 1 to 1000 characters of plain text, without < or > and without spaces around it.', id)),
    constraint menu_item_image_url_is_safe
        check (check_with_hint(is_picture_url(image_url), 'menu_item_image_url_is_safe',
        'Write a path on this server such as /pictures/2001.svg, an https:// address, or nothing.', id)),
    constraint menu_item_tags_are_valid check (check_with_hint(are_tags(tags), 'menu_item_tags_are_valid',
        'A tag is a word of 1 to 30 small letters, digits and dashes, such as spicy or '
            'late-night; at most 20 of them.', id))
);
create trigger menu_items_are_retired before delete on menu_items for each row execute function refuse_delete();
create trigger menu_items_are_not_truncated before truncate on menu_items for each statement
    execute function refuse_delete();

-- 4. Sales groups: information only, or a set of special items that a guest adds to the basket in one step.

create table sales_groups (
    id                   bigint  not null,
    kind                 text    not null,
    title                text    not null,
    headline             text    not null default '',
    description          text    not null default '',
    preview_image_url    text    not null default '',
    background_image_url text    not null default '',
    is_retired           boolean not null default false,
    position             integer not null default 0,
    constraint sales_groups_pkey primary key (id),
    constraint sales_group_id_with_kind unique (id, kind), -- referenced by sales_group_items: only sets have items
    constraint sales_group_id_is_positive
        check (check_with_hint(id > 0, 'sales_group_id_is_positive', 'A sales group''s id is greater than 0.', id)),
    constraint sales_group_kind_is_known
        check (check_with_hint(kind in ('information', 'set'), 'sales_group_kind_is_known',
        'A sales group is information (text only) or a set (menu items that go into the basket together).', id)),
    constraint sales_group_title_is_plain_text
        check (check_with_hint(is_plain_text(title, 100), 'sales_group_title_is_plain_text',
        'Write 1 to 100 characters of plain text, without < or > and without spaces around it.', id)),
    constraint sales_group_headline_is_plain_text
        check (check_with_hint(headline = '' or is_plain_text(headline, 200), 'sales_group_headline_is_plain_text',
        'Write at most 200 characters of plain text, without < or > and without spaces around it.', id)),
    constraint sales_group_description_is_plain_text
        check (check_with_hint(description = '' or is_plain_text(description, 2000),
        'sales_group_description_is_plain_text',
        'Write at most 2000 characters of plain text, without < or > and without spaces around it.', id)),
    constraint sales_group_image_urls_are_safe
        check (check_with_hint(is_picture_url(preview_image_url) and is_picture_url(background_image_url),
        'sales_group_image_urls_are_safe',
            'Write a path on this server such as /pictures/sale-200.svg, an https:// address, or nothing.', id))
);
create trigger sales_groups_are_retired before delete on sales_groups for each row execute function refuse_delete();
create trigger sales_groups_are_not_truncated before truncate on sales_groups for each statement
    execute function refuse_delete();

create table sales_group_items (
    sales_group_id bigint  not null,
    menu_item_id   bigint  not null,
    quantity       numeric not null default 1,          -- numeric: see menu_items.price
    position       integer not null default 0,
    -- Both columns keep their defaults, so that the foreign keys below accept only sets and special items.
    sales_group_kind text  not null default 'set',
    menu_item_kind   text  not null default 'special',
    constraint sales_group_items_pkey primary key (sales_group_id, menu_item_id),
    constraint item_is_in_one_sales_group unique (menu_item_id),
    constraint only_a_set_has_items foreign key (sales_group_id, sales_group_kind) references sales_groups (id, kind),
    constraint set_items_are_special foreign key (menu_item_id, menu_item_kind) references menu_items (id, kind),
    constraint sales_group_item_kinds_are_constant
        check (check_with_hint(sales_group_kind = 'set' and menu_item_kind = 'special',
        'sales_group_item_kinds_are_constant',
        'Leave sales_group_kind and menu_item_kind to their defaults: only a set has items, and they are special.',
        menu_item_id)),
    constraint sales_group_item_quantity_in_range
        check (check_with_hint(quantity between 1 and 99 and scale(quantity) = 0, 'sales_group_item_quantity_in_range',
        'A set holds each of its items 1 to 99 times, a whole number.', menu_item_id))
);

-- Checks the constraints above before PostgreSQL does, to raise errors with hints.
create function explain_sales_group_item() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
    other bigint;
begin
    if not exists (select from sales_groups where id = new.sales_group_id and kind = 'set') then
        raise exception 'sales group % is not a set', new.sales_group_id
            using errcode = 'foreign_key_violation', constraint = 'only_a_set_has_items',
                  hint = 'Only a sales group of kind set has items; insert it first, or give another sales_group_id.';
    end if;
    if not exists (select from menu_items where id = new.menu_item_id and kind = 'special') then
        raise exception 'there is no special menu item %', new.menu_item_id
            using errcode = 'foreign_key_violation', constraint = 'set_items_are_special',
                  hint = 'A set consists of special items. Insert the item first, or make it special: update '
                      'menu_items set kind = ''special'', sale_percent = ... where id = ...;';
    end if;
    -- The limit keeps the price of a basket within the integers that every client can represent.
    if (select count(*) from sales_group_items
        where sales_group_id = new.sales_group_id and menu_item_id <> new.menu_item_id) >= 99 then
        raise exception 'sales group % has 99 items already', new.sales_group_id
            using errcode = 'check_violation', constraint = 'set_has_at_most_99_items',
                  hint = 'A set holds at most 99 different items. Put the others into another set.';
    end if;
    select sales_group_id into other from sales_group_items
        where menu_item_id = new.menu_item_id and sales_group_id <> new.sales_group_id;
    if found then
        raise exception 'menu item % is already in sales group %', new.menu_item_id, other
            using errcode = 'unique_violation', constraint = 'item_is_in_one_sales_group',
                  hint = format('An item is in at most one sales group. Remove it from the other one first: delete '
                      'from sales_group_items where sales_group_id = %s and menu_item_id = %s;',
                                other, new.menu_item_id);
    end if;
    return new;
end $$;
create trigger explain_sales_group_item before insert or update on sales_group_items
    for each row execute function explain_sales_group_item();

-- Raises errors with hints for an unknown category, a changed id, and an item in a sales group that must stay special.
create function explain_menu_item() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
    sale bigint;
begin
    if not exists (select from categories where id = new.category_id) then
        raise exception 'there is no category %', new.category_id
            using errcode = 'foreign_key_violation', constraint = 'menu_item_category_exists',
                  hint = 'Insert the category first, or take one of: select id, title from categories;';
    end if;
    if tg_op = 'UPDATE' then
        if new.id <> old.id then
            raise exception 'menu item % cannot change its id', old.id
                using errcode = 'restrict_violation', constraint = 'menu_item_keeps_its_id',
                      hint = 'Baskets and orders refer to it. Insert a new item, and retire this one with is_retired = '
                          'true.';
        end if;
        select sales_group_id into sale from sales_group_items where menu_item_id = old.id;
        if found and new.kind <> 'special' then
            raise exception 'menu item % is in sales group % and must stay special', old.id, sale
                using errcode = 'foreign_key_violation', constraint = 'set_items_are_special',
                      hint = format('A set consists of special items. Remove it first: delete from sales_group_items '
                          'where menu_item_id = %s;', old.id);
        end if;
    end if;
    return new;
end $$;
create trigger explain_menu_item before insert or update of id, category_id, kind on menu_items
    for each row execute function explain_menu_item();

create function explain_sales_group() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
    if new.id <> old.id then
        raise exception 'sales group % cannot change its id', old.id
            using errcode = 'restrict_violation', constraint = 'sales_group_keeps_its_id',
                  hint = 'Baskets and orders refer to it. Insert a new sales group, and retire this one with '
                      'is_retired = true.';
    end if;
    if new.kind <> 'set' and exists (select from sales_group_items where sales_group_id = old.id) then
        raise exception 'sales group % has items and must stay a set', old.id
            using errcode = 'foreign_key_violation', constraint = 'only_a_set_has_items',
                  hint = format('Remove its items first: delete from sales_group_items where sales_group_id = %s;',
                      old.id);
    end if;
    return new;
end $$;
create trigger explain_sales_group before update of id, kind on sales_groups
    for each row execute function explain_sales_group();

create function explain_category_delete() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
    if exists (select from menu_items where category_id = old.id) then
        raise exception 'category % has items', old.id
            using errcode = 'foreign_key_violation', constraint = 'menu_item_category_exists',
                  hint = format('Items are retired, not deleted, and keep their category: update menu_items set '
                      'is_retired = true where category_id = %s;', old.id);
    end if;
    return old;
end $$;
create trigger explain_category_delete before delete on categories for each row
    execute function explain_category_delete();

-- check_row runs before the other row triggers, because PostgreSQL fires triggers in the order of their names.
create trigger check_row before insert or update on shop for each row execute function explain_row();
create trigger check_row before insert or update on categories for each row execute function explain_row();
create trigger check_row before insert or update on menu_items for each row execute function explain_row();
create trigger check_row before insert or update on sales_groups for each row execute function explain_row();
create trigger check_row before insert or update on sales_group_items for each row execute function explain_row();

-- 5. Every change that a guest can see increments the revision. (002_coupons.sql does the same for coupons.)

create trigger lock_menu_revision before insert or update or delete on shop for each statement
    execute function lock_menu_revision();
create trigger lock_menu_revision before insert or update or delete on categories for each statement
    execute function lock_menu_revision();
create trigger lock_menu_revision before insert or update or delete on menu_items for each statement
    execute function lock_menu_revision();
create trigger lock_menu_revision before insert or update or delete on sales_groups for each statement
    execute function lock_menu_revision();
create trigger lock_menu_revision before insert or update or delete on sales_group_items for each statement
    execute function lock_menu_revision();
create trigger count_menu_revision after insert or update or delete on shop for each row
    execute function count_menu_revision();
create trigger count_menu_revision after insert or update or delete on categories for each row
    execute function count_menu_revision();
create trigger count_menu_revision after insert or update or delete on menu_items for each row
    execute function count_menu_revision();
create trigger count_menu_revision after insert or update or delete on sales_groups for each row
    execute function count_menu_revision();
create trigger count_menu_revision after insert or update or delete on sales_group_items for each row
    execute function count_menu_revision();
create trigger count_menu_revision_truncate after truncate on sales_group_items for each statement
    execute function count_menu_revision();
