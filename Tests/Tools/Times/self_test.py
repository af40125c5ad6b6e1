"""Expected results of oracle.py for some shops in Berlin, calculated by hand from the rules.

The clocks go from 02:00 to 03:00 on 2026-03-29 at 01:00Z (1774746000), and from 03:00 to 02:00 on 2026-10-25 at 01:00Z
(1792890000)."""

from clock import Clock, day_number
from oracle import AFTER, BEFORE, Shop

SPRING, AUTUMN, HOUR = 1_774_746_000, 1_792_890_000, 3600
TERMS = {"offered": True, "lead": 15, "slot": 60, "horizon": 7, "orders": 2, "items": 5}


def shop(day, opens, closes, exceptions=(), serving=(), extra=None, **changes):
    number = day_number(day)
    rows = [[weekday, opens, closes, None] for weekday in range(1, 8)]
    terms = {**TERMS, **changes}
    return Shop(
        {
            "weekly": rows,
            "exceptions": list(exceptions),
            "serving": list(serving),
            "delivery": terms,
            "pickup": terms,
            "pauseUntil": None,
            "busy": 0,
            "busyUntil": None,
            "extra": extra,
        },
        Clock("Europe/Berlin", number - BEFORE, number + AFTER),
    )


def self_test():
    spring, autumn = shop("2026-03-29", "18:00", "26:00"), shop("2026-10-25", "18:00", "26:00")
    eve, night = SPRING - 10 * HOUR, AUTUMN - 10 * HOUR
    in_gap = shop("2026-03-29", "02:10", "02:50")
    repeated = shop("2026-10-25", "02:15", "02:45", slot=30)
    date = "2026-03-29"
    closed = shop(date, "18:00", "26:00", [[date, None, None, None]])
    short = shop(date, "18:00", "26:00", [[date, "10:00", "11:00", "pickup"], [date, "12:00", "13:00", None]])
    with_area, with_area_and_lead = shop(date, "18:00", "26:00", extra=20), shop(
        date, "18:00", "26:00", extra=20, lead=32
    )
    breakfast = shop(date, "00:00", "24:00", serving=[[7, "01:30", "02:30"]])
    checks = [
        # 02:00 is skipped: the shop closes at the change, after 7 hours. 16:00Z is 18:00 in summer.
        (spring.openings["pickup"][BEFORE - 1], (SPRING - 8 * HOUR, SPRING)),
        (spring.opening_status("delivery", SPRING - 1), f"open {SPRING}"),
        (spring.opening_status("delivery", SPRING), f"closed {SPRING + 15 * HOUR}"),
        # 02:00 occurs twice: the shop closes at the second, after 9 hours. 17:00Z is 18:00 in winter.
        (autumn.openings["pickup"][BEFORE - 1], (AUTUMN - 9 * HOUR, AUTUMN)),
        (autumn.opening_status("delivery", AUTUMN - 1), f"open {AUTUMN}"),
        (autumn.opening_status("delivery", AUTUMN), f"closed {AUTUMN + 16 * HOUR}"),
        # A shift in the gap does not exist on that day. A shift in the repeated hour lasts 30 + 60 minutes.
        (in_gap.opening_status("pickup", SPRING), f"closed {SPRING + 23 * HOUR + 600}"),
        (repeated.opening_status("pickup", AUTUMN - 45 * 60), f"open {AUTUMN + 45 * 60}"),
        (len([start for start in repeated.starts["pickup"] if AUTUMN - 2 * HOUR < start < AUTUMN + HOUR]), 3),
        # The shift of the evening before continues. Both shifts of an exception apply, each to its fulfilment.
        (closed.opening_status("pickup", SPRING - 1), f"open {SPRING}"),
        (closed.opening_status("pickup", SPRING), f"closed {SPRING + 39 * HOUR}"),
        (short.opening_status("pickup", SPRING), f"closed {SPRING + 7 * HOUR}"),
        (short.opening_status("delivery", SPRING), f"closed {SPRING + 9 * HOUR}"),
        # Served from 01:30 until the clock change.
        (breakfast.served(SPRING - 1800), "yes"),
        (breakfast.served(SPRING), f"{SPRING + 167 * HOUR - 1800} {SPRING + 167 * HOUR + 1800}"),
        # Slots of an hour: the last one starts an hour before closing.
        (spring.starts["pickup"].count(SPRING - HOUR) + autumn.starts["pickup"].count(AUTUMN - HOUR), 2),
        (spring.judge("pickup", eve, SPRING - HOUR, {}, 1), "ok"),
        (spring.judge("pickup", eve, SPRING - 60, {}, 1), "not_a_slot"),
        (spring.judge("pickup", eve, SPRING, {}, 1), "shop_closed opensAt=2026-03-29T16:00:00.000Z"),
        (spring.judge("pickup", eve, eve + 899, {}, 1), "too_soon earliest=2026-03-28T15:15:00.000Z"),
        (spring.judge("pickup", eve, None, {}, 1), "shop_closed opensAt=2026-03-28T17:00:00.000Z"),
        (autumn.judge("pickup", night, AUTUMN - HOUR, {("pickup", AUTUMN - HOUR): (2, 0)}, 1), "slot_full"),
        (autumn.judge("pickup", night, AUTUMN - HOUR, {("pickup", AUTUMN - HOUR): (1, 4)}, 1), "ok"),
        (autumn.judge("pickup", night, AUTUMN - HOUR, {("pickup", AUTUMN - HOUR): (1, 4)}, 2), "slot_full"),
        # An empty slot has capacity for five dishes, and none for six.
        (autumn.judge("pickup", night, AUTUMN - HOUR, {}, 5), "ok"),
        (autumn.judge("pickup", night, AUTUMN - HOUR, {}, 6), "slot_full limit=5"),
        # The minutes of the area apply to delivery only. Of lead time and load, only the larger one counts.
        (with_area.judge("delivery", eve, eve + 2099, {}, 1), "too_soon earliest=2026-03-28T15:35:00.000Z"),
        (with_area.judge("pickup", eve, eve + 899, {}, 1), "too_soon earliest=2026-03-28T15:15:00.000Z"),
        (
            [
                with_area.eta("delivery", eve, 0),
                with_area.eta("pickup", eve, 0),
                with_area_and_lead.eta("pickup", eve, 0),
            ],
            [35, 15, 35],
        ),
        ([with_area_and_lead.eta("pickup", eve, orders) for orders in (15, 16, 36, 400)], [35, 35, 60, 60]),
        # The horizon is seven days. The last slot of the last day starts at 23:00 local time, 22:00Z.
        (autumn.judge("delivery", night, AUTUMN + 7 * 24 * HOUR, {}, 1), "too_far latest=2026-10-31T22:00:00.000Z"),
    ]
    failures = [(number, actual, expected) for number, (actual, expected) in enumerate(checks, 1) if actual != expected]
    for number, actual, expected in failures:
        print(f"check {number}: {actual}, expected {expected}")
    print("self-test: " + (f"{len(failures)} failed" if failures else "all as expected"))
    return bool(failures)
