-- The index for the staff's pages: newest orders and the figures of the day.

-- Used to page through the newest orders, today's orders and those of the last second. Orders arrive in key order, so
-- the index grows at its end: 1 µs per order. The state is in no index and in no index condition, because every step
-- would then write new entries into all indexes.
create index orders_by_time on orders (placed_at, id);
