-- Options of menu items, such as doneness, extras and drinks.
--
-- A group says how many of its options are chosen. An item has groups, and an option may have groups of its own: at
-- most three levels. A group can belong to many items. Options and groups are retired, not deleted, because baskets and
-- orders refer to them.

create table option_groups (
    id         bigint  not null,
    title      text    not null,
    minimum    numeric not null default 0,     -- the minimum number of chosen units; numeric: see menu_items.price
    maximum    numeric,                        -- the maximum number; null: as many as the options allow
    -- how many units are free, starting with the cheapest that costs something
    included   numeric not null default 0,
    position   integer not null default 0,
    is_retired boolean not null default false, -- true: not offered any more
    constraint option_groups_pkey primary key (id),
    constraint option_group_id_is_positive
        check (check_with_hint(id > 0, 'option_group_id_is_positive', 'An option group''s id is greater than 0.', id)),
    constraint option_group_title_is_plain_text
        check (check_with_hint(is_plain_text(title, 100), 'option_group_title_is_plain_text',
        'Write 1 to 100 characters of plain text, without < or > and without spaces around it.', id)),
    constraint option_group_minimum_in_range
        check (check_with_hint(minimum between 0 and 99 and scale(minimum) = 0, 'option_group_minimum_in_range',
        'minimum is a whole number from 0 (nothing has to be chosen) to 99.', id)),
    constraint option_group_maximum_in_range
        check (check_with_hint(maximum between greatest(minimum, 1) and 9900 and scale(maximum) = 0,
        'option_group_maximum_in_range',
        'maximum is a whole number up to 9900, at least 1 and at least minimum, or null for no limit. A group of which '
            'nothing may be chosen is retired.', id)),
    constraint option_group_included_in_range
        check (check_with_hint(included between 0 and 99 and scale(included) = 0, 'option_group_included_in_range',
        'included is a whole number from 0 to 99: so many chosen units cost nothing.', id))
);
create trigger option_groups_are_retired before delete on option_groups for each row execute function refuse_delete();
create trigger option_groups_are_not_truncated before truncate on option_groups for each statement
    execute function refuse_delete();

create table options (
    id             bigint  not null,
    group_id       bigint  not null,
    title          text    not null,
    -- of one unit, in minor units; negative: reduces the price of the item, but not below 0
    price          numeric not null default 0,
    maximum        numeric not null default 1,     -- how many units of this option may be chosen
    is_default     boolean not null default false, -- true: one unit is preselected
    is_available   boolean not null default true,  -- false: sold out until further notice, still shown
    sold_out_until timestamptz,                    -- sold out until this time; null: not sold out by time
    position       integer not null default 0,
    is_retired     boolean not null default false, -- true: not offered any more
    constraint options_pkey primary key (id),
    constraint option_has_a_group foreign key (group_id) references option_groups,
    constraint option_id_is_positive
        check (check_with_hint(id > 0, 'option_id_is_positive', 'An option''s id is greater than 0.', id)),
    constraint option_title_is_plain_text
        check (check_with_hint(is_plain_text(title, 100), 'option_title_is_plain_text',
        'Write 1 to 100 characters of plain text, without < or > and without spaces around it.', id)),
    constraint option_price_in_range
        check (check_with_hint(price between -100000000 and 100000000 and scale(price) = 0, 'option_price_in_range',
        'Write the price in whole minor units, from -100000000 to 100000000: 0.95 is 95, and 0 costs nothing.', id)),
    constraint option_maximum_in_range
        check (check_with_hint(maximum between 1 and 99 and scale(maximum) = 0, 'option_maximum_in_range',
        'maximum is a whole number from 1 to 99. An option that may not be chosen is retired, or sold out '
            'with is_available = false.', id))
);
create index options_of_group on options (group_id);
create trigger options_are_retired before delete on options for each row execute function refuse_delete();
create trigger options_are_not_truncated before truncate on options for each statement execute function refuse_delete();

