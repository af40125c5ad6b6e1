#!/usr/bin/python3
"""`make bench-against OLD=commit`: compares the performance of this tree with that of an older commit.

Both programs take turns. Each has a separate database on the same cluster, with its own SQL and menu. They receive the
same requests, from the API that both have. A pair is one run of each; every second pair starts with the other program.
Each run first fills its baskets over HTTP. A row shows the median of the pairs' ratios, and the interval that contains
the true median in at least nine of ten cases (order statistics: the second and the seventh of eight).

    python3 Tests/Tools/Load/against.py OLD_TREE [--pairs 8] [--seconds 3] [--write-results]

OLD_TREE must contain .build/release/welms.
"""

import argparse
import math
import os
import re
import statistics
import time

from bench import DEFAULTS, FORM, ITEMS
from machine import ROOT, SERVER, Machine
from measures import ROW_BYTES, costs, with_wal
from processes import Server

# The rows of the table, with their number of decimals. COSTS are the values of costs().
COSTS = (
    ("CPU of the server for a checkout, µs", 0), ("CPU of PostgreSQL for a checkout, µs", 0),
    ("WAL for an order, bytes", 0), ("row of an order, bytes", 0),
)
ROWS = (
    ("checkouts a second, 64 connections", 0), ("with one limited coupon", 0), ("with two default options", 0),
    ("order flows (7 requests) a second", 0), ("p99 of a checkout at 64, ms", 1), ("one client's checkout, p50, ms", 2),
    ("menu page, answers a second", 0), ("peak memory, MiB", 0), *COSTS,
    *((f"{title}, with two default options", digits) for title, digits in COSTS),
)
COUPON = """insert into coupons (id, key, benefit, percent, redemption_limit, title, description)
    values (90, 'BENCH', 'percent', 10, 1000000000, 'Bench', 'In every checkout.')"""


class Program:
    """One of the two programs, with its server, its database and its measured rates."""

    def __init__(self, machine, tree, database):
        self.m, self.database, self.fills, self.rates = machine, database, 0, {}
        machine.cluster.sql(f"create database {database}", database="postgres")
        program = SERVER if tree == ROOT else f"{tree}/.build/release/welms"
        self.server = Server(program, machine.cluster.url_of(database), f"{machine.directory}/{database}.log")
        seeds = [f"{tree}/seed/{name}.sql" for name in ("menu", "options", "sales", "coupons")]
        self.server.start(*(argument for seed in seeds if os.path.exists(seed) for argument in ("--seed", seed)))
        self.sql(COUPON + "; analyze")

    def sql(self, text):
        return self.m.cluster.sql(text, database=self.database)

    def load(self, *arguments, connections=64):
        self.m.server_process, self.m.server = self.server, self.server.process
        return self.m.load(*arguments, port=self.server.port, connections=connections)

    def lines(self, count):
        """Writes a form for each order flow. Returns the path of the file."""
        self.fills += 1
        path = f"{self.m.directory}/{self.database}.lines"
        with open(path, "w") as f:
            for n in range(count):
                f.write(
                    f"{self.database} {self.fills} {n}\t,"
                    + FORM % (f"+1{2000000000 + self.fills * 1000000 + n}", f"{self.fills}.{n}")
                    + "}\n"
                )
        return path

    def fill(self, count, coupon="", items=ITEMS):
        """Fills baskets with three lines each over HTTP. Dishes get their default options. Returns the path of the file
        with their checkouts."""
        filled = f"{self.m.directory}/{self.database}.filled"
        item_ids = ",".join(str(item) for item, _ in items)
        result = self.load("-w", self.lines(count), "-o", filled, "-i", item_ids)
        assert set(result["statuses"]) <= {"200", "201"}, result["statuses"]
        if coupon:
            with open(filled) as f:
                lines = f.readlines()
            with open(filled, "w") as f:
                for line in lines:
                    f.write(
                        re.sub(
                            r'"expectedTotal":(\d+)',
                            lambda total: (
                                f'"coupon":"{coupon}","expectedTotal":{(int(total[1]) * 90 * 2 + 100) // 200}'
                            ),
                            line,
                        )
                    )
        # Writes the dirty pages before the measurement, and replaces the statistics of empty tables.
        self.sql("vacuum (analyze) baskets; analyze orders")
        return filled

    def count(self, name, seconds):
        """The number of requests for this duration by the last rate, or a small number for the first run."""
        return min(int(self.rates.get(name, 400 / seconds) * seconds), 16384)

    def checkouts(self, seconds, name="checkouts", connections=64, coupon="", items=ITEMS):
        count = max(self.count(name, seconds), connections)
        path = self.fill(count, coupon, items)
        result = with_wal(self.sql, lambda: self.load("-f", path, connections=connections))
        assert result["statuses"] == {"201": count}, f"{self.database}, {name}: {result['statuses']}"
        placed, row, any_order = self.sql(
            f"select count(*), {ROW_BYTES}, min(id::text) from orders"
            f" where idempotency_key like '{self.database} {self.fills} %'"
        ).split("|")
        assert placed == str(count), "orders and 201s differ"
        chosen = self.sql(f"select count(options) from order_lines where order_id = '{any_order}'")
        assert chosen == ("2" if items == DEFAULTS else "0"), f"{self.database}, {name}: {chosen} lines with options"
        self.rates[name] = result["rate"]
        return result | {"row": int(row)}

    def flows(self, seconds):
        count = max(self.count("ways", seconds), 64)
        result = self.load("-w", self.lines(count))
        assert result["ways"] == count, result["statuses"]
        self.rates["ways"] = result["ways"] / result["seconds"]
        return self.rates["ways"]

    def measure(self, seconds):
        """Measures each row once."""
        parallel, coupon = self.checkouts(seconds), self.checkouts(seconds, "coupon", coupon="BENCH")
        defaults = self.checkouts(seconds, "defaults", items=DEFAULTS)
        flows, single = self.flows(seconds), self.checkouts(seconds, "one", connections=1)
        menu = self.load("-g", "/v1/menu?limit=100", "-t", seconds / 2)
        return (
            parallel["rate"],
            coupon["rate"],
            defaults["rate"],
            flows,
            parallel["latency"][1],
            single["latency"][0],
            menu["rate"],
            self.server.memory(),
            *costs(parallel),
            *costs(defaults),
        )


