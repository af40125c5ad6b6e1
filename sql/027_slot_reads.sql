-- A batch of checkouts reads only the slots that it wants. Until now it read all slots, because the key of slot_uses
-- begins with the fulfilment. The server reads the slots of a day and later slots with a statement of its own
-- (Sources/Database/Times/LoadSlotsTaken.swift).

-- The slots that start at these moments and have orders; null: none. `offset 0` keeps one lookup per slot: a plan made
-- on an empty table would otherwise read all slots.
create function slots_taken(moments timestamptz[]) returns slot_use[]
language plpgsql stable as $$
begin
    return (select array_agg(taken.slot)
            from (select distinct moment from unnest(moments) as moment) as wanted
            cross join fulfilments as kind
            cross join lateral (
                select row(starts_at, order_count, item_count, fulfilment)::slot_use as slot from slot_uses
                where fulfilment = kind.fulfilment and starts_at = wanted.moment offset 0
            ) as taken);
end $$;

-- Remains for servers of the previous version. Reads one range of the key for each fulfilment.
create or replace function slots_taken(since timestamptz) returns slot_use[]
language plpgsql stable as $$
begin
    return (select array_agg(row(starts_at, order_count, item_count, fulfilment)::slot_use
                order by fulfilment, starts_at)
            from slot_uses
            where fulfilment = any (array(select fulfilment from fulfilments)) and starts_at >= since);
end $$;

grant execute on function slots_taken(timestamptz[]) to welms_server;
