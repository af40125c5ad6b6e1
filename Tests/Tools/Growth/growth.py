#!/usr/bin/python3
"""`make bench-growth`: fills a shop with ten million orders and measures the server on it.

    python3 Tests/Tools/Growth/growth.py [--orders 10000000] [--minutes 10] [--rate 10] [--rounds 5]

The filled cluster is kept below .build/growth (fill.py). The mixed load has a fixed rate of orders (mixed.py), and its
statements are measured by pg_stat_statements. Then the throughput of checkouts is compared with that of an empty shop,
in turn. Before that, the plans of all statements are logged during a short mixed load and a pruning (statements.py).
Exits with 1 if a criterion is missed.
"""

import argparse
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [f"{os.path.dirname(HERE)}/Load", f"{os.path.dirname(HERE)}/Processes"]

import bench
import fill
import statements
from client import Client
from machine import SERVER, Machine
from mixed import MixedLoad, open_board
from processes import ROOT, free_port, new_directory, remove

PRUNE_LIMIT = 900  # seconds after which a pruning is ended


class ShopMachine(Machine):
    """The processes of a benchmark on a cluster that runs already. Its load program is shared."""

    def __init__(self, shop, server, directory, load_program):
        self.directory, self.load_program = directory, load_program
        self.cluster, self.data, self.postgres = shop.cluster, shop.cluster.data, shop.cluster.process
        self.server_process, self.server, self.server_port = server, server.process, server.port
        self.nginx = self.service = None
        self.environment = os.environ | {"PGOPTIONS": "-csearch_path=public,reference"}


