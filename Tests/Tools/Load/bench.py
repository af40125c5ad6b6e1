#!/usr/bin/python3
"""`make bench`: measures the server, and compares it in the same run with four references.

The references are a minimal shop in PL/pgSQL (lean.sql), the same shop as a service in Go (service.go), PL/pgSQL on the
product's own tables (reference.sql), and nginx for the menu page. A checkout is also compared with the limit of the
machine (limit.py). The sides take turns, so that other load affects all of them, and a ratio is the median over the
rounds. Each checkout uses a separate basket, which is prepared before.
After each run the number of orders in the database must equal the number of 201 answers, or the program exits with 1.
Tests/Data/Load/RESULTS.md has recorded results.

    python3 Tests/Tools/Load/bench.py [--only SECTION ...] [--seconds 4] [--rounds 3]
    python3 Tests/Tools/Load/bench.py --only sizes        baskets of 1 to 50 lines, 1 to 1,024 connections
    python3 Tests/Tools/Load/bench.py --only profile      the functions that take the most time, by perf
"""

import argparse
import datetime
import json
import os
import re
import statistics
import subprocess
import sys
import time

from limit import BATCH, Floors, share
from machine import HERE, ROOT, Machine, get
from measures import ROW_BYTES, costs, with_wal

ITEMS = ((1002, 2), (3001, 2), (4001, 1))  # the lines of an order flow: dishes without options
# Three lines with two default options: Medium (1102) and Regular (2301).
DEFAULTS = ((2001, 2), (3001, 2), (4002, 1))
# Three lines with a counted sauce (5001), and three with a sauce that is not counted (5002).
COUNTED, NOT_COUNTED = ((1002, 2), (5001, 2), (4001, 1)), ((1002, 2), (5002, 2), (4001, 1))
# seed/restaurant.sql counts none of these items, and the nearest delivery area has no fee for this order.
DELIVERED = ((3001, 4), (5002, 2), (4001, 1))
MENU = range(200100, 200150)  # fifty additional items for large baskets
FORM = '"name":"Ann Lee","phone":"%s","email":"ann.lee+%s@example.com","address":"12 Elm Street, Springfield"'
printed = []  # the printed lines, for --write-results
missing = []  # runs whose orders differ from the 201 answers
targets = []  # (title, value, comparison, target)


def chosen(lines):
    """SQL for a selection of options that cost nothing: the line of each option."""
    wanted = ", ".join(f"({option}, {line})" for option, line in lines.items())
    return (
        "(select array_agg(row(id, group_id, 0, 0, line, null, 1, title)::order_option order by line, id)"
        f" from options join (values {wanted}) as wanted (id, line) using (id))"
    )


def report(text=""):
    printed.append(text)
    print(text, flush=True)


