-- Baskets: what a guest is about to order.
-- Written by write_baskets (005_write_baskets.sql) and closed by place_orders (006_place_orders.sql). Read next: 004_orders.sql.
--
-- A basket is one row, so a change is one update however many lines there are, and its version tells whether two writers
-- met. Its lines are arrays of equal length: line n is the nth of each of line_*. It stands alone where line_sales is 0; else it belongs to the set
-- of that sale. There is no foreign key to the menu: items are never deleted, and a key would lock the hot menu rows with
-- every change (half the throughput).

-- What was chosen with a line, of the document that it is kept in: its options with how many of each, level by level, without titles and prices.
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

-- True where no line is there twice, by its number or by what it is (an item with its selection and its note, alone or in a set), and no note is
-- too long.
create function lines_are_apart(ids bigint[], sales bigint[], items bigint[], notes text[], options jsonb[]) returns boolean
language plpgsql immutable as $$
begin
    -- Mostly there are no notes, and all items are different ones: this is a tenth of what counting takes.
    for n in 2..cardinality(items) loop
        exit when ids[n] = any (ids[: n - 1]) or items[n] = any (items[: n - 1]);
        if n = cardinality(items) and notes is null then return true; end if;
    end loop;
    return (select count(*) = count(distinct (sale, item, note, case when chosen is not null then public.selection_of(chosen) end))
                   and count(id) = count(distinct id) and (max(char_length(note)) <= 140) is not false
            from unnest(ids, sales, items, notes, options) as line (id, sale, item, note, chosen));
end $$;

-- True, or raises with the name of the rule that the basket breaks. A rule that can't be told, because something is null, is broken.
-- The functions in it are named with their schema, for a dump is loaded where nothing is found without.
create function basket_is_right(
    state text, lines_made bigint, line_ids bigint[], line_sales bigint[], line_items bigint[], line_quantities integer[], line_prices bigint[],
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
              and coalesce(array_ndims(line_ids), 1) = 1 and coalesce(array_ndims(line_notes), 1) = 1) is not true then 'basket_lines_are_whole'
        when (0 <= all (line_sales) and 0 < all (line_items) and 0 < all (line_ids) and lines_made >= all (line_ids)) is not true
            then 'basket_lines_are_known'
        when (1 <= all (line_quantities) and 99 >= all (line_quantities)) is not true then 'basket_quantity_in_range'
        when (0 <= all (line_prices) and 200000000000 >= all (line_prices)) is not true then 'basket_price_in_range'
        when (many > 1 or line_notes[1] is not null) and not public.lines_are_apart(line_ids, line_sales, line_items, line_notes, line_options)
            then 'basket_holds_each_once' end;
begin
    if broken is not null then
        raise check_violation using constraint = broken, table = 'baskets',
            message = format('new row for relation "baskets" violates check constraint "%s"', broken);
    end if;
    return true;
end $$;

create table baskets (
    id              uuid        not null,
    state           text        not null default 'open', -- open, then ordered, for good
    version         bigint      not null default 1,      -- goes up with every change
    lines_made      bigint      not null default 0,      -- how many lines it has had: a line's number is never given again
    line_ids        bigint[]    not null default '{}',   -- 1, 2, ... in the order in which they were made
    line_sales      bigint[]    not null default '{}',
    line_items      bigint[]    not null default '{}',
    line_quantities integer[]   not null default '{}',
    line_prices     bigint[]    not null default '{}',   -- the unit price shown when the line last changed
    line_notes      text[],                              -- what the kitchen is asked for; null: nothing, of a line or of all
    line_options    jsonb[],                             -- what was chosen, with titles and prices: [{"id", "group_id", "title", "quantity", "price", "total",
                                                         -- "options"}]; null: nothing, of a line or of all
    removed_items   bigint[],                            -- items that the guest removed from sets: sale, item, sale,
                                                         -- item; null or empty: none
    currency        text        not null,                -- the shop's when the basket last changed: what was shown was in it
    changed_at      timestamptz not null,
    constraint baskets_pkey primary key (id),
    -- One for all rules: each CHECK is compiled anew in every statement, 8 µs, and this table is written by functions alone. A basket is closed
    -- as it was proved, and only emptied after that.
    constraint basket_is_right check (state = 'ordered' or basket_is_right(
        state, lines_made, line_ids, line_sales, line_items, line_quantities, line_prices, line_notes, line_options))
) with (fillfactor = 50); -- a basket is updated many times in its short life: room on the page keeps those updates away from the index

-- Takes the lines out of baskets that are ordered, whose orders keep them. Called by pruning.
create function empty_baskets(ids uuid[]) returns void
language plpgsql set plan_cache_mode = force_custom_plan as $$
begin
    update baskets set line_ids = '{}', line_sales = '{}', line_items = '{}', line_quantities = '{}', line_prices = '{}', line_notes = null,
        line_options = null, removed_items = null
    where id = any (ids) and state = 'ordered';
end $$;
