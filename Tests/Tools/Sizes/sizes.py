#!/usr/bin/python3
"""`make bench-sizes`: measures the server with a large menu, with millions of open baskets, and at its limits of event
streams.

    python3 Tests/Tools/Sizes/sizes.py [--only menu] [--items 1000 3000 10000] [--options 1000]
    python3 Tests/Tools/Sizes/sizes.py --only baskets [--baskets 3000000] [--seconds 4]
    python3 Tests/Tools/Sizes/sizes.py --only streams [--followed 100000] [--steps 200] [--stream-seconds 60]
    python3 Tests/Tools/Sizes/sizes.py --quick                  all three with small sizes, in about a minute

Each measurement has its own clusters below /var/tmp, which are removed at the end. The streams need a hard limit of
open files (ulimit -Hn) above 11,000. WELMS=/path/to/welms measures another program. Exits with 1 if a criterion is
missed.
"""

import argparse
import os
import sys
import time

import shops
import baskets
import menu
import streams
from machine import SERVER
from processes import new_directory, remove

MEASUREMENTS = {"menu": menu.measure, "baskets": baskets.measure, "streams": streams.measure}
QUICK = {"items": [300], "options": 100, "baskets": 20_000, "seconds": 0.5, "followed": 1_000, "stream_seconds": 5,
         "order_streams": 100, "error_streams": 50, "boards": 5}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=MEASUREMENTS)
    parser.add_argument("--quick", action="store_true", help="small sizes; other options have no effect on them")
    parser.add_argument("--items", type=int, nargs="+", default=[1_000, 3_000, 10_000], help="sizes of the menu")
    parser.add_argument("--options", type=int, default=1_000, help="of the menu")
    parser.add_argument("--baskets", type=int, default=3_000_000)
    parser.add_argument("--seconds", type=float, default=4, help="approximate duration of a run of checkouts")
    parser.add_argument("--followed", type=int, default=100_000, help="orders whose steps are taken")
    parser.add_argument("--steps", type=int, default=200, help="of orders in a second")
    parser.add_argument("--stream-seconds", type=int, default=60, help="of steps")
    # A server has at most 4,096 streams of orders. The error channel has at most 1,024 listeners, and a board is one.
    parser.add_argument("--order-streams", type=int, default=4_096)
    parser.add_argument("--error-streams", type=int, default=1_000)
    parser.add_argument("--boards", type=int, default=24, help="streams of the staff page")
    arguments = parser.parse_args()
    if arguments.quick:
        vars(arguments).update(QUICK)
    return arguments


def main():
    arguments, report = parse_arguments(), shops.Report()
    report.say(f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores")
    begin = time.monotonic()
    try:
        for name in arguments.only or MEASUREMENTS:
            directory = new_directory(f"welms-sizes-{name}-")
            try:
                MEASUREMENTS[name](report, SERVER, directory, arguments)
            finally:
                remove(directory)
    finally:
        report.say(f"\ntook {time.monotonic() - begin:.0f} s")
        is_met = report.close()
    sys.exit(0 if is_met else 1)


if __name__ == "__main__":
    main()
