"""Guests who place one order after the other, and retry each unanswered request with the same key until it is answered.

They behave as storefronts do while servers and databases are killed. They record each acknowledged order, and
consistency.py compares these with the database. Half of the orders use a coupon: one has a total limit, the other a
limit per guest. Some orders are sent twice at once, some baskets are ordered from two tabs with a key each, and some
orders are cancelled.

The guests run in a separate thread, so that an experiment reads as a sequence:

    with Guests([server.port], scale.random) as guests:
        guests.wait_for(100)            waits until 100 more orders are acknowledged
        server.stop(signal.SIGKILL)
        server.start()
        guests.finish()                 each guest completes the current order; fails if a guest is stuck
        problems = consistency.check(guests.acknowledged, url, server.port)
"""

import asyncio
import collections
import dataclasses
import json
import random
import threading
import time

from web import Connection, ConnectionLost

# The total limit of RUSH is lower than the number of requests. Each guest may use ONCE once.
COUPONS = """
    insert into coupons (id, key, title, description, benefit, percent, redemption_limit, guest_limit) values
        (90, 'RUSH', 'Rush', 'Ten percent off.', 'percent', 10, %d, null),
        (91, 'ONCE', 'Once', 'Twenty percent off, once.', 'percent', 20, null, 1)
    on conflict do nothing;
"""
PERCENT = {"rush": 10, "once": 20}
CONFLICTING_ANSWERS = "conflicting answers for the basket"
BASKET_LOST = "a basket was lost"
# 503 comes from the server; 502, 503 and 504 come from a proxy whose server failed, is missing or is too slow.
UNAVAILABLE = (502, 503, 504)
COUPON_REJECTIONS = {"coupon_exhausted", "coupon_already_used"}


@dataclasses.dataclass
class AcknowledgedOrder:
    """An order whose checkout was answered 201."""
    form: bytes
    key: str
    answer: bytes
    order: dict
    is_cancelled: bool = False


class BasketGone(Exception):
    """The server no longer has the basket, or its lines."""


