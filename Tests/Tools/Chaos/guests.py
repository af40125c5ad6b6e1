"""Guests who order one basket after the other, and repeat what was not answered, with the same key, until they know what became of it.

They are what storefronts do while servers and databases die under them. What they were told is kept: exactness.py compares it with
the database. Half of the orders ask for a coupon (one with a limit in all, one with a limit per guest), some are sent twice at
once, some baskets are ordered from two tabs with a key each, and some orders are cancelled.

They run in a thread of their own, so that an experiment is written from top to bottom:

    with Guests([server.port], scale.random) as guests:
        guests.wait_for(100)            so many more orders were acknowledged
        server.stop(signal.SIGKILL)
        server.start()
        guests.finish()                 everybody ends the order they are at, and is not stuck
        held = exactness.check(guests.told, url, server.port)
"""

import asyncio
import collections
import dataclasses
import json
import random
import threading
import time

from web import Connection, Lost

# Fewer RUSH than are asked for, and one ONCE for each guest.
COUPONS = """
    insert into coupons (id, key, title, description, benefit, percent, redemption_limit, guest_limit) values
        (90, 'RUSH', 'Rush', 'Ten percent off.', 'percent', 10, %d, null), (91, 'ONCE', 'Once', 'Twenty percent off, once.', 'percent', 20, null, 1)
    on conflict do nothing;
"""
PERCENT = {"rush": 10, "once": 20}
CONTRADICTION = "not one answer for the basket"
LOST = "a basket was lost"
# The server's own, and a proxy's before it: where its server broke off, where it has none, and where that is too slow.
UNAVAILABLE = (502, 503, 504)
REFUSED_COUPON = {"coupon_exhausted", "coupon_already_used"}


@dataclasses.dataclass
class Told:
    """An order that a guest was told of."""
    form: bytes
    key: str
    answer: bytes
    order: dict
    is_cancelled: bool = False


class Gone(Exception):
    """The basket isn't known any more, or what was put into it."""


