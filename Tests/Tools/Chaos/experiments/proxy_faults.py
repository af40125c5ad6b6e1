"""Every kind of harm that a network can do to a connection with PostgreSQL, at random places, under 64 guests: ../proxy.py stands between."""

import collections
import os
import re
import time

import exactness
from experiment import outcome
from guests import Guests
from processes import get
from proxy import READY, SYNC, TO_CLIENT, TO_SERVER, Fault, proxied

NAME = "proxy"
MUST_HOLD = "exact; what was not answered is known through the key; the pool is whole again, nothing leaks"
POOL = 6  # the server's connections: four, the staff's, and the one that listens
TIMEOUT = 1  # seconds for a statement, so that those that never end take their time and not more


def run(scale):
    harms, done = scale.pick(240, 12), collections.Counter()
    with proxied(scale, coupons=harms * 5, arguments=["--database-timeout", str(TIMEOUT)]) as (shop, proxy):
        with Guests([shop.server.port], scale.random) as guests:  # whatever is opened once is open afterwards
            guests.wait_for(64)
            guests.finish()
        before = census(shop, at_rest=None)
        told, unknown = guests.told, 0
        with Guests([shop.server.port], scale.random) as guests:
            for n in range(harms):
                guests.wait_for(1 + scale.random.randrange(40))
                name, is_unknown = harm(proxy, scale.random, n)
                done[name] += 1
                unknown += is_unknown
            proxy.clear()
            guests.wait_for(64)
            guests.finish()
        told += guests.told
        after = census(shop, at_rest=before)
        wrong = guests.surprises + proxy.wrong + exactness.check(told, shop.cluster.url, shop.server.port)
    if after != before:
        wrong.append(f"before {before}, 15 s after the last harm {after}")
    if before["sessions"] != POOL or before["open"] != 4:
        wrong.append(f"before any harm: {before}")
    if unknown == 0:
        wrong.append("no commit was left in doubt")
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(done.items()))
    return outcome(wrong, f"{kinds}; {unknown} commits in doubt, {len(told)} orders exact, {guests.statuses[503]} × 503, slowest known after {guests.longest:.1f} s; "
                          f"{after['sessions']} sessions and {after['descriptors']} descriptors as before")


def harm(proxy, chance, n):
    """Does one; its name, and whether an order's commit was left without an answer."""
    kind = ("cut", "cut after", "bytes", "reset", "delay", "swallow", "stall", "cut at byte", "stalled link", "reset link", "slow network", "refuse")[n % 12]
    if kind in ("cut", "cut after", "bytes", "reset", "delay", "swallow", "stall", "refuse"):
        at = READY if kind != "refuse" and chance.random() < 0.6 else SYNC
        # The first of this kind always, so that also a short run has a commit in doubt.
        is_order = chance.random() < 0.5 or (kind == "cut after" and n < 12)
        amount = {"delay": chance.random() * 0.2, "bytes": chance.randrange(400), "stall": 0, "refuse": chance.choice(("40001", "53200", "57014", "57P01"))}.get(kind, 0)
        # 1: PostgreSQL has the statement, and waits with its locks for the Sync.
        amount = chance.randrange(2) if (kind, at) == ("stall", SYNC) else amount
        fault = proxy.add(Fault(kind, at, 1 + chance.randrange(3 if is_order else 30), amount, (lambda g: g.name.startswith("place_orders")) if is_order else (lambda g: True)))
        if not fault.happened.wait(20):
            raise RuntimeError(f"there was no place for {fault}")
        return kind, is_order and kind != "delay" and (at is READY or kind in ("cut after", "swallow"))
    if kind == "slow network":
        proxy.delay = chance.random() * 0.02
        time.sleep(0.3)
        proxy.delay = 0
        return kind, False
    while not (links := [link for link in proxy.links if not link.is_look]):
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


def census(shop, at_rest):
    """What the server and the database hold while nobody asks for anything; taken when it is as it was at rest before, or after 15 s."""
    end = time.monotonic() + (15 if at_rest else 1.5)
    while True:
        open_connections = re.search(r"^welms_database_connections_open (\d+)", get(shop.server.port, "/metrics")[2].decode(), re.M)
        found = {
            "sessions": int(shop.cluster.sql("select count(*) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name not like 'welms look%'")),
            "open": int(open_connections[1]),
            # Without those of a look, which takes some milliseconds.
            "descriptors": min(descriptors(shop) for _ in range(5)),
        }
        if found == at_rest or time.monotonic() > end:
            return found
        time.sleep(0.2)
