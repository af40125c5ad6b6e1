-- Baskets: the lines that a guest has collected. write_baskets writes them and place_orders closes them.
--
-- A basket is one row, so a change is one update, and its version detects concurrent changes. The lines are arrays of
-- equal length: line n is element n of each line_* column. line_sales is 0 for a single line, otherwise the sales group
-- of its set.
-- There is no foreign key to the menu: items are never deleted, and a key would lock popular menu rows with every
-- change (half the throughput).

-- The selection of a line as text, without titles and prices: the options and their quantities, level by level.
create function selection_of(options jsonb) returns text
language plpgsql immutable as $$
declare
    option jsonb;
    chosen text := '';
begin
    for option in select value from jsonb_array_elements(options) loop
        chosen := chosen || (option ->> 'id') || '*' || (option ->> 'quantity') || ' ';
        if option ? 'options' then
            chosen := chosen || '(' || public.selection_of(option -> 'options') || ') ';
        end if;
    end loop;
    return chosen;
end $$;

-- Whether all lines are distinct, by line number and by content (item, selection, note and set), and no note is too
-- long.
create function lines_are_distinct(ids bigint[], sales bigint[], items bigint[], notes text[], options jsonb[])
    returns boolean
language plpgsql immutable as $$
begin
    -- Shortcut: most baskets have no notes and distinct items. It costs a tenth of the query below.
    for n in 2..cardinality(items) loop
        exit when ids[n] = any (ids[: n - 1]) or items[n] = any (items[: n - 1]);
        if n = cardinality(items) and notes is null then return true; end if;
    end loop;
    return (select count(*) = count(distinct (sale, item, note,
        case when chosen is not null then public.selection_of(chosen) end))
                   and count(id) = count(distinct id) and (max(char_length(note)) <= 140) is not false
            from unnest(ids, sales, items, notes, options) as line (id, sale, item, note, chosen));
end $$;

-- Returns true, or raises the name of the violated rule. A rule that evaluates to null is violated.
-- Functions are called with their schema, because pg_restore loads a dump with an empty search_path.
create function basket_is_valid(
    state text, lines_made bigint, line_ids bigint[], line_sales bigint[], line_items bigint[],
    line_quantities integer[], line_prices bigint[],
    line_notes text[], line_options jsonb[]
) returns boolean
language plpgsql immutable as $$
declare
    many   constant integer := cardinality(line_items);
    broken constant text := case
        when (state = 'open') is not true then 'basket_state_is_known'
        when (many = cardinality(line_sales) and many = cardinality(line_quantities) and many = cardinality(line_prices)
              and many = cardinality(line_ids) and many = coalesce(cardinality(line_notes), many)
              and many = coalesce(cardinality(line_options), many) and coalesce(array_ndims(line_options), 1) = 1
              and coalesce(array_ndims(line_sales), 1) = 1 and coalesce(array_ndims(line_items), 1) = 1
              and coalesce(array_ndims(line_quantities), 1) = 1 and coalesce(array_ndims(line_prices), 1) = 1
              and coalesce(array_ndims(line_ids), 1) = 1
                  and coalesce(array_ndims(line_notes), 1) = 1) is not true then 'basket_lines_are_complete'
        when (0 <= all (line_sales) and 0 < all (line_items) and 0 < all (line_ids)
            and lines_made >= all (line_ids)) is not true
            then 'basket_lines_in_range'
        when (1 <= all (line_quantities) and 99 >= all (line_quantities)) is not true then 'basket_quantity_in_range'
        when (0 <= all (line_prices) and 200000000000 >= all (line_prices)) is not true then 'basket_price_in_range'
        when (many > 1 or line_notes[1] is not null)
            and not public.lines_are_distinct(line_ids, line_sales, line_items, line_notes, line_options)
            then 'basket_lines_are_distinct' end;
begin
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
    line_ids        bigint[]    not null default '{}',   -- 1, 2, ... in the order of creation
    line_sales      bigint[]    not null default '{}',
    line_items      bigint[]    not null default '{}',
    line_quantities integer[]   not null default '{}',
    line_prices     bigint[]    not null default '{}',   -- the unit price shown when the line last changed
    line_notes      text[],                              -- kitchen notes; null element: no note; null array: no notes
    -- The selections: [{"id", "group_id", "title", "quantity", "price", "total", "options"}].
    line_options    jsonb[],                             -- null element: no options; null array: no line has any
    removed_items   bigint[],                            -- items that the guest removed from sets: sales group, item,
                                                         -- sales group, item, ...; null or empty: none
    currency        text        not null,                -- the shop's currency at the last change of the basket
    changed_at      timestamptz not null,
    constraint baskets_pkey primary key (id),
    -- One constraint for all rules: every CHECK costs 8 µs per statement to compile, and only functions write this
    -- table. An ordered basket is exempt: it was valid when it was ordered, and pruning only empties it.
    constraint basket_is_valid check (state = 'ordered' or basket_is_valid(
        state, lines_made, line_ids, line_sales, line_items, line_quantities, line_prices, line_notes, line_options))
) with (fillfactor = 50); -- a basket is updated many times; free space on the page allows HOT updates

-- Deletes the lines of ordered baskets, whose orders keep a copy. Pruning calls it.
create function empty_baskets(ids uuid[]) returns void
language plpgsql set plan_cache_mode = force_custom_plan as $$
begin
    update baskets set line_ids = '{}', line_sales = '{}', line_items = '{}', line_quantities = '{}',
        line_prices = '{}', line_notes = null,
        line_options = null, removed_items = null
    where id = any (ids) and state = 'ordered';
end $$;
