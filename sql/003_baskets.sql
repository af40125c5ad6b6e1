-- Baskets: the lines that a guest has collected. write_baskets writes them and place_orders closes them.
--
-- A basket is one row, so a change is one update, and its version detects concurrent changes. Its lines, their options
-- and the removed items are one array each, of the composite types below.
-- There is no foreign key to the menu: items are never deleted, and a key would lock popular menu rows with every
-- change (half the throughput).
--
-- Composite types. The server reads and writes them in the binary format, field by field as the database declares them
-- (Sources/Postgres). A later migration may add a field with ALTER TYPE ... ADD ATTRIBUTE, also to a stored type:
-- PostgreSQL reads the field of older rows as null. It cannot change the type of a field of a stored type.
-- A composite type has no NOT NULL, so the CHECKs verify which fields are set. Wide fields come first, because
-- PostgreSQL pads a field of eight bytes to a multiple of eight.

-- A line of a basket: single lines first, then the lines of each set.
create type basket_line as (
    line_id        bigint,  -- 1, 2, ... in the order of creation
    menu_item_id   bigint,
    sales_group_id bigint,  -- of the line's set; null: a single line
    unit_price     bigint,  -- as shown when the line last changed
    quantity       integer,
    note           text     -- for the kitchen; null: none
);

-- A chosen option of a line in a basket or an order. One array has the options of all lines, in the order of the lines;
-- an option comes before the options that were chosen for it.
create type order_option as (
    option_id bigint,
    group_id  bigint,
    price     bigint,   -- of one unit, signed
    total     bigint,   -- of all units in one unit of the dish, without included ones, with all nested options; signed
    line      smallint, -- the position of its line in the array of lines: 1, 2, ...
    parent    smallint, -- the position of the option above it in the array of options; null: an option of the dish
    quantity  smallint, -- in one unit of the dish, or of the option above it
    title     text
);

-- An item that the guest removed from the set of a sales group.
create type removed_item as (sales_group_id bigint, menu_item_id bigint);

-- Whether each option is complete and belongs to one of so many lines, and each parent comes first in the same line.
create function options_are_complete(options order_option[], lines integer) returns boolean
language plpgsql immutable as $$
declare
    option    public.order_option;
    n         integer := 0;
    this_line integer := 0;
    first     integer; -- the position of the first option of this line
begin
    if (array_ndims(options) = 1 and array_lower(options, 1) = 1) is not true then return false; end if;
    foreach option in array options loop
        n := n + 1;
        if option.line > this_line then
            this_line := option.line;
            first := n;
        end if;
        if (option.line = this_line and this_line between 1 and lines
            and (option.parent is null or option.parent between first and n - 1)
            and num_nulls(option.option_id, option.group_id, option.title, option.quantity, option.price,
                option.total) = 0) is not true then
            return false;
        end if;
    end loop;
    return true;
end $$;

-- The selection of a line as text, without titles and prices: its options and their quantities. A nested option has its
-- distance to the option above it.
create function selection_of(options order_option[], the_line bigint) returns text
language plpgsql immutable as $$
begin
    return (select string_agg(option_id || '*' || quantity || coalesce('^' || ordinality - parent, ''), ' '
                order by ordinality)
            from unnest(options) with ordinality where line = the_line);
end $$;

-- Whether all lines are distinct, by line number and by content (item, selection, note and set), and no note is too
-- long.
create function lines_are_distinct(lines basket_line[], options order_option[]) returns boolean
language plpgsql immutable as $$
begin
    return (select count(*) = count(distinct (sales_group_id, menu_item_id, note,
                       case when options is not null then public.selection_of(options, ordinality) end))
                   and count(line_id) = count(distinct line_id) and (max(char_length(note)) <= 140) is not false
            from unnest(lines) with ordinality);
end $$;

-- Returns true, or raises the name of the violated rule. A rule that evaluates to null is violated.
-- Functions are called with their schema, because pg_restore loads a dump with an empty search_path.
create function basket_is_valid(state text, lines_made bigint, lines basket_line[], options order_option[])
    returns boolean
language plpgsql immutable as $$
declare
    line   public.basket_line;
    ids    bigint[] := '{}'; -- of the lines so far
    items  bigint[] := '{}';
    -- Most baskets have no notes and distinct items. Such lines are distinct; lines_are_distinct costs ten times as
    -- much.
    are_alike    boolean := false;
    are_in_range boolean := lines_made >= 0;
    are_few      boolean := true;
    are_priced   boolean := true;
    broken       text;
begin
    foreach line in array lines loop
        are_alike := are_alike or line.note is not null or line.line_id = any (ids) or line.menu_item_id = any (items);
        ids := ids || line.line_id;
        items := items || line.menu_item_id;
        are_in_range := are_in_range and line.line_id between 1 and lines_made and line.menu_item_id > 0
            and (line.sales_group_id is null or line.sales_group_id > 0);
        are_few := are_few and line.quantity between 1 and 99;
        are_priced := are_priced and line.unit_price between 0 and 200000000000;
    end loop;
    broken := case
        when (state = 'open') is not true then 'basket_state_is_known'
        when coalesce(array_ndims(lines), 1) <> 1
            or options is not null and not public.options_are_complete(options, cardinality(lines))
            then 'basket_lines_are_complete'
        when are_in_range is not true then 'basket_lines_in_range'
        when are_few is not true then 'basket_quantity_in_range'
        when are_priced is not true then 'basket_price_in_range'
        when are_alike is not false and not public.lines_are_distinct(lines, options)
            then 'basket_lines_are_distinct' end;
    if broken is not null then
        raise check_violation using constraint = broken, table = 'baskets',
            message = format('new row for relation "baskets" violates check constraint "%s"', broken);
    end if;
    return true;
end $$;

create table baskets (
    id              uuid        not null,
    state           text        not null default 'open', -- open, then ordered; final
    version         bigint      not null default 1,      -- every change increments it
    lines_made      bigint      not null default 0,      -- how many lines it ever had: line numbers are not reused
    lines           basket_line[] not null default '{}',
    options         order_option[],                      -- the selections of the lines; null: no line has options
    removed_items   removed_item[],                      -- null: none
    currency        text        not null,                -- the shop's currency at the last change of the basket
    changed_at      timestamptz not null,
    constraint baskets_pkey primary key (id),
    -- One constraint for all rules: every CHECK costs 8 µs per statement to compile, and only functions write this
    -- table. An ordered basket is exempt: it was valid when it was ordered, and pruning only empties it.
    constraint basket_is_valid check (state = 'ordered' or basket_is_valid(state, lines_made, lines, options))
) with (fillfactor = 50); -- a basket is updated many times; free space on the page allows HOT updates

-- Deletes the lines of ordered baskets, whose orders keep a copy. Pruning calls it.
create function empty_baskets(ids uuid[]) returns void
language plpgsql set plan_cache_mode = force_custom_plan as $$
begin
    update baskets set lines = '{}', options = null, removed_items = null
    where id = any (ids) and state = 'ordered';
end $$;
