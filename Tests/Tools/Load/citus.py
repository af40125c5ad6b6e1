#!/usr/bin/python3
"""`make bench-citus DATABASE_URL=…`: compares checkouts and order flows on a Citus cluster with one PostgreSQL on the
same machine.

The shop of the cluster must be distributed, and is emptied. Each side has its own server. bench.py does the measuring.

    python3 Tests/Tools/Load/citus.py DATABASE_URL [--seconds 4] [--rounds 3]
"""

import argparse
import statistics
import sys

from bench import ROOT, Bench, Machine, missing, ratio, report, report_targets, target
from machine import SERVER
from processes import Server, psql


class ExistingDatabase(Machine):
    """A machine that uses an existing database."""

    def __init__(self, url):
        super().__init__()
        self.url = url

    def start_postgres(self):
        self.server_process = Server(SERVER, self.url, f"{self.directory}/server.log")
        self.server_port = self.server_process.port

    def sql(self, text, output=None):
        return psql(self.url, text, output)


class CitusBench(Bench):
    def clear(self):
        self.m.sql("truncate orders, baskets, coupon_uses, order_steps")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", metavar="DATABASE_URL")
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    is_citus = psql(arguments.url, "select to_regclass('pg_dist_shard') is not null") == "t"
    shards = (
        psql(arguments.url, "select count(*) from pg_dist_shard where logicalrelid = to_regclass('baskets')")
        if is_citus
        else "0"
    )
    if shards == "0":
        sys.exit("the shop of this database is not distributed: see \"Citus\" in the article about many machines")
    machines = Machine(), ExistingDatabase(arguments.url)
    try:
        for machine in machines:
            machine.start_postgres()
        seeds = [a for name in ("menu", "options", "sales", "coupons") for a in ("--seed", f"{ROOT}/seed/{name}.sql")]
        machines[0].start_server(*seeds)
        machines[1].start_server("--shards", shards, *seeds)
        sides = plain, citus = [CitusBench(machine, arguments.seconds, arguments.rounds) for machine in machines]
        for side in sides:
            side.clear()
            side.own(512), side.flow()
        results = plain.alternate(
            {
                "checkout, one PostgreSQL, 512 connections": lambda: plain.own(512),
                f"checkout, Citus, {shards} shards, 512": lambda: citus.own(512),
                "checkout, one PostgreSQL, 1 connection": lambda: plain.own(1),
                "checkout, Citus, 1 connection": lambda: citus.own(1),
                "order flow (7 requests), one PostgreSQL, 64": plain.flow,
                "order flow (7 requests), Citus, 64": citus.flow,
            }
        )
        plain.table(results)
    finally:
        for machine in machines:
            machine.close()
    many, many_citus, _, one_citus, flow, flow_citus = results.values()
    target("checkout on Citus ÷ on one PostgreSQL, 512 connections", ratio(many_citus, many), "≥", 0.35)
    target("one client's checkout on Citus, p50 in ms", statistics.median(r["latency"][0] for r in one_citus), "≤", 5)
    target("order flow on Citus ÷ on one PostgreSQL", ratio(flow_citus, flow), "≥", 0.25)
    report_targets()
    report("the orders in the databases equal the 201 answers" if not missing else "DIFFERENT:\n" + "\n".join(missing))
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    main()
