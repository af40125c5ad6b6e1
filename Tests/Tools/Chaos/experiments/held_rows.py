"""Staff hold what guests want, a count, a coupon or a rejected order, in a transaction that they forget. Who wants it
is refused in time, whether they order or cancel. All others order as fast as before, whatever else of what is counted
they want. Everybody who listens is told once, and once that it is over."""

import asyncio
import json
import re
import statistics
import time

from experiment import outcome
from holding import Holder
from listening import Listener
from load import BURGER, FORM, Buyers
from processes import get
from shop import Shop
from web import Connection

NAME = "held-rows"
MUST_HOLD = "others keep 0.9 of their throughput, and none is refused; nobody waits for 2 s; told once"
IS_TIMED = True
LATEST = 2  # seconds until an answer
WANTING = 16  # guests who order it again and again
CANCELLING = 40  # guests who give it back, all at once
BOUND = 256  # jobs that a queue sets aside

# What is counted before, what staff do (with the number of an order), and what a guest orders who wants it.
CASES = {
    "a counted dish": ("insert into item_stock (menu_item_id, remaining) values (4001, 100000)", "update item_stock set remaining = 7 where menu_item_id = 4001",
                       {"menuItemId": 4001}, {}),
    "an option": ("insert into option_stock (option_id, remaining) values (1202, 100000)", "update option_stock set remaining = 7 where option_id = 1202",
                  {"menuItemId": 2004, "options": [{"optionId": 1202}]}, {}),
    "a coupon": ("select", "update coupons set title = title || '!' where key = 'RUSH'", {"menuItemId": 2004}, {"coupon": "rush"}),
    "a rejection": ("insert into item_stock (menu_item_id, per_day) values (4002, 100000)",
                    "do $$ begin perform advance_order('{order}', 'rejected', 'gone'); end $$",
                    {"menuItemId": 4002}, {}),
}

# What the others order meanwhile: nothing that is counted, and another dish, option and coupon that are.
OTHERS = [BURGER, {"dish": {"menuItemId": 2003}}, {"dish": {"menuItemId": 2004, "options": [{"optionId": 1203}]}}, {"dish": {"menuItemId": 2002}, "coupon": "calm"}]
COUNTED = """
    insert into item_stock (menu_item_id, remaining) values (2003, 1000000);
    insert into option_stock (option_id, remaining) values (1203, 1000000);
    insert into coupons (id, key, title, description, benefit, percent, redemption_limit) values (92, 'CALM', 'Calm', 'Five percent off.', 'percent', 5, 1000000);
"""


def run(scale):
    wrong, figures = [], []
    with Shop(scale, coupons=100000) as shop:
        shop.cluster.sql(COUNTED)
        for name, case in CASES.items():
            asyncio.run(hold(shop, name, *case, scale, wrong, figures))
    return outcome(wrong, "; ".join(figures))


async def hold(shop, name, before, change, dish, more, scale, wrong, figures):
    windows, seconds = scale.pick(8, 1), scale.pick(5, 3)
    port = shop.server.port
    shop.cluster.sql(before)
    wanting = [Wanting(port, f"{list(CASES).index(name):03}{n:04}", dish, more) for n in range(WANTING + CANCELLING)]
    await asyncio.gather(*(guest.fill() for guest in wanting))
    ordered = wanting[WANTING:]
    for guest in ordered:
        await guest.order()
    wrong += [f"{name}: an order before is answered {guest.answers[-1]}" for guest in ordered if guest.answers[-1][0] != 201]
    change = change.format(order=ordered[0].placed["number"])
    buyers = Buyers(port, 16, OTHERS)
    await buyers.start()
    await buyers.measure(seconds)
    free, held, slowest, aside = [], [], 0, 0
    with Listener(port, "/v1/errors/events") as errors:
        for _ in range(windows):
            free.append(await buyers.measure(seconds))
            staff = await asyncio.to_thread(Holder, shop.cluster.url, change)
            tasks = [asyncio.create_task(guest.orders()) for guest in wanting[:WANTING]] + [asyncio.create_task(guest.cancel()) for guest in ordered]
            held.append(await buyers.measure(seconds))
            aside = max(aside, sum(int(float(n)) for n in re.findall(rb"^welms_queue_aside\S* (\S+)$", get(port, "/metrics")[2], re.M)))
            for guest in wanting:
                guest.is_over = True
            await asyncio.gather(*tasks)
            await asyncio.to_thread(staff.release)
            slowest = max([slowest] + [time for times in held for time in times])
            end = time.monotonic() + 10
            while sum(event.name == "recovery" for event in told(errors)) < len(held) and time.monotonic() < end:
                await asyncio.sleep(0.05)
        said = [event.name for event in told(errors)]
    await buyers.stop()
    wrong += [f"{name}: {refused}" for refused in buyers.wrong]
    if said != ["fault", "recovery"] * windows:
        wrong.append(f"{name}: the error channel said {said}")
    answers = [answer for guest in wanting for answer in guest.answers if guest not in ordered or answer[0] != 201]
    for status, code, taken in answers:
        if (status, code) != (503, "being_changed"):
            wrong.append(f"{name}: who wants it hears {status} {code}")
        slowest = max(slowest, taken)
    if slowest > LATEST * scale.pick(1, 5):
        wrong.append(f"{name}: an answer after {slowest:.1f} s")
    if not 0 < aside <= 2 * BOUND:
        wrong.append(f"{name}: {aside} wait")
    kept = statistics.median(len(times) for times in held) / statistics.median(len(times) for times in free)
    if kept < scale.pick(0.9, 0.5):
        wrong.append(f"{name}: the others have {kept:.2f} of their throughput")
    figures.append(f"{name}: others keep {kept:.2f}, {len(answers)} × being_changed, at most {aside} wait, slowest {slowest:.2f} s")


def told(errors):
    return [event for event in errors.heard if event.data.get("subject") == "locked_rows"]


class Wanting:
    """A guest who has it in the basket."""

    def __init__(self, port, number, dish, more):
        self.client, self.number, self.dish, self.more, self.answers, self.is_over = Connection(port, timeout=30), number, dish, more, [], False

    async def fill(self):
        id = (await self.client.send("POST", "/v1/baskets")).json["id"]
        await self.client.send("POST", f"/v1/baskets/{id}/items", json.dumps(self.dish).encode())
        form = FORM | {"basketId": id, "phone": f"555{self.number}", "email": f"wanting{self.number}@example.com"} | self.more
        quote = (await self.client.send("POST", "/v1/checkout/validate", json.dumps(form).encode())).json["quote"]
        self.form = json.dumps(form | {"expectedTotal": quote["total"]}).encode()
        self.key = f"key of {id}"

    async def order(self):
        answer = await self.timed("POST", "/v1/checkout", self.form, [("Idempotency-Key", self.key)])
        if answer.status == 201:
            self.placed = answer.json

    async def orders(self):
        self.is_over = False
        while not self.is_over:
            await self.order()

    async def cancel(self):
        await self.timed("POST", f"/v1/orders/{self.placed['id']}/cancel", None, [("Authorization", f"Bearer {self.placed['accessToken']}")])

    async def timed(self, *request):
        begin = time.monotonic()
        answer = await self.client.send(*request)
        self.answers.append((answer.status, answer.code, time.monotonic() - begin))
        return answer