-- The groups of each item and option, with their positions.
create table menu_item_option_groups (
    menu_item_id bigint  not null,
    group_id     bigint  not null,
    position     integer not null default 0,
    constraint menu_item_option_groups_pkey primary key (menu_item_id, group_id),
    constraint item_with_groups_exists foreign key (menu_item_id) references menu_items,
    constraint group_of_item_exists foreign key (group_id) references option_groups
);
create table option_option_groups (
    option_id bigint  not null,
    group_id  bigint  not null,
    position  integer not null default 0,
    constraint option_option_groups_pkey primary key (option_id, group_id),
    constraint option_with_groups_exists foreign key (option_id) references options,
    constraint group_of_option_exists foreign key (group_id) references option_groups
);

-- 1. Rules about several rows. Writers of these tables hold the lock of menu_revision until the commit, so concurrent
-- transactions cannot break a rule together.

-- Limits the work to validate a basket against the options of an item: 20 groups per item or option, 100 options per
-- group that are not retired, and 5000 options in the whole tree.
create function check_option_counts() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
    too_many text;
begin
    select format('item %s has %s groups', menu_item_id, count(*)) into too_many
    from menu_item_option_groups group by menu_item_id having count(*) > 20 limit 1;
    if not found then
        select format('option %s has %s groups', option_id, count(*)) into too_many from option_option_groups
            group by option_id having count(*) > 20 limit 1;
    end if;
    if found then
        raise exception '%', too_many
            using errcode = 'check_violation', constraint = 'option_groups_within_limit',
                  hint = 'An item has at most 20 groups, and so has an option: delete rows, or put the '
                      'options of several groups into one.';
    end if;
    select format('group %s has %s options', group_id, count(*)) into too_many
    from options where not is_retired group by group_id having count(*) > 100 limit 1;
    if found then
        raise exception '%', too_many
            using errcode = 'check_violation', constraint = 'options_within_limit',
                  hint = 'A group has at most 100 options that are not retired: update options set '
                      'is_retired = true where id = ...;';
    end if;
    -- Counts the options that can be chosen below a group: its own, plus those of the groups below each of them, on
    -- three levels.
    with own as materialized (
        select group_id, count(*) as places from options where not is_retired group by group_id
    ), below as materialized (
        select options.group_id as upper, option_option_groups.group_id as lower, count(*) as ways
        from option_option_groups join options on options.id = option_id where not is_retired group by 1, 2
    ), two as materialized (
        select own.group_id, own.places + coalesce(sum(ways * lower.places), 0) as places
        from own left join below on upper = own.group_id left join own as lower on lower.group_id = below.lower
            group by own.group_id, own.places
    ), three as materialized (
        select own.group_id, own.places + coalesce(sum(ways * two.places), 0) as places
        from own left join below on upper = own.group_id left join two on two.group_id = below.lower
            group by own.group_id, own.places
    )
    select format('item %s is offered with %s options', menu_item_id, sum(places)) into too_many
    from menu_item_option_groups join three using (group_id) group by menu_item_id having sum(places) > 5000 limit 1;
    if found then
        raise exception '%', too_many
            using errcode = 'check_violation', constraint = 'option_trees_within_limit',
                  hint = 'An item is offered with at most 5000 options, each counted wherever it can be chosen: attach '
                      'fewer groups to options that many choose from.';
    end if;
    return null;
end $$;
create trigger check_option_counts after insert or update on menu_item_option_groups for each statement
    execute function check_option_counts();
create trigger check_option_counts after insert or update on option_option_groups for each statement
    execute function check_option_counts();
create trigger check_option_counts after insert or update of group_id, is_retired on options for each statement
    execute function check_option_counts();

-- No group is below its own options, and no group has three groups above it. Includes groups without items and retired
-- rows, so that attaching or restoring a group is always possible.
create function check_option_levels() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
    chain  bigint[];
    cyclic_groups bigint[];
begin
    with below as materialized (
        select distinct options.group_id as upper, option_option_groups.group_id as lower
        from option_option_groups join options on options.id = option_option_groups.option_id
    )
    select array[one.upper, one.lower, two.lower, three.lower] into chain
    from below as one join below as two on two.upper = one.lower join below as three on three.upper = two.lower
    limit 1;
    if not found then
        return null;
    end if;
    -- A cycle never ends, so it also has four levels.
    with recursive below as materialized (
        select distinct options.group_id as upper, option_option_groups.group_id as lower
        from option_option_groups join options on options.id = option_option_groups.option_id
    ), path as (
        select upper as start, lower as reached from below
        union
        select path.start, below.lower from path join below on below.upper = path.reached
    )
    select array_agg(start order by start) into cyclic_groups from path where start = reached;
    if cyclic_groups is not null then
        raise exception 'option groups % contain themselves', array_to_string(cyclic_groups, ', ')
            using errcode = 'check_violation', constraint = 'option_groups_have_no_cycle',
                  hint = 'A group cannot be below one of its own options, directly or indirectly: attach another group '
                      'to the option.';
    end if;
    raise exception 'option groups on four levels: %', array_to_string(chain, ', then ')
        using errcode = 'check_violation', constraint = 'option_groups_within_three_levels',
              hint = 'An item has groups, their options may have groups, and the options of those, too: at most three '
                  'levels.';
