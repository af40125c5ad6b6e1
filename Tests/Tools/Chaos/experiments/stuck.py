"""Statements that do not end: they wait for a lock, sleep, or stay uncommitted because the Sync of the server is
stalled.

Each case blocks some requests until they time out, while other guests send unrelated requests. Afterwards a second
session takes the lock that the blocked statement held or waited for.
"""

import asyncio
import json
import time

from experiment import outcome
from lock_holder import LockHolder
from load import ALLOWANCE, compare_latencies
from proxy import Fault, proxied
from web import Connection, ConnectionLost

NAME = "stuck"
EXPECTED = "503 within the timeout + 0.5 s; p99 of other requests ≤ 2×; the lock is released at once"
IS_TIMED = True
MARGIN = 0.5  # seconds after the timeout
FORM = {"name": "Ann Lee", "email": "ann@example.com", "address": "12 Elm Street, Springfield"}
OTHER_GUESTS = 16  # guests with unrelated requests
# A trigger simulates a slow function.
SLOW = """
    create function sleep_on_insert() returns trigger language plpgsql as $$
        begin perform pg_sleep(60); return new; end $$;
    create trigger slow before insert on orders for each row when (new.comment = 'slowly')
        execute function sleep_on_insert()"""


def run(scale):
    timeout = scale.pick(5, 1)
    problems, figures = [], []
    with proxied(scale, coupons=1000, arguments=["--database-timeout", str(timeout)]) as (shop, proxy):
        shop.cluster.sql(SLOW)
        asyncio.run(run_cases(shop, proxy, timeout, scale.pick(0, ALLOWANCE), problems, figures))
        problems += proxy.problems
    return outcome(problems, f"timeout {timeout} s: " + "; ".join(figures))


async def run_cases(shop, proxy, timeout, allowance, problems, figures):
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
        form = (
            FORM
            | {"phone": f"555{next(number):07}", "basketId": basket["id"], "expectedTotal": total}
            | ({"coupon": coupon} if coupon else {})
            | ({"comment": comment} if comment else {})
        )
        return "POST", "/v1/checkout", json.dumps(form).encode(), [("Idempotency-Key", f"key of {basket['id']}")]

    async def run_case(name, requests, block, probe, others=("basket", "menu", "validate")):
        """`hold` starts the blockage and returns a function that ends it. It blocks `requests`. `free` must succeed at
        once."""
        if name in skipped:
            return
        baseline, during = [], []
        client = OtherGuests(port, others)
        await client.start()
        await client.measure(baseline, timeout / 2)
        unblock = await asyncio.to_thread(block)
        blocked = [asyncio.create_task(send_timed(port, request, timeout + 5)) for request in requests]
        await client.measure(during, timeout)
        answers = await asyncio.gather(*blocked)
        # The statements that waited for the lock must have ended and released their own locks.
        await asyncio.to_thread(unblock)
        try:
            await asyncio.to_thread(shop.cluster.sql, f"begin; set lock_timeout = '1s'; {probe}; commit")
        except RuntimeError as error:
            problems.append(f"{name}: the lock is not released: {error}")
        proxy.clear()
        await client.measure(baseline, timeout / 2)
        await client.stop()
        slowest = max(seconds for _, seconds in answers)
        for answer, seconds in answers:
            if (
                isinstance(answer, ConnectionLost)
                or answer.status != 503
                or "retry-after" not in answer.headers
                or "problem+json" not in answer.headers["content-type"]
            ):
                problems.append(f"{name}: {answer!r} after {seconds:.1f} s")
        if slowest > timeout + MARGIN:
            problems.append(f"{name}: answered after {slowest:.2f} s")
        if client.unexpected:
            problems.append(f"{name}: other requests were answered {client.unexpected[:3]}")
        latency_problems = []
        figures.append(
            f"{name} {slowest:.2f} s, other requests'"
            f" {compare_latencies(latency_problems, baseline, during, 2, parts=(0.99,), allowance=allowance)}, longest"
            f" {max(during):.2f} s"
        )
        problems.extend(f"{name}: other requests' {words}" for words in latency_problems)
        # The blockage is over, so the rejected requests must succeed.
        for request in requests:
            answer = await retry(port, request)
            if answer.status not in (200, 201):
                problems.append(f"{name}: the retry was answered {answer!r}")

    def holder(statement):
        return lambda: LockHolder(shop.cluster.url, statement).release

    def sync_of(statement):
        def block():
            fault = proxy.add(Fault("stall", amount=1, matches=lambda group: statement in group.statements))
            return lambda: None if fault.occurred.wait(1) else problems.append(f"{statement} was not called")
        return block

    baskets = [await basket() for _ in range(4)]
    add = [("POST", f"/v1/baskets/{b['id']}/items", b'{"menuItemId": 2003, "quantity": 1}') for b in baskets]
    ids = ", ".join(f"'{b['id']}'" for b in baskets)
    await run_case("basket row", add[:1], holder(f"select from baskets where id = '{baskets[0]['id']}' for update"),
               f"select from baskets where id = '{baskets[0]['id']}' for update")
    coupon_row = (
        "select from coupon_redemptions join coupons on id = coupon_id where key = 'RUSH' for update of"
        " coupon_redemptions"
    )
    coupons = [checkout(await basket(), "RUSH") for _ in range(3)]
    await run_case("coupon row", coupons, holder(coupon_row), coupon_row,
               ("basket", "menu", "validate", "change"))
    # The creation of a basket is not blocked, because an empty basket needs no menu.
    await run_case(
        "menu table",
        [("GET", f"/v1/baskets/{baskets[0]['id']}"), checkout(await basket()), add[1]],
        holder("lock table menu_revision in access exclusive mode"),
        "lock table menu_revision in access exclusive mode",
        ("menu",),
    )
    await run_case(
        "asleep",
        [checkout(await basket(), comment="slowly")],
        lambda: lambda: shop.cluster.sql("drop trigger slow on orders"),
        "lock table orders in access exclusive mode",
        ("basket", "menu", "validate", "change"),
    )
    await run_case("stalled before its Sync", [checkout(await basket(), "RUSH")], sync_of("place_orders"), coupon_row,
               ("basket", "menu", "validate", "change"))


class OtherGuests:
    """Guests with unrelated requests, each with a separate basket."""

    def __init__(self, port, kinds):
        self.port, self.kinds, self.times, self.unexpected, self.is_over = port, kinds, [], [], False

    async def start(self):
        self.tasks = [asyncio.create_task(self.guest(n)) for n in range(OTHER_GUESTS)]

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
                    self.unexpected.append(answer)
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


async def send_timed(port, request, limit):
    client, begin = Connection(port, limit), time.monotonic()
    try:
        answer = await client.send(*request)
    except ConnectionLost as error:
        answer = error
    client.close()
    return answer, time.monotonic() - begin


async def retry(port, request):
    for _ in range(10):
        answer, _ = await send_timed(port, request, 10)
        if not isinstance(answer, ConnectionLost) and answer.status != 503:
            break
        await asyncio.sleep(0.3)
    return answer
