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
import subprocess
import time

from bench import FORM
from machine import ROOT, SERVER, Machine, processor_seconds
from processes import Server

# The rows of the table, with their number of decimals.
ROWS = (
    ("checkouts a second, 64 connections", 0), ("with one limited coupon", 0), ("order flows (7 requests) a second", 0),
    ("p99 of a checkout at 64, ms", 1), ("one client's checkout, p50, ms", 2), ("menu page, answers a second", 0),
    ("peak memory, MiB", 0), ("CPU of the server for a checkout, µs", 0), ("CPU of PostgreSQL for a checkout, µs", 0),
    ("WAL for an order, bytes", 0),
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

    def fill(self, count, coupon=""):
        """Fills baskets with three lines each over HTTP. Returns the path of the file with their checkouts."""
        filled = f"{self.m.directory}/{self.database}.filled"
        result = self.load("-w", self.lines(count), "-o", filled)
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

    def checkouts(self, seconds, name="checkouts", connections=64, coupon=""):
        count = max(self.count(name, seconds), connections)
        path = self.fill(count, coupon)
        wal, used = self.sql("select pg_current_wal_lsn()"), self.cpu_seconds()
        result = self.load("-f", path, connections=connections)
        server, postgres = (after - before for after, before in zip(self.cpu_seconds(), used))
        assert result["statuses"] == {"201": count}, f"{self.database}, {name}: {result['statuses']}"
        assert self.sql(
            f"select count(*) from orders where idempotency_key like '{self.database} {self.fills} %'"
        ) == str(count), "orders and 201s differ"
        self.rates[name] = result["rate"]
        written = int(self.sql(f"select pg_wal_lsn_diff(pg_current_wal_lsn(), '{wal}')"))
        return result | {"server": server / count, "postgres": postgres / count, "wal": written / count}

    def cpu_seconds(self):
        return processor_seconds(self.server.process.pid), processor_seconds(self.m.postgres.pid)

    def flows(self, seconds):
        count = max(self.count("ways", seconds), 64)
        result = self.load("-w", self.lines(count))
        assert result["ways"] == count, result["statuses"]
        self.rates["ways"] = result["ways"] / result["seconds"]
        return self.rates["ways"]

    def measure(self, seconds):
        """Measures each row once."""
        parallel, coupon = self.checkouts(seconds), self.checkouts(seconds, "coupon", coupon="BENCH")
        flows, single = self.flows(seconds), self.checkouts(seconds, "one", connections=1)
        menu = self.load("-g", "/v1/menu?limit=100", "-t", seconds / 2)
        return (
            parallel["rate"],
            coupon["rate"],
            flows,
            parallel["latency"][1],
            single["latency"][0],
            menu["rate"],
            self.server.memory(),
            parallel["server"] * 1e6,
            parallel["postgres"] * 1e6,
            parallel["wal"],
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