class Guests:
    def __init__(self, ports, chance, count=64, pause=0, cancelling=0.1, are_overtaken=False, slots=()):
        """`pause`: the longest time between two orders of a guest, in seconds. `cancelling`: the share of orders
        that are cancelled. `are_overtaken`: staff advance orders meanwhile, so that the server rejects some
        cancellations. `slots`: a third of the orders are for one of these times."""
        self.ports, self.pause, self.cancelling, self.are_overtaken = list(ports), pause, cancelling, are_overtaken
        self.slots = slots
        self.seeds = [chance.getrandbits(64) for _ in range(count)]
        self.acknowledged, self.surprises, self.statuses = [], [], collections.Counter()
        self.lost_requests = 0
        self.durations = []  # the times until a guest knew the result of a checkout, in seconds
        self.is_over = False
        self.thread = threading.Thread(target=lambda: asyncio.run(self.run()), daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over = True
        self.thread.join(0 if self.thread.is_alive() else None)

    @property
    def longest(self):
        return max(self.durations, default=0)

    def wait_for(self, more, within=60):
        goal, end = len(self.acknowledged) + more, time.monotonic() + within
        while len(self.acknowledged) < goal:
            if time.monotonic() > end or not self.thread.is_alive():
                raise RuntimeError(
                    f"{goal - len(self.acknowledged)} of {more} orders are not acknowledged after {within} s:"
                    f" {self.statuses}, {self.surprises[:3]}"
                )
            time.sleep(0.002)

    def finish(self, within=60):
        """Lets each guest complete the current order. Raises an error if a guest has no answer in time."""
        self.is_over = True
        self.thread.join(within)
        if self.thread.is_alive():
            raise RuntimeError(f"a guest is stuck: no answer within {within} s, {self.statuses}, {self.surprises[:3]}")

    # The methods below run in the thread of the guests.

    async def run(self):
        async with asyncio.TaskGroup() as group:
            for n, seed in enumerate(self.seeds):
                group.create_task(self.guest(n, random.Random(seed)))

    async def guest(self, n, chance):
        connections = [Connection(port) for port in self.ports]
        while not self.is_over:
            try:
                await self.order(n, chance, connections)
            except BasketGone:
                self.surprises.append(f"{BASKET_LOST} of guest {n}")
            await asyncio.sleep(chance.random() * self.pause)
        for connection in connections:
            connection.close()

    async def send_until_answered(self, connections, chance, *request):
        """Retries a request at any of the servers until it is answered."""
        while True:
            try:
                answer = await chance.choice(connections).send(*request)
                self.statuses[answer.status] += 1
                if answer.status not in UNAVAILABLE:
                    return answer
                if "retry-after" not in answer.headers:
                    self.surprises.append(f"no Retry-After: {answer}")
            except ConnectionLost:
                self.lost_requests += 1
            # A storefront would wait for Retry-After. These guests retry sooner, to keep up the load.
            await asyncio.sleep(0.02 + chance.random() * 0.1)

    async def order(self, n, chance, connections):
        basket = (await self.send_until_answered(connections, chance, "POST", "/v1/baskets")).json
        path = f"/v1/baskets/{basket['id']}"
        for item, quantity in ((2001, 1 + chance.randrange(3)), (2003, 1)):
            answer = await self.send_until_answered(
                connections,
                chance,
                "POST",
                f"{path}/items",
                json.dumps({"menuItemId": item, "quantity": quantity}).encode(),
            )
            if answer.status == 404:
                raise BasketGone
            if answer.status != 200:
                return self.surprises.append(f"adding an item: {answer}")
        if chance.random() < 0.3:
            answer = await self.send_until_answered(
                connections, chance, "POST", f"{path}/sales", b'{"salesGroupId": 400}'
            )
            if answer.status == 409:  # an earlier attempt succeeded
                answer = await self.send_until_answered(connections, chance, "GET", path)
        if answer.status == 404:
            raise BasketGone
        basket = answer.json

        coupon = chance.choice(("rush", "once", None, None))
        slot = chance.choice(self.slots) if self.slots and chance.random() < 1 / 3 else None
        begin, kind = time.monotonic(), chance.random()
        if kind < 0.05:  # two tabs
            tabs = [Tab(self, n, chance, basket, coupon, f"tab {tab} of {basket['id']}", slot) for tab in (1, 2)]
        elif kind < 0.15:  # a double click
            tabs = [Tab(self, n, chance, basket, coupon, f"key of {basket['id']}", slot)] * 2
        else:
            tabs = [Tab(self, n, chance, basket, coupon, f"key of {basket['id']}", slot)]
        others = [[Connection(port) for port in self.ports] for _ in tabs[1:]]
        results = await asyncio.gather(*(tab.order(c) for tab, c in zip(tabs, [connections, *others])))
        for connection in (c for group in others for c in group):
            connection.close()
        self.durations.append(time.monotonic() - begin)
        orders = [r for r in results if isinstance(r, AcknowledgedOrder)]
        rejections = [r for r in results if r is not None and not isinstance(r, AcknowledgedOrder)]
        answers = {(o.key, o.answer): o for o in orders}
        if len(answers) != 1 or any(id != basket["id"] for id in rejections):
            self.acknowledged += answers.values()
            return self.surprises.append(f"{CONFLICTING_ANSWERS} {basket['id']}: {sorted(answers)} {rejections}")
        order = orders[0]
        self.acknowledged.append(order)
        if chance.random() < self.cancelling:
            answer = await self.send_until_answered(
                connections,
                chance,
                "POST",
                f"/v1/orders/{basket['id']}/cancel",
                None,
                [("Authorization", f"Bearer {order.order['accessToken']}")],
            )
            order.is_cancelled = answer.status == 200
            if answer.status == 404:
                raise BasketGone
            if answer.status != 200 and not (self.are_overtaken and answer.status == 409):
                self.surprises.append(f"cancel: {answer}")


class Tab:
    """A checkout form with its idempotency key, as in one browser tab."""

    def __init__(self, guests, n, chance, basket, coupon, key, slot=None):
        self.guests, self.n, self.chance, self.basket, self.coupon, self.key = guests, n, chance, basket, coupon, key
        self.total, self.slot, self.sent = basket["total"], slot, []

    def form(self):
        percent = PERCENT.get(self.coupon, 0)
        # Each basket has its own email address, because an address receives at most five mails an hour.
        email = f"guest{self.n}.{self.basket['id'][-12:]}@example.com"
        form = {
            "basketId": self.basket["id"],
            "name": f"Guest {chr(65 + self.n % 26)}",
            "phone": f"555{self.n:07}",
            "email": email,
            "address": "12 Elm Street, Springfield",
            "expectedTotal": (self.total * (100 - percent) * 2 + 100) // 200,
        }
        optional = {"coupon": self.coupon, "wantedAt": self.slot}
        return json.dumps(form | {name: value for name, value in optional.items() if value}).encode()

    async def order(self, connections):
        """Returns the order, or the id of the order that another tab placed, or None after an unexpected answer."""
        while True:
            form = self.form()
            if form not in self.sent:
                self.sent.append(form)
            answer = await self.send(connections, form)
            problem = answer.json
            code = problem.get("code")
            # The server stored an earlier form with this key: send the earlier ones again.
            for form in self.sent if code == "idempotency_key_reused" else []:
                answer = await self.send(connections, form)
                if answer.status == 201:
                    break
            if answer.status == 201:
                return AcknowledgedOrder(form, self.key, answer.body, answer.json)
            if code == "basket_already_ordered":
                return problem["orderId"]
            if code == "validation_failed" and {e["code"] for e in problem["errors"]} <= COUPON_REJECTIONS:
                self.coupon = None
            elif code == "price_changed":  # the server made an addition whose answer was lost
                self.total = problem["quote"]["subtotal"]
            elif (
                code == "basket_not_found"
                or code == "validation_failed"
                and {e["code"] for e in problem["errors"]} == {"basket_empty"}
            ):
                raise BasketGone
            else:
                self.guests.surprises.append(f"checkout: {answer}")
                return None

    async def send(self, connections, form):
        return await self.guests.send_until_answered(
            connections, self.chance, "POST", "/v1/checkout", form, [("Idempotency-Key", self.key)]
        )
