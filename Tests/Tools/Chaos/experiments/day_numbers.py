"""Staff accept the first order of a business day in a transaction that stays open, and an operator inserts the row of a
business day in another one.

Nobody waits for either of them: guests order and staff accept as before, no order is rejected, and each order gets its
number of the day from the checkout, or within two seconds once the row can be written. No number is given twice on a
day, and none is left out.
"""

import asyncio
import json
import time

from experiment import outcome
from holding import Holder
from load import BURGER, FORM, Buyers
from shop import Shop
from web import Connection

NAME = "day-numbers"
MUST_HOLD = "no answer after 1 s; every order accepted; numbers within 2 s, each once and none left out"
TOKEN = "a-token-of-the-experiment"
STAFF = [("Authorization", f"Bearer {TOKEN}")]
LATEST = 1  # seconds until an answer
PROMPT = 2  # seconds until an order has its number
# At noon of its own clock the shop's business day can be moved to the day before, and back.
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
    wrong, figures = [], []
    with Shop(scale, servers=2, arguments=["--staff-token", TOKEN]) as shop:
        asyncio.run(days(shop, scale, wrong, figures))
    return outcome(wrong, "; ".join(figures))


async def days(shop, scale, wrong, figures):
    sql = shop.cluster.sql
    sql(NOON)
    sql("update shop set accept_within_minutes = 10")
    await has_row(shop, wrong)
    first = await order(shop, 9_000)
    day = Day("an acceptance in an open transaction", shop, scale, wrong, figures, held=first)
    staff = shop.cluster.url_of("welms", "welms_staff")
    accept = f"do $$ begin perform advance_order('{first}', 'accepted'); end $$"
    holder = await asyncio.to_thread(Holder, staff, accept)
    await day.measure(scale.pick(16, 4), scale.pick(10, 3))
    await asyncio.to_thread(holder.release)
    await day.numbers()

    # The day before may have a row of the time zone that the shop had first.
    sql("delete from day_numbers where day < (select day from business_day(now()))")
    holder = await asyncio.to_thread(Holder, shop.cluster.url, INSERT)
    sql("update shop set business_day_start = '20:00'")
    since = sql("select clock_timestamp()")
    day = Day("the day's row in an open transaction", shop, scale, wrong, figures, since)
    # Few enough orders that the server numbers all of them within two seconds: it gives some 2,000 numbers a second.
    await day.measure(4, 3)
    if (drawn := sql(f"select count(day_number) from orders where {day.own}")) != "0":
        wrong.append(f"{drawn} numbers were drawn without a row")
    await asyncio.to_thread(holder.release)
    await day.numbers()
    await order(shop, 9_001)
    await day.numbers()


async def has_row(shop, wrong):
    end = time.monotonic() + 10
    while shop.cluster.sql(ROW) != "t":
        if time.monotonic() > end:
            return wrong.append("the business day has no row after 10 s")
        await asyncio.sleep(0.05)


async def order(shop, guest):
    """The number of an order that is placed now."""
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
    """The orders of a business day, placed since a moment. `held`: the order that an open transaction holds."""

    def __init__(self, name, shop, scale, wrong, figures, since="-infinity", held=None):
        self.name, self.shop, self.scale, self.held = name, shop, scale, held
        self.wrong, self.figures = wrong, figures
        self.own, self.accepted, self.is_over = f"placed_at >= '{since}'", [], False

    async def measure(self, guests, seconds):
        """So many guests order, and staff accept, for some seconds."""
        buyers = Buyers(self.shop.server.port, guests)
        await buyers.start()
        accepting = asyncio.create_task(self.accept())
        times = await buyers.measure(seconds)
        await buyers.stop()
        self.is_over = True
        await accepting
        self.wrong += [f"{self.name}: {refused}" for refused in buyers.wrong]
        words = []
        for what, taken in (("checkouts", times), ("acceptances", self.accepted)):
            if not taken:
                self.wrong.append(f"{self.name}: no {what}")
            elif max(taken) > LATEST * self.scale.pick(1, 5):
                self.wrong.append(f"{self.name}: {what} took {max(taken):.2f} s")
            words.append(f"{len(taken)} {what}, the slowest {max(taken, default=0) * 1000:.0f} ms")
        self.figures.append(f"{self.name}: {', '.join(words)}")

    async def accept(self):
        """Accepts the newest orders at the other server, again and again."""
        client = Connection(self.shop.servers[1].port)
        while not self.is_over:
            page = (await client.send("GET", "/v1/staff/orders?state=placed&limit=20", None, STAFF)).json["items"]
            for number in [one["number"] for one in page if one["number"] != self.held]:
                begin = time.monotonic()
                answer = await client.send("POST", f"/v1/staff/orders/{number}/accept", b"{}", STAFF)
                self.accepted.append(time.monotonic() - begin)
                if answer.status != 200:
                    self.wrong.append(f"{self.name}: an acceptance is answered {answer!r}")
            await asyncio.sleep(0.01)
        client.close()

    async def numbers(self):
        """Each order of the day has a number of its own, from 1 on and without a gap, and none was rejected."""
        sql, end = self.shop.cluster.sql, time.monotonic() + PROMPT * self.scale.pick(1, 5)
        while (missing := sql(f"select count(*) from orders where day_number is null and {self.own}")) != "0":
            if time.monotonic() > end:
                return self.wrong.append(f"{self.name}: {missing} orders have no number after {PROMPT} s")
            await asyncio.sleep(0.02)
        numbers = "count(*), count(distinct day_number), min(day_number), max(day_number)"
        count, many, lowest, highest = sql(f"select {numbers} from orders where {self.own}").split("|")
        if (many, lowest, highest) != (count, "1", count):
            self.wrong.append(f"{self.name}: {count} orders have {many} numbers from {lowest} to {highest}")
        if others := sql("select count(*) from orders where state not in ('placed', 'accepted')").removeprefix("0"):
            self.wrong.append(f"{self.name}: {others} orders are neither placed nor accepted")
