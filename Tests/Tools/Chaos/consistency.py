"""Checks that the database matches the acknowledged orders, and that its own numbers are consistent.

    problems = consistency.check(guests.acknowledged, url, port)      a list of sentences, empty when everything agrees
"""

import asyncio

from guests import UNAVAILABLE
from web import Connection, ConnectionLost
from processes import psql

# Each query counts violations, and must return 0.
RULES = {
    "orders without their closed basket, or closed baskets without an order": (
        """select count(*) from orders full join (select * from baskets where state = 'ordered') as closed using (id)
        where orders.id is null or closed.id is null"""
    ),
    "orders whose amounts do not add up": (
        """
        select count(*) from orders where (subtotal, discount, total) is distinct from
            (select (sum(unit_price * quantity)::bigint, sum(discount)::bigint, sum(total - discount)::bigint)
             from order_lines where order_id = orders.id)"""
    ),
    "orders with a duplicate number": "select count(*) - count(distinct number) from orders",
    "duplicate day numbers on one business day": (
        """
        select count(*) - count(distinct (day, day_number)) from orders cross join business_day(placed_at)
        where wanted_at is null and day_number is not null"""
    ),
    "idempotency keys with two orders": "select count(*) - count(distinct idempotency_key) from orders",
    "coupons whose counter differs from the number of their active orders, or exceeds the limit": (
        """
        select count(*) from coupon_redemptions as counted where redeemed > redemption_limit
            or redeemed <> (
                select count(*) from orders
                where orders.coupon_id = counted.coupon_id and state not in ('cancelled', 'rejected'))"""
    ),
    "guests who used a coupon more often than its limit permits": (
        """
        select count(*) from (
            select from orders join coupons on coupons.id = coupon_id
            where guest_limit is not null and guest_period = 'ever' and state not in ('cancelled', 'rejected')
            group by coupons.id, phone having count(*) > guest_limit) as greedy"""
    ),
    "active orders without exactly two coupon uses, or coupon uses without an active order": (
        """
        select count(*) from
            (select orders.id, count(coupon_uses.order_id) as uses
             from orders join coupons on coupons.id = coupon_id left join coupon_uses on order_id = orders.id
             where guest_limit is not null and state not in ('cancelled', 'rejected') group by 1) as live
            full join (select order_id as id, count(*) as uses from coupon_uses group by 1) as used using (id)
        where live.uses is distinct from 2 or used.uses is distinct from 2"""
    ),
    "stock counts that differ from the sum of the stock movements": (
        """
        select (select count(*) from item_stock where remaining <> (select sum(change) from stock_movements
                where subject = 'menu_items' and id = menu_item_id and day is null and reason <> 'set_per_day'))
             + (select count(*) from stock_days where sold <> (select -sum(change) from stock_movements as moved
                where moved.subject = stock_days.subject and moved.id = stock_days.id
                    and moved.day = stock_days.day))"""
    ),
    "slots whose counts differ from those of their active orders": (
        """
        select count(*) from
            (select fulfilment, wanted_at as starts_at, count(*) as orders, sum(slot_items) as items from orders
             where wanted_at is not null and state not in ('cancelled', 'rejected') group by 1, 2) as living
            full join slot_uses using (fulfilment, starts_at)
        where coalesce(living.orders, 0) <> coalesce(order_count, 0)
            or coalesce(living.items, 0) <> coalesce(item_count, 0)"""
    ),
    "active orders whose stock movements differ from their counted units, or cancelled orders that kept stock": (
        """
        select count(*) from
            (select order_id, menu_item_id as id, sum(quantity) as units
             from order_lines join orders on orders.id = order_id
             where state not in ('cancelled', 'rejected') and menu_item_id in (select menu_item_id from item_stock)
             group by 1, 2) as living
            full join (select order_id, id, -sum(change) as units from stock_movements
                       where subject = 'menu_items' and order_id is not null
                       group by 1, 2 having sum(change) <> 0) as took using (order_id, id)
        where living.units is distinct from took.units"""
    ),
}


def missing(acknowledged, url):
    """Returns the acknowledged orders that are missing from the database."""
    stored = set(psql(url, "select id || ' ' || number from orders").splitlines())
    return [order for order in acknowledged if f"{order.order['id']} {order.order['number']}" not in stored]


def check(acknowledged, url, port, all_answered=True):
    """`all_answered`: no guest gave up, so each order in the database must have been acknowledged."""
    problems = []
    rows = {}
    for line in psql(
        url,
        "select id, number, idempotency_key, subtotal, discount, total, coalesce(coupon_key, ''), state = 'cancelled'"
        " from orders",
    ).splitlines():
        id, *rest = line.split("|")
        rows[id] = rest
    for order in acknowledged:
        body = order.order
        row = [
            body["number"],
            order.key,
            str(body["subtotal"]),
            str(body["discount"]),
            str(body["total"]),
            body["coupon"] or "",
            "t" if order.is_cancelled else "f",
        ]
        if body["id"] not in rows:
            problems.append(f"order {body['id']} was acknowledged and is missing")
        elif rows[body["id"]] != row:
            problems.append(f"order {body['id']} was acknowledged as {row} and is {rows[body['id']]}")
    ids = {order.order["id"] for order in acknowledged}
    if len(ids) != len(acknowledged):
        problems.append("one order was acknowledged to two baskets")
    if all_answered and rows.keys() - ids:
        problems.append(f"{len(rows.keys() - ids)} orders were acknowledged to no guest")
    for name, rule in RULES.items():
        if (count := psql(url, rule)) != "0":
            problems.append(f"{count} {name}")
    problems += asyncio.run(check_replays(acknowledged, port))
    if int(psql(url, "select count(*) from orders")) != len(rows):
        problems.append("the idempotent replays placed orders")
    return problems


async def check_replays(acknowledged, port):
    """Sends each checkout again with the same key, 16 at a time. The answer must equal the first one, byte for byte."""
    remaining, problems = list(acknowledged), []

    async def replay_next():
        connection = Connection(port)
        while remaining:
            order = remaining.pop()
            for attempt in range(20):
                try:
                    answer = await connection.send("POST", "/v1/checkout", order.form, [("Idempotency-Key", order.key)])
                except ConnectionLost as error:
                    answer = error
                    continue
                if answer.status not in UNAVAILABLE:
                    break
                await asyncio.sleep(0.25)
            if isinstance(answer, ConnectionLost) or (
                answer.status,
                answer.body,
                answer.headers.get("idempotency-replayed"),
            ) != (201, order.answer, "true"):
                problems.append(f"{order.key}: the replay was answered {answer!r}, the first attempt {order.answer!r}")
        connection.close()

    await asyncio.gather(*(replay_next() for _ in range(16)))
    return problems
