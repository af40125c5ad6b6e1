"""A server at its limits of event streams, while staff take the steps of many more followed orders."""

import os
import re
import subprocess
import time

import shops
from client import Client, check_out, fill_basket
from follower import Follower, Stream
from measures import percentiles
from mixed import MixedLoad
from processes import BINARIES

HERE = os.path.dirname(os.path.abspath(__file__))
FORM = {"name": "Ann Lee", "phone": "+13135550000", "email": "ann@example.com", "address": "12 Elm Street, Berlin",
        "postcode": "10117"}


def add_orders(shop, count):
    """Places an order over HTTP and copies it."""
    server = shop.server("template")
    server.start()
    client = Client(server.port)
    assert check_out(client, fill_basket(client, [(3001, 4), (4001, 1)]), FORM, "template")
    client.close()
    server.stop()
    with open(f"{HERE}/orders.sql") as file:
        shop.sql(f"\\set orders {count}\n" + file.read())


class StreamMeasurement:
    def __init__(self, report, program, directory, arguments):
        self.report, self.arguments = report, arguments
        self.shop = shops.make_shop(program, f"{directory}/streams", lambda shop: add_orders(shop, arguments.followed))
        self.server, self.follower, self.run = self.shop.server(), None, int(time.time()) % 100_000

    def close(self):
        if self.follower:
            self.follower.process.kill()
        self.server.stop()
        self.shop.stop()

    def measure(self):
        duration = self.server.start()
        self.report.say(f"\n{self.arguments.followed:,} followed orders; the server is ready after"
                        f" {duration * 1000:.0f} ms")
        quiet = self.other_requests()
        memory = self.server.memory()
        self.open_streams()
        self.report.say(f"  memory: {memory:.0f} MiB at most without streams, {self.server.memory():.0f} MiB with them")
        begin = self.shop.sql("select extract(epoch from date_trunc('milliseconds', clock_timestamp()))")
        used, started = shops.ProcessorTime(self.server, self.shop), time.monotonic()
        steps = self.take_steps()
        busy = self.other_requests()
        output = steps.communicate()[0]
        elapsed = time.monotonic() - started
        cores = ", ".join(f"{name} {seconds / elapsed:.2f}" for name, seconds in used.used().items())
        time.sleep(3)  # for the last events
        events, closed = self.follower.stop()
        self.follower = None
        self.judge_steps(output, steps.returncode, elapsed)
        self.judge_events([event for event in events if event.at >= float(begin)], begin)
        self.report.judge("the server closes no stream", closed == 0, f"{closed} closed")
        self.report.say(f"  cores: {cores}; memory: {self.server.memory():.0f} MiB at most")
        self.compare(quiet, busy)

    def open_streams(self):
        """Opens the streams: of guests who follow an order, of the error channel, and of the staff page."""
        arguments = self.arguments
        followed = min(arguments.order_streams, arguments.followed)
        ids = self.shop.sql(f"select id from sizes.followed where n <= {followed} order by n").split()
        staff = f"Authorization: Bearer {self.shop.tokens['Ben']}\r\n"
        streams = [Stream("order", f"/v1/orders/{order}/events", "") for order in ids]
        streams += [Stream("errors", "/v1/errors/events", "")] * arguments.error_streams
        streams += [Stream("board", "/v1/staff/events", staff)] * arguments.boards
        begin = time.monotonic()
        self.follower = Follower(self.server.port, streams)
        statuses = {f"{kind} {status}": count for (kind, status), count in self.follower.statuses.items()}
        self.report.say(f"  {len(streams):,} streams opened in {time.monotonic() - begin:.1f} s: {statuses}")
        self.report.judge("all streams up to the limits are accepted",
                          all(status == 200 for _, status in self.follower.statuses), statuses)

    def take_steps(self):
        """Starts to take steps of random orders at the fixed rate, from four sessions of staff."""
        return subprocess.Popen(
            [f"{BINARIES}/pgbench", "-n", "-M", "prepared", "-c", "4", "-R", str(self.arguments.steps), "-T",
             str(self.arguments.stream_seconds), "-D", f"orders={self.arguments.followed}", "-f",
             f"{HERE}/steps.pgbench", "-h", self.shop.cluster.data, "-U", "postgres", "welms"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd="/")

    def other_requests(self):
        """Guests who order and staff with the board, at a low rate."""
        self.run += 1
        return MixedLoad(self.server.port, self.shop.tokens, self.run, self.arguments.stream_seconds, rate=5,
                         guest_threads=2).start()

    def judge_steps(self, output, status, elapsed):
        found = re.search(r"tps = ([\d.]+)", output)
        failed = re.search(r"number of failed transactions: (\d+)", output)
        rate = float(found[1]) if found else 0
        self.report.judge(f"staff take {self.arguments.steps} steps a second",
                          status == 0 and rate >= 0.95 * self.arguments.steps,
                          f"{rate:.0f} a second for {elapsed:.0f} s, {failed[1] if failed else '?'} failed"
                          + ("" if status == 0 else f": {output[-300:]}"))

    def judge_events(self, events, begin):
        """Compares the events with the steps in the database."""
        followed = min(self.arguments.order_streams, self.arguments.followed)
        expected = int(self.shop.sql(f"""
            select count(*) from order_steps join sizes.followed on id = order_id
            where n <= {followed} and at >= to_timestamp({begin})"""))
        steps = [event for event in events if event.kind == "order"]
        arrived = len({(event.order, event.at) for event in steps})
        self.report.judge("every step of an order with a stream arrives once",
                          arrived == expected == len(steps), f"{expected} steps, {len(steps)} events")
        # A change that is no step repeats the last step on the board.
        first = {}
        for event in events:
            first.setdefault((event.stream, event.order, event.at), event)
        for kind in ("order", "board"):
            times = [(event.received - event.at) * 1e6 for event in first.values() if event.kind == kind]
            if not times:
                continue
            median, p99, _, most = percentiles(times)
            self.report.judge(f"events of a stream ({kind}) arrive within a second", most <= 1000,
                              f"p50 {median:.0f} ms, p99 {p99:.0f} ms, maximum {most:.0f} ms, {len(times)} events")

    def compare(self, quiet, busy):
        before, during = quiet.durations(), busy.durations()
        self.report.say(f"  {'other requests, ms':22} {'count':>6} {'p50':>8} {'p99':>8}   without streams and steps")
        for kind, times in sorted(during.items()):
            cells = [percentiles([ms * 1000 for ms in each])[:2] for each in (times, before.get(kind, [])) if each]
            columns = "   ".join(f"{median:8.1f} {p99:8.1f}" for median, p99 in cells)
            self.report.say(f"  {kind[:22]:22} {len(times):6} {columns}")
        problems = [*busy.errors, *(f"{kind} {status}: {count}" for (kind, status), count in busy.failures().items())]
        self.report.judge("no other request fails", not problems, "; ".join(problems) or f"{busy.orders} orders")


def measure(report, program, directory, arguments):
    measurement = StreamMeasurement(report, program, directory, arguments)
    try:
        measurement.measure()
    finally:
        measurement.close()
