#!/usr/bin/python3
"""`make bench-snapshot`: the throughput of checkouts while a transaction holds an old snapshot, as a long dump does.

    python3 Tests/Tools/Load/snapshot.py [--minutes 20] [--counters coupon stock days slots] [--no-snapshot]

All versions of the counters remain until the snapshot ends. Each minute is a closed loop of 64 connections on new
baskets. The time in between, in which the baskets are made and the orders of the last minute are deleted, does not
count. For each counter table the output has its size, its dead versions, and the blocks that one look-up reads. The
program exits with 1 if the last minute has less than 0.8 of the first minute's throughput.

`--counters` chooses what each checkout changes: a limited coupon (the default), an item with a remaining count, an item
with a count per day, and a slot. `--no-snapshot` measures the same load without the snapshot. MINUTES=2 is shorter.
"""

import argparse
import datetime
import os
import subprocess
import sys
import time

import bench
from machine import HERE, Machine
from measures import microseconds
from processes import BINARIES, SEEDS

TABLES = ("coupon_redemptions", "item_stock", "stock_days", "slot_uses")
COUNTERS = ("coupon", "stock", "days", "slots")
LEAST = 0.8  # of the throughput of the first minute
# SQL that makes the items of bench.COUNTED counted, and permits any number of orders in a slot.
SET_UP = {
    "coupon": "",
    "stock": "insert into item_stock (menu_item_id, remaining) values (5001, 1000000000);",
    "days": "insert into item_stock (menu_item_id, per_day) values (1002, 1000000000);",
    "slots": "update fulfilments set slot_minutes = 30, orders_per_slot = null, items_per_slot = null;",
}
# For each table: bytes, dead versions, look-ups, blocks of indexes and of the table.
STATISTICS = """
    select relname, pg_total_relation_size(relid), n_dead_tup, seq_scan + coalesce(idx_scan, 0),
        coalesce(idx_blks_hit + idx_blks_read, 0), heap_blks_hit + heap_blks_read
    from pg_stat_user_tables join pg_statio_user_tables using (relid, relname) where relname in ('%s')
""" % "', '".join(TABLES)


class Snapshot:
    """A session with a repeatable-read transaction that stays open."""

    def __init__(self, machine):
        self.machine = machine
        self.session = subprocess.Popen(
            [f"{BINARIES}/psql", "-qAtX", "-d", machine.cluster.url], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, env=os.environ | {"PGAPPNAME": "snapshot"})
        self.session.stdin.write(
            "begin isolation level repeatable read; select count(*) from coupons; select pg_backend_pid();\n")
        self.session.stdin.flush()
        self.session.stdout.readline()
        self.pid = int(self.session.stdout.readline())
        self.xmin = self.held()
        assert self.xmin, "the session has no snapshot"

    def held(self):
        return self.machine.sql(f"select backend_xmin from pg_stat_activity where pid = {self.pid}")

    def close(self):
        """Ends the transaction. Fails if it did not hold its snapshot until now."""
        assert self.held() == self.xmin, "the snapshot has ended during the measurement"
        self.session.communicate("commit;\n")


