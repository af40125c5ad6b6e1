"""The clock of the database and the shop's time zone decide the date, to the microsecond. Two servers, with clocks 26
hours ahead and behind, must decide as the table says. The clock of the database is frozen at each moment: clock
changes, leap days, and the ends of months and years.
"""

import asyncio
import datetime
import json
import zoneinfo

from clock import Clock
from experiment import outcome
from shop import Shop
from web import Connection

NAME = "clock"
EXPECTED = "coupon decisions match the table, on two servers with clocks 52 hours apart"
CLOCK_ERROR = 26 * 3600  # seconds
NEW_YORK, BERLIN = "America/New_York", "Europe/Berlin"
LAST, NO = "last", "no"
# Zone, local time, whether LAST is valid, and the birthdays on that day (29 February counts as the 28th in common
# years).
TABLE = [
    # The ends of months: 31, 30, 28 and 29 days.
    (NEW_YORK, "2026-01-30 23:59:59.999999", NO, ["01-30"]),
    (NEW_YORK, "2026-01-31 00:00:00", LAST, ["01-31"]),
    (NEW_YORK, "2026-01-31 23:59:59.999999", LAST, ["01-31"]),
    (NEW_YORK, "2026-02-01 00:00:00", NO, ["02-01"]),
    (BERLIN, "2026-04-29 23:59:59.999999", NO, ["04-29"]),
    (BERLIN, "2026-04-30 00:00:00", LAST, ["04-30"]),
    (BERLIN, "2026-04-30 23:59:59.999999", LAST, ["04-30"]),
    (BERLIN, "2026-05-01 00:00:00", NO, ["05-01"]),
    # A common year, with birthdays on a leap day.
    (NEW_YORK, "2026-02-27 23:59:59.999999", NO, ["02-27"]),
    (NEW_YORK, "2026-02-28 00:00:00", LAST, ["02-28", "02-29"]),
    (NEW_YORK, "2026-02-28 23:59:59.999999", LAST, ["02-28", "02-29"]),
    (NEW_YORK, "2026-03-01 00:00:00", NO, ["03-01"]),
    # A leap year, a century that is a leap year (2000), and one that is not (2100).
    (NEW_YORK, "2028-02-28 23:59:59.999999", NO, ["02-28"]),
    (NEW_YORK, "2028-02-29 00:00:00", LAST, ["02-29"]),
    (NEW_YORK, "2028-02-29 23:59:59.999999", LAST, ["02-29"]),
    (NEW_YORK, "2028-03-01 00:00:00", NO, ["03-01"]),
    (BERLIN, "2000-02-29 12:00:00", LAST, ["02-29"]),
    (BERLIN, "2100-02-28 12:00:00", LAST, ["02-28", "02-29"]),
    # Clocks go forward: the day has 23 hours. In Berlin in 2024 that is the last day of the month.
    (NEW_YORK, "2026-03-08 00:00:00", NO, ["03-08"]),
    (NEW_YORK, "2026-03-08 01:59:59.999999", NO, ["03-08"]),
    (NEW_YORK, "2026-03-08 03:00:00", NO, ["03-08"]),
    (NEW_YORK, "2026-03-08 23:59:59.999999", NO, ["03-08"]),
    (BERLIN, "2024-03-31 00:00:00", LAST, ["03-31"]),
    (BERLIN, "2024-03-31 01:59:59.999999", LAST, ["03-31"]),
    (BERLIN, "2024-03-31 03:00:00", LAST, ["03-31"]),
    (BERLIN, "2024-03-31 23:59:59.999999", LAST, ["03-31"]),
    (BERLIN, "2024-04-01 00:00:00", NO, ["04-01"]),
    # Clocks go back: the day has 25 hours. In Berlin in 2021 that is the last day of the month. `fold` marks the second
    # occurrence.
    (BERLIN, "2021-10-31 00:00:00", LAST, ["10-31"]),
    (BERLIN, "2021-10-31 02:30:00", LAST, ["10-31"]),
    (BERLIN, "2021-10-31 02:30:00 fold", LAST, ["10-31"]),
    (BERLIN, "2021-10-31 23:59:59.999999", LAST, ["10-31"]),
    (BERLIN, "2021-11-01 00:00:00", NO, ["11-01"]),
    (NEW_YORK, "2026-10-31 23:59:59.999999", LAST, ["10-31"]),
    (NEW_YORK, "2026-11-01 01:30:00 fold", NO, ["11-01"]),
    (NEW_YORK, "2026-11-01 23:59:59.999999", NO, ["11-01"]),
    # The ends of years.
    (NEW_YORK, "2026-12-31 23:59:59.999999", LAST, ["12-31"]),
    (NEW_YORK, "2027-01-01 00:00:00", NO, ["01-01"]),
    (BERLIN, "2026-12-31 23:59:59.999999", LAST, ["12-31"]),
    (BERLIN, "2027-01-01 00:00:00", NO, ["01-01"]),
]
BIRTHDAYS = ["01-01", "01-30", "02-28", "02-29", "03-01", "12-31"]
# The validity of a coupon, without its end. It begins after the hour that clocks skip, and ends in the hour that they
# repeat.
WINDOW = ("2026-03-08 03:00:00", "2026-11-01 01:30:00 fold")
WINDOWS = [
    ("2026-03-08 01:59:59.999999", "coupon_not_started"),
    ("2026-03-08 03:00:00", None),
    ("2026-11-01 01:30:00", None),
    ("2026-11-01 01:29:59.999999 fold", None),
    ("2026-11-01 01:30:00 fold", "coupon_expired"),
    ("2026-11-01 01:59:59.999999", None),
]


