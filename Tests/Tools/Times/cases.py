"""Prints shops and queries for oracle.py around the clock changes of five zones, one JSON line each: cases.py --seed N
--random M [--every-minute] [--judged]. The same seed prints the same cases. TimesOracleTests.swift compares the result
of the shop with that of the oracle."""

import argparse
import json
import random

from clock import DAY, changes, date_text, day_number, iso_weekday
from oracle import BEFORE, Shop, clock_of, judge

# Past years, whose clock changes cannot be changed by law any more.
YEARS = {
    "Europe/Berlin": 2025,
    "America/New_York": 2025,
    "Australia/Lord_Howe": 2025,
    "America/Sao_Paulo": 2018,
    "Africa/Casablanca": 2025,
}
# The cases that compare each minute. The others compare changes and samples, unless --every-minute is given.
EVERY_MINUTE = {"overnight", "another day"}
# An order with more dishes than a slot permits.
LARGE = "a large order"
LENGTHS = [10, 15, 15, 20, 30, 30, 45, 60, 90]


def text(minutes):
    return f"{minutes // 60:02}:{minutes % 60:02}"


def every_day(*shifts):
    return [[weekday, text(opens), text(closes), kind] for opens, closes, kind in shifts for weekday in range(1, 8)]


def a_shift(opens, closes, kind=None):
    """A shift from minutes of the day. It closes at the first such time after it opens."""
    opens %= DAY
    length = (closes - opens) % DAY or DAY
    return opens, opens + length, kind


def a_shop(weekly=(), exceptions=(), serving=(), **changes):
    terms = {"offered": True, "lead": 15, "slot": 30, "horizon": 7, "orders": None, "items": None}
    shop = {
        "weekly": list(weekly),
        "exceptions": list(exceptions),
        "serving": list(serving),
        "delivery": dict(terms),
        "pickup": dict(terms),
        "pauseUntil": None,
        "busy": 0,
        "busyUntil": None,
        "extra": None,
    }
    for kind in ("delivery", "pickup"):
        shop[kind].update(changes.get("terms", {}))
    return shop


