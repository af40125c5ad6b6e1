"""Kills the server with SIGKILL several times under 64 guests, who retry with the same key until they are answered."""

import signal

import consistency
from experiment import outcome
from guests import Guests
from shop import Shop

NAME = "server-killed"
EXPECTED = "consistent; ready again in 5 s"


def run(scale):
    kills, ready = scale.pick(50, 3), []
    with Shop(scale, coupons=kills * 20, has_stock_counts=True) as shop:
        with Guests([shop.server.port], scale.random) as guests:
            for _ in range(kills):
                guests.wait_for(1 + scale.random.randrange(120))
                shop.server.stop(signal.SIGKILL)
                ready.append(shop.server.start())
            guests.wait_for(64)
            guests.finish()
        problems = guests.surprises + consistency.check(guests.acknowledged, shop.cluster.url, shop.server.port)
        if guests.lost_requests == 0:
            problems.append("no kill interrupted a request")
        if max(ready) > 5:
            problems.append(f"ready after {max(ready):.1f} s")
    return outcome(
        problems,
        f"{kills} kills, {len(guests.acknowledged)} orders consistent, {guests.lost_requests} answers lost, ready again"
        f" in {max(ready):.2f} s at most",
    )
