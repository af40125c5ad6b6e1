"""kill -9 of the server again and again, under 64 guests who repeat their keys until they know what became of their order."""

import signal

import exactness
from experiment import outcome
from guests import Guests
from shop import Shop

NAME = "server-killed"
MUST_HOLD = "exact; ready again in 5 s"


def run(scale):
    kills, ready = scale.pick(50, 3), []
    with Shop(scale, coupons=kills * 20, counted=True) as shop:
        with Guests([shop.server.port], scale.random) as guests:
            for _ in range(kills):
                guests.wait_for(1 + scale.random.randrange(120))
                shop.server.stop(signal.SIGKILL)
                ready.append(shop.server.start())
            guests.wait_for(64)
            guests.finish()
        wrong = guests.surprises + exactness.check(guests.told, shop.cluster.url, shop.server.port)
        if guests.lost_requests == 0:
            wrong.append("no kill took an answer from anybody")
        if max(ready) > 5:
            wrong.append(f"ready after {max(ready):.1f} s")
    return outcome(wrong, f"{kills} kills, {len(guests.told)} orders exact, {guests.lost_requests} answers lost, ready again in {max(ready):.2f} s at worst")
