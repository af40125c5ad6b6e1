"""A primary and its standby, streaming over loopback; the server's URL names both with target_session_attrs=read-write. The primary
is killed, the standby promoted, and the server goes on by itself.

With synchronous replication (synchronous_standby_names on the primary, synchronous_commit on) every acknowledged order is on the
standby: PostgreSQL answers a commit only then. In one of the full form's rounds the standby stands still before the primary is
killed, for longer than the server waits for a commit. Without synchronous replication what was acknowledged in the last moments may
be lost; it is counted, and what is left is consistent."""

import os
import signal
import time

import exactness
from experiment import outcome
from guests import CONTRADICTION, LOST, Guests
from outage import Outages
from processes import Cluster, free_port
from shop import Shop

NAME = "failover"
MUST_HOLD = "goes on by itself, serves 3 s after the promotion; no acknowledged order lost (synchronous)"
IS_TIMED = True


def run(scale):
    wrong, placed, lost, back = [], 0, 0, []
    rounds = scale.pick(["synchronous", "synchronous", "stalled", "asynchronous", "asynchronous"], ["synchronous"])
    for kind in rounds:
        told, missing, seconds, problems = fail_over(scale, kind)
        wrong += [f"{kind}: {problem}" for problem in problems]
        back.append(seconds)
        if kind == "asynchronous":
            lost += missing
        else:
            placed += told
            if missing:
                wrong.append(f"{kind}: {missing} of {told} acknowledged orders lost")
    figures = f"{len(rounds)} failovers, served {max(back):.2f} s after the promotion at worst; synchronous: 0 of {placed} orders lost"
    return outcome(wrong, figures + (f"; asynchronous: {lost} lost" if "asynchronous" in rounds else ""))


def fail_over(scale, kind):
    ports = free_port(), free_port()
    url = f"postgresql://welms_server@127.0.0.1:{ports[0]},127.0.0.1:{ports[1]}/welms?target_session_attrs=read-write"
    listen = ["listen_addresses=127.0.0.1"]
    with Shop(scale, settings=listen, port=ports[0], url=url) as shop:
        standby = Cluster(f"{shop.directory}/standby", listen, ports[1])
        standby.copy(shop.cluster)
        try:
            standby.start()
            # Not in the files that the standby has a copy of: promoted, it would wait for a standby of its own.
            shop.cluster.sql("alter system set synchronous_standby_names = '%s'" % ("" if kind == "asynchronous" else "*"))
            shop.cluster.sql("select pg_reload_conf()")
            wanted = "async" if kind == "asynchronous" else "sync"
            until(lambda: shop.cluster.sql("select sync_state from pg_stat_replication where state = 'streaming'") == wanted, "the standby does not stream")
            # A cancellation that is lost is no order that is lost, and can't be told from one that came later.
            with Guests([shop.server.port], scale.random, cancelling=0) as guests, Outages(shop.server, others=kind == "stalled") as outages:
                guests.wait_for(1 + scale.random.randrange(scale.pick(300, 60)))
                if kind == "stalled":
                    stalled = processes_below(standby.process.pid)
                    for pid in stalled:
                        os.kill(pid, signal.SIGSTOP)
                    time.sleep(15)
                shop.cluster.stop(signal.SIGKILL)
                outages.begun()
                if kind == "stalled":
                    # What is still in its sockets is lost with it, as it would be on the way between two machines.
                    for pid in stalled:
                        os.kill(pid, signal.SIGKILL)
                    standby.process.wait()
                    standby.start()
                # To wait inside the statement would be to hold a snapshot, with which the last of the log may conflict.
                standby.sql("select pg_promote(wait => false)")
                until(lambda: standby.sql("select pg_is_in_recovery()") == "f", "the standby is not promoted")
                outages.ended()
                guests.wait_for(scale.pick(200, 64))
                guests.finish()
            # Baskets may be lost like orders; and whose order was lost and who clicked twice may be told of another one: that is no loss more.
            forgiven = (CONTRADICTION, LOST) if kind == "asynchronous" else ()
            problems = [s for s in guests.surprises if not s.startswith(forgiven)] + outages.wrong
            missing = exactness.missing(guests.told, standby.url)
            there = [t for t in guests.told if t not in missing]
            problems += exactness.check(there, standby.url, shop.server.port)
            return len(guests.told), len(missing), max(outages.back, default=99), problems
        finally:
            standby.stop()


def until(is_so, otherwise, within=20):
    end = time.monotonic() + within
    while not is_so():
        if time.monotonic() > end:
            raise RuntimeError(otherwise)
        time.sleep(0.05)


def processes_below(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as f:
        return [pid, *map(int, f.read().split())]
