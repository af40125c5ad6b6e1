"""kill -9 of the postmaster again and again, under 64 guests; its sessions notice and end by themselves. Then it is started again."""

import signal

import exactness
from experiment import outcome
from guests import Guests
from outage import Outages
from shop import Shop

NAME = "database-killed"
MUST_HOLD = "exact; the server stays up with 503 and a stale menu; serves 3 s after the database; fault and recovery told once each"
IS_TIMED = True


def run(scale):
    kills = scale.pick(10, 1)
    with Shop(scale, coupons=kills * 30, counted=True) as shop:
        with Guests([shop.server.port], scale.random) as guests, Outages(shop.server) as outages:
            for _ in range(kills):
                guests.wait_for(1 + scale.random.randrange(120))
                shop.cluster.stop(signal.SIGKILL)
                outages.begun()
                shop.cluster.start()
                outages.ended()
            guests.wait_for(64)
            guests.finish()
        wrong = guests.surprises + outages.wrong + exactness.check(guests.told, shop.cluster.url, shop.server.port)
        if guests.statuses[503] == 0:
            wrong.append("no kill was noticed by anybody")
    return outcome(wrong, f"{kills} kills, {len(guests.told)} orders exact, {guests.statuses[503]} × 503; {outages.figures}")
