"""A commit takes 150 ms on average, as with a synchronous standby in another region. A transaction locks the rows of
its coupon, slot and stock until it is committed, so these rows are locked nearly all the time, by one of the servers.

The servers must not confuse such a row with one that staff keep locked in an open transaction: checkouts, basket
changes and the steps of staff become slower, but none is refused, and no fault is reported.
"""

import asyncio
import contextlib
import datetime
import json
import os
import random
import re
import threading
import time

import consistency
from event_listener import EventListener
from experiment import outcome
from flush import SlowFlushes
from guests import Guests
from load import percentile
from processes import get
from shop import Shop
from web import Connection, ConnectionLost

NAME = "slow-commits"
EXPECTED = "slower orders, none refused; p99 ≤ 10 s; no fault; throughput recovers"
IS_TIMED = True
DELAY = 0.1  # seconds for a flush of the log; a commit waits for one or two
LATENCY_LIMIT = 10  # seconds, for the p99
PAUSE = 1  # the longest time between two steps of a member of staff, in seconds
STAFF = 3  # members of staff who work at the same time
TOKEN = "a-token-of-the-experiment"
HEADERS = [("Authorization", f"Bearer {TOKEN}")]
SLOTS = "update fulfilments set slot_minutes = 60, orders_per_slot = 100000"
# Pending rejections are executed soon, not after ten seconds.
HASTEN = "update pending_order_steps set execute_at = clock_timestamp() where execute_at > clock_timestamp()"


def run(scale):
    problems, figures = [], []
    for servers in scale.pick((1, 2), (2,)):
        found = []
        figures.append(f"{servers} server{'s' if servers > 1 else ''}: {run_shop(scale, servers, found)}")
        problems += [f"{servers} servers: {problem}" for problem in found]
    return outcome(problems, "; ".join(figures))


def run_shop(scale, servers, problems):
    flushes = SlowFlushes(scale)
    shop = Shop(
        scale,
        servers=servers,
        settings=flushes.settings,
        coupons=1000000,
        has_stock_counts=True,
        arguments=["--staff-token", TOKEN],
    )
    shop.cluster.environment = flushes.environment
    with shop, contextlib.ExitStack() as streams:
        shop.cluster.sql(SLOTS)
        ports = [server.port for server in shop.servers]
        slots = wait_for_slots(ports)[:2]
        errors = [streams.enter_context(EventListener(port, "/v1/errors/events")) for port in ports]
        logs = [Log(server.log) for server in shop.servers]
        postgres = Log(shop.cluster.log)
        with (Guests(ports, scale.random, count=scale.pick(64, 32), pause=1, are_overtaken=True, slots=slots) as guests,
              Staff(ports, guests) as staff):
            guests.wait_for(scale.pick(128, 32))
            before = Phase(guests, scale.pick(10, 3))
            flushes.delay(DELAY)
            time.sleep(1)
            during = Phase(guests, scale.pick(30, 8), lambda: shop.cluster.sql(HASTEN))
            for port in ports:
                if (ready := get(port, "/readyz"))[0] != 200 or b"degraded" in ready[2]:
                    problems.append(f"/readyz answers {ready[0]} {ready[2]!r}")
            flushes.delay(0)
            time.sleep(1)
            after = Phase(guests, scale.pick(10, 3))
            staff.finish()
            guests.finish()
        wait_for_pending_steps(shop, problems)
        problems += [
            f"{guests.statuses[status]} answers are {status}" for status in sorted(guests.statuses) if status >= 500
        ]
        problems += guests.surprises + staff.problems
        if guests.lost_requests:
            problems.append(f"{guests.lost_requests} requests had no answer")
        for stream in errors:
            if stream.events:
                problems.append(f"the error channel reported {[str(event) for event in stream.events]}")
        for log in logs:
            problems += [f"the log says: {line}" for line in log.lines(r"^\S+ (warning|error|critical) ")]
        for server in shop.servers:
            problems += consistency.check(guests.acknowledged, shop.cluster.url, server.port)
    check_phases(problems, before, during, after, scale.pick(0.5, 0.2))
    timeouts = len(postgres.lines("due to lock timeout"))
    return (
        f"checkouts p50 {before.p50:.2f} → {during.p50:.2f} → {after.p50:.2f} s, p99 {before.p99:.2f} →"
        f" {during.p99:.2f} → {after.p99:.2f} s, {before.rate:.0f} → {during.rate:.0f} → {after.rate:.0f} per second;"
        f" {len(staff.durations)} steps of staff, slowest {max(staff.durations, default=0):.2f} s; {timeouts} lock"
        f" time-outs; {len(guests.acknowledged)} orders consistent"
    )