class Bench:
    def __init__(self, machine, seconds, rounds):
        self.m, self.seconds, self.rounds, self.run_number, self.rates = machine, seconds, rounds, 0, {}

    # Baskets and requests.

    def prepare(self, count, items=ITEMS, coupon="", options="", lean=False):
        """Inserts baskets into the product's tables or the lean ones. Returns the run's number and the total of a
        basket.

        `options` is SQL for the selections of the lines, which cost nothing."""
        self.run_number += 1
        values = "%d, %d, '{%s}', '{%s}'" % (
            self.run_number,
            count,
            ",".join(str(i) for i, _ in items),
            ",".join(str(q) for _, q in items),
        )
        subtotal = int(
            self.m.sql(f"select lean.fill({values})" if lean else f"select fill({values}, {options or 'null'})")
        )
        # Collects statistics and sets hint bits, so that neither side pays for them.
        self.m.sql(
            "vacuum (analyze) lean.baskets, lean.basket_lines; analyze lean.orders, lean.order_lines"
            if lean
            else "vacuum (analyze) baskets; analyze orders"
        )
        return self.run_number, (subtotal * 90 * 2 + 100) // 200 if coupon else subtotal

    def requests(self, run, count, total, coupon, more=""):
        path = f"{self.m.directory}/requests"
        body = (
            '{"basketId":"%s",'
            + FORM
            + (f',"coupon":"{coupon}"' if coupon else "")
            + f'{more},"expectedTotal":{total}}}'
        )
        with open(path, "w") as f:
            self.m.sql(
                f"""select format(E'key of %s\\t{body}', n, basket_id({run}, n), phone({run}, n), '{run}.' || n)
                from generate_series(0, {count - 1}) as n""",
                output=f,
            )
        return path

    @staticmethod
    def ids(run):
        return f"id between basket_id({run}, 0) and basket_id({run}, 1::bigint << 47)"

    def check(self, name, result, run=None, may_refuse=False, orders="orders"):
        """Compares the orders in the database with the 201 answers."""
        ids = self.ids(run) if run else f"idempotency_key like 'flow {self.run_number} %'"
        result["orders"] = int(self.m.sql(f"select count(*) from {orders} where {ids}"))
        placed = result["ways"] if not run else result["placed"]
        if result["orders"] != placed or result.get("dropped"):
            missing.append(
                f"{name}: {result['orders']} orders, {placed} answers 201, {result.get('dropped', 0)} connections"
                " dropped"
            )
        # A rejection is faster than an order, so a run with rejections is not valid.
        others = {status: n for status, n in result.get("statuses", {}).items() if status[0] != "2"}
        if others and not may_refuse:
            missing.append(f"{name}: rejected with {others}")

    # One run of one side.

    def count(self, name, connections):
        """The number of requests for a run of the wanted duration by the last rate. The first, short run determines the
        rate."""
        rate = self.rates.get(name)
        return max(int((rate * self.seconds) if rate else 3000), connections) // connections * connections

    def server(self, connections=64, coupon="", items=ITEMS, options="", more="", warm=True):
        name = ("server", connections, coupon, items if options else len(items), more)
        if warm and name not in self.rates:
            self.server(connections, coupon, items, options, more, warm=False)
        count = self.count(name, connections)
        run, total = self.prepare(count, items, coupon, options)
        requests = self.requests(run, count, total, coupon, more)
        result = with_wal(self.m.sql, lambda: self.m.load("-f", requests, connections=connections))
        self.check(f"server {connections}", result, run)
        result["row"] = int(self.m.sql(f"select {ROW_BYTES} from orders where {self.ids(run)}"))
        self.rates[name] = result["rate"]
        return result

    def pgbench(self, clients=64, coupon="", items=ITEMS, lean=False, warm=True):
        name = ("lean" if lean else "pgbench", clients, coupon, len(items))
        if warm and name not in self.rates:
            self.pgbench(clients, coupon, items, lean, warm=False)
        count = self.count(name, clients)
        run, total = self.prepare(count, items, coupon, lean=lean)
        result = self.m.pgbench(
            "lean.pgbench" if lean else "checkout.pgbench",
            clients,
            count // clients,
            run=run,
            total=total,
            coupon=coupon or "none",
        )
        self.check(f"{name[0]} {clients}", result, run, orders="lean.orders" if lean else "orders")
        self.rates[name] = result["rate"]
        return result

    def lean(self, clients=64):
        return self.pgbench(clients, lean=True)

    def service(self, connections=64, warm=True):
        """Measures the Go service on the lean tables."""
        name = ("service", connections)
        if warm and name not in self.rates:
            self.service(connections, warm=False)
        count = self.count(name, connections)
        run, total = self.prepare(count, lean=True)
        result = self.m.load(
            "-f", self.requests(run, count, total, ""), connections=connections, port=self.m.service_port
        )
        self.check(f"service {connections}", result, run, orders="lean.orders")
        self.rates[name] = result["rate"]
        return result

    def own(self, connections):
        """Checkouts of baskets that this server has just filled, at most as many as its BasketCache holds."""
        return self.flow(connections, own=True)

    def start_service(self):
        """Starts the service with the number of database connections that is fastest. Returns that number."""
        def rate(connections):
            self.m.start_service(connections)
            return self.service()["rate"]
        best = max((8, 16, 32, 64), key=rate)
        self.m.start_service(best)
        return best

    def flow(self, connections=64, own=False, service=False):
        self.run_number += 1
        name = f"own {connections}" if own else "service's flow" if service else "flow"
        count = min(self.count(name, connections), 16384 if own else 1 << 30)
        path = f"{self.m.directory}/requests"
        with open(path, "w") as f:
            for n in range(count):
                f.write(
                    f"flow {self.run_number} {n}\t,"
                    + FORM % (f"+1{2000000000 + self.run_number * 1000000 + n}", f"{self.run_number}.{n}")
                    + "}\n"
                )
        if not own:
            result = self.m.load("-w", path, connections=connections, port=self.m.service_port if service else None)
            result["rate"] = result["ways"] / result["seconds"]
        else:
            filled = self.m.load("-w", path, "-o", path + ".filled", connections=64)
            assert set(filled["statuses"]) <= {"200", "201"}, filled["statuses"]
            result = self.m.load("-f", path + ".filled", connections=connections)
            result["ways"] = result["placed"]
        self.check(name, result, orders="lean.orders" if service else "orders")
        self.rates[name] = result["rate"]
        return result

    def flow_pgbench(self, clients=64):
        self.run_number += 1
        name = ("flow", clients)
        count = self.count(name, clients)
        total = sum(
            quantity
            * int(
                self.m.sql(
                    "select (price * (100 - coalesce(sale_percent, 0)) * 2 + 100)::bigint / 200 from menu_items where"
                    f" id = {item}"
                )
            )
            for item, quantity in ITEMS
        )
        result = self.m.pgbench(
            "order_flow.pgbench", clients, count // clients, run=self.run_number, total=total, coupon="none"
        )
        self.check(f"flow pgbench {clients}", result, self.run_number)
        self.rates[name] = result["rate"]
        return result

    def alternate(self, sides):
        """Runs each side once per round. Returns the results by side. Each side first makes a run for its rate, which
        is discarded."""
        results = {name: [] for name in sides}
        for round_number in range(self.rounds):
            for name, side in sides.items():
                results[name].append(side())
        return results

    def clear(self):
        """Deletes all orders and baskets, so that each section begins with the same state."""
        self.m.sql(
            "truncate orders, baskets, coupon_uses, order_steps, lean.order_lines, lean.orders, lean.basket_lines,"
            " lean.baskets, written_orders; checkpoint"
        )

    # The sections.

    def checkout(self):
        self.clear()
        best, best_clients = 0, 8
        for clients in (4, 8, 16, 32):
            best, best_clients = max((best, best_clients), (self.lean(clients)["rate"], clients))
        pool = self.start_service()
        results = self.alternate({
            "checkout, server, 64 connections": self.server,
            "checkout, lean tables, pgbench, 64 clients": self.lean,
            f"checkout, lean tables, pgbench at its best, {best_clients} clients": lambda: self.lean(best_clients),
            f"checkout, lean tables, Go service (a pool of {pool}), 64": self.service,
            "checkout, our tables, pgbench, 64 clients": self.pgbench,
            "checkout with a limited coupon, server, 64": lambda: self.server(coupon="BENCH")})
        self.table(results)
        server, lean, best, service, reference, coupon = results.values()
        target("checkout ÷ lean pgbench at 64 clients", ratio(server, lean), "≥", 4.0)
        target(f"checkout ÷ lean pgbench at its best ({best_clients} clients)", ratio(server, best), "≥", 2.5)
        target("checkout ÷ the Go service", ratio(server, service), "≥", 4.0)
        target("checkout ÷ pgbench on our tables at 64 clients", ratio(server, reference), "≥", 4.0)
        target("one limited coupon in every checkout ÷ without", ratio(coupon, server), "≥", 0.9)
        target(
            "p99 ÷ p50 at 64 connections",
            statistics.median(r["latency"][1] / r["latency"][0] for r in server),
            "≤",
            2.0,
        )
        target("memory under full load, MB", self.m.server_memory(), "≤", 64)

    def limit(self):
        """Compares the checkout with the limit of this machine (limit.py)."""
        self.clear()
        first = self.server()
        floors = Floors(self, first["bytes"] // first["answers"])
        floors.exchange()
        results = self.alternate(
            {
                "checkout, server, 64 connections": self.server,
                f"floor of PostgreSQL: orders in batches of {BATCH}": floors.write_orders,
                "floor of HTTP: nginx answers, 64 connections": floors.exchange,
            }
        )
        self.table(results)
        shares, postgres, http = map(statistics.median, zip(*map(share, *results.values())))
        report(f"  floors: {postgres:.1f} µs of PostgreSQL for an order, {http:.1f} µs of nginx and the load generator")
        target(f"checkout ÷ the limit of {os.cpu_count()} cores", shares, "≥", 0.12)

    def defaults(self):
        """Measures the costs of orders with two default options."""
        self.clear()
        results = self.alternate(
            {
                "checkout of three plain lines, server, 64": self.server,
                "checkout of three lines with two default options, 64": lambda: self.server(
                    items=DEFAULTS, options=chosen({1102: 1, 2301: 3})
                ),
            }
        )
        self.table(results)
        for name, runs in results.items():
            server, postgres, wal, row = map(statistics.median, zip(*map(costs, runs)))
            report(
                f"{name:58} {server:.0f} µs of the server, {postgres:.0f} µs of PostgreSQL, {wal:.0f} bytes of WAL, a"
                f" row of {row:.0f} bytes"
            )
        report()
        # The last costs are those with options.
        plain, options = results.values()
        target("two default options ÷ none", ratio(options, plain), "≥", 0.85)
        target("WAL for an order with two default options, bytes", wal, "≤", 1400)
        target("row of an order with two default options, bytes", row, "≤", 760)

    def one(self):
        self.clear()
        results = self.alternate(
            {
                "checkout of a cached basket, server, 1 connection": lambda: self.own(1),
                "checkout, lean tables, pgbench, 1 client": lambda: self.lean(1),
                "checkout of an uncached basket, server, 1 connection": lambda: self.server(1),
            }
        )
        self.table(results)
        own, lean, other = results.values()
        for name, side in (("", own), (", with an uncached basket", other)):
            target(
                "p50 of one client ÷ lean pgbench's" + name,
                statistics.median(a["latency"][0] / b["latency"][0] for a, b in zip(side, lean)),
                "≤",
                1.5,
            )

    def ways(self):
        self.clear()
        self.start_service()
        self.flow(), self.flow(service=True), self.flow_pgbench()
        results = self.alternate(
            {
                "order flow (7 requests), server, 64": self.flow,
                "order flow (7 requests), Go service, 64": lambda: self.flow(service=True),
                "order flow (7 statements), our tables, pgbench, 64": self.flow_pgbench,
            }
        )
        self.table(results)
        server, service, pgbench = results.values()
        target("order flow ÷ the Go service's", ratio(server, service), "≥", 4.0)
        target("order flow ÷ the statements in pgbench at 64", ratio(server, pgbench), "≥", 2.0)

    def dishes(self):
        """Measures orders of a dish with five options, and of a dish with a stock count."""
        self.clear()
        five_options = chosen(dict.fromkeys((1102, 1301, 1302, 1303, 1304), 1))
        self.m.sql("insert into item_stock (menu_item_id, remaining) values (5001, 1000000000)")
        results = self.alternate(
            {
                "checkout of one plain line, server, 64": lambda: self.server(items=((3001, 1),)),
                "checkout of one line with five options, server, 64": lambda: self.server(
                    items=((2001, 1),), options=five_options
                ),
                "checkout of three lines, one of them counted, server, 64": lambda: self.server(items=COUNTED),
                "checkout of three lines, none of them counted, server, 64": lambda: self.server(items=NOT_COUNTED),
            }
        )
        self.table(results)
        plain, five, counted, uncounted = results.values()
        target("a plain line ÷ a line with five options", ratio(plain, five), "≤", 1.5)
        target("one counted item in every checkout ÷ none", ratio(counted, uncounted), "≥", 0.85)

    def restaurant(self):
        """Measures hours, areas, fees, two taxes and slots: with and without seed/restaurant.sql, in turn."""
        self.clear()
        wanted = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=2)).strftime(
            '"%Y-%m-%dT12:00:00Z"'
        )
        postcode = ',"postcode":"10117"'

        def plain():
            self.m.sql(
                """delete from opening_hours; delete from opening_exceptions; delete from serving_hours; delete from
                delivery_areas; delete from category_taxes; update fulfilments set slot_minutes = null, orders_per_slot
                = null, small_order_fee = 0"""
            )
            self.wait_for_closing_time("null")
            return self.server(items=DELIVERED)

        def full(more):
            with open(f"{ROOT}/seed/restaurant.sql") as f:
                self.m.sql(f.read())
            # Open all day, with large slots, so that each round accepts all orders.
            self.m.sql(
                """delete from slot_uses; insert into opening_exceptions (date, opens, closes) select current_date +
                day, '00:00', '24:00' from generate_series(-1, 3) as day on conflict do nothing; update fulfilments set
                orders_per_slot = 100000"""
            )
            self.wait_for_closing_time("known")
            return self.server(items=DELIVERED, more=more)
        results = self.alternate({
            "checkout of three plain lines, server, 64": plain,
            "the same in seed/restaurant.sql": lambda: full(postcode),
            "the same for a slot in two days": lambda: full(f'{postcode},"wantedAt":{wanted}')})
        self.table(results)
        without, now, _ = results.values()
        plain()
        target("seed/restaurant.sql ÷ the shipped seed", ratio(now, without), "≥", 0.8)

    def wait_for_closing_time(self, state):
        """Waits until the server has read the opening hours: their end is known, or there is none."""
        while True:
            opening = json.loads(get(self.m.server_port, "/v1/home")[2])["opening"]
            if (opening[0]["until"] is None) == (state == "null") and opening[0]["isOpen"]:
                return
            time.sleep(0.05)

    def menu(self):
        path = "/v1/menu?limit=100"
        # A page of 10 KB: the shipped menu's has 7.
        self.more_items(MENU[:13])
        while len(get(self.m.server_port, path)[2]) < 10_000:
            time.sleep(0.05)
        status, headers, page = get(self.m.server_port, path)
        _, theirs, same = self.m.start_nginx(page)
        assert status == 200 and same == page
        our_tag, theirs = f"If-None-Match: {headers['etag']}", f"If-None-Match: {theirs['etag']}"
        seconds = ("-t", max(self.seconds * 0.75, 1))
        results = self.alternate(
            {
                f"menu page of {len(page)} bytes, server, 64": lambda: self.m.load("-g", path, *seconds),
                f"menu page of {len(page)} bytes, nginx, 64": lambda: self.m.load(
                    "-g", "/page", *seconds, port=self.m.nginx_port
                ),
                "menu page unchanged (304), server, 64": lambda: self.m.load("-g", path, "-H", our_tag, *seconds),
                "menu page unchanged (304), nginx, 64": lambda: self.m.load(
                    "-g", "/page", "-H", theirs, *seconds, port=self.m.nginx_port
                ),
            }
        )
        self.table(results)
        server, nginx, server304, nginx304 = results.values()
        assert set(server304[0]["statuses"]) == {"304"} == set(nginx304[0]["statuses"])
        target("menu page ÷ nginx", ratio(server, nginx), "≥", 0.9)
        target("304 ÷ nginx's 304", ratio(server304, nginx304), "≥", 0.7)

    def open(self):
        """A fixed arrival rate. Latencies count from the time at which a request was due."""
        self.clear()
        peak = self.peak()
        results = {}
        for part in (0.25, 0.5, 0.75):
            rate = int(peak * part)
            count = int(rate * self.seconds)
            run, total = self.prepare(count)
            result = self.m.load("-f", self.requests(run, count, total, ""), "-r", rate, connections=256)
            self.check("open loop", result, run)
            results[f"open loop, checkouts due at {rate}/s ({part:.0%} of the peak)"] = [result]
        self.table(results)

    def overload(self):
        """Four times the saturating rate, from 2,048 connections: twice as many as may queue (QueueLimits.waiting)."""
        self.clear()
        peak = self.peak()
        rate = int(peak * 4)
        count = int(rate * self.seconds)
        run, total = self.prepare(count)
        requests, stop = self.requests(run, count, total, ""), self.m.probing("/livez")
        result = self.m.load("-f", requests, "-r", rate, "-t", self.seconds, connections=2048)
        alive = stop()
        self.check("overload", result, run, may_refuse=True)
        self.table({f"overload, checkouts due at {rate}/s (4 × the peak)": [result]})
        report(
            f"  sent {result['sent']} of {count}, answers {result['statuses']}, rejections (p50, p99, p99.9, maximum)"
            f" since sent {result['badSinceSent']} ms, since due {result['bad']} ms"
        )
        target("goodput at 4 × the saturating rate ÷ peak", result["rate"] / peak, "≥", 0.8)
        if result["bad"][3]:
            target("p99 of a rejection since it was sent, ms", result["badSinceSent"][1], "≤", 50)
        target("rejections without Retry-After", result["noRetryAfter"], "≤", 0)
        target(
            "answers other than 201 and 503, and unanswered requests",
            sum(n for s, n in result["statuses"].items() if s not in ("201", "503"))
            + result["dropped"]
            + result["unanswered"],
            "≤",
            0,
        )
        target("/livez not answered with 200", sum(status != 200 for status, _ in alive), "≤", 0)
        target("/livez slowest, ms", max((ms for _, ms in alive), default=0), "≤", 1000)
        # The same limit as under full load. The 2,048 connections take another 50 MB.
        target("memory in the overload, MB", self.m.server_memory(), "≤", 64)

    def start(self):
        times = []
        for _ in range(7):
            self.m.stop_server()
            times.append(self.m.start_server() * 1000)
        report("  start to ready, ms: " + ", ".join(f"{t:.0f}" for t in times))
        target("start to ready on a running database, ms", statistics.median(times), "≤", 100)

    def sizes(self):
        """How checkout throughput depends on the basket's size and on the connections. Tests/Tools/Growth measures how
        it depends on the stored orders."""
        self.clear()
        self.more_items(MENU)
        results = {}
        for lines in (1, 10, 50):
            results[f"{lines} lines, server, 64"] = [self.server(items=tuple((i, 1) for i in MENU[:lines]))]
            results[f"{lines} lines, pgbench, 64"] = [self.pgbench(items=tuple((i, 1) for i in MENU[:lines]))]
        self.table(results)
        results = {}
        self.clear()
        for connections in (1, 16, 64, 256, 1024):
            results[f"server, {connections} connections"] = [self.server(connections)]
            if connections <= 256:
                results[f"pgbench, {connections} clients"] = [self.pgbench(connections)]
        self.table(results)

    def more_items(self, ids):
        self.m.sql("""insert into menu_items (id, category_id, kind, title, description, price)
            select n, 200, 'regular', 'Burger ' || n, 'One more burger.', 500 + n %% 100
            from generate_series(%d, %d) as n
            on conflict do nothing""" % (ids[0], ids[-1]))

    def profile(self):
        """Profiles the functions. Needs perf (Debian: linux-perf) and root."""
        self.clear()
        path, seconds = "/v1/menu?limit=100", ("-t", self.seconds)
        self.server(), self.server(coupon="BENCH"), self.flow()
        for name, run in (
            ("checkout, one client", lambda: self.own(1)),
            ("checkout", self.server),
            ("checkout with a limited coupon", lambda: self.server(coupon="BENCH")),
            ("order flow", self.flow),
            ("menu page", lambda: self.m.load("-g", path, *seconds)),
        ):
            self.m.is_profiled = True
            result = run()
            self.m.is_profiled = False
            self.table({name: [result]})
            report(result["profile"])

    def peak(self):
        if ("server", 64, "", len(ITEMS), "") not in self.rates:
            self.server()
        return self.rates[("server", 64, "", len(ITEMS), "")]

    def table(self, results):
        report(
            f"{'':58} {'a second':>9} {'p50 ms':>8} {'p99':>8} {'p99.9':>8}   {'server':>6} {'Postgres':>8}"
            f" {'others':>6} {'load':>6} {'MB':>5}   orders = 201s"
        )
        for name, runs in results.items():
            median = sorted(runs, key=lambda r: r["rate"])[len(runs) // 2]
            latency, cores = median["latency"], median["cores"]
            cpu = [
                f"{cores[n]:{w}.2f}" if cores.get(n, 0) >= 0.005 else " " * (w - 1) + "-"
                for n, w in (("server", 6), ("PostgreSQL", 8), ("others", 6), ("load", 6))
            ]
            orders = "all " + str(sum(r["orders"] for r in runs)) if "orders" in median else ""
            report(
                f"{name:58} {median['rate']:9.0f} {latency[0]:8.3f} {latency[1]:8.3f} {latency[2]:8.3f}  "
                f" {' '.join(cpu)} {median['memory']:5.0f}   {orders}"
            )
        report()


def ratio(ours, theirs):
    return statistics.median(a["rate"] / b["rate"] for a, b in zip(ours, theirs))


def target(title, value, comparison, wanted):
    targets.append((title, value, comparison, wanted))


def report_targets():
    for title, value, comparison, wanted in targets:
        met = value >= wanted if comparison == "≥" else value <= wanted
        report(f"{title:58} {value:9.2f}   {comparison} {wanted:<6} {'' if met else 'MISSED'}")


SECTIONS = ("start", "checkout", "defaults", "limit", "one", "ways", "dishes", "restaurant", "menu", "open", "overload")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=SECTIONS + ("sizes", "profile"))
    parser.add_argument("--seconds", type=float, default=4, help="approximate duration of one run")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--write-results", action="store_true", help="replace the results in RESULTS.md by the output of this run"
    )
    arguments = parser.parse_args()
    begin = time.monotonic()
    machine = Machine()
    try:
        machine.start_postgres()
        seeds = [a for name in ("menu", "options", "sales", "coupons") for a in ("--seed", f"{ROOT}/seed/{name}.sql")]
        machine.start_server(*seeds)
        machine.sql(
            """insert into coupons (id, key, benefit, percent, redemption_limit, guest_limit, title, description) values
            (90, 'BENCH', 'percent', 10, 1000000000, null, 'Bench', 'In every checkout.'), (91, 'COLD', 'percent', 10,
            null, 1, 'Cold', 'Once per guest.')"""
        )
        for schema in ("reference", "lean"):
            with open(f"{HERE}/{schema}.sql") as f:
                machine.sql(f.read())
        machine.sql("analyze")
        with open("/proc/cpuinfo") as f:
            model = next((line.split(":")[1].strip() for line in f if line.startswith("model name")), "")
        report(
            f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores, {model},"
            f" {machine.sql('select version()').split(' on ')[0]}, fsync and synchronous_commit on."
        )
        report(
            "CPU use is in cores (1.00 is one core busy all the time). A row is the median of its rounds by"
            " throughput.\n"
        )
        bench = Bench(machine, arguments.seconds, arguments.rounds)
        for section in arguments.only or SECTIONS:
            getattr(bench, section)()
    finally:
        machine.close()
    report_targets()
    report(
        f"\ntook {time.monotonic() - begin:.0f} s; "
        + ("the orders in the database equal the 201 answers" if not missing else "DIFFERENT:\n" + "\n".join(missing))
    )
    if arguments.write_results:
        write_results()
    sys.exit(1 if missing else 0)


def write_results():
    """Replaces the first block of RESULTS.md, and the date and the commit above it."""
    path = f"{ROOT}/Tests/Data/Load/RESULTS.md"
    with open(path) as f:
        text = f.read()
    commit = subprocess.run(
        ["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], stdout=subprocess.PIPE, text=True
    ).stdout.strip()
    text = re.sub(r"on \d+ \w+ \d{4}, on", time.strftime("on %-d %B %Y, on"), text, count=1)
    text = re.sub(r"at commit \w+", f"at commit {commit}", text, count=1) if commit else text
    before, _, rest = text.partition("```\n")
    with open(path, "w") as f:
        f.write(before + "```\n" + "\n".join(printed) + "\n```" + rest.partition("\n```")[2])


if __name__ == "__main__":
    main()
