"""Two servers on one database, both under load. One is killed and restarted. Both must show a menu change and an
order's steps."""

import signal
import time

import consistency
from experiment import outcome
from guests import Guests
from event_listener import EventListener
from processes import get
from shop import Shop

NAME = "two-servers"
EXPECTED = "consistent across both; a menu change and an order's step reach both in 1 s"
DELAY_LIMIT = 1


def run(scale):
    kills, changes = scale.pick(5, 1), scale.pick(20, 3)
    problems, menu, steps = [], [], []
    with Shop(scale, servers=2, coupons=kills * 40, has_stock_counts=True) as shop:
        ports = [server.port for server in shop.servers]
        with Guests(ports, scale.random, cancelling=0) as guests:
            for n in range(kills):
                guests.wait_for(1 + scale.random.randrange(120))
                victim = scale.random.choice(shop.servers)
                victim.stop(signal.SIGKILL)
                # The other server continues alone.
                guests.wait_for(64)
                victim.start()
            guests.wait_for(64)
            for n in range(changes):
                price = 300 + n
                shop.cluster.sql(f"update menu_items set price = {price} where id = 5001")
                changed_at = time.monotonic()
                menu += [delay_until_shown(port, f'"price":{price},', changed_at) for port in ports]

                order = guests.acknowledged[n]
                path = f"/v1/orders/{order.order['id']}/events"
                with EventListener(ports[0], path) as first, EventListener(ports[1], path) as second:
                    shop.cluster.sql(f"select advance_order('{order.order['number']}', 'accepted')")
                    moved_at = time.monotonic()
                    for listener in (first, second):
                        event = listener.wait_for(lambda event: event.data.get("state") == "accepted", 10)
                        steps.append(event.received_at - moved_at if event else 10)
            guests.finish()
        problems += guests.surprises
        for server in shop.servers:
            problems += consistency.check(guests.acknowledged, shop.cluster.url, server.port)
    for name, times in (("a menu change", menu), ("an order's step", steps)):
        if max(times) > DELAY_LIMIT:
            problems.append(f"{name} took {max(times):.1f} s")
    return outcome(
        problems,
        f"{kills} kills, {len(guests.acknowledged)} orders consistent, menu changes reach both in {max(menu):.2f} s at"
        f" most, steps in {max(0, max(steps)):.2f} s",
    )


def delay_until_shown(port, text, since):
    """Measures the seconds until the answer for the item contains the text."""
    while time.monotonic() < since + 10:
        if text.encode() in get(port, "/v1/menu/5001")[2]:
            break
        time.sleep(0.005)
    return time.monotonic() - since
