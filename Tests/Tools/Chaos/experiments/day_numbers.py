"""Staff accept the first order of a business day in a transaction that stays open, and an operator inserts the row of a
business day in another one.

Neither transaction blocks others: guests order and staff accept as before, and no order is rejected. Each order gets
its day number at the checkout, or within two seconds once the row can be written. The numbers of a day have no
duplicates and no gaps.
"""

import asyncio
import json
import time

from experiment import outcome
from lock_holder import LockHolder
from load import BURGER, FORM, Buyers
from shop import Shop
from web import Connection

NAME = "day-numbers"
EXPECTED = "no answer after 1 s; every order accepted; numbers within 2 s, without duplicates and gaps"
TOKEN = "a-token-of-the-experiment"
STAFF = [("Authorization", f"Bearer {TOKEN}")]
ANSWER_LIMIT = 1  # seconds until an answer
NUMBER_LIMIT = 2  # seconds until an order has its number
# Chooses a time zone in which it is noon, so that the business day can be moved to the day before and back.
NOON = """
    update shop set time_zone = (
        select 'Etc/GMT' || case when hours > 0 then '+' || hours when hours < 0 then hours::text else '' end
        from (select extract(hour from now() at time zone 'UTC')::integer - 12 as hours) as west)
"""
ROW = "select source is not null from day_number_source(now())"
# The row of the day before, as another transaction would write it.
INSERT = """
    insert into day_numbers
    select day - 1, 'UTC', '00:00', begins, ends, 'day_numbers_1', 0 from business_day(now())
"""


def run(scale):
    problems, figures = [], []
    with Shop(scale, servers=2, arguments=["--staff-token", TOKEN]) as shop:
        asyncio.run(days(shop, scale, problems, figures))
    return outcome(problems, "; ".join(figures))


async def days(shop, scale, problems, figures):
    sql = shop.cluster.sql
    sql(NOON)
    sql("update shop set accept_within_minutes = 10")
    await wait_for_row(shop, problems)
    first = await order(shop, 9_000)
    day = Day("an acceptance in an open transaction", shop, scale, problems, figures, locked=first)
    staff = shop.cluster.url_of("welms", "welms_staff")
    accept = f"do $$ begin perform advance_order('{first}', 'accepted'); end $$"
    holder = await asyncio.to_thread(LockHolder, staff, accept)
    await day.measure(scale.pick(16, 4), scale.pick(10, 3))
    await asyncio.to_thread(holder.release)
    await day.check_numbers()

    # The day before may have a row of the time zone that the shop had first.
    sql("delete from day_numbers where day < (select day from business_day(now()))")
    holder = await asyncio.to_thread(LockHolder, shop.cluster.url, INSERT)
    sql("update shop set business_day_start = '20:00'")
    since = sql("select clock_timestamp()")
    day = Day("the day's row in an open transaction", shop, scale, problems, figures, since)
    # Few enough orders that the server numbers all of them within two seconds: it gives some 2,000 numbers a second.
    await day.measure(4, 3)
    if (drawn := sql(f"select count(day_number) from orders where {day.condition}")) != "0":
        problems.append(f"{drawn} numbers were assigned without a row")
    await asyncio.to_thread(holder.release)
    await day.check_numbers()
    await order(shop, 9_001)
    await day.check_numbers()


async def wait_for_row(shop, problems):
    end = time.monotonic() + 10
    while shop.cluster.sql(ROW) != "t":
        if time.monotonic() > end:
            return problems.append("the business day has no row after 10 s")
        await asyncio.sleep(0.05)


async def order(shop, guest):
    """Places an order and returns its number."""
    client = Connection(shop.server.port)
    basket = (await client.send("POST", "/v1/baskets")).json["id"]
    dish = json.dumps(BURGER["dish"]).encode()
    total = (await client.send("POST", f"/v1/baskets/{basket}/items", dish)).json["total"]
    form = FORM | {"basketId": basket, "phone": f"555{guest:07}", "email": f"ann{guest}@example.com"}
    body, key = json.dumps(form | {"expectedTotal": total}).encode(), [("Idempotency-Key", f"key of {basket}")]
    answer = await client.send("POST", "/v1/checkout", body, key)
    client.close()
    return answer.json["number"]


class Day:
    """The orders of a business day, placed since a moment. `locked`: the number of the order that an open transaction
    locks."""

    def __init__(self, name, shop, scale, problems, figures, since="-infinity", locked=None):
        self.name, self.shop, self.scale, self.locked = name, shop, scale, locked
        self.problems, self.figures = problems, figures
        self.condition, self.accepted, self.is_over = f"placed_at >= '{since}'", [], False

    async def measure(self, guests, seconds):
        """Lets guests order and staff accept for some seconds."""
        buyers = Buyers(self.shop.server.port, guests)
        await buyers.start()
        accepting = asyncio.create_task(self.accept())
        times = await buyers.measure(seconds)
        await buyers.stop()
        self.is_over = True
        await accepting
        self.problems += [f"{self.name}: {problem}" for problem in buyers.problems]
        words = []
        for what, durations in (("checkouts", times), ("acceptances", self.accepted)):
            if not durations:
                self.problems.append(f"{self.name}: no {what}")
            elif max(durations) > ANSWER_LIMIT * self.scale.pick(1, 5):
                self.problems.append(f"{self.name}: {what} took {max(durations):.2f} s")
            words.append(f"{len(durations)} {what}, the slowest {max(durations, default=0) * 1000:.0f} ms")
        self.figures.append(f"{self.name}: {', '.join(words)}")

    async def accept(self):
        """Accepts the newest orders at the other server until the measurement ends."""
        client = Connection(self.shop.servers[1].port)
        while not self.is_over:
            page = (await client.send("GET", "/v1/staff/orders?state=placed&limit=20", None, STAFF)).json["items"]
            for number in [order["number"] for order in page if order["number"] != self.locked]:
                begin = time.monotonic()
                answer = await client.send("POST", f"/v1/staff/orders/{number}/accept", b"{}", STAFF)
                self.accepted.append(time.monotonic() - begin)
                if answer.status != 200:
                    self.problems.append(f"{self.name}: an acceptance is answered {answer!r}")
            await asyncio.sleep(0.01)
        client.close()

    async def check_numbers(self):
        """Checks that the orders of the day are numbered from 1 without gaps and duplicates, and that none was
        rejected."""
        sql, end = self.shop.cluster.sql, time.monotonic() + NUMBER_LIMIT * self.scale.pick(1, 5)
        while (missing := sql(f"select count(*) from orders where day_number is null and {self.condition}")) != "0":
            if time.monotonic() > end:
                return self.problems.append(f"{self.name}: {missing} orders have no number after {NUMBER_LIMIT} s")
            await asyncio.sleep(0.02)
        check_numbers = "count(*), count(distinct day_number), min(day_number), max(day_number)"
        count, distinct, lowest, highest = sql(f"select {check_numbers} from orders where {self.condition}").split("|")
        if (distinct, lowest, highest) != (count, "1", count):
            self.problems.append(f"{self.name}: {count} orders have {distinct} numbers from {lowest} to {highest}")
        if others := sql("select count(*) from orders where state not in ('placed', 'accepted')").removeprefix("0"):
            self.problems.append(f"{self.name}: {others} orders are neither placed nor accepted")