def interval(ratios):
    """The narrowest pair of order statistics that contains the true median in nine of ten cases."""
    ordered, n = sorted(ratios), len(ratios)
    outside = max(
        k for k in range((n + 1) // 2) if k == 0 or 2 * sum(math.comb(n, i) for i in range(k + 1)) / 2**n <= 0.1
    )
    return ordered[outside], ordered[n - 1 - outside]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("--name", default="", help="name of the older commit in the table")
    parser.add_argument("--pairs", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=3, help="approximate duration of one run")
    parser.add_argument("--write-results", action="store_true", help="replace the table in RESULTS.md")
    arguments = parser.parse_args()
    machine = Machine()
    try:
        machine.start_cluster("checkpoint_timeout=1h", "max_wal_size=16GB")
        programs = Program(machine, os.path.abspath(arguments.old), "old"), Program(machine, ROOT, "new")
        # The first rounds determine the rates and warm the caches.
        for program in programs:
            program.measure(1)
            program.measure(arguments.seconds)
        pairs = []
        for number in range(arguments.pairs):
            measured = {}
            for program in programs if number % 2 == 0 else programs[::-1]:
                measured[program.database] = program.measure(arguments.seconds)
            pairs.append((measured["old"], measured["new"]))
        for program in programs:
            program.server.stop()
    finally:
        machine.close()
    text = table(pairs, arguments.name or "before")
    print(text)
    if arguments.write_results:
        write_results(text)


def table(pairs, name):
    lines = [
        (
            f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores, {len(pairs)} pairs; medians, with the minimum and"
            " the maximum in brackets"
        ),
        "",
        f"| | {name} | now | now ÷ {name} | interval of the median |",
        "|---|---|---|---|---|",
    ]
    for row, (title, digits) in enumerate(ROWS):
        sides = [[pair[side][row] for pair in pairs] for side in (0, 1)]
        ratios = [now / before for before, now in zip(*sides)]
        low, high = interval(ratios)
        cells = [
            f"{statistics.median(side):,.{digits}f} ({min(side):,.{digits}f}–{max(side):,.{digits}f})" for side in sides
        ]
        lines.append(f"| {title} | {cells[0]} | {cells[1]} | {statistics.median(ratios):.3f} | {low:.3f}–{high:.3f} |")
    return "\n".join(lines)


def write_results(text):
    """Replaces the table below its heading in RESULTS.md."""
    path, heading = f"{ROOT}/Tests/Data/Load/RESULTS.md", "## Against an older commit\n"
    with open(path) as f:
        before, found, rest = f.read().partition(heading)
    assert found, f"{path} has no heading {heading.strip()}"
    with open(path, "w") as f:
        f.write(f"{before}{heading}\n{text}\n" + "".join(rest.partition("\n## ")[1:]))


if __name__ == "__main__":
    main()
