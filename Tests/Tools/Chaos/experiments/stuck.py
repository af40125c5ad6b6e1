"""Statements that don't end: behind a lock of somebody else's, asleep, or finished and never committed because the server's Sync got stuck.

Each case holds something up for as long as it takes, while others ask for what has nothing to do with it. Afterwards a second session asks for
the lock that the stuck statement had, or would have had.
"""

import asyncio
import json
import time

from experiment import outcome
from holding import Holder
from load import ALLOWANCE, bounded
from proxy import Fault, proxied
from web import Connection, Lost

NAME = "stuck"
MUST_HOLD = "503 within the timeout + 0.5 s; other routes' p99 ≤ 2×; the lock is free at once"
IS_TIMED = True
LATE = 0.5  # seconds after the timeout
FORM = {"name": "Ann Lee", "email": "ann@example.com", "address": "12 Elm Street, Springfield"}
OTHERS = 16  # guests who have nothing to do with it
# A trigger stands for a function that has become slow.
SLOW = """create function sleep_on_it() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return new; end $$;
    create trigger slow before insert on orders for each row when (new.comment = 'slowly') execute function sleep_on_it()"""


def run(scale):
    timeout = scale.pick(5, 1)
    wrong, figures = [], []
    with proxied(scale, coupons=1000, arguments=["--database-timeout", str(timeout)]) as (shop, proxy):
        shop.cluster.sql(SLOW)
        asyncio.run(cases(shop, proxy, timeout, scale.pick(0, ALLOWANCE), wrong, figures))
        wrong += proxy.wrong
    return outcome(wrong, f"timeout {timeout} s: " + "; ".join(figures))


async def cases(shop, proxy, timeout, allowance, wrong, figures):
    port, number = shop.server.port, iter(range(1, 1000))
    skipped = () if timeout > 1 else ("menu table", "asleep")

    async def basket():
        client = Connection(port)
        id = (await client.send("POST", "/v1/baskets")).json["id"]
        basket = (await client.send("POST", f"/v1/baskets/{id}/items", b'{"menuItemId": 2001, "quantity": 1}')).json
        client.close()
        return basket

    def checkout(basket, coupon=None, comment=None):
        total = (basket["total"] * 90 * 2 + 100) // 200 if coupon else basket["total"]
        form = FORM | {"phone": f"555{next(number):07}", "basketId": basket["id"], "expectedTotal": total} | ({"coupon": coupon} if coupon else {}) | ({"comment": comment} if comment else {})
        return "POST", "/v1/checkout", json.dumps(form).encode(), [("Idempotency-Key", f"key of {basket['id']}")]

    async def case(name, requests, hold, free, others=("basket", "menu", "validate")):
        """`hold` begins it and returns what ends it; `requests` get stuck; `free` is a statement that a second session does at once."""
        if name in skipped:
            return
        alone, during = [], []
        client = Others(port, others)
        await client.start()
        await client.measure(alone, timeout / 2)
        end = await asyncio.to_thread(hold)
        stuck = [asyncio.create_task(timed(port, request, timeout + 5)) for request in requests]
        await client.measure(during, timeout)
        answers = await asyncio.gather(*stuck)
        # Whoever waited for the lock waits no more, and holds nothing that it had got.
        await asyncio.to_thread(end)
        try:
            await asyncio.to_thread(shop.cluster.sql, f"begin; set lock_timeout = '1s'; {free}; commit")
        except RuntimeError as error:
            wrong.append(f"{name}: the lock is not free: {error}")
        proxy.clear()
        await client.measure(alone, timeout / 2)
        await client.stop()
        slowest = max(seconds for _, seconds in answers)
        for answer, seconds in answers:
            if isinstance(answer, Lost) or answer.status != 503 or "retry-after" not in answer.headers or "problem+json" not in answer.headers["content-type"]:
                wrong.append(f"{name}: {answer!r} after {seconds:.1f} s")
        if slowest > timeout + LATE:
            wrong.append(f"{name}: answered after {slowest:.2f} s")
        if client.refused:
            wrong.append(f"{name}: others were answered {client.refused[:3]}")
        slower = []
        figures.append(f"{name} {slowest:.2f} s, others' {bounded(slower, alone, during, 2, parts=(0.99,), allowance=allowance)}, longest {max(during):.2f} s")
        wrong.extend(f"{name}: others' {words}" for words in slower)
        # All is as it was: what was refused comes through now.
        for request in requests:
            answer = await retried(port, request)
            if answer.status not in (200, 201):
                wrong.append(f"{name}: asked again, {answer!r}")

    def holder(statement):
        return lambda: Holder(shop.cluster.url, statement).release

    def sync_of(statement):
        def hold():
            fault = proxy.add(Fault("stall", amount=1, matches=lambda group: group.statement == statement))
            return lambda: None if fault.happened.wait(1) else wrong.append(f"{statement} did not come by")
        return hold

    baskets = [await basket() for _ in range(4)]
    add = [("POST", f"/v1/baskets/{b['id']}/items", b'{"menuItemId": 2003, "quantity": 1}') for b in baskets]
    ids = ", ".join(f"'{b['id']}'" for b in baskets)
    await case("basket row", add[:1], holder(f"select from baskets where id = '{baskets[0]['id']}' for update"),
               f"select from baskets where id = '{baskets[0]['id']}' for update")
    coupon_row = "select from coupon_redemptions join coupons on id = coupon_id where key = 'RUSH' for update of coupon_redemptions"
    coupons = [checkout(await basket(), "RUSH") for _ in range(3)]
    await case("coupon row", coupons, holder(coupon_row), coupon_row,
               ("basket", "menu", "validate", "change"))
    # A new basket is not among them: what is empty costs the same by every menu.
    await case("menu table", [("GET", f"/v1/baskets/{baskets[0]['id']}"), checkout(await basket()), add[1]],
               holder("lock table menu_revision in access exclusive mode"), "lock table menu_revision in access exclusive mode", ("menu",))
    await case("asleep", [checkout(await basket(), comment="slowly")], lambda: lambda: shop.cluster.sql("drop trigger slow on orders"),
               "lock table orders in access exclusive mode", ("basket", "menu", "validate", "change"))
    await case("stalled before its Sync", [checkout(await basket(), "RUSH")], sync_of("place_orders"), coupon_row,
               ("basket", "menu", "validate", "change"))


