-- What staff look at: the newest orders, and the figures of the day.
-- Read by the server's staff routes. There is nothing to write here.

-- Newest first in pages, today's orders, and what was placed in the last second. Orders come in the order of this key, so that the index
-- grows at its end: an order costs it a microsecond. There is none on the state: a state that stands in an index, or in the
-- condition of one, would make every step of an order a new entry in all indexes.
create index orders_by_time on orders (placed_at, id);
