-- Writes the baskets of a batch in one call: inserts new ones and replaces those that nobody changed since they were
-- read. A conflict raises no error: a basket that is missing from the result was not written, and the caller decides
-- again from fresh facts.
--
-- The lines of all baskets are concatenated, one array per column; basket n has lines firsts[n] to lasts[n].
-- any_basket is one of the ids: on Citus it selects the worker. Every statement names its baskets in values that are
-- known before planning (id = any (ids)), because Citus sends other statements to all shards. With that condition
-- PostgreSQL might choose a nested loop or lock rows in physical order; the settings of the function prevent both.
-- Items that were removed from sets are concatenated in removals, from removal_firsts[n] to removal_lasts[n]. All three
-- arrays are null if no basket has any.
-- the_currency is the currency of all prices. menu is the menu revision with which the changes were decided: if the
-- current revision differs, nothing is written. menu is null if the revision was read together with the baskets.

create function write_baskets(
    any_basket uuid, menu bigint, ids uuid[], versions bigint[] /* as read; 0: a new basket */, next_versions bigint[],
    newest_lines bigint[],
    firsts integer[], lasts integer[], line_numbers bigint[], sales bigint[], items bigint[], quantities integer[],
    prices bigint[], notes text[],
    options jsonb[], removals bigint[], removal_firsts integer[], removal_lasts integer[], the_currency text
) returns setof uuid
language plpgsql set enable_hashjoin = on set enable_nestloop = off set enable_bitmapscan = off as $$
begin
    if menu is not null then
        if menu <> (select revision from menu_revision) then return; end if;
    end if;

    if 0 < any (versions) then
        return query
        update baskets set
            version = change.next_version, changed_at = now(), lines_made = change.made,
            line_ids = change.line_numbers, line_sales = change.sales, line_items = change.items,
                line_quantities = change.quantities,
            line_prices = change.prices, line_notes = change.notes, line_options = change.options,
            removed_items = change.removals,
            currency = the_currency
        -- Sliced here, because a slice in SET crashes Citus 13.2.
        from (
            select id, version, next_version, made, line_numbers[first : last] as line_numbers,
            sales[first : last] as sales,
                   items[first : last] as items, quantities[first : last] as quantities, prices[first : last] as prices,
                   notes[first : last] as notes, options[first : last] as options,
                   removals[removal_first : removal_last] as removals
            from unnest(ids, versions, next_versions, newest_lines, firsts, lasts, removal_firsts, removal_lasts)
                as change (id, version, next_version, made, first, last, removal_first, removal_last)
            where version > 0
        ) as change
        where baskets.id = any (ids) and baskets.id = change.id and baskets.version = change.version and state = 'open'
        returning baskets.id;
    end if;

    if 0 = any (versions) then
        return query
        insert into baskets (id, version, lines_made, line_ids, line_sales, line_items, line_quantities, line_prices,
            line_notes, line_options,
                             removed_items, currency, changed_at)
        select id, next_version, made, line_numbers[first : last], sales[first : last], items[first : last],
        quantities[first : last],
               prices[first : last], notes[first : last], options[first : last], removals[removal_first : removal_last],
               the_currency, now()
        from unnest(ids, versions, next_versions, newest_lines, firsts, lasts, removal_firsts, removal_lasts)
            as change (id, version, next_version, made, first, last, removal_first, removal_last)
        where change.version = 0
        on conflict do nothing
        returning baskets.id;
    end if;
end $$;