class Measurement:
    def __init__(self, machine, arguments):
        self.machine, self.counters, self.seconds = machine, arguments.counters, arguments.seconds
        self.bench = bench.Bench(machine, arguments.seconds, 1)
        self.coupon = "BENCH" if "coupon" in self.counters else ""
        wanted = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=2)
        self.more = f',"wantedAt":"{wanted:%Y-%m-%d}T12:00:00Z"' if "slots" in self.counters else ""

    def minute(self, count, seconds):
        """Runs the load for these seconds with at most `count` checkouts."""
        self.machine.sql("truncate orders, baskets, coupon_uses, order_steps, stock_movements")
        run, total = self.bench.prepare(count, bench.COUNTED, self.coupon)
        requests = self.bench.requests(run, count, total, self.coupon, self.more)
        before = self.statistics()
        result = self.machine.load("-f", requests, "-t", seconds)
        # Sessions report their statistics when they are idle.
        time.sleep(2)
        result["tables"] = {name: self.costs(before[name], after, result["placed"])
                            for name, after in self.statistics().items()}
        self.bench.check("checkouts", result, run)
        return result

    def statistics(self):
        rows = [row.split("|") for row in self.machine.sql(STATISTICS).splitlines()]
        return {name: [int(value) for value in values] for name, *values in rows}

    @staticmethod
    def costs(before, after, orders):
        """Size, dead versions, look-ups of an order, and blocks of the indexes and of the table for a look-up."""
        lookups, index_blocks, heap_blocks = (now - then for then, now in zip(before[2:], after[2:]))
        return (after[0], after[1], lookups / max(orders, 1), index_blocks / max(lookups, 1),
                heap_blocks / max(lookups, 1))

    def run(self, minutes):
        """Prints a line for each minute. Returns the ratio of the last and the first minute's throughput."""
        rate = self.minute(3000, 60)["rate"]
        rate = max(rate, self.minute(int(rate * 5), 60)["rate"])
        rates = []
        for number in range(1, minutes + 1):
            # A little more than the server can place. The rest of the baskets is deleted.
            result = self.minute(int(rate * self.seconds * 1.2), self.seconds)
            rate = result["rate"]
            rates.append(rate)
            cost = microseconds(result, "PostgreSQL")
            print(f"{number:3}  {rate:7.0f} checkouts/s  {rate / rates[0]:5.2f}  p50"
                  f" {result['latency'][0]:7.2f} ms  p99 {result['latency'][1]:7.2f}  PostgreSQL {cost:6.1f} µs")
            for name, (size, dead, lookups, index_blocks, heap_blocks) in result["tables"].items():
                if lookups > 0.001:
                    print(f"       {name:20} {size / 1e6:8.2f} MB {dead:9} dead versions  {lookups:6.3f} look-ups of an"
                          f" order, each of {index_blocks:8.1f} blocks of indexes, {heap_blocks:8.1f} of the table")
            sys.stdout.flush()
        return rates[-1] / rates[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=int, default=int(os.environ.get("MINUTES") or 20), help="at least 2")
    parser.add_argument("--seconds", type=float, default=60, help="duration of a minute's load")
    parser.add_argument("--counters", nargs="+", choices=COUNTERS, default=["coupon"])
    parser.add_argument("--no-snapshot", action="store_true")
    arguments = parser.parse_args()
    machine, snapshot = Machine(), None
    try:
        machine.start_postgres()
        machine.start_server(*SEEDS)
        machine.sql(
            """insert into coupons (id, key, benefit, percent, redemption_limit, guest_limit, title, description) values
            (90, 'BENCH', 'percent', 10, 1000000000, null, 'Bench', 'In every checkout.');"""
            + "".join(SET_UP[counter] for counter in arguments.counters))
        with open(f"{HERE}/reference.sql") as file:
            machine.sql(file.read())
        machine.sql("analyze")
        print(f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores, {' and '.join(arguments.counters)},"
              f" {'without a' if arguments.no_snapshot else 'with an old'} snapshot", flush=True)
        measurement = Measurement(machine, arguments)
        if not arguments.no_snapshot:
            snapshot = Snapshot(machine)
        ratio = measurement.run(max(arguments.minutes, 2))
        if snapshot:
            snapshot.close()
    finally:
        if snapshot:
            snapshot.session.kill()
        machine.close()
    for problem in bench.missing:
        print(problem)
    print(f"{'pass' if ratio >= LEAST else 'FAIL'}  the last minute has {ratio:.2f} of the first minute's throughput,"
          f" at least {LEAST}")
    sys.exit(0 if ratio >= LEAST and not bench.missing else 1)


if __name__ == "__main__":
    main()
