"""Staff lock rows in a transaction that stays open: a stock count, a coupon, or the rows of a rejected order. Guests
who need these rows to order or to cancel get an error in time. All other guests order as fast as before, also those who
need other counted rows. The error channel reports one fault and one recovery."""

import asyncio
import json
import re
import statistics
import time

from experiment import outcome
from lock_holder import LockHolder
from event_listener import EventListener
from load import BURGER, FORM, Buyers
from processes import get
from shop import Shop
from web import Connection

NAME = "held-rows"
EXPECTED = "other guests keep 0.9 of their throughput without errors; no answer after 2 s; one fault and one recovery"
IS_TIMED = True
ANSWER_LIMIT = 2  # seconds until an answer
ORDERING = 16  # guests who repeatedly order the locked item
CANCELLING = 40  # guests who cancel an order of it at the same time
ASIDE_LIMIT = 256  # suspect jobs that a queue sets aside

# For each case: SQL that prepares it, the change by staff (with the number of an order), and the dish and the form
# fields that need the locked row.
CASES = {
    "a counted dish": (
        "insert into item_stock (menu_item_id, remaining) values (4001, 100000)",
        "update item_stock set remaining = 7 where menu_item_id = 4001",
        {"menuItemId": 4001},
        {},
    ),
    "an option": (
        "insert into option_stock (option_id, remaining) values (1202, 100000)",
        "update option_stock set remaining = 7 where option_id = 1202",
        {"menuItemId": 2004, "options": [{"optionId": 1202}]},
        {},
    ),
    "a coupon": (
        "select",
        "update coupons set title = title || '!' where key = 'RUSH'",
        {"menuItemId": 2004},
        {"coupon": "rush"},
    ),
    "a rejection": (
        "insert into item_stock (menu_item_id, per_day) values (4002, 100000)",
        "do $$ begin perform advance_order('{order}', 'rejected', 'gone'); end $$",
        {"menuItemId": 4002},
        {},
    ),
}

# The orders of the other guests: an uncounted dish, and another counted dish, option and limited coupon.
OTHERS = [
    BURGER,
    {"dish": {"menuItemId": 2003}},
    {"dish": {"menuItemId": 2004, "options": [{"optionId": 1203}]}},
    {"dish": {"menuItemId": 2002}, "coupon": "calm"},
]
COUNTED = """
    insert into item_stock (menu_item_id, remaining) values (2003, 1000000);
    insert into option_stock (option_id, remaining) values (1203, 1000000);
    insert into coupons (id, key, title, description, benefit, percent, redemption_limit)
    values (92, 'CALM', 'Calm', 'Five percent off.', 'percent', 5, 1000000);
"""


def run(scale):
    problems, figures = [], []
    with Shop(scale, coupons=100000) as shop:
        shop.cluster.sql(COUNTED)
        for name, case in CASES.items():
            asyncio.run(run_case(shop, name, *case, scale, problems, figures))
    return outcome(problems, "; ".join(figures))


