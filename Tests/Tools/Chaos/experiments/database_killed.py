"""Kills the postmaster with SIGKILL several times under 64 guests, and restarts it. Its sessions end by themselves."""

import signal

import consistency
from experiment import outcome
from guests import Guests
from outage import Outages
from shop import Shop

NAME = "database-killed"
EXPECTED = (
    "consistent; the server answers 503 and a stale menu; serves 3 s after the database; one fault and one recovery"
    " each"
)
IS_TIMED = True


def run(scale):
    kills = scale.pick(10, 1)
    with Shop(scale, coupons=kills * 30, has_stock_counts=True) as shop:
        with Guests([shop.server.port], scale.random) as guests, Outages(shop.server) as outages:
            for _ in range(kills):
                guests.wait_for(1 + scale.random.randrange(120))
                shop.cluster.stop(signal.SIGKILL)
                outages.wait_for_detection()
                shop.cluster.start()
                outages.wait_for_recovery()
            guests.wait_for(64)
            guests.finish()
        problems = (
            guests.surprises
            + outages.problems
            + consistency.check(guests.acknowledged, shop.cluster.url, shop.server.port)
        )
        if guests.statuses[503] == 0:
            problems.append("no guest noticed a kill: no request was answered 503")
    return outcome(
        problems,
        f"{kills} kills, {len(guests.acknowledged)} orders consistent, {guests.statuses[503]} × 503; {outages.figures}",
    )
