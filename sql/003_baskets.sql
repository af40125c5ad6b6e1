-- Baskets: what a guest is about to order.
-- Written by write_baskets (005_write_baskets.sql) and closed by place_orders (006_place_orders.sql). Read next: 004_orders.sql.
--
-- A basket is one row, so a change is one update however many lines there are, and its version tells whether two writers
-- met. Its entries are four arrays of equal length: an entry is a line where entry_sales is 0, or an item of the set of
-- that sale. There is no foreign key to the menu: items are never deleted, and a key would lock the hot menu rows with
-- every change (half the throughput).

-- True where no pair stands twice: an item has one line, and a sale is in a basket once.
create function each_once(sales bigint[], items bigint[]) returns boolean
language plpgsql immutable as $$
begin
    return (select count(*) = count(distinct (sale, item)) from unnest(sales, items) as entry (sale, item));
end $$;

create table baskets (
    id               uuid        not null,
    state            text        not null default 'open', -- open, then ordered, for good
    version          bigint      not null default 1,      -- goes up with every change
    entry_sales      bigint[]    not null default '{}',
    entry_items      bigint[]    not null default '{}',
    entry_quantities integer[]   not null default '{}',
    entry_prices     bigint[]    not null default '{}',   -- the unit price shown when the entry last changed
    currency         text        not null,                -- the shop's when the basket last changed: what was shown was in it
    changed_at       timestamptz not null,
    constraint baskets_pkey primary key (id),
    constraint basket_state_is_known check (state in ('open', 'ordered')),
    constraint basket_entries_are_whole check (
        cardinality(entry_sales) = cardinality(entry_items) and cardinality(entry_items) = cardinality(entry_quantities)
        and cardinality(entry_items) = cardinality(entry_prices)
        and coalesce(array_ndims(entry_sales), 1) = 1 and coalesce(array_ndims(entry_items), 1) = 1
        and coalesce(array_ndims(entry_quantities), 1) = 1 and coalesce(array_ndims(entry_prices), 1) = 1),
    -- A null among them makes the comparison null, and a null passes a CHECK: hence is true.
    constraint basket_entries_are_known check ((0 <= all (entry_sales) and 0 < all (entry_items)) is true),
    constraint basket_quantity_in_range check ((1 <= all (entry_quantities) and 99 >= all (entry_quantities)) is true),
    constraint basket_price_in_range check ((0 <= all (entry_prices) and 100000000 >= all (entry_prices)) is true),
    -- Not proved again when a basket is closed, which changes no entry: it would be most of what closing costs (5 µs of 6.5).
    constraint basket_holds_each_once check (
        case when state = 'open' and cardinality(entry_items) > 1 then each_once(entry_sales, entry_items) else true end)
) with (fillfactor = 50); -- a basket is updated many times in its short life: room on the page keeps those updates away from the index
