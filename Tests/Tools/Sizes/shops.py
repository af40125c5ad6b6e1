"""The shops of the measurements of sizes, and their output."""

import os
import sys

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [f"{TOOLS}/{folder}" for folder in ("Growth", "Load", "Processes")]

import fill
from measures import processor_seconds


class Report:
    """Prints the measured values at once, and the criteria at the end."""

    def __init__(self):
        self.criteria = []

    def say(self, text=""):
        print(text, flush=True)

    def judge(self, title, is_met, value):
        self.criteria.append((title, is_met, value))

    def close(self):
        """Prints the criteria. Returns whether all are met."""
        for title, is_met, value in self.criteria:
            self.say(f"{'pass' if is_met else 'FAIL'}  {title}: {value}")
        return all(is_met for _, is_met, _ in self.criteria)


class ProcessorTime:
    """The CPU seconds of a server and its cluster since the creation of this object."""

    def __init__(self, server, shop):
        self.processes = {"server": server.process.pid, "PostgreSQL": shop.cluster.process.pid}
        self.before = self.now()

    def now(self):
        return {name: processor_seconds(pid) for name, pid in self.processes.items()}

    def used(self):
        return {name: seconds - self.before[name] for name, seconds in self.now().items()}


def make_shop(program, folder, prepare=lambda shop: None):
    """Returns a running shop with durability. `prepare` fills it first, without durability."""
    shop = fill.Shop(program, folder, 0)
    try:
        shop.make()
        prepare(shop)
        shop.sql("create extension pg_stat_statements; vacuum analyze; checkpoint")
    finally:
        shop.stop()
    shop.cluster.settings = list(fill.MEASURED)
    shop.cluster.start(within=600)
    return shop


def middle(values):
    return sorted(values)[len(values) // 2]
