-- welms: no transaction
-- The open orders by state and age: for the board and the acceptance deadlines, which read no finished order. It stays
-- small, because the last step of an order removes it from the index.
--
-- The state is part of the index, so each step of an order also writes new entries into the other indexes of orders: it
-- writes 1,330 B of WAL instead of 830 B, and needs a tenth more processor time. A checkout writes 94 B more. A table
-- of open orders would leave the steps unchanged, but each checkout would write a row and its index entry.
create index concurrently if not exists open_orders on orders (state, placed_at, id)
    where state in ('placed', 'accepted', 'preparing', 'on_the_way');