def days_of(zone):
    """Yields each day with a clock change, its instant, and the bounds of the repeated or skipped local time."""
    start, end = (day_number(f"{year}-01-01") * 86_400 for year in (YEARS[zone], YEARS[zone] + 1))
    offsets = changes(zone, start, end)
    for (_, before), (at, after) in zip(offsets, offsets[1:]):
        low, high = sorted(((at + before) // 60, (at + after) // 60))
        for day in sorted({(at - 60 + before) // 86_400, (at + after) // 86_400}):
            yield day, at, low, high


def fixed(day, low, high):
    """Shops with cases that are easy to get wrong."""
    middle, date = (low + high) // 2, date_text(day)
    yield "always open", a_shop()
    yield "overnight", a_shop(every_day((18 * 60, 26 * 60, None)), terms={"slot": 15})
    yield "closes and opens in it", a_shop(
        every_day(a_shift(low - 180, middle), a_shift(middle, high + 180)), terms={"slot": 20}
    )
    yield "closes and opens at its ends", a_shop(
        every_day(
            a_shift(low - 120, low, "delivery"),
            a_shift(high, high + 120, "delivery"),
            a_shift(low, high, "pickup"),
            a_shift(high, low, "pickup"),
        ),
        terms={"slot": 30, "lead": 0},
    )
    yield "within it", a_shop(
        every_day(a_shift(low + 5, high - 5), a_shift(high + 300, high + 600)), terms={"slot": 10}
    )
    yield "closed on the day", a_shop(every_day((18 * 60, 27 * 60, None)), [[date, None, None, None]])
    yield "another day", a_shop(
        every_day((11 * 60, 15 * 60, None)),
        [
            [date_text(day - 1), "20:00", "28:00", "delivery"],
            [date, text((low - 60) % DAY), text((low - 60) % DAY + 150), None],
            [date, "12:00", "13:00", None],
            [date_text(day + 1), None, None, "pickup"],
        ],
    )
    yield "round the clock", a_shop(every_day((0, DAY, "delivery"), (5 * 60, 29 * 60, "pickup")), terms={"slot": 60})
    yield "a closed day of a shop without rows", a_shop(
        (), [[date, None, None, "delivery"], [date_text(day + 1), "10:00", "11:00", "pickup"]]
    )
    yield "several", a_shop(
        every_day(
            (0, 150, None), (150, 180, None), (170, 240, None), (11 * 60, 14 * 60, None), (17 * 60, 23 * 60, None)
        ),
        terms={"slot": 30, "horizon": 1},
    )
    yield "delivery only", a_shop(
        every_day((18 * 60, 26 * 60, "delivery")),
        serving=[row[:3] for row in every_day(a_shift(low - 30, middle), a_shift(middle, high + 10))],
        terms={"slot": 10, "lead": 1},
    )
    yield "one weekday", a_shop(
        [[iso_weekday(day), text(middle % DAY), text(middle % DAY + 300), None]], terms={"slot": 25, "horizon": 8}
    )
    yield LARGE, a_shop(every_day((9 * 60, 21 * 60, None)), terms={"slot": 20, "items": 5})


class RandomShop:
    def __init__(self, rng, day, low, high):
        self.rng, self.day, self.low, self.high = rng, day, low, high

    def time(self):
        near = [
            self.low,
            self.high,
            (self.low + self.high) // 2,
            self.low - 30,
            self.high + 30,
            self.low + 1,
            self.high - 1,
            0,
            120,
            1080,
        ]
        return (self.rng.choice(near) if self.rng.random() < 0.7 else self.rng.randrange(0, DAY, 5)) % DAY

    def shift(self):
        opens, closes = self.time(), self.time()
        length = (closes - opens) % DAY or DAY
        return [text(opens), text(opens + length)]

    def kind(self):
        return self.rng.choice([None, None, "delivery", "pickup"])

    def shop(self):
        rng = self.rng
        weekly = [
            [weekday, *self.shift(), self.kind()] for weekday in range(1, 8) for _ in range(rng.choice([0, 1, 1, 2, 3]))
        ]
        exceptions = []
        for day in range(self.day - 2, self.day + 3):
            if rng.random() < 0.3:
                exceptions += [[date_text(day), *rng.choice([[None, None], self.shift(), self.shift()]), self.kind()]
                               for _ in range(rng.choice([1, 1, 2]))]
        serving = [[weekday, *self.shift()] for weekday in range(1, 8) for _ in range(rng.choice([0, 1, 2]))]
        shop = a_shop(rng.choice([weekly, weekly, weekly, []]), exceptions, rng.choice([[], serving]))
        for kind in ("delivery", "pickup"):
            shop[kind].update(
                lead=rng.choice([0, 1, 15, 15, 40, 200]),
                slot=rng.choice([None, *LENGTHS]),
                horizon=rng.choice([0, 1, 2, 7]),
                orders=rng.choice([None, 1, 3]),
                items=rng.choice([None, None, 5]),
                offered=rng.random() < 0.95,
            )
        shop["extra"] = rng.choice([None, 0, 20])
        return shop


def add_queries(case, rng, at):
    """Adds queries from the day before, from around the change, and from a random minute."""
    start, count = case["minutes"]
    near = [date_text(day_number(case["day"]) + days) for days in (-1, 0, 1)]
    instants = [
        start - 20 * 3600,
        at - 60 * rng.randint(-40, 100) + rng.choice([0, 0, 17]),
        start + 60 * rng.randrange(count),
    ]
    for index, now in enumerate(instants):
        kind = rng.choice(["delivery", "pickup"]) if index else ("delivery", "pickup")[case["number"] % 2]
        has_wanted_times = index < 2 and case["shop"][kind]["offered"]
        case["asks"].append(
            {
                "now": now,
                "kind": kind,
                "quantity": (
                    6
                    if case["name"].endswith(LARGE)
                    else rng.choice([1, 1, 2]) if has_wanted_times or rng.random() < 0.5 else None
                ),
                "openOrders": rng.choice([0, 3, 4, 39, 400]),
                "dates": near,
                "wanted": has_wanted_times,
            }
        )


def add_load(case, rng):
    """Adds uses to some slots, and sets a pause and a busy time near the day."""
    shop, clock = case["shop"], clock_of(case)
    begin, count = case["minutes"]
    end = begin + 60 * count
    for kind in ("delivery", "pickup"):
        for start in Shop(shop, clock).starts[kind]:
            if begin <= start < end and rng.random() < 0.5:
                case["taken"].append([kind, start, rng.randint(0, 4), rng.randint(0, 6)])
    if rng.random() < 0.5:
        shop["pauseUntil"] = rng.randrange(begin - 7200, end, 60)
    if rng.random() < 0.3:
        shop["busy"], shop["busyUntil"] = rng.choice([5, 12, 60]), rng.randrange(begin - 80_000, end, 60)


def cases(seed, count, every_minute=False):
    rng, number = random.Random(seed), 0
    for zone in YEARS:
        for day, at, low, high in days_of(zone):
            random_shop = RandomShop(rng, day, low, high)
            since = (day - 40) * 86_400
            list_of_changes = changes(zone, since, since + 400 * 86_400)
            random_shops = ((f"random {index}", random_shop.shop()) for index in range(count))
            for is_random, shops in ((False, fixed(day, low, high)), (True, random_shops)):
                for name, shop in shops:
                    number += 1
                    if name == "several":
                        shop["pauseUntil"] = at + 10 * 3600  # in the middle of the shift at noon
                    case = {
                        "number": number,
                        "name": f"{zone} {date_text(day)} {name}",
                        "zoneName": zone,
                        "day": date_text(day),
                        "everyMinute": every_minute or name in EVERY_MINUTE,
                        "zone": list_of_changes,
                        "shop": shop,
                        "taken": [],
                        "minutes": [0, 0],
                        "asks": [],
                    }
                    own = clock_of(case).minutes_of(day)
                    case["minutes"] = [own[0] - 3600, len(own) + 120]
                    if is_random:
                        add_load(case, rng)
                    add_queries(case, rng, at)
                    yield case


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--random", type=int, default=5)
    parser.add_argument("--every-minute", action="store_true")
    parser.add_argument("--judged", action="store_true")
    arguments = parser.parse_args()
    for case in cases(arguments.seed, arguments.random, arguments.every_minute):
        print(json.dumps({"case": case, "judgement": judge(case)} if arguments.judged else case, separators=(",", ":")))
