-- Writes the baskets of a batch in one call: inserts new ones and replaces those that nobody changed since they were
-- read. A conflict raises no error: a basket that is missing from the result was not written, and the caller decides
-- again from fresh facts.

-- A basket to write.
create type basket_write as (
    id            uuid,
    read_version  bigint,          -- the version that was read; null: a new basket
    version       bigint,          -- the version to write
    lines_made    bigint,
    lines         basket_line[],
    options       order_option[],  -- null: no line has options
    removed_items removed_item[]   -- null: none
);

-- any_basket is one of the ids: on Citus it selects the worker. Every statement names its baskets in values that are
-- known before planning (id = any (ids)), because Citus sends other statements to all shards. With that condition
-- PostgreSQL might choose a nested loop or lock rows in physical order; the settings of the function prevent both.
-- the_currency is the currency of all prices. menu is the menu revision with which the changes were decided: if the
-- current revision differs, nothing is written. menu is null if the revision was read together with the baskets.
create function write_baskets(any_basket uuid, menu bigint, the_currency text, batch basket_write[])
    returns setof uuid
language plpgsql set enable_hashjoin = on set enable_nestloop = off set enable_bitmapscan = off as $$
declare
    changed uuid[]; -- the ids of existing baskets
    are_new boolean;
begin
    if menu is not null then
        if menu <> (select revision from menu_revision) then return; end if;
    end if;
    select array_agg(id) filter (where read_version is not null), bool_or(read_version is null) into changed, are_new
    from unnest(batch);

    if changed is not null then
        return query
        update baskets set
            version = change.version, changed_at = now(), lines_made = change.lines_made, lines = change.lines,
            options = change.options, removed_items = change.removed_items, currency = the_currency
        from unnest(batch) as change
        where baskets.id = any (changed) and baskets.id = change.id and baskets.version = change.read_version
            and state = 'open'
        returning baskets.id;
    end if;

    if are_new then
        return query
        insert into baskets (id, version, lines_made, lines, options, removed_items, currency, changed_at)
        select id, version, lines_made, lines, options, removed_items, the_currency, now() from unnest(batch)
        where read_version is null
        on conflict do nothing
        returning baskets.id;
    end if;
end $$;
