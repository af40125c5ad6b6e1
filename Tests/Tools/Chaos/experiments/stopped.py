"""SIGSTOP, for some seconds: of the server, of PostgreSQL whole, of its postmaster alone, of one session in the middle of an order,
and of a client that holds a row. A process that is stopped keeps its connections and its locks, and says nothing: nobody may be
stuck behind it afterwards."""

import contextlib
import os
import signal
import time

import exactness
from experiment import outcome
from guests import Guests
from holding import Holder
from listening import Listener
from processes import get
from shop import Shop

NAME = "stopped"
MUST_HOLD = "exact; orders are placed again within 3 s of the end of each stop, or despite it"
IS_TIMED = True
AGAIN = 3


def run(scale):
    seconds, some = scale.pick(10, 1), scale.pick(64, 16)
    again, wrong = {}, []
    with Shop(scale) as shop, Guests([shop.server.port], scale.random) as guests:
        def orders(what):
            """Seconds until somebody orders."""
            begin = time.monotonic()
            guests.wait_for(1)
            again[what] = time.monotonic() - begin
            guests.wait_for(some)

        guests.wait_for(some)
        with stopped([shop.server.process.pid]):
            time.sleep(seconds)
        orders("server")
        with stopped([shop.cluster.process.pid]):
            # Its sessions go on; new ones can't be had.
            time.sleep(seconds)
        orders("postmaster")
        with stopped([shop.cluster.process.pid, *sessions(shop)]):
            time.sleep(seconds)
        orders("PostgreSQL")
        while not (placing := sessions(shop, "application_name = 'welms' and state = 'active' and query like '%place_orders%'")):
            pass
        with stopped(placing[:1]):
            # Given up after its time, and ended from another one: only once it goes on does it hear of that.
            time.sleep(seconds)
        orders("a session")
        with Holder(shop.cluster.url, "select from coupon_redemptions join coupons on id = coupon_id where key = 'RUSH' for update of coupon_redemptions") as holder, stopped([holder.process.pid]):
            time.sleep(seconds)
        orders("a client with a lock")
        guests.finish()
        wrong += guests.surprises + exactness.check(guests.told, shop.cluster.url, shop.server.port)
    wrong += [f"{what}: the next order came after {took:.1f} s" for what, took in again.items() if took > AGAIN]
    figures = ", ".join(f"{what} {took:.2f} s" for what, took in again.items())
    return outcome(wrong, f"{seconds} s each, {len(guests.told)} orders exact, the next order after: {figures}")


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
    return [int(pid) for pid in shop.cluster.sql(f"select pid from pg_stat_activity where pid <> pg_backend_pid() and {which}").split()]
