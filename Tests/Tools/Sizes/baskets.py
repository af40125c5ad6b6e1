"""A shop with millions of open baskets: one pruning, and the throughput of checkouts and of changes of baskets compared
with an empty shop."""

import os
import random
import subprocess
import time

import bench
import fill
import shops
from client import Client, fill_basket
from growth import ShopMachine
from machine import Machine
from processes import ROOT

DAYS = 31  # the age of the oldest basket: those of one day are due to be pruned
TEMPLATES = 24
ROUNDS = 5
CHANGES = 5  # the requests of a basket: it is created, three items are added, and one is incremented


def add_baskets(shop, count):
    """Fills baskets over HTTP, and copies them until there are `count` more, in the order of their creation."""
    server, chance = shop.server("templates"), random.Random(1)
    server.start()
    client = Client(server.port)
    for n in range(TEMPLATES):
        fill_basket(client, [(dish, chance.randint(1, 3)) for dish in chance.sample(fill.DISHES, 1 + n % 4)])
    client.close()
    server.stop()
    shop.sql(f"""
        insert into baskets (id, state, version, lines_made, lines, options, removed_items, currency, changed_at)
        select (lpad(to_hex((extract(epoch from made_at) * 1000)::bigint), 12, '0') || '7' || substr(digest, 1, 3)
                || '8' || substr(digest, 4, 15))::uuid,
            template.state, version, lines_made, lines, options, removed_items, currency, made_at + interval '1 minute'
        from generate_series(0, {count} - 1) as n
        cross join lateral (
            select now() - interval '{DAYS} days' + n * {DAYS * 86400 / count} * interval '1 second', md5(n::text)
        ) as made (made_at, digest)
        join (select *, row_number() over (order by id) - 1 as position from baskets) as template
            on position = n % {TEMPLATES}""")


class BasketMeasurement:
    def __init__(self, report, program, directory, arguments):
        self.report, self.program, self.directory, self.arguments = report, program, directory, arguments
        self.shops, self.servers = [], []

    def close(self):
        for process in self.servers + self.shops:
            process.stop()

    def measure(self):
        count, begin = self.arguments.baskets, time.monotonic()
        full = shops.make_shop(self.program, f"{self.directory}/full", lambda shop: add_baskets(shop, count))
        self.shops.append(full)
        size = int(full.sql("select pg_total_relation_size('baskets')"))
        self.report.say(f"\n{count:,} open baskets, {size / 1e9:.2f} GB, filled in {time.monotonic() - begin:.0f} s")
        self.measure_pruning(full)
        self.shops.append(shops.make_shop(self.program, f"{self.directory}/empty"))
        self.measure_load()

    def measure_pruning(self, shop):
        """Prunes before the load, whose baskets have old ids."""
        # A fixed time, because a basket becomes due each second.
        now = shop.sql("select now()")
        due = f"select count(*) from baskets where changed_at < timestamptz '{now}' - interval '30 days'"
        before = int(shop.sql(due))
        begin = time.monotonic()
        done = subprocess.run([self.program, "prune", "--database-url", shop.url], capture_output=True, text=True,
                              cwd=ROOT)
        seconds = time.monotonic() - begin
        left = int(shop.sql(due))
        self.report.say(f"  {done.stdout.strip() or done.stderr.strip()}".replace("\n", "\n  "))
        self.report.judge("a day's baskets are pruned within a minute",
                          done.returncode == 0 and seconds <= 60 and left == 0,
                          f"{before:,} of {self.arguments.baskets:,} baskets in {seconds:.1f} s, {left} are left")

    def measure_load(self):
        sides = [self.side(shop) for shop in self.shops]
        checkout = {"items": bench.DELIVERED, "more": ',"postcode":"10117"'}
        self.compare("checkouts", sides, lambda side: side.server(**checkout)["rate"])
        self.compare("changes of baskets", sides, self.change_baskets)
        for server, name in zip(self.servers, ("full", "empty")):
            self.report.say(f"  memory of the server of the {name} shop: {server.memory():.0f} MiB at most")
        for problem in bench.missing:
            self.report.judge(f"the stored orders equal the 201 answers ({problem})", False, "")

    def side(self, shop):
        """Starts a server, and returns the load for it."""
        server = shop.server()
        duration = server.start()
        self.servers.append(server)
        self.report.say(f"  a server is ready after {duration * 1000:.0f} ms")
        compiled = f"{self.directory}/load"
        if not os.path.exists(compiled):
            Machine.compile("load.c", compiled)
        with open(f"{shops.TOOLS}/Load/reference.sql") as file:
            shop.sql(file.read())
        return bench.Bench(ShopMachine(shop, server, self.directory, compiled), self.arguments.seconds, ROUNDS)

    def change_baskets(self, side):
        """Fills baskets in a closed loop. Returns the requests a second."""
        count = int(side.rates.get("changes", 3000) * side.seconds / CHANGES)
        path = f"{self.directory}/flows"
        with open(path, "w") as file:
            file.writelines(f"basket {n}\t,}}\n" for n in range(count))
        result = side.m.load("-w", path, "-o", f"{path}.filled")
        assert set(result["statuses"]) <= {"200", "201"}, result["statuses"]
        side.rates["changes"] = result["rate"]
        return result["rate"]

    def compare(self, title, sides, run):
        for side in sides:
            run(side)  # determines the rate
        rates = [[run(side) for side in sides] for _ in range(ROUNDS)]
        ratio = shops.middle([ours / theirs for ours, theirs in rates])
        self.report.judge(f"{title} a second are at least 0.9 of an empty shop's", ratio >= 0.9,
                          f"{ratio:.2f}; " + ", ".join(f"{ours:.0f}/{theirs:.0f}" for ours, theirs in rates))


def measure(report, program, directory, arguments):
    measurement = BasketMeasurement(report, program, directory, arguments)
    try:
        measurement.measure()
    finally:
        measurement.close()
