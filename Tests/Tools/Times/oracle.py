"""An independent implementation of the rules for opening hours, slots and wanted times. Reads a case (JSON) per line
and prints a judgement per line; --self-test checks the oracle. TimesOracleTests.swift compares the result of the shop
with it."""

import bisect
import json
import sys

from clock import DAY, Clock, date_text, day_number, iso_weekday, rfc3339

BEFORE, AFTER = 4, 25  # the days before and after the case's day that are computed
KINDS = ("delivery", "pickup")


def minutes(text):
    hours, _, rest = text.partition(":")
    return int(hours) * 60 + int(rest)


def merged(spans):
    """The union of the spans. Touching spans are merged."""
    result = []
    for start, end in sorted(spans):
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(result[-1][1], end))
        else:
            result.append((start, end))
    return result


class Shop:
    def __init__(self, shop, clock):
        self.shop, self.clock = shop, clock
        self.days = range(clock.first, clock.last + 1)
        self.openings = {kind: [span for day in self.days for span in self.openings_of(kind, day)] for kind in KINDS}
        self.windows = {kind: merged(spans) for kind, spans in self.openings.items()}
        # Serving hours apply to both fulfilments. Without any, the dish is always served.
        self.serving = merged(
            span for day in self.days for row in shop["serving"] if row[0] == iso_weekday(day)
            for span in self.span(day, minutes(row[1]), minutes(row[2])))
        self.starts = {kind: sorted(set(self.cut(kind))) for kind in KINDS}
        self.latest_starts = {}
        self.is_start = {kind: set(starts) for kind, starts in self.starts.items()}

    def span(self, day, opens, closes):
        """The span of a shift as a list. It has no element if the shift is empty on that day."""
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

    # At an instant

    def window(self, windows, at):
        # Windows are ordered and disjoint.
        index = bisect.bisect_right(windows, at, key=lambda span: span[0])
        return windows[index - 1] if index and at < windows[index - 1][1] else None

    def next_start(self, windows, at):
        index = bisect.bisect_left(windows, at, key=lambda span: span[0])
        return windows[index][0] if index < len(windows) else None

    def opening_status(self, kind, at):
        """Returns "open 1774742400" with the closing time, or "closed 1774742400" with the next opening; "-" without
        one."""
        window = self.window(self.windows[kind], at)
        if window is None:
            return f"closed {text_or_dash(self.next_start(self.windows[kind], at))}"
        # A window that reaches the last computed day has no end. The last window may end earlier.
        never = window[1] > self.clock.opens(self.clock.last * DAY)
        return f"open {text_or_dash(None if never else window[1])}"

    def served(self, at):
        """Returns "yes", or the next serving hours: "1774742400 1774756800"."""
        if not self.shop["serving"] or self.window(self.serving, at):
            return "yes"
        window = next((span for span in self.serving if span[0] > at), None)
        return f"{window[0]} {window[1]}" if window else "- -"

    # Offered slots and accepted times

    def is_paused(self, at):
        return self.shop["pauseUntil"] is not None and at < self.shop["pauseUntil"]

    def busy(self, now):
        is_busy = self.shop["busyUntil"] is not None and now < self.shop["busyUntil"]
        return self.shop["busy"] if is_busy else 0

    def area_minutes(self, kind):
        """The extra minutes of the delivery area."""
        return self.shop["extra"] or 0 if kind == "delivery" else 0

    def earliest(self, kind, now):
        return now + (self.shop[kind]["lead"] + self.busy(now) + self.area_minutes(kind)) * 60

    def last_date(self, kind, now):
        return self.clock.date(now) + self.shop[kind]["horizon"]

    def latest(self, kind, now):
        """The start of the last slot within the horizon, full or not."""
        if (kind, now) not in self.latest_starts:
            near = [
                start
                for start in self.starts[kind]
                if self.clock.date(now) <= self.clock.date(start) <= self.last_date(kind, now)
            ]
            self.latest_starts[kind, now] = near[-1] if near else None
        return self.latest_starts[kind, now]

    def left(self, kind, start, taken):
        own = self.shop[kind]
        return None if own["orders"] is None else own["orders"] - taken.get((kind, start), (0, 0))[0]

    def has_capacity(self, kind, start, taken, quantity):
        own, (orders, items) = self.shop[kind], taken.get((kind, start), (0, 0))
        return (own["orders"] is None or orders < own["orders"]) and (
            own["items"] is None or items + quantity <= own["items"]
        )

    def offered(self, kind, now, taken, quantity, has_dish):
        """The starts of the slots with capacity for the dishes; with `has_dish`, only those at which it is served."""
        if not self.shop[kind]["offered"]:
            return []
        starts, earliest, last = self.starts[kind], self.earliest(kind, now), self.last_date(kind, now)
        return [
            start
            for start in starts[bisect.bisect_left(starts, earliest) :]
            if not self.is_paused(start)
            and self.clock.date(start) <= last
            and self.has_capacity(kind, start, taken, quantity)
            and (not has_dish or self.served(start) == "yes")
        ]

    def eta(self, kind, now, open_orders):
        load = min(60, 15 + 5 * (open_orders // 4))
        exact = max(load, self.shop[kind]["lead"]) + self.busy(now) + self.area_minutes(kind)
        return min(240, max(15, -(-exact // 5) * 5))

    def judge(self, kind, now, wanted, taken, quantity):
        """Returns "ok", or the code and its parameters."""
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
        if not self.has_capacity(kind, wanted, taken, quantity):
            limit = self.shop[kind]["items"]
            return f"slot_full limit={limit}" if limit is not None and quantity > limit else "slot_full"
        return "ok"

    def alternatives(self, offered, wanted):
        return " alternatives=" + ",".join(
            rfc3339(start) for start in [start for start in offered if start > wanted][:3]
        )

    def dish(self, at):
        """Returns the error of the dish, or an empty string."""
        served = self.served(at)
        if served == "yes":
            return ""
        start, end = ("" if part == "-" else rfc3339(int(part)) for part in served.split())
        return " + item_not_served_then" + (f" from={start} until={end}" if start else "")


def text_or_dash(instant):
    return "-" if instant is None else str(instant)


def code(name, **params):
    return name + "".join(f" {key}={rfc3339(at)}" for key, at in params.items() if at is not None)


def runs(texts):
    """Run-length encodes texts: [[count, text], ...]."""
    out = []
    for text in texts:
        if out and out[-1][1] == text:
            out[-1][0] += 1
        else:
            out.append([1, text])
    return out


CLOCKS = {}


def clock_of(case):
    key = (case["zoneName"], case["day"])
    if key not in CLOCKS:
        CLOCKS.clear()
        day = day_number(case["day"])
        CLOCKS[key] = Clock(case["zoneName"], day - BEFORE, day + AFTER)
    return CLOCKS[key]


def judge(case):
    clock = clock_of(case)
    shop = Shop(case["shop"], clock)
    taken = {(kind, start): (orders, items) for kind, start, orders, items in case["taken"]}
    start, count = case["minutes"]
    minutes_asked = [start + index * 60 for index in range(count)]
    answer = {
        "openingStatuses": {kind: runs(shop.opening_status(kind, at) for at in minutes_asked) for kind in KINDS},
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
        answer["asks"].append(
            {
                "asSoonAsPossible": at(None),
                "readyAt": (
                    now + 60 * shop.eta(kind, now, ask["openOrders"])
                    if shop.shop[kind]["offered"] and at(None) == "ok"
                    else None
                ),
                "closed": (
                    None
                    if shop.window(shop.windows[kind], now)
                    else text_or_dash(shop.next_start(shop.windows[kind], now))
                ),
                "dates": [
                    [
                        [start, start + length, shop.left(kind, start, taken)]
                        for start in slots
                        if clock.date(start) == day_number(date)
                    ]
                    for date in ask["dates"]
                ],
                "wanted": runs(at(wanted) for wanted in minutes_asked) if ask["wanted"] else [],
            }
        )
    return answer


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        from self_test import self_test
        sys.exit(self_test())
    for line in sys.stdin:
        if line.strip():
            print(json.dumps(judge(json.loads(line)), separators=(",", ":")))