class Others:
    """Guests who go on with what nobody holds up, each with a basket of their own."""

    def __init__(self, port, kinds):
        self.port, self.kinds, self.times, self.refused, self.is_over = port, kinds, [], [], False

    async def start(self):
        self.tasks = [asyncio.create_task(self.guest(n)) for n in range(OTHERS)]

    async def guest(self, n):
        client = Connection(self.port, 20)
        basket = (await client.send("POST", "/v1/baskets")).json["id"]
        requests = {
            "basket": ("GET", f"/v1/baskets/{basket}"),
            "menu": ("GET", "/v1/menu?category=200"),
            "validate": ("POST", "/v1/checkout/validate", json.dumps({"basketId": basket}).encode()),
            "change": ("POST", f"/v1/baskets/{basket}/items", b'{"menuItemId": 2001, "quantity": 1}'),
            "take away": ("DELETE", f"/v1/baskets/{basket}/items"),
        }
        while not self.is_over:
            for kind in self.kinds + (("take away",) if "change" in self.kinds else ()):
                begin = time.monotonic()
                answer = await client.send(*requests[kind])
                self.times.append(time.monotonic() - begin)
                if answer.status != 200:
                    self.refused.append(answer)
                await asyncio.sleep(0.01)
        client.close()

    async def measure(self, times, seconds):
        await asyncio.sleep(0.3)
        self.times = []
        await asyncio.sleep(seconds)
        times += self.times

    async def stop(self):
        self.is_over = True
        await asyncio.gather(*self.tasks)


async def timed(port, request, limit):
    client, begin = Connection(port, limit), time.monotonic()
    try:
        answer = await client.send(*request)
    except Lost as error:
        answer = error
    client.close()
    return answer, time.monotonic() - begin


async def retried(port, request):
    for _ in range(10):
        answer, _ = await timed(port, request, 10)
        if not isinstance(answer, Lost) and answer.status != 503:
            break
        await asyncio.sleep(0.3)
    return answer

