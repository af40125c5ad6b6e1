"""Stops all processes of PostgreSQL with SIGSTOP, with a guest who orders every half second and without guests. The
server must report one fault within 5 s in both cases, and the recovery. The experiment `stopped` measures the effect on
orders."""

import json
import time

import consistency
from experiment import outcome
from experiments.stopped import sessions, stopped
from guests import Guests
from event_listener import EventListener
from processes import get
from shop import Shop

NAME = "frozen"
EXPECTED = (
    "a fault is reported within 5 s, with and without orders; the recovery within 5 s; 503 and never 500; consistent"
)
IS_TIMED = True
REPORT_LIMIT = 5
WAIT_LIMIT = 15  # seconds after which the fault counts as not reported
PAUSE = 0.5  # seconds between two orders


def run(scale):
    problems, report_times, recovery_times = [], {"with orders": [], "without orders": []}, []
    with Shop(scale) as shop, EventListener(shop.server.port, "/v1/errors/events") as errors:
        def freezes(what):
            for _ in range(scale.pick(6, 1)):
                # The server checks at intervals, so the moment matters.
                time.sleep(scale.random.random() * 2)
                # In the full form statements time out too, and the server gives up connections.
                freeze(shop, errors, what, scale.pick(8, 0), report_times[what], recovery_times, problems)

        freezes("without orders")
        with Guests([shop.server.port], scale.random, count=1, pause=2 * PAUSE) as guests:
            guests.wait_for(4)
            freezes("with orders")
            guests.wait_for(4)
            guests.finish()
            problems += guests.surprises + consistency.check(guests.acknowledged, shop.cluster.url, shop.server.port)
            if guests.statuses[500]:
                problems.append(f"{guests.statuses[500]} × 500")
    figures = [
        f"{what} reported after {', '.join(f'{seconds:.1f}' for seconds in times)} s"
        for what, times in report_times.items()
    ]
    return outcome(problems, f"{'; '.join(figures)}; recovered after at most {max(recovery_times, default=0):.1f} s")


def freeze(shop, errors, what, seconds, report_times, recovery_times, problems):
    before = len(errors.events)
    with stopped([shop.cluster.process.pid, *sessions(shop)]):
        begin = time.monotonic()
        fault = errors.wait_for(lambda event: event.name == "fault", WAIT_LIMIT, before)
        if fault is None:
            problems.append(f"{what}: no fault is reported within {WAIT_LIMIT} s")
        else:
            report_times.append(fault.received_at - begin)
            if report_times[-1] > REPORT_LIMIT:
                problems.append(f"{what}: reported after {report_times[-1]:.1f} s")
            if b'"degraded"' not in get(shop.server.port, "/readyz")[2]:
                problems.append(f"{what}: /readyz does not report the fault")
        time.sleep(max(0, begin + seconds - time.monotonic()))
    begin = time.monotonic()
    while json.loads(get(shop.server.port, "/v1/errors")[2])["condition"] != "healthy":
        if time.monotonic() > begin + 30:
            return problems.append(f"{what}: the recovery is not reported within 30 s")
        time.sleep(0.01)
    recovery_times.append(time.monotonic() - begin)
    if recovery_times[-1] > REPORT_LIMIT:
        problems.append(f"{what}: the recovery is reported after {recovery_times[-1]:.1f} s")
    events = [str(event) for event in errors.events[before:]]
    if len(events) != len(set(events)):
        problems.append(f"{what}: the error channel reported {', '.join(events)}")
