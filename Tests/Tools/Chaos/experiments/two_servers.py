"""Two servers on one database, both under load; one is killed and comes back. A menu change and an order's steps are told by both."""

import signal
import time

import exactness
from experiment import outcome
from guests import Guests
from listening import Listener
from processes import get
from shop import Shop

NAME = "two-servers"
MUST_HOLD = "exact across both; a menu change and an order's step reach both in 1 s"
REACH = 1


def run(scale):
    kills, changes = scale.pick(5, 1), scale.pick(20, 3)
    wrong, menu, steps = [], [], []
    with Shop(scale, servers=2, coupons=kills * 40, counted=True) as shop:
        ports = [server.port for server in shop.servers]
        with Guests(ports, scale.random, cancelling=0) as guests:
            for n in range(kills):
                guests.wait_for(1 + scale.random.randrange(120))
                victim = scale.random.choice(shop.servers)
                victim.stop(signal.SIGKILL)
                # The other one goes on alone.
                guests.wait_for(64)
                victim.start()
            guests.wait_for(64)
            for n in range(changes):
                price = 300 + n
                shop.cluster.sql(f"update menu_items set price = {price} where id = 5001")
                changed = time.monotonic()
                menu += [seen(port, f'"price":{price},', changed) for port in ports]

                told = guests.told[n]
                path = f"/v1/orders/{told.order['id']}/events"
                with Listener(ports[0], path) as one, Listener(ports[1], path) as other:
                    shop.cluster.sql(f"select advance_order('{told.order['number']}', 'accepted')")
                    moved = time.monotonic()
                    for listener in (one, other):
                        heard = listener.wait_for(lambda heard: heard.data.get("state") == "accepted", 10)
                        steps.append(heard.at - moved if heard else 10)
            guests.finish()
        wrong += guests.surprises
        for server in shop.servers:
            wrong += exactness.check(guests.told, shop.cluster.url, server.port)
    for name, times in (("a menu change", menu), ("an order's step", steps)):
        if max(times) > REACH:
            wrong.append(f"{name} took {max(times):.1f} s")
    return outcome(wrong, f"{kills} kills, {len(guests.told)} orders exact, menu changes reach both in {max(menu):.2f} s at worst, steps in {max(0, max(steps)):.2f} s")


def seen(port, text, since):
    """Seconds until the item's answer has the text."""
    while time.monotonic() < since + 10:
        if text.encode() in get(port, "/v1/menu/5001")[2]:
            break
        time.sleep(0.005)
    return time.monotonic() - since
