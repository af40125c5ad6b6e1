"""Stops processes for some seconds with SIGSTOP: the server, all of PostgreSQL, its postmaster, a session during an
order, and a client that holds a row lock. A stopped process keeps its connections and locks and does not answer.
Afterwards no guest may be stuck behind it."""

import contextlib
import os
import signal
import time

import consistency
from experiment import outcome
from guests import Guests
from lock_holder import LockHolder
from event_listener import EventListener
from processes import get
from shop import Shop

NAME = "stopped"
EXPECTED = "consistent; orders succeed within 3 s after each stop, or during it"
IS_TIMED = True
RECOVERY_LIMIT = 3


def run(scale):
    seconds, batch = scale.pick(10, 1), scale.pick(64, 16)
    recovery_times, problems = {}, []
    with Shop(scale) as shop, Guests([shop.server.port], scale.random) as guests:
        def measure_recovery(what):
            """Measures the seconds until the next order."""
            begin = time.monotonic()
            guests.wait_for(1)
            recovery_times[what] = time.monotonic() - begin
            guests.wait_for(batch)

        guests.wait_for(batch)
        with stopped([shop.server.process.pid]):
            time.sleep(seconds)
        measure_recovery("server")
        with stopped([shop.cluster.process.pid]):
            # Existing sessions continue; new ones cannot start.
            time.sleep(seconds)
        measure_recovery("postmaster")
        with stopped([shop.cluster.process.pid, *sessions(shop)]):
            time.sleep(seconds)
        measure_recovery("PostgreSQL")
        while not (
            placing := sessions(shop, "application_name = 'welms' and state = 'active' and query like '%place_orders%'")
        ):
            pass
        with stopped(placing[:1]):
            # The server gives it up after the timeout and terminates it from another session. It handles that once it
            # continues.
            time.sleep(seconds)
        measure_recovery("a session")
        with LockHolder(
            shop.cluster.url,
            "select from coupon_redemptions join coupons on id = coupon_id where key = 'RUSH' for update of"
            " coupon_redemptions",
        ) as holder, stopped([holder.process.pid]):
            time.sleep(seconds)
        measure_recovery("a client with a lock")
        guests.finish()
        problems += guests.surprises + consistency.check(guests.acknowledged, shop.cluster.url, shop.server.port)
    problems += [
        f"{what}: the next order came after {duration:.1f} s"
        for what, duration in recovery_times.items()
        if duration > RECOVERY_LIMIT
    ]
    figures = ", ".join(f"{what} {duration:.2f} s" for what, duration in recovery_times.items())
    return outcome(
        problems, f"{seconds} s each, {len(guests.acknowledged)} orders consistent, the next order after: {figures}"
    )


@contextlib.contextmanager
def stopped(pids):
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


def sessions(shop, which="true"):
    return [
        int(pid)
        for pid in shop.cluster.sql(
            f"select pid from pg_stat_activity where pid <> pg_backend_pid() and {which}"
        ).split()
    ]
