"""All processes of PostgreSQL are stopped with SIGSTOP, with a guest who orders each half second and without any guest.
The server reports it within 5 s in both cases, each time once, and reports the end. `stopped` shows what it costs."""

import json
import time

import exactness
from experiment import outcome
from experiments.stopped import sessions, stopped
from guests import Guests
from listening import Listener
from processes import get
from shop import Shop

NAME = "frozen"
MUST_HOLD = "a fault is told within 5 s, with orders and without; its end within 5 s; 503 and never 500; exact"
IS_TIMED = True
TOLD = 5
LATEST = 15  # seconds until it is called not told
PAUSE = 0.5  # seconds between two orders


def run(scale):
    wrong, told, over = [], {"with orders": [], "without orders": []}, []
    with Shop(scale) as shop, Listener(shop.server.port, "/v1/errors/events") as errors:
        def freezes(what):
            for _ in range(scale.pick(6, 1)):
                # The server looks at intervals, so the moment matters.
                time.sleep(scale.random.random() * 2)
                # In the full form statements time out too, and connections are given up.
                freeze(shop, errors, what, scale.pick(8, 0), told[what], over, wrong)

        freezes("without orders")
        with Guests([shop.server.port], scale.random, count=1, pause=2 * PAUSE) as guests:
            guests.wait_for(4)
            freezes("with orders")
            guests.wait_for(4)
            guests.finish()
            wrong += guests.surprises + exactness.check(guests.told, shop.cluster.url, shop.server.port)
            if guests.statuses[500]:
                wrong.append(f"{guests.statuses[500]} × 500")
    figures = [f"{what} told after {', '.join(f'{one:.1f}' for one in times)} s" for what, times in told.items()]
    return outcome(wrong, f"{'; '.join(figures)}; over after at most {max(over, default=0):.1f} s")


def freeze(shop, errors, what, seconds, told, over, wrong):
    before = len(errors.heard)
    with stopped([shop.cluster.process.pid, *sessions(shop)]):
        begin = time.monotonic()
        fault = errors.wait_for(lambda heard: heard.name == "fault", LATEST, before)
        if fault is None:
            wrong.append(f"{what}: nobody is told within {LATEST} s")
        else:
            told.append(fault.at - begin)
            if told[-1] > TOLD:
                wrong.append(f"{what}: told after {told[-1]:.1f} s")
            if b'"degraded"' not in get(shop.server.port, "/readyz")[2]:
                wrong.append(f"{what}: /readyz finds nothing")
        time.sleep(max(0, begin + seconds - time.monotonic()))
    begin = time.monotonic()
    while json.loads(get(shop.server.port, "/v1/errors")[2])["condition"] != "healthy":
        if time.monotonic() > begin + 30:
            return wrong.append(f"{what}: its end is not told within 30 s")
        time.sleep(0.01)
    over.append(time.monotonic() - begin)
    if over[-1] > TOLD:
        wrong.append(f"{what}: its end is told after {over[-1]:.1f} s")
    said = [str(heard) for heard in errors.heard[before:]]
    if len(said) != len(set(said)):
        wrong.append(f"{what}: the error channel said {', '.join(said)}")
