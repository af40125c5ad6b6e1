"""Kills servers at random moments while orders pass their acceptance deadline, and staff accept some of them at that
moment."""

import json
import signal
import time
import urllib.request

import consistency
from experiment import outcome
from guests import Guests
from shop import Shop

NAME = "deadline-killed"
EXPECTED = "an order past its deadline is rejected once, releases its stock and coupon once, and sends one event"
MINUTES = 30
# Makes acknowledged orders older than the deadline. The end of the run undoes it, because guests repeat their
# checkouts.
AGE = (
    "update orders set placed_at = placed_at - interval '1 hour' where state = 'placed' and number = any ('{%s}')"
    " returning number"
)


def run(scale):
    kills, problems, aged, accepted = scale.pick(20, 3), [], set(), 0
    with Shop(
        scale,
        servers=2,
        coupons=100000,
        has_stock_counts=True,
        arguments=("--staff-token", "the-staff-token-of-this-run"),
    ) as shop:
        cluster = shop.cluster
        cluster.sql(f"update shop set accept_within_minutes = {MINUTES}")
        with Guests([server.port for server in shop.servers], scale.random, count=8, pause=0.3, cancelling=0) as guests:
            for _ in range(kills):
                guests.wait_for(4 + scale.random.randrange(12))
                numbers = cluster.sql(
                    AGE % ",".join(sorted({order.order["number"] for order in list(guests.acknowledged)} - aged)[:8])
                ).split()
                aged.update(numbers)
                victim = scale.random.choice(shop.servers)
                time.sleep(scale.random.random() * 1.2)  # during or between the polls, which run once a second
                for number in numbers[::3]:
                    accepted += accept(cluster, number)
                victim.stop(signal.SIGKILL)
                victim.start()
            guests.wait_for(4)
            guests.finish()
        # Only a server that has just started finds the last of these orders, because it also checks old orders.
        end = time.monotonic() + 60
        while (
            remaining := cluster.sql(
                "select count(*) from orders where state = 'placed' and placed_at < now() - interval '30 minutes'"
            )
        ) != "0":
            if time.monotonic() > end:
                problems.append(f"{remaining} orders past their deadline are still placed after 60 s")
                break
            time.sleep(0.1)
        cluster.sql(
            "update shop set accept_within_minutes = null; update orders set placed_at = placed_at + interval '1 hour'"
            " where number = any ('{%s}')"
            % ",".join(aged)
        )
        problems += guests.surprises + consistency.check(guests.acknowledged, cluster.url, shop.server.port)
        rejected = set(cluster.sql("select number from orders where state = 'rejected'").split())
        for query, description in (
            ("select count(*) from order_steps where step > 1", "orders advanced twice"),
            (
                (
                    "select count(*) from audit where what = 'orders' and after ->> 'state' = 'rejected' and who <>"
                    " 'the shop itself'"
                ),
                "orders rejected by another actor",
            ),
            (
                """select count(*) from (select subject from audit where what = 'orders' group by 1 having count(*) > 1)
                as twice""",
                "orders whose step has two audit rows",
            ),
            (
                """select count(*) from orders left join audit on what = 'orders' and subject = number and after ->>
                'state' = state where state in ('accepted', 'rejected') and audit.id is null""",
                "steps without an audit row",
            ),
        ):
            if (count := cluster.sql(query)) != "0":
                problems.append(f"{count} {description}")
        if early := rejected - aged:
            problems.append(f"{len(early)} orders were rejected before their deadline")
        if not rejected:
            problems.append("no order was rejected, so the run tested nothing")
        problems += check_event_streams(shop, cluster, rejected)
    return outcome(
        problems,
        f"{kills} kills, {len(guests.acknowledged)} orders, {len(aged)} past their deadline: {len(rejected)} rejected,"
        f" {accepted} accepted first",
    )


def accept(cluster, number):
    """Accepts an order as staff. Returns whether they were first."""
    output = cluster.sql(
        f"""do $$ begin perform advance_order('{number}', 'accepted'); exception when check_violation then null; end $$;
        select count(*) from orders where number = '{number}' and state = 'accepted'"""
    )
    return int(output.split()[-1])


def check_event_streams(shop, cluster, rejected):
    """Checks the event streams of some rejected orders from beginning to end."""
    problems = []
    for number in sorted(rejected)[:20]:
        id = cluster.sql(f"select id from orders where number = '{number}'")
        with urllib.request.urlopen(f"http://127.0.0.1:{shop.server.port}/v1/orders/{id}/events", timeout=20) as stream:
            data = [json.loads(line[5:]) for line in stream.read().decode().splitlines() if line.startswith("data:")]
        states = [event["state"] for event in data if "state" in event]
        if states != ["placed", "rejected"]:
            problems.append(f"the event stream of order {number} has the states {states}")
    return problems