def run(scale):
    database, ahead, behind = Clock(scale), Clock(scale), Clock(scale)
    ahead.add(CLOCK_ERROR)
    behind.add(-CLOCK_ERROR)
    shop = Shop(scale, servers=2)
    shop.cluster.environment = database.environment
    for server, clock in zip(shop.servers, (ahead, behind)):
        server.environment = clock.environment
    with shop:
        problems, count = asyncio.run(decide(shop, database))
    return outcome(
        problems,
        f"{count} decisions at {len(TABLE) + len(WINDOWS)} moments, two servers, clocks {2 * CLOCK_ERROR // 3600} h"
        " apart",
    )


def moment(zone, text):
    """The moment in UTC, computed by Python. PostgreSQL must compute the same local time from it."""
    local = datetime.datetime.fromisoformat(text.removesuffix(" fold")).replace(
        tzinfo=zoneinfo.ZoneInfo(zone), fold=int(text.endswith(" fold"))
    )
    return local.astimezone(datetime.timezone.utc).isoformat()


async def decide(shop, clock):
    problems, count, zone_now, guest = [], 0, None, iter(range(1, 1000))
    clients = [Connection(server.port) for server in shop.servers]
    shop.cluster.sql(
        f"""insert into coupons (id, key, title, description, benefit, percent, starts_at, ends_at) values
        (92, 'SUMMER', 'Summer', 'While the clocks are forward.', 'percent', 10,
         '{moment(NEW_YORK, WINDOW[0])}', '{moment(NEW_YORK, WINDOW[1])}')"""
    )
    id = (await clients[0].send("POST", "/v1/baskets")).json["id"]
    total = (await clients[0].send("POST", f"/v1/baskets/{id}/items", b'{"menuItemId": 2001, "quantity": 2}')).json[
        "total"
    ]

    async def ask(what, coupon, birthday, expected):
        nonlocal count
        for client, name in zip(clients, ("ahead", "behind")):
            answer = (
                await client.send(
                    "POST",
                    "/v1/checkout/validate",
                    json.dumps(
                        {"basketId": id, "coupon": coupon} | ({"birthday": birthday} if birthday else {})
                    ).encode(),
                )
            ).json
            count += 1
            found = answer["fields"]["coupon"].get("code")
            if found != expected or (expected is None) != (answer["quote"]["discount"] > 0):
                problems.append(
                    f"{what}: {coupon} {birthday or ''} at the server with the clock {name} is {found or 'accepted'},"
                    f" expected {expected or 'accepted'}"
                )

    async def freeze_at(zone, text):
        nonlocal zone_now
        if zone != zone_now:
            shop.cluster.sql(f"update shop set time_zone = '{zone}'")
            zone_now = zone
        clock.freeze_at(moment(zone, text))

    for zone, text, last, birthdays in TABLE:
        await freeze_at(zone, text)
        what = f"{zone} {text}"
        await ask(what, "LAST", None, None if last == LAST else "coupon_not_today")
        for birthday in {*birthdays, *BIRTHDAYS}:
            await ask(what, "HAPPY", birthday, None if birthday in birthdays else "coupon_not_today")
    for text, expected in WINDOWS:
        await freeze_at(NEW_YORK, text)
        await ask(f"{NEW_YORK} {text}", "SUMMER", None, expected)

    # Orders: a birthday coupon is valid once per calendar year at all servers, and placedAt is the time of the
    # database.
    async def order(client, who, birthday):
        nonlocal count
        count += 1
        basket = (await client.send("POST", "/v1/baskets")).json["id"]
        total = (await client.send("POST", f"/v1/baskets/{basket}/items", b'{"menuItemId": 2001, "quantity": 2}')).json[
            "total"
        ]
        form = {
            "basketId": basket,
            "name": "Ann Lee",
            "phone": f"555{who:07}",
            "email": f"ann{who}@example.com",
            "address": "12 Elm Street, Springfield",
            "coupon": "HAPPY",
            "birthday": birthday,
            "expectedTotal": (total * 85 * 2 + 100) // 200,
        }
        answer = await client.send(
            "POST", "/v1/checkout", json.dumps(form).encode(), [("Idempotency-Key", f"key of {basket}")]
        )
        if answer.status == 201:
            return answer.json["placedAt"]
        return answer.json["errors"][0]["code"] if "errors" in answer.json else repr(answer)

    def expect(what, found, expected):
        if found != expected:
            problems.append(f"{what}: {found}, expected {expected}")

    ann, leap = next(guest), next(guest)
    await freeze_at(BERLIN, "2026-12-31 23:59:59")
    expect("the last second of the year", await order(clients[0], ann, "12-31"), "2026-12-31T22:59:59.000Z")
    expect("a second order, at the other server", await order(clients[1], ann, "12-31"), "coupon_already_used")
    await freeze_at(BERLIN, "2027-12-31 00:00:00")
    expect("a year later", await order(clients[1], ann, "12-31"), "2027-12-30T23:00:00.000Z")
    expect("a second order a year later", await order(clients[0], ann, "12-31"), "coupon_already_used")
    await freeze_at(BERLIN, "2027-02-28 23:59:59")
    expect("29 February in a common year", await order(clients[0], leap, "02-29"), "2027-02-28T22:59:59.000Z")
    await freeze_at(BERLIN, "2028-02-28 12:00:00")
    expect("the day before, in a leap year", await order(clients[1], leap, "02-29"), "coupon_not_today")
    await freeze_at(BERLIN, "2028-02-29 00:00:00")
    expect("29 February in a leap year", await order(clients[1], leap, "02-29"), "2028-02-28T23:00:00.000Z")
    for client in clients:
        client.close()
    return problems, count
