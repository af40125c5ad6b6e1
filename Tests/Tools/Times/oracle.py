"""Says from the written rules alone when a shop is open, which slots it offers, and what is wrong with a wanted time: a case (JSON) a line in,
a judgement a line out. Called by cases.py for TimesOracleTests.swift, which compares the shop's own judgement; --self-test checks itself."""

import bisect
import json
import sys

from clock import DAY, Clock, date_text, day_number, iso_weekday, rfc3339

BEFORE, AFTER = 4, 25  # days around the case's day that are looked at
KINDS = ("delivery", "pickup")


def minutes(text):
    hours, _, rest = text.partition(":")
    return int(hours) * 60 + int(rest)


def merged(spans):
    """What lies in any of them: touching ones are one."""
    one = []
    for start, end in sorted(spans):
        if one and start <= one[-1][1]:
            one[-1] = (one[-1][0], max(one[-1][1], end))
        else:
            one.append((start, end))
    return one


class Shop:
    def __init__(self, shop, clock):
        self.shop, self.clock = shop, clock
        self.days = range(clock.first, clock.last + 1)
        self.openings = {kind: [span for day in self.days for span in self.openings_of(kind, day)] for kind in KINDS}
        self.windows = {kind: merged(spans) for kind, spans in self.openings.items()}
        # Serving hours are for both kinds; without any it is always served.
        self.serving = merged(
            span for day in self.days for row in shop["serving"] if row[0] == iso_weekday(day)
            for span in self.span(day, minutes(row[1]), minutes(row[2])))
        self.starts = {kind: sorted(set(self.cut(kind))) for kind in KINDS}
        self.latest_told = {}
        self.is_start = {kind: set(starts) for kind, starts in self.starts.items()}

    def span(self, day, opens, closes):
        """At most one: a shift that comes out empty is none."""
        start, end = self.clock.opens(day * DAY + opens), self.clock.closes(day * DAY + closes)
        return [(start, end)] if start < end else []

    def shifts(self, kind, day):
        """The shifts that begin on a day: (from, to) in minutes."""
        dated = [row for row in self.shop["exceptions"] if row[0] == date_text(day) and row[3] in (None, kind)]
        if dated:
            return [(minutes(row[1]), minutes(row[2])) for row in dated if row[1] is not None]
        if not self.shop["weekly"]:
            return [(0, DAY)]
        return [(minutes(row[1]), minutes(row[2])) for row in self.shop["weekly"]
                if row[0] == iso_weekday(day) and row[3] in (None, kind)]

    def openings_of(self, kind, day):
        return [span for shift in self.shifts(kind, day) for span in self.span(day, *shift)]

    def cut(self, kind):
        """The starts of all slots."""
        length = self.shop[kind]["slot"]
        if length is None:
            return
        for start, end in self.openings[kind]:
            yield from range(start, end - length * 60 + 1, length * 60)

    # At a moment

    def window(self, windows, at):
        # Windows are in order and apart from each other.
        place = bisect.bisect_right(windows, at, key=lambda span: span[0])
        return windows[place - 1] if place and at < windows[place - 1][1] else None

    def next_start(self, windows, at):
        place = bisect.bisect_left(windows, at, key=lambda span: span[0])
        return windows[place][0] if place < len(windows) else None

    def door(self, kind, at):
        """"open 1774742400" with the moment at which it closes, "closed 1774742400" with that at which it opens; - where there is none."""
        window = self.window(self.windows[kind], at)
        if window is None:
            return f"closed {told(self.next_start(self.windows[kind], at))}"
        # What reaches the last of all days that are looked at goes on; the last window of all may well end before.
        never = window[1] > self.clock.opens(self.clock.last * DAY)
        return f"open {told(None if never else window[1])}"

    def served(self, at):
        """"yes", or when it is served next: "1774742400 1774756800"."""
        if not self.shop["serving"] or self.window(self.serving, at):
            return "yes"
        window = next((span for span in self.serving if span[0] > at), None)
        return f"{window[0]} {window[1]}" if window else "- -"

    # What is offered, and what is accepted

    def is_paused(self, at):
        return self.shop["pauseUntil"] is not None and at < self.shop["pauseUntil"]

    def busy(self, now):
        is_busy = self.shop["busyUntil"] is not None and now < self.shop["busyUntil"]
        return self.shop["busy"] if is_busy else 0

    def way(self, kind):
        """The minutes of the area that all is delivered to."""
        return self.shop["extra"] or 0 if kind == "delivery" else 0

    def earliest(self, kind, now):
        return now + (self.shop[kind]["lead"] + self.busy(now) + self.way(kind)) * 60

    def last_date(self, kind, now):
        return self.clock.date(now) + self.shop[kind]["horizon"]

    def latest(self, kind, now):
        """The start of the last slot in the horizon by the hours, full or not."""
        if (kind, now) not in self.latest_told:
            near = [start for start in self.starts[kind] if self.clock.date(now) <= self.clock.date(start) <= self.last_date(kind, now)]
            self.latest_told[kind, now] = near[-1] if near else None
        return self.latest_told[kind, now]

    def left(self, kind, start, taken):
        own = self.shop[kind]
        return None if own["orders"] is None else own["orders"] - taken.get((kind, start), (0, 0))[0]

    def has_place(self, kind, start, taken, quantity):
        own, (orders, items) = self.shop[kind], taken.get((kind, start), (0, 0))
        return (own["orders"] is None or orders < own["orders"]) and (own["items"] is None or items + quantity <= own["items"])

    def offered(self, kind, now, taken, quantity, has_dish):
        """The starts of the slots that a basket of so many dishes could have; with the dish only those at which it is served."""
        if not self.shop[kind]["offered"]:
            return []
        starts, earliest, last = self.starts[kind], self.earliest(kind, now), self.last_date(kind, now)
        return [start for start in starts[bisect.bisect_left(starts, earliest):]
                if not self.is_paused(start) and self.clock.date(start) <= last and self.has_place(kind, start, taken, quantity)
                and (not has_dish or self.served(start) == "yes")]

    def eta(self, kind, now, open_orders):
        load = min(60, 15 + 5 * (open_orders // 4))
        exact = max(load, self.shop[kind]["lead"]) + self.busy(now) + self.way(kind)
        return min(240, max(15, -(-exact // 5) * 5))

    def judge(self, kind, now, wanted, taken, quantity):
        """"ok", or the code and its parameters."""
        windows = self.windows[kind]
        if wanted is None:
            if not self.window(windows, now):
                return code("shop_closed", opensAt=self.next_start(windows, now))
            return code("shop_paused", until=self.shop["pauseUntil"]) if self.is_paused(now) else "ok"
        if wanted < self.earliest(kind, now):
            return code("too_soon", earliest=self.earliest(kind, now))
        if self.clock.date(wanted) > self.last_date(kind, now):
            return code("too_far", latest=self.latest(kind, now))
        if not self.window(windows, wanted):
            return code("shop_closed", opensAt=self.next_start(windows, wanted))
        if self.is_paused(wanted):
            return code("shop_paused", until=self.shop["pauseUntil"])
        if wanted not in self.is_start[kind]:
            return "not_a_slot"
        if not self.has_place(kind, wanted, taken, quantity):
            limit = self.shop[kind]["items"]
            return f"slot_full limit={limit}" if limit is not None and quantity > limit else "slot_full"
        return "ok"

    def alternatives(self, offered, wanted):
        return " alternatives=" + ",".join(rfc3339(start) for start in [start for start in offered if start > wanted][:3])

    def dish(self, at):
        """What is wrong with the dish at its line."""
        served = self.served(at)
        if served == "yes":
            return ""
        start, end = ("" if part == "-" else rfc3339(int(part)) for part in served.split())
        return " + item_not_served_then" + (f" from={start} until={end}" if start else "")


def told(instant):
    return "-" if instant is None else str(instant)


def code(name, **params):
    return name + "".join(f" {key}={rfc3339(at)}" for key, at in params.items() if at is not None)


def runs(texts):
    """Equal ones in a row as one: [[count, text], ...]."""
    out = []
    for text in texts:
        if out and out[-1][1] == text:
            out[-1][0] += 1
        else:
            out.append([1, text])
    return out


CLOCKS = {}


def clock_of(case):
    place = (case["zoneName"], case["day"])
    if place not in CLOCKS:
        CLOCKS.clear()
        day = day_number(case["day"])
        CLOCKS[place] = Clock(case["zoneName"], day - BEFORE, day + AFTER)
    return CLOCKS[place]


def judge(case):
    clock = clock_of(case)
    shop = Shop(case["shop"], clock)
    taken = {(kind, start): (orders, items) for kind, start, orders, items in case["taken"]}
    start, count = case["minutes"]
    minutes_asked = [start + index * 60 for index in range(count)]
    answer = {
        "doors": {kind: runs(shop.door(kind, at) for at in minutes_asked) for kind in KINDS},
        "served": runs(shop.served(at) for at in minutes_asked),
        "asks": [],
    }
    for ask in case["asks"]:
        kind, now, has_dish = ask["kind"], ask["now"], ask["quantity"] is not None
        quantity = ask["quantity"] or 1

        def at(wanted):
            text = shop.judge(kind, now, wanted, taken, quantity)
            if text == "slot_full":
                text += shop.alternatives(slots, wanted)
            return text + shop.dish(now if wanted is None else wanted) if has_dish else text

        slots = shop.offered(kind, now, taken, quantity, has_dish)
        length = (shop.shop[kind]["slot"] or 0) * 60
        answer["asks"].append({
            "asSoonAsPossible": at(None),
            "readyAt": now + 60 * shop.eta(kind, now, ask["openOrders"]) if shop.shop[kind]["offered"] and at(None) == "ok" else None,
            "closed": None if shop.window(shop.windows[kind], now) else told(shop.next_start(shop.windows[kind], now)),
            "dates": [[[start, start + length, shop.left(kind, start, taken)] for start in slots if clock.date(start) == day_number(date)]
                      for date in ask["dates"]],
            "wanted": runs(at(wanted) for wanted in minutes_asked) if ask["wanted"] else [],
        })
    return answer


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        from self_test import self_test
        sys.exit(self_test())
    for line in sys.stdin:
        if line.strip():
            print(json.dumps(judge(json.loads(line)), separators=(",", ":")))