def check_phases(problems, before, during, after, share):
    if during.p50 < DELAY:
        problems.append(f"the p50 of the checkouts is {during.p50:.3f} s, so the commits were not slow")
    if during.p99 > LATENCY_LIMIT:
        problems.append(f"the p99 of the checkouts is {during.p99:.1f} s")
    if after.rate < before.rate * share:
        problems.append(f"{after.rate:.0f} checkouts per second after the slow commits, {before.rate:.0f} before them")


def wait_for_slots(ports):
    """Returns the slots of the day after tomorrow, once all servers offer the same ones."""
    day, end = datetime.date.today() + datetime.timedelta(days=2), time.monotonic() + 10
    while True:
        offered = [json.loads(get(port, f"/v1/times?date={day}")[2]).get("slots") for port in ports]
        if offered[0] and all(slots == offered[0] for slots in offered):
            return [slot["startsAt"] for slot in offered[0]]
        if time.monotonic() > end:
            raise RuntimeError(f"the servers offer {offered}")
        time.sleep(0.05)


def wait_for_pending_steps(shop, problems):
    end = time.monotonic() + 20
    while (count := shop.cluster.sql(f"{HASTEN}; select count(*) from pending_order_steps")) != "0":
        if time.monotonic() > end:
            return problems.append(f"{count} steps are still pending")
        time.sleep(0.1)


class Phase:
    """The checkouts of some seconds. `each_second` is called once a second."""

    def __init__(self, guests, seconds, each_second=lambda: None):
        first, begin = len(guests.durations), time.monotonic()
        while (left := begin + seconds - time.monotonic()) > 0:
            time.sleep(min(left, 1))
            each_second()
        durations = guests.durations[first:]
        if not durations:
            raise RuntimeError(f"no checkout was answered within {seconds} s: {guests.statuses}")
        self.rate = len(durations) / (time.monotonic() - begin)
        self.p50, self.p99 = percentile(durations, 0.5), percentile(durations, 0.99)


class Log:
    """The lines that a process adds to its log from now on."""

    def __init__(self, path):
        self.path, self.begin = path, os.path.getsize(path)

    def lines(self, pattern):
        with open(self.path, errors="replace") as f:
            f.seek(self.begin)
            return [line.strip() for line in f if re.search(pattern, line)]


class Staff:
    """Members of staff who accept and reject the newest orders, in a separate thread."""

    def __init__(self, ports, guests):
        self.ports, self.guests, self.seen = ports, guests, 0
        self.durations, self.problems, self.is_over = [], [], False
        self.thread = threading.Thread(target=lambda: asyncio.run(self.run()), daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over = True
        self.thread.join(0)

    def finish(self):
        self.is_over = True
        self.thread.join(60)
        if self.thread.is_alive():
            self.problems.append("a member of staff has no answer within 60 s")

    async def run(self):
        await asyncio.gather(*(self.work(n) for n in range(STAFF)))

    async def work(self, member):
        clients = [Connection(port, 20) for port in self.ports]
        chance, count = random.Random(self.guests.seeds[member]), member
        while not self.is_over:
            await asyncio.sleep(chance.random() * PAUSE)
            # Skips the orders that were placed during the last step.
            if len(self.guests.acknowledged) <= self.seen:
                continue
            self.seen = len(self.guests.acknowledged)
            number, count = self.guests.acknowledged[self.seen - 1].order["number"], count + 1
            # An acceptance changes the order only. A rejection returns its coupon, slot and stock, either at once or by
            # the server later.
            step, body = (
                ("accept", {}),
                ("reject", {"reason": "no gas"}),
                ("advance", {"state": "rejected", "reason": "no gas"}),
            )[count % 3]
            begin = time.monotonic()
            try:
                answer = await clients[count // 3 % len(clients)].send(
                    "POST", f"/v1/staff/orders/{number}/{step}", json.dumps(body).encode(), HEADERS
                )
            except ConnectionLost as error:
                self.problems.append(f"staff: {step} has no answer: {error}")
                continue
            self.durations.append(time.monotonic() - begin)
            # 409: the guest has cancelled the order.
            if answer.status not in (200, 409):
                self.problems.append(f"staff: {step} is answered {answer!r} after {self.durations[-1]:.2f} s")
        for client in clients:
            client.close()
