"""The server with menus of different sizes: start, memory, reading, search, and the time until a change is live."""

import gzip
import json
import os
import threading
import time

import shops
import statements
from measures import processor_seconds
from processes import ROOT, get, psql

HERE = os.path.dirname(os.path.abspath(__file__))
STARTS, CHANGES = 3, 10
CHANGED_ITEM = 1001  # of the shipped menu: it is on the first page
# Common words, words without a result, and words with a typing error.
SEARCHES = ("chicken", "salmon", "tofu", "noodles", "curry", "salad", "pizza", "ribs", "risotto", "tacos",
            "crispy%20chicken", "smoked%20salmon", "golden%20soup", "herbs", "market%20kitchen", "lasagna", "oysters",
            "7531", "chiken", "samlon", "nodles", "rissotto", "grilld%20wrap", "spicy%20curri")


class MenuMeasurement:
    def __init__(self, report, program, directory, options):
        self.report, self.options, self.items, self.prices = report, options, 0, 0
        self.shop = shops.make_shop(program, f"{directory}/menu")
        self.staff = self.shop.cluster.url_of("welms", "welms_staff")
        self.names = statements.Names(ROOT)

    def close(self):
        self.shop.stop()

    def grow(self, items):
        """Adds items and the options as staff. Returns the seconds of the transaction."""
        begin = time.monotonic()
        with open(f"{HERE}/menu.sql") as file:
            variables = {"options": self.options, "first": self.items, "last": items - 1}
            psql(self.staff, "".join(f"\\set {name} {value}\n" for name, value in variables.items()) + file.read())
        seconds = time.monotonic() - begin
        self.items = items
        self.shop.sql("vacuum analyze")
        return seconds

    def measure(self, items):
        """Measures a menu of this size."""
        seconds = self.grow(items)
        self.report.say(f"\n{items:,} items and {self.options:,} options more than the shipped menu, inserted in"
                        f" {seconds:.1f} s")
        server, starts = self.shop.server(), []
        try:
            for _ in range(STARTS):
                server.stop()
                starts.append(server.start())
            started = processor_seconds(server.process.pid)
            self.report.say(f"  start to ready: {' / '.join(f'{start * 1000:.0f}' for start in starts)} ms,"
                            f" {started:.2f} s of CPU, {server.memory():.0f} MiB at most")
            self.measure_reading(server.port)
            self.measure_search(server.port)
            self.measure_changes(server)
            self.report.say(f"  memory: {server.memory():.0f} MiB at most")
        finally:
            server.stop()

    def measure_reading(self, port):
        for title in ("first", "later"):
            page, _, _, _ = read_pages(port, only_first=True)
            seconds, size, packed, items = read_pages(port)
            self.report.say(f"  menu, {title} reading: page of 100 {page * 1000:.1f} ms; all {items:,} items"
                            f" {seconds * 1000:.0f} ms, {size / 1e3:,.0f} kB, {packed / 1e3:,.0f} kB with gzip")
        self.report.judge(f"the menu of {items:,} items is complete", items >= self.items, f"{items:,} items")

    def measure_search(self, port):
        times = []
        for words in SEARCHES:
            begin = time.monotonic()
            status, _, _ = get(port, f"/v1/menu?q={words}")
            times.append((time.monotonic() - begin) * 1000)
            assert status == 200, (words, status)
        self.report.say(f"  search: median {shops.middle(times):.1f} ms, maximum {max(times):.1f} ms")

    def measure_changes(self, server):
        statements.reset(self.shop)
        used = shops.ProcessorTime(server, self.shop)
        changes = [self.change_price(server.port) for _ in range(CHANGES)]
        delays, updates, reads = zip(*changes)
        cost = {name: seconds / CHANGES for name, seconds in used.used().items()}
        loads = [row for row in statements.statistics(self.shop) if self.names.of(row["query"]) == "load_menu"]
        self.report.say(f"  a changed price is live after: median {shops.middle(delays) * 1000:.0f} ms, maximum"
                        f" {max(delays) * 1000:.0f} ms; staff's statement took {shops.middle(updates) * 1000:.0f} ms")
        self.report.say(f"  a change costs {cost['server']:.2f} s of CPU in the server, {cost['PostgreSQL']:.2f} s in"
                        f" PostgreSQL; load_menu took {loads[0]['mean'] if loads else 0:.0f} ms on average")
        self.report.say(f"  the slowest reading of the first page during the changes: {max(reads) * 1000:.0f} ms")
        self.report.judge(f"a change is live within a second with {self.items:,} items", max(delays) <= 1,
                          f"{max(delays) * 1000:.0f} ms at most")

    def change_price(self, port):
        """Changes a price as staff. Returns the seconds from the commit until the menu shows it, the seconds of the
        statement, and the slowest reading of the menu in the meantime."""
        self.prices += 1
        price, moments = 2000 + self.prices, []

        def update():
            moments.extend(psql(self.staff, f"""
                select extract(epoch from clock_timestamp());
                update menu_items set price = {price} where id = {CHANGED_ITEM};
                select extract(epoch from clock_timestamp())""").split())
        thread = threading.Thread(target=update)
        thread.start()
        end, slowest = time.monotonic() + 60, 0
        while True:
            begin = time.monotonic()
            page = json.loads(get(port, "/v1/menu?limit=100", timeout=60)[2])
            slowest = max(slowest, time.monotonic() - begin)
            if any(item["id"] == CHANGED_ITEM and item["price"] == price for item in page["items"]):
                break
            if time.monotonic() > end:
                raise RuntimeError(f"the price {price} is not live after a minute")
            time.sleep(0.01)
        seen = time.time()
        thread.join()
        begun, committed = map(float, moments)
        time.sleep(0.3)
        return max(seen - committed, 0), committed - begun, slowest


def read_pages(port, only_first=False):
    """Reads the pages of the menu with gzip. Returns the seconds of the requests, the bytes without and with gzip, and
    the number of items."""
    seconds, size, packed, items, cursor = 0, 0, 0, 0, None
    while True:
        begin = time.monotonic()
        status, headers, body = get(port, "/v1/menu?limit=100" + (f"&cursor={cursor}" if cursor else ""),
                                    "Accept-Encoding: gzip\r\n", timeout=60)
        seconds += time.monotonic() - begin
        assert status == 200, status
        packed += len(body)
        text = gzip.decompress(body) if headers.get("content-encoding") == "gzip" else body
        page = json.loads(text)
        size, items, cursor = size + len(text), items + len(page["items"]), page["nextCursor"]
        if not cursor or only_first:
            return seconds, size, packed, items


def measure(report, program, directory, arguments):
    measurement = MenuMeasurement(report, program, directory, arguments.options)
    try:
        for items in sorted(arguments.items):
            measurement.measure(items)
    finally:
        measurement.close()