class Guests:
    def __init__(self, ports, chance, count=64, pause=0, cancelling=0.1, are_overtaken=False):
        """`pause`: seconds between two orders of a guest, at most. `cancelling`: which part of the orders is cancelled. `are_overtaken`: staff move
        orders on meanwhile, so that some can't be cancelled any more."""
        self.ports, self.pause, self.cancelling, self.are_overtaken = list(ports), pause, cancelling, are_overtaken
        self.seeds = [chance.getrandbits(64) for _ in range(count)]
        self.told, self.surprises, self.statuses = [], [], collections.Counter()
        self.lost_requests = 0
        self.longest = 0.0  # seconds until a guest knew what became of an order
        self.is_over = False
        self.thread = threading.Thread(target=lambda: asyncio.run(self.run()), daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over = True
        self.thread.join(0 if self.thread.is_alive() else None)

    def wait_for(self, more, within=60):
        goal, end = len(self.told) + more, time.monotonic() + within
        while len(self.told) < goal:
            if time.monotonic() > end or not self.thread.is_alive():
                raise RuntimeError(f"{goal - len(self.told)} of {more} orders are not acknowledged after {within} s: {self.statuses}, {self.surprises[:3]}")
            time.sleep(0.002)

    def finish(self, within=60):
        """Everybody ends the order that they are at; who doesn't is stuck."""
        self.is_over = True
        self.thread.join(within)
        if self.thread.is_alive():
            raise RuntimeError(f"somebody is stuck: no answer within {within} s, {self.statuses}, {self.surprises[:3]}")

    # In the thread.

    async def run(self):
        async with asyncio.TaskGroup() as group:
            for n, seed in enumerate(self.seeds):
                group.create_task(self.guest(n, random.Random(seed)))

    async def guest(self, n, chance):
        connections = [Connection(port) for port in self.ports]
        while not self.is_over:
            try:
                await self.order(n, chance, connections)
            except Gone:
                self.surprises.append(f"{LOST} of guest {n}")
            await asyncio.sleep(chance.random() * self.pause)
        for connection in connections:
            connection.close()

    async def sure(self, connections, chance, *request):
        """Repeats a request until it is answered, at any of the servers."""
        while True:
            try:
                answer = await chance.choice(connections).send(*request)
                self.statuses[answer.status] += 1
                if answer.status not in UNAVAILABLE:
                    return answer
                if "retry-after" not in answer.headers:
                    self.surprises.append(f"no Retry-After: {answer}")
            except Lost:
                self.lost_requests += 1
            # A storefront would wait as long as Retry-After says; these are more of a nuisance.
            await asyncio.sleep(0.02 + chance.random() * 0.1)

    async def order(self, n, chance, connections):
        basket = (await self.sure(connections, chance, "POST", "/v1/baskets")).json
        path = f"/v1/baskets/{basket['id']}"
        for item, quantity in ((2001, 1 + chance.randrange(3)), (2003, 1)):
            answer = await self.sure(connections, chance, "POST", f"{path}/items", json.dumps({"menuItemId": item, "quantity": quantity}).encode())
            if answer.status == 404:
                raise Gone
            if answer.status != 200:
                return self.surprises.append(f"add: {answer}")
        if chance.random() < 0.3:
            answer = await self.sure(connections, chance, "POST", f"{path}/sales", b'{"salesGroupId": 400}')
            if answer.status == 409:  # the first attempt came through
                answer = await self.sure(connections, chance, "GET", path)
        if answer.status == 404:
            raise Gone
        basket = answer.json

        coupon = chance.choice(("rush", "once", None, None))
        begin, kind = time.monotonic(), chance.random()
        if kind < 0.05:  # two tabs
            tabs = [Tab(self, n, chance, basket, coupon, f"tab {tab} of {basket['id']}") for tab in (1, 2)]
        elif kind < 0.15:  # a double click
            tabs = [Tab(self, n, chance, basket, coupon, f"key of {basket['id']}")] * 2
        else:
            tabs = [Tab(self, n, chance, basket, coupon, f"key of {basket['id']}")]
        others = [[Connection(port) for port in self.ports] for _ in tabs[1:]]
        results = await asyncio.gather(*(tab.order(c) for tab, c in zip(tabs, [connections, *others])))
        for connection in (c for some in others for c in some):
            connection.close()
        self.longest = max(self.longest, time.monotonic() - begin)
        told = [r for r in results if isinstance(r, Told)]
        refused = [r for r in results if r is not None and not isinstance(r, Told)]
        answers = {(t.key, t.answer): t for t in told}
        if len(answers) != 1 or any(id != basket["id"] for id in refused):
            self.told += answers.values()
            return self.surprises.append(f"{CONTRADICTION} {basket['id']}: {sorted(answers)} {refused}")
        told = told[0]
        self.told.append(told)
        if chance.random() < self.cancelling:
            answer = await self.sure(connections, chance, "POST", f"/v1/orders/{basket['id']}/cancel", None, [("Authorization", f"Bearer {told.order['accessToken']}")])
            told.is_cancelled = answer.status == 200
            if answer.status == 404:
                raise Gone
            if answer.status != 200 and not (self.are_overtaken and answer.status == 409):
                self.surprises.append(f"cancel: {answer}")


class Tab:
    """A checkout form with its key."""

    def __init__(self, guests, n, chance, basket, coupon, key):
        self.guests, self.n, self.chance, self.basket, self.coupon, self.key = guests, n, chance, basket, coupon, key
        self.total, self.sent = basket["total"], []

    def form(self):
        percent = PERCENT.get(self.coupon, 0)
        # An address for each basket, because one address gets five mails an hour at most.
        email = f"guest{self.n}.{self.basket['id'][-12:]}@example.com"
        form = {"basketId": self.basket["id"], "name": f"Guest {chr(65 + self.n % 26)}", "phone": f"555{self.n:07}", "email": email,
                "address": "12 Elm Street, Springfield", "expectedTotal": (self.total * (100 - percent) * 2 + 100) // 200}
        return json.dumps(form | ({"coupon": self.coupon} if self.coupon else {})).encode()

    async def order(self, connections):
        """The order; or the id of the one that this basket became from another tab; or None after a surprise."""
        while True:
            form = self.form()
            if form not in self.sent:
                self.sent.append(form)
            answer = await self.ask(connections, form)
            problem = answer.json
            code = problem.get("code")
            # An earlier form with this key was the one that came through.
            for form in self.sent if code == "idempotency_key_reused" else []:
                answer = await self.ask(connections, form)
                if answer.status == 201:
                    break
            if answer.status == 201:
                return Told(form, self.key, answer.body, answer.json)
            if code == "basket_already_ordered":
                return problem["orderId"]
            if code == "validation_failed" and {e["code"] for e in problem["errors"]} <= REFUSED_COUPON:
                self.coupon = None
            elif code == "price_changed":  # an addition whose answer was lost came through
                self.total = problem["quote"]["subtotal"]
            elif code == "basket_not_found" or code == "validation_failed" and {e["code"] for e in problem["errors"]} == {"basket_empty"}:
                raise Gone
            else:
                self.guests.surprises.append(f"checkout: {answer}")
                return None

    async def ask(self, connections, form):
        return await self.guests.sure(connections, self.chance, "POST", "/v1/checkout", form, [("Idempotency-Key", self.key)])