async def run_case(shop, name, setup, change, dish, fields, scale, problems, figures):
    windows, seconds = scale.pick(8, 1), scale.pick(5, 3)
    port = shop.server.port
    shop.cluster.sql(setup)
    affected = [
        AffectedGuest(port, f"{list(CASES).index(name):03}{n:04}", dish, fields) for n in range(ORDERING + CANCELLING)
    ]
    await asyncio.gather(*(guest.fill_basket() for guest in affected))
    ordered = affected[ORDERING:]
    for guest in ordered:
        await guest.order()
    problems += [
        f"{name}: an order before the lock is answered {guest.answers[-1]}"
        for guest in ordered
        if guest.answers[-1][0] != 201
    ]
    change = change.format(order=ordered[0].placed["number"])
    buyers = Buyers(port, 16, OTHERS)
    await buyers.start()
    await buyers.measure(seconds)
    before_lock, during_lock, slowest, aside = [], [], 0, 0
    with EventListener(port, "/v1/errors/events") as errors:
        for _ in range(windows):
            before_lock.append(await buyers.measure(seconds))
            staff = await asyncio.to_thread(LockHolder, shop.cluster.url, change)
            tasks = [asyncio.create_task(guest.order_repeatedly()) for guest in affected[:ORDERING]] + [
                asyncio.create_task(guest.cancel()) for guest in ordered
            ]
            during_lock.append(await buyers.measure(seconds))
            aside = max(
                aside,
                sum(
                    int(float(n)) for n in re.findall(rb"^welms_queue_aside\S* (\S+)$", get(port, "/metrics")[2], re.M)
                ),
            )
            for guest in affected:
                guest.is_over = True
            await asyncio.gather(*tasks)
            await asyncio.to_thread(staff.release)
            slowest = max([slowest] + [time for times in during_lock for time in times])
            end = time.monotonic() + 10
            while (
                sum(event.name == "recovery" for event in lock_events(errors)) < len(during_lock)
                and time.monotonic() < end
            ):
                await asyncio.sleep(0.05)
        events = [event.name for event in lock_events(errors)]
    await buyers.stop()
    problems += [f"{name}: {problem}" for problem in buyers.problems]
    if events != ["fault", "recovery"] * windows:
        problems.append(f"{name}: the error channel reported {events}")
    answers = [answer for guest in affected for answer in guest.answers if guest not in ordered or answer[0] != 201]
    for status, code, taken in answers:
        if (status, code) != (503, "being_changed"):
            problems.append(f"{name}: a guest who needs the row is answered {status} {code}")
        slowest = max(slowest, taken)
    if slowest > ANSWER_LIMIT * scale.pick(1, 5):
        problems.append(f"{name}: an answer after {slowest:.1f} s")
    if not 0 < aside <= 2 * ASIDE_LIMIT:
        problems.append(f"{name}: {aside} jobs are set aside")
    throughput = statistics.median(len(times) for times in during_lock) / statistics.median(
        len(times) for times in before_lock
    )
    if throughput < scale.pick(0.9, 0.5):
        problems.append(f"{name}: the other guests keep {throughput:.2f} of their throughput")
    figures.append(
        f"{name}: other guests keep {throughput:.2f}, {len(answers)} × being_changed, at most {aside} set aside,"
        f" slowest {slowest:.2f} s"
    )


def lock_events(errors):
    return [event for event in errors.events if event.data.get("subject") == "locked_rows"]


class AffectedGuest:
    """A guest whose basket needs the locked row."""

    def __init__(self, port, number, dish, fields):
        self.client, self.number, self.dish, self.fields, self.answers, self.is_over = (
            Connection(port, timeout=30),
            number,
            dish,
            fields,
            [],
            False,
        )

    async def fill_basket(self):
        id = (await self.client.send("POST", "/v1/baskets")).json["id"]
        await self.client.send("POST", f"/v1/baskets/{id}/items", json.dumps(self.dish).encode())
        form = (
            FORM
            | {"basketId": id, "phone": f"555{self.number}", "email": f"wanting{self.number}@example.com"}
            | self.fields
        )
        quote = (await self.client.send("POST", "/v1/checkout/validate", json.dumps(form).encode())).json["quote"]
        self.form = json.dumps(form | {"expectedTotal": quote["total"]}).encode()
        self.key = f"key of {id}"

    async def order(self):
        answer = await self.send("POST", "/v1/checkout", self.form, [("Idempotency-Key", self.key)])
        if answer.status == 201:
            self.placed = answer.json

    async def order_repeatedly(self):
        self.is_over = False
        while not self.is_over:
            await self.order()

    async def cancel(self):
        await self.send(
            "POST",
            f"/v1/orders/{self.placed['id']}/cancel",
            None,
            [("Authorization", f"Bearer {self.placed['accessToken']}")],
        )

    async def send(self, *request):
        begin = time.monotonic()
        answer = await self.client.send(*request)
        self.answers.append((answer.status, answer.code, time.monotonic() - begin))
        return answer