end $$;
create trigger check_option_levels after insert or update on option_option_groups for each statement
    execute function check_option_levels();
create trigger check_option_levels after update of group_id on options for each statement
    execute function check_option_levels();

-- The preselected options must be possible. Checked at the end of the transaction, so that one default can replace
-- another.
create function check_option_defaults() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
    checked  bigint := (to_jsonb(new) ->> tg_argv[0])::bigint;
    defaults bigint;
    most     numeric;
begin
    select count(*), min(option_groups.maximum) into defaults, most
    from options join option_groups on option_groups.id = group_id
    where group_id = checked and is_default and not options.is_retired;
    if defaults > most then
        raise exception 'option group % has % defaults, and at most % may be chosen', checked, defaults, most
            using errcode = 'check_violation', constraint = 'option_defaults_are_possible',
                  hint = format('Leave %s of them: update options set is_default = false where id = ...; or raise '
                      'the group''s maximum.', most);
    end if;
    return null;
end $$;
create constraint trigger option_defaults_are_possible after insert or update of group_id, is_default,
    is_retired on options
    deferrable initially deferred for each row execute function check_option_defaults('group_id');
create constraint trigger option_defaults_are_possible after update of maximum on option_groups
    deferrable initially deferred for each row execute function check_option_defaults('id');

-- 2. Hints for rejected changes.

create trigger check_row before insert or update on option_groups for each row execute function explain_row();
create trigger check_row before insert or update on options for each row execute function explain_row();
create trigger check_row before insert or update on menu_item_option_groups for each row execute function explain_row();
create trigger check_row before insert or update on option_option_groups for each row execute function explain_row();
create trigger explain_parents before insert or update of group_id on options for each row
    execute function explain_parents();
create trigger explain_parents before insert or update on menu_item_option_groups for each row
    execute function explain_parents();
create trigger explain_parents before insert or update on option_option_groups for each row
    execute function explain_parents();
create trigger keep_id before update of id on option_groups for each row
    execute function keep_id('option_group_keeps_its_id');
create trigger keep_id before update of id on options for each row execute function keep_id('option_keeps_its_id');

-- 3. All changes increment the menu revision.

create trigger lock_menu_revision before insert or update or delete on option_groups for each statement
    execute function lock_menu_revision();
create trigger lock_menu_revision before insert or update or delete on options for each statement
    execute function lock_menu_revision();
create trigger lock_menu_revision before insert or update or delete on menu_item_option_groups for each statement
    execute function lock_menu_revision();
create trigger lock_menu_revision before insert or update or delete on option_option_groups for each statement
    execute function lock_menu_revision();
create trigger count_menu_revision after insert or update or delete on option_groups for each row
    execute function count_menu_revision();
create trigger count_menu_revision after insert or update or delete on options for each row
    execute function count_menu_revision();
create trigger count_menu_revision after insert or update or delete on menu_item_option_groups for each row
    execute function count_menu_revision();
create trigger count_menu_revision after insert or update or delete on option_option_groups for each row
    execute function count_menu_revision();
create trigger count_menu_revision_truncate after truncate on menu_item_option_groups for each statement
    execute function count_menu_revision();
create trigger count_menu_revision_truncate after truncate on option_option_groups for each statement
    execute function count_menu_revision();

-- 4. The server may mark an option as sold out, like an item (009_roles.sql). Staff may change everything else.

grant select on option_groups, options, menu_item_option_groups, option_option_groups to welms_server, welms_staff;
grant update (is_available, sold_out_until) on options to welms_server;
grant insert, update, delete on option_groups, options, menu_item_option_groups, option_option_groups to welms_staff;
