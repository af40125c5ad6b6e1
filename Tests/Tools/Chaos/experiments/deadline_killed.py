"""Servers are killed at random moments while orders pass their deadline, and staff accept some of them at the same moment."""

import json
import signal
import time
import urllib.request

import exactness
from experiment import outcome
from guests import Guests
from shop import Shop

NAME = "deadline-killed"
MUST_HOLD = "past its deadline an order is rejected once, gives back once and is told once"
MINUTES = 30
# Acknowledged orders that nobody has moved, made older than the deadline; taken back in the end, for their guests ask again.
AGE = "update orders set placed_at = placed_at - interval '1 hour' where state = 'placed' and number = any ('{%s}') returning number"


def run(scale):
    kills, wrong, aged, accepted = scale.pick(20, 3), [], set(), 0
    with Shop(scale, servers=2, coupons=100000, counted=True, arguments=("--staff-token", "the-staff-token-of-this-run")) as shop:
        cluster = shop.cluster
        cluster.sql(f"update shop set accept_within_minutes = {MINUTES}")
        with Guests([server.port for server in shop.servers], scale.random, count=8, pause=0.3, cancelling=0) as guests:
            for _ in range(kills):
                guests.wait_for(4 + scale.random.randrange(12))
                numbers = cluster.sql(AGE % ",".join(sorted({told.order["number"] for told in list(guests.told)} - aged)[:8])).split()
                aged.update(numbers)
                victim = scale.random.choice(shop.servers)
                time.sleep(scale.random.random() * 1.2)  # somewhere in or between the looks, which come once a second
                for number in numbers[::3]:
                    accepted += accept(cluster, number)
                victim.stop(signal.SIGKILL)
                victim.start()
            guests.wait_for(4)
            guests.finish()
        # Of the last ones nobody but a server that was just started knows; it goes back all the way.
        end = time.monotonic() + 60
        while (left := cluster.sql("select count(*) from orders where state = 'placed' and placed_at < now() - interval '30 minutes'")) != "0":
            if time.monotonic() > end:
                wrong.append(f"{left} orders are past their deadline and wait after 60 s")
                break
            time.sleep(0.1)
        cluster.sql("update shop set accept_within_minutes = null; update orders set placed_at = placed_at + interval '1 hour' where number = any ('{%s}')" % ",".join(aged))
        wrong += guests.surprises + exactness.check(guests.told, cluster.url, shop.server.port)
        rejected = set(cluster.sql("select number from orders where state = 'rejected'").split())
        for count, text in (
            ("select count(*) from order_steps where step > 1", "orders moved twice"),
            ("select count(*) from audit where what = 'orders' and after ->> 'state' = 'rejected' and who <> 'the shop itself'", "rejected by somebody else"),
            ("""select count(*) from (select subject from audit where what = 'orders' group by 1 having count(*) > 1) as twice""", "orders whose step is in the audit twice"),
            ("""select count(*) from orders left join audit on what = 'orders' and subject = number and after ->> 'state' = state
                where state in ('accepted', 'rejected') and audit.id is null""", "steps that are not in the audit"),
        ):
            if (many := cluster.sql(count)) != "0":
                wrong.append(f"{many} {text}")
        if early := rejected - aged:
            wrong.append(f"{len(early)} orders were rejected before their deadline")
        if not rejected:
            wrong.append("no order was rejected: nothing was tried")
        wrong += told_once(shop, cluster, rejected)
    return outcome(wrong, f"{kills} kills, {len(guests.told)} orders, {len(aged)} past their deadline: {len(rejected)} rejected, {accepted} accepted first")


def accept(cluster, number):
    """Whether staff were first."""
    said = cluster.sql(f"""do $$ begin perform advance_order('{number}', 'accepted'); exception when check_violation then null; end $$;
        select count(*) from orders where number = '{number}' and state = 'accepted'""")
    return int(said.split()[-1])


def told_once(shop, cluster, rejected):
    """What who follows an order hears of it, from its beginning to its end."""
    wrong = []
    for number in sorted(rejected)[:20]:
        id = cluster.sql(f"select id from orders where number = '{number}'")
        with urllib.request.urlopen(f"http://127.0.0.1:{shop.server.port}/v1/orders/{id}/events", timeout=20) as stream:
            data = [json.loads(line[5:]) for line in stream.read().decode().splitlines() if line.startswith("data:")]
        states = [event["state"] for event in data if "state" in event]
        if states != ["placed", "rejected"]:
            wrong.append(f"order {number} was told as {states}")
    return wrong
