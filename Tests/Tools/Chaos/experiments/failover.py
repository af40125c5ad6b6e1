"""A primary and a standby that stream over loopback. The server's URL names both, with target_session_attrs=read-write.
The primary is killed and the standby promoted. The server must reconnect by itself.

With synchronous replication, PostgreSQL confirms a commit only once it is on the standby, so no acknowledged order may
be lost. In one round of the full form the standby stops before the primary is killed, for longer than the server waits
for a commit. Without synchronous replication the last orders may be lost. They are counted, and the others must be
consistent."""

import os
import signal
import time

import consistency
from experiment import outcome
from guests import CONFLICTING_ANSWERS, BASKET_LOST, Guests
from outage import Outages
from processes import Cluster, free_port
from shop import Shop

NAME = "failover"
EXPECTED = "the server reconnects and serves 3 s after the promotion; no acknowledged order lost (synchronous)"
IS_TIMED = True


def run(scale):
    problems, placed, lost_orders, recovery_times = [], 0, 0, []
    rounds = scale.pick(["synchronous", "synchronous", "stalled", "asynchronous", "asynchronous"], ["synchronous"])
    for kind in rounds:
        acknowledged, missing, seconds, found = fail_over(scale, kind)
        problems += [f"{kind}: {sentence}" for sentence in found]
        recovery_times.append(seconds)
        if kind == "asynchronous":
            lost_orders += missing
        else:
            placed += acknowledged
            if missing:
                problems.append(f"{kind}: {missing} of {acknowledged} acknowledged orders lost")
    figures = (
        f"{len(rounds)} failovers, served {max(recovery_times):.2f} s after the promotion at most; synchronous: 0 of"
        f" {placed} orders lost"
    )
    return outcome(problems, figures + (f"; asynchronous: {lost_orders} lost" if "asynchronous" in rounds else ""))


def fail_over(scale, kind):
    ports = free_port(), free_port()
    url = f"postgresql://welms_server@127.0.0.1:{ports[0]},127.0.0.1:{ports[1]}/welms?target_session_attrs=read-write"
    listen = ["listen_addresses=127.0.0.1"]
    with Shop(scale, settings=listen, port=ports[0], url=url) as shop:
        standby = Cluster(f"{shop.directory}/standby", listen, ports[1])
        standby.copy(shop.cluster)
        try:
            standby.start()
            # Set on the primary only: a promoted standby with this setting would wait for a standby of its own.
            shop.cluster.sql(
                "alter system set synchronous_standby_names = '%s'" % ("" if kind == "asynchronous" else "*")
            )
            shop.cluster.sql("select pg_reload_conf()")
            wanted = "async" if kind == "asynchronous" else "sync"
            wait_until(
                lambda: shop.cluster.sql("select sync_state from pg_stat_replication where state = 'streaming'")
                == wanted,
                "the standby does not stream replication",
            )
            # No cancellations: one that a failover loses cannot be distinguished from a later one.
            with Guests([shop.server.port], scale.random, cancelling=0) as guests, Outages(
                shop.server, allows_other_faults=kind == "stalled"
            ) as outages:
                guests.wait_for(1 + scale.random.randrange(scale.pick(300, 60)))
                if kind == "stalled":
                    stalled = processes_below(standby.process.pid)
                    for pid in stalled:
                        os.kill(pid, signal.SIGSTOP)
                    time.sleep(15)
                shop.cluster.stop(signal.SIGKILL)
                outages.wait_for_detection()
                if kind == "stalled":
                    # Killing it discards the data in its sockets, as a failure between two machines would.
                    for pid in stalled:
                        os.kill(pid, signal.SIGKILL)
                    standby.process.wait()
                    standby.start()
                # A statement that waits would hold a snapshot, which may conflict with the last records of the log.
                standby.sql("select pg_promote(wait => false)")
                wait_until(lambda: standby.sql("select pg_is_in_recovery()") == "f", "the standby is not promoted")
                outages.wait_for_recovery()
                guests.wait_for(scale.pick(200, 64))
                guests.finish()
            # Asynchronous replication may lose baskets too. A repeated checkout of a lost order places another order.
            tolerated = (CONFLICTING_ANSWERS, BASKET_LOST) if kind == "asynchronous" else ()
            found = [surprise for surprise in guests.surprises if not surprise.startswith(tolerated)] + outages.problems
            missing = consistency.missing(guests.acknowledged, standby.url)
            stored = [order for order in guests.acknowledged if order not in missing]
            found += consistency.check(stored, standby.url, shop.server.port)
            return len(guests.acknowledged), len(missing), max(outages.recovery_times, default=99), found
        finally:
            standby.stop()


def wait_until(condition, error, within=20):
    end = time.monotonic() + within
    while not condition():
        if time.monotonic() > end:
            raise RuntimeError(error)
        time.sleep(0.05)


def processes_below(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as f:
        return [pid, *map(int, f.read().split())]
