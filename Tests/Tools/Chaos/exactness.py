"""The oracle: what the guests were told, and what is in the database, are the same.

    wrong = exactness.check(guests.told, url, port)      a list of sentences, empty when all is well
"""

import asyncio

from guests import UNAVAILABLE
from web import Connection, Lost
from processes import psql

# Each is a count that has to be nought.
RULES = {
    "orders without their closed basket, or closed baskets without an order": """
        select count(*) from orders full join (select * from baskets where state = 'ordered') as closed using (id) where orders.id is null or closed.id is null""",
    "orders whose money does not add up": """
        select count(*) from orders where (subtotal, discount, total) is distinct from
            (select (sum(unit_price * quantity)::bigint, sum(discount)::bigint, sum(total - discount)::bigint) from order_lines where order_id = orders.id)""",
    "orders with a number that another has": "select count(*) - count(distinct number) from orders",
    "numbers of the day that two orders of a day have": """
        select count(*) - count(distinct (day, day_number)) from orders cross join business_day(placed_at)
        where wanted_at is null and day_number is not null""",
    "keys with two orders": "select count(*) - count(distinct idempotency_key) from orders",
    "coupons whose counter is not their live orders, or is over its limit": """
        select count(*) from coupon_redemptions as counted where redeemed > redemption_limit
            or redeemed <> (select count(*) from orders where orders.coupon_id = counted.coupon_id and state not in ('cancelled', 'rejected'))""",
    "guests who used a coupon more often than they may": """
        select count(*) from (
            select from orders join coupons on coupons.id = coupon_id
            where guest_limit is not null and guest_period = 'ever' and state not in ('cancelled', 'rejected')
            group by coupons.id, phone having count(*) > guest_limit) as greedy""",
    "uses of coupons that are not two for each live order": """
        select count(*) from
            (select orders.id, count(coupon_uses.order_id) as uses from orders join coupons on coupons.id = coupon_id left join coupon_uses on order_id = orders.id
             where guest_limit is not null and state not in ('cancelled', 'rejected') group by 1) as live
            full join (select order_id as id, count(*) as uses from coupon_uses group by 1) as used using (id)
        where live.uses is distinct from 2 or used.uses is distinct from 2""",
    "counts that are not what the ledger comes to": """
        select (select count(*) from item_stock where remaining <> (select sum(change) from stock_movements
                where subject = 'menu_items' and id = menu_item_id and day is null and reason <> 'set_per_day'))
             + (select count(*) from stock_days where sold <> (select -sum(change) from stock_movements as moved
                where moved.subject = stock_days.subject and moved.id = stock_days.id and moved.day = stock_days.day))""",
    "living orders that did not take what they hold of what is counted, and others that took some": """
        select count(*) from
            (select order_id, menu_item_id as id, sum(quantity) as units from order_lines join orders on orders.id = order_id
             where state not in ('cancelled', 'rejected') and menu_item_id in (select menu_item_id from item_stock) group by 1, 2) as living
            full join (select order_id, id, -sum(change) as units from stock_movements where subject = 'menu_items' and order_id is not null
                       group by 1, 2 having sum(change) <> 0) as took using (order_id, id)
        where living.units is distinct from took.units""",
}


def missing(told, url):
    """The acknowledged orders that are not in the database."""
    there = set(psql(url, "select id || ' ' || number from orders").splitlines())
    return [t for t in told if f"{t.order['id']} {t.order['number']}" not in there]


def check(told, url, port, everyone_answered=True):
    """`everyone_answered`: nobody gave up, so that there is no order that nobody was told of."""
    wrong = []
    rows = {}
    for line in psql(url, "select id, number, idempotency_key, subtotal, discount, total, coalesce(coupon_key, ''), state = 'cancelled' from orders").splitlines():
        id, *rest = line.split("|")
        rows[id] = rest
    for t in told:
        o = t.order
        row = [o["number"], t.key, str(o["subtotal"]), str(o["discount"]), str(o["total"]), o["coupon"] or "", "t" if t.is_cancelled else "f"]
        if o["id"] not in rows:
            wrong.append(f"order {o['id']} was acknowledged and is missing")
        elif rows[o["id"]] != row:
            wrong.append(f"order {o['id']} was acknowledged as {row} and is {rows[o['id']]}")
    ids = {t.order["id"] for t in told}
    if len(ids) != len(told):
        wrong.append("an order was acknowledged to two baskets")
    if everyone_answered and rows.keys() - ids:
        wrong.append(f"{len(rows.keys() - ids)} orders that nobody was told of")
    for name, rule in RULES.items():
        if (count := psql(url, rule)) != "0":
            wrong.append(f"{count} {name}")
    wrong += asyncio.run(replays(told, port))
    if int(psql(url, "select count(*) from orders")) != len(rows):
        wrong.append("asking again placed orders")
    return wrong


async def replays(told, port):
    """Everybody asks again with the same key, 16 at a time: the answer is the first one, byte for byte."""
    left, wrong = list(told), []

    async def ask():
        connection = Connection(port)
        while left:
            t = left.pop()
            for attempt in range(20):
                try:
                    answer = await connection.send("POST", "/v1/checkout", t.form, [("Idempotency-Key", t.key)])
                except Lost as error:
                    answer = error
                    continue
                if answer.status not in UNAVAILABLE:
                    break
                await asyncio.sleep(0.25)
            if isinstance(answer, Lost) or (answer.status, answer.body, answer.headers.get("idempotency-replayed")) != (201, t.answer, "true"):
                wrong.append(f"{t.key} asked again: {answer!r}, first {t.answer!r}")
        connection.close()

    await asyncio.gather(*(ask() for _ in range(16)))
    return wrong