class Growth:
    def __init__(self, arguments):
        self.arguments, self.criteria, self.run = arguments, [], int(time.time()) % 100_000
        self.program, self.directory = SERVER, new_directory("welms-growth-")
        self.filled = self.empty = None
        self.servers = []

    # The measurements.

    def measure(self):
        self.filled, facts = fill.open_filled(self.program, self.arguments.orders, self.say)
        size = f"{facts['seconds'] / 60:.1f} min, {facts['bytes'] / 1e9:.1f} GB"
        self.say(f"the fill took {size}")
        if self.arguments.orders >= 10_000_000:
            self.judge("the fill takes at most 40 minutes and 40 GB",
                       facts["seconds"] <= 2400 and facts["bytes"] <= 40e9, size)
        self.sizes = statements.table_sizes(self.filled)
        self.names = statements.Names(ROOT)
        self.mail_port = free_port()
        mails = subprocess.Popen(
            ["/usr/bin/python3", f"{os.path.dirname(HERE)}/Mail/smtp.py", str(self.mail_port), "/dev/null"],
            stdout=subprocess.DEVNULL)
        try:
            self.filled.sql("update shop set accept_within_minutes = 1, accepts_automatically = false")
            self.server = self.start_server(
                self.filled, "--smtp-url", f"smtp://127.0.0.1:{self.mail_port}", "--mail-from", "shop@example.com",
                "--public-url", "http://127.0.0.1")
            self.measure_load()
            self.measure_board()
            memory = self.server.memory()
            self.judge("the server's memory is at most 80 MiB", memory <= 80, f"{memory:.0f} MiB")
            self.measure_plans()
            # Without a deadline, which would reject the thousands of orders of the comparison.
            self.filled.sql("update shop set accept_within_minutes = null")
            if self.arguments.rounds:
                self.measure_throughput()
        finally:
            mails.terminate()
            mails.wait()

    def start_server(self, shop, *arguments):
        server = shop.server(f"server-{shop.orders}", *arguments)
        duration = server.start()
        self.servers.append(server)
        self.say(f"a server of the shop with {shop.orders:,} orders is ready after {duration * 1000:.0f} ms")
        return server

    def mixed_load(self, seconds):
        self.run += 1
        guests = [row.split("|") for row in self.filled.sql("""
            select name, phone, number from orders order by placed_at desc limit 20""").splitlines()]
        guests += [row.split("|") for row in self.filled.sql("""
            select name, phone, number from orders
            where placed_at > now() - interval '400 days' order by placed_at limit 20""").splitlines()]
        load = MixedLoad(self.server.port, self.filled.tokens, self.run, seconds, self.arguments.rate, guests).start()
        self.say(f"mixed load: {load.orders} orders in {seconds:.0f} s; failures: {dict(load.failures()) or 'none'}")
        for error in load.errors:
            self.judge(f"the mixed load runs to its end ({error})", False, "")
        return load

    def measure_load(self):
        statements.reset(self.filled)
        begin = self.filled.sql("select now()")
        load = self.mixed_load(self.arguments.minutes * 60)
        found = statements.statistics(self.filled)
        late = self.filled.sql(f"""
            select coalesce(max(extract(epoch from at - placed_at) - 60), -1), count(*)
            from order_steps join orders on orders.id = order_id
            where is_by_deadline and wanted_at is null and placed_at > '{begin}'""").split("|")
        missed = self.filled.sql(f"""
            select count(*) from orders where state = 'placed' and wanted_at is null and placed_at > '{begin}'
                and placed_at < now() - interval '62 seconds'""")
        self.judge("deadlines are met within 2 s", 0 <= float(late[0]) <= 2 and missed == "0",
                   f"{float(late[0]):.2f} s at most, {late[1]} deadlines, {missed} missed")
        self.table_of_requests(load)
        self.table_of_statements(found)
        slow = [row for row in found if not row["nested"] and row["mean"] > 50]
        self.judge("each statement takes at most 50 ms on average", not slow,
                   ", ".join(f"{self.names.of(row['query'])} {row['mean']:.0f} ms" for row in slow) or "all")
        self.statistics = found

    def measure_board(self):
        client = Client(self.server.port, self.filled.tokens["Ann"])
        begin = time.monotonic()
        requests = open_board(client)
        seconds = time.monotonic() - begin
        client.close()
        orders = self.filled.sql("""
            select count(*) from orders where state in ('placed', 'accepted', 'preparing', 'on_the_way')""")
        self.judge("the board opens within 1 s", seconds <= 1,
                   f"{seconds:.2f} s, {requests} requests, {orders} open orders")

    def measure_throughput(self):
        """Checkouts in a closed loop, in the filled and in an empty shop in turn."""
        self.empty = fill.open_empty(self.program, self.say)
        empty = self.start_server(self.empty)
        compiled = f"{self.directory}/load"
        Machine.compile("load.c", compiled)
        sides = []
        for shop, server in ((self.filled, self.server), (self.empty, empty)):
            shop.sql("drop schema if exists reference cascade")
            with open(f"{os.path.dirname(HERE)}/Load/reference.sql") as file:
                shop.sql(file.read())
            side = bench.Bench(ShopMachine(shop, server, self.directory, compiled), self.arguments.seconds,
                               self.arguments.rounds)
            side.run_number = first_run = self.run % 60_000
            sides.append(side)
        for name, coupon in (("", ""), (" with a coupon once per guest", "COLD")):
            rates = []
            for _ in range(self.arguments.rounds):
                rates.append([side.server(coupon=coupon, items=bench.DELIVERED, more=',"postcode":"10117"')["rate"]
                              for side in sides])
            ratio = sorted(ours / theirs for ours, theirs in rates)[len(rates) // 2]
            self.judge(f"checkouts a second{name} are at least 0.9 of an empty shop's", ratio >= 0.9,
                       f"{ratio:.2f}; " + ", ".join(f"{ours:.0f}/{theirs:.0f}" for ours, theirs in rates))
        for problem in bench.missing:
            self.judge(f"the stored orders equal the 201 answers ({problem})", False, "")
        self.servers.remove(empty)
        empty.stop()
        self.delete_orders(first_run + 1, sides[0].run_number)

    def delete_orders(self, first_run, last_run):
        """Deletes the orders of the comparison, so that the kept cluster stays in proportion."""
        placed = " or ".join(
            f"{{id}} between reference.basket_id({run}, 0) and reference.basket_id({run}, 1::bigint << 47)"
            for run in range(first_run, last_run + 1))
        self.filled.sql(f"""
            delete from coupon_uses where {placed.format(id="order_id")};
            delete from orders where {placed.format(id="id")}; delete from baskets where {placed.format(id="id")};
            update coupon_redemptions set redeemed = (
                select count(*) from orders where orders.coupon_id = coupon_redemptions.coupon_id
                    and state not in ('cancelled', 'rejected')) where coupon_id = 91;
            drop schema reference cascade""")
        for table in ("orders", "baskets", "coupon_uses"):
            self.filled.sql(f"vacuum (analyze) {table}")

    def measure_plans(self):
        self.filled.sql("analyze orders, baskets")
        with statements.logged_plans(self.filled) as plans:
            self.mixed_load(self.arguments.plan_seconds)
            self.measure_pruning()
        found = statements.summaries(plans, self.sizes, self.names)
        self.say(f"{len(plans)} plans of {len(found)} statements\n")
        self.table_of_plans(found)
        scans = [f"{name}: {table} ({rows} rows)" for name, summary in found.items()
                 for table, rows in summary.scans.items()]
        self.judge("no table over 10,000 rows is scanned sequentially", not scans, "; ".join(scans) or "none")
        wasteful = [name for name, summary in found.items() if summary.discards]
        self.judge("no filter discards over 1,000 rows and more than it returns", not wasteful,
                   "; ".join(wasteful) or "none")

    def measure_pruning(self):
        due = self.filled.sql("""
            select (select count(*) from baskets where changed_at < now() - interval '30 days'
                        and (state = 'open' or cardinality(lines) > 0)),
                (select count(*) from audit where at < now() - interval '2 years')""").replace("|", " baskets, ")
        begin = time.monotonic()
        try:
            done = subprocess.run([self.program, "prune", "--database-url", self.filled.url], capture_output=True,
                                  text=True, cwd=ROOT, timeout=PRUNE_LIMIT)
            result = done.stdout.strip().replace("\n", ", ") or done.stderr.strip()
        except subprocess.TimeoutExpired:
            result = "ended"
        seconds = time.monotonic() - begin
        self.judge("a day's worth is pruned within a minute", seconds <= 60,
                   f"{seconds:.1f} s for {due} audit rows: {result}")

    # The output.

    def say(self, text=""):
        print(text, flush=True)

    def judge(self, title, is_met, value):
        self.criteria.append((title, is_met, value))

    def table_of_requests(self, load):
        self.say(f"\n{'request':22} {'count':>7} {'mean ms':>9} {'p99':>9} {'maximum':>9}")
        for kind, times in sorted(load.durations().items(), key=lambda pair: -sum(pair[1]) / len(pair[1])):
            times.sort()
            self.say(f"{kind[:22]:22} {len(times):7} {sum(times) / len(times):9.1f}"
                     f" {times[int(len(times) * 0.99)]:9.1f} {times[-1]:9.1f}")
        boards = sorted(load.boards)
        if boards:
            self.say(f"{'board, all pages':22} {len(boards):7} {sum(b[0] for b in boards) / len(boards) * 1000:9.1f}"
                     f" {'':9} {boards[-1][0] * 1000:9.1f}   {max(b[1] for b in boards)} requests")

    def table_of_statements(self, found):
        self.say(f"\n{'statement':46} {'calls':>8} {'mean ms':>9} {'maximum':>9} {'rows':>8} {'blocks':>9}")
        for row in found:
            if not row["nested"]:
                self.say(f"{self.names.of(row['query'])[:46]:46} {row['calls']:8} {row['mean']:9.3f} {row['max']:9.1f}"
                         f" {row['rows']:8.1f} {row['blocks']:9.1f}")
        self.say("\nIn functions, over 100 blocks for a call:")
        for row in found:
            if row["nested"] and row["blocks"] > 100:
                self.say(f"{' '.join(row['query'].split())[:90]:90} {row['calls']:8} {row['mean']:9.3f}"
                         f" {row['max']:9.1f} {row['blocks']:9.1f}")
        self.say()

    def table_of_plans(self, found):
        self.say(f"{'plans of':46} {'count':>7} {'rows read':>10} {'blocks':>9}")
        for name, summary in sorted(found.items(), key=lambda pair: -pair[1].blocks)[:40]:
            self.say(f"{name[:46]:46} {summary.count:7} {summary.read:10.0f} {summary.blocks:9}")
            for table, rows in summary.scans.items():
                self.say(f"    reads all of {table}: {rows:.0f} rows")
            for place, (discarded, returned, condition) in summary.discards.items():
                self.say(f"    {place} discards {discarded:.0f} and returns {returned:.0f}: {condition[:90]}")
        self.say()

    def report(self):
        for title, is_met, value in self.criteria:
            self.say(f"{'pass' if is_met else 'FAIL'}  {title}: {value}")

    def close(self):
        for server in self.servers:
            server.stop()
        for shop in (self.filled, self.empty):
            if shop:
                shop.stop()
        remove(self.directory)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orders", type=int, default=int(os.environ.get("ORDERS") or 10_000_000))
    parser.add_argument("--minutes", type=float, default=float(os.environ.get("MINUTES") or 10))
    parser.add_argument("--rate", type=float, default=10, help="orders in a second during the mixed load")
    parser.add_argument("--rounds", type=int, default=5, help="of the comparison with an empty shop; 0: none")
    parser.add_argument("--seconds", type=float, default=4, help="approximate duration of a run of checkouts")
    parser.add_argument("--plan-seconds", type=float, default=60, help="of mixed load while plans are logged")
    growth = Growth(parser.parse_args())
    growth.say(f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores, {growth.arguments.orders:,} orders")
    try:
        growth.measure()
    finally:
        growth.close()
        growth.report()
    sys.exit(0 if all(is_met for _, is_met, _ in growth.criteria) else 1)


if __name__ == "__main__":
    main()
