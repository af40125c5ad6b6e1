"""Injects each kind of network fault into the connections with PostgreSQL at random points, under 64 guests. See
../proxy.py."""

import collections
import os
import re
import time

import consistency
from experiment import outcome
from guests import Guests
from processes import get
from proxy import READY, SYNC, TO_CLIENT, TO_SERVER, Fault, proxied

NAME = "proxy"
EXPECTED = "consistent; unanswered checkouts are resolved by their key; the pool is complete again; nothing leaks"
POOL = 7  # the connections of the server: four for guests, one each for staff, acceptance and notifications
TIMEOUT = 1  # seconds until a statement times out


def run(scale):
    faults, kind_counts = scale.pick(240, 12), collections.Counter()
    with proxied(scale, coupons=faults * 5, arguments=["--database-timeout", str(TIMEOUT)]) as (shop, proxy):
        with Guests([shop.server.port], scale.random) as guests:  # opens all lazy connections and files first
            guests.wait_for(64)
            guests.finish()
        before = resource_counts(shop, at_rest=None)
        acknowledged, unknown = guests.acknowledged, 0
        with Guests([shop.server.port], scale.random) as guests:
            for n in range(faults):
                guests.wait_for(1 + scale.random.randrange(40))
                name, is_unknown = inject(proxy, scale.random, n)
                kind_counts[name] += 1
                unknown += is_unknown
            proxy.clear()
            guests.wait_for(64)
            guests.finish()
        acknowledged += guests.acknowledged
        after = resource_counts(shop, at_rest=before)
        problems = (
            guests.surprises + proxy.problems + consistency.check(acknowledged, shop.cluster.url, shop.server.port)
        )
    if after != before:
        problems.append(f"before {before}, 15 s after the last fault {after}")
    if before["sessions"] != POOL or before["open"] != 4:
        problems.append(f"before any fault: {before}")
    if unknown == 0:
        problems.append("no commit was left without an answer")
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(kind_counts.items()))
    return outcome(
        problems,
        f"{kinds}; {unknown} commits without an answer, {len(acknowledged)} orders consistent, {guests.statuses[503]} ×"
        f" 503, slowest result after {guests.longest:.1f} s; {after['sessions']} sessions and {after['descriptors']}"
        " descriptors as before",
    )


def inject(proxy, chance, n):
    """Injects one fault. Returns its kind, and whether the commit of an order was left without an answer."""
    kind = (
        "cut",
        "cut after",
        "bytes",
        "reset",
        "delay",
        "swallow",
        "stall",
        "cut at byte",
        "stalled link",
        "reset link",
        "slow network",
        "refuse",
    )[n % 12]
    if kind in ("cut", "cut after", "bytes", "reset", "delay", "swallow", "stall", "refuse"):
        position = READY if kind != "refuse" and chance.random() < 0.6 else SYNC
        # The first fault of this kind always hits an order, so that a short run has a commit without an answer.
        is_order = chance.random() < 0.5 or (kind == "cut after" and n < 12)
        amount = {
            "delay": chance.random() * 0.2,
            "bytes": chance.randrange(400),
            "stall": 0,
            "refuse": chance.choice(("40001", "53200", "57014", "57P01")),
        }.get(kind, 0)
        # 1: PostgreSQL has the statement, and holds its locks until the Sync.
        amount = chance.randrange(2) if (kind, position) == ("stall", SYNC) else amount
        fault = proxy.add(
            Fault(
                kind,
                position,
                1 + chance.randrange(3 if is_order else 30),
                amount,
                (lambda group: "place_orders" in group.statements) if is_order else (lambda group: True),
            )
        )
        if not fault.occurred.wait(20):
            raise RuntimeError(f"no group matched {fault}")
        return kind, is_order and kind != "delay" and (position is READY or kind in ("cut after", "swallow"))
    if kind == "slow network":
        proxy.delay = chance.random() * 0.02
        time.sleep(0.3)
        proxy.delay = 0
        return kind, False
    while not (links := [link for link in proxy.links if not link.is_health_check]):
        time.sleep(0.01)
    link = chance.choice(links)
    if kind == "cut at byte":
        link.cut_at(chance.choice((TO_SERVER, TO_CLIENT)), chance.randrange(3000))
    elif kind == "reset link":
        link.reset()
    else:
        link.stall(chance.choice((TO_SERVER, TO_CLIENT)))
        if chance.random() < 0.5:
            time.sleep(chance.random() * TIMEOUT)
            proxy.call(link.release)
    return kind, False


def descriptors(shop):
    time.sleep(0.05)
    return len(os.listdir(f"/proc/{shop.server.process.pid}/fd"))


def resource_counts(shop, at_rest):
    """The sessions and descriptors of the idle server. Waits up to 15 s until they equal `at_rest`."""
    end = time.monotonic() + (15 if at_rest else 1.5)
    while True:
        open_connections = re.search(
            r"^welms_database_connections_open (\d+)", get(shop.server.port, "/metrics")[2].decode(), re.M
        )
        found = {
            "sessions": int(
                shop.cluster.sql(
                    "select count(*) from pg_stat_activity where backend_type = 'client backend' and pid <>"
                    " pg_backend_pid() and application_name not like 'welms look%'"
                )
            ),
            "open": int(open_connections[1]),
            # The minimum excludes the short-lived health checks, which take some milliseconds.
            "descriptors": min(descriptors(shop) for _ in range(5)),
        }
        if found == at_rest or time.monotonic() > end:
            return found
        time.sleep(0.2)
