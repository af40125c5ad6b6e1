"""The limit of a checkout on this machine: the floors of PostgreSQL and of HTTP, measured in the same run.

The floor of PostgreSQL is its CPU time to write the same order by composite types, in batches of 32 (write_orders in
reference.sql, called by floor.c). The floor of HTTP is the CPU time of nginx and the load generator to exchange the
same request and an answer of the same size. The limit is the rate at which all cores do only this: cores ÷ (sum of both
floors). The share of a checkout is its rate ÷ this limit, so idle cores lower it, too.
"""

import os
import subprocess

from measures import microseconds, percentiles

BATCH = 32  # orders
# Enough for 0.7 s of CPU time. The clock of a process ticks every 10 ms.
ORDERS = 32768


class Floors:
    def __init__(self, bench, answer_bytes):
        self.bench, self.m = bench, bench.m
        self.program = f"{self.m.directory}/floor"
        if not os.path.exists(self.program):
            flags = subprocess.run(
                ["pkg-config", "--cflags", "--libs", "libpq"], stdout=subprocess.PIPE, text=True, check=True
            ).stdout.split()
            self.m.compile("floor.c", self.program, *flags)
        self.m.start_nginx(answer_bytes=answer_bytes)

    def write_orders(self):
        run, _ = self.bench.prepare(ORDERS)
        path = f"{self.m.directory}/batches"
        with open(path, "wb") as f:
            self.m.sql(
                f"""copy (select order_batch({run}, n * {BATCH}, {BATCH}) from generate_series(0, {ORDERS // BATCH} - 1)
                as n) to stdout (format binary)""",
                output=f,
            )

        def write():
            output = subprocess.run(
                [self.program, self.m.cluster.url, path],
                stdout=subprocess.PIPE,
                check=True,
                env=self.m.environment,
            ).stdout
            times = list(map(int, output.split()))
            orders = len(times) * BATCH
            return {"rate": orders / sum(times) * 1e6, "latency": percentiles(times), "placed": orders}
        result = self.m.metered(write)
        self.bench.check("orders in batches", result, run, orders="written_orders")
        return result

    def exchange(self, connections=64):
        count = self.bench.count("exchange", connections)
        self.bench.run_number += 1
        result = self.m.load(
            "-f",
            self.bench.requests(self.bench.run_number, count, 1000, ""),
            connections=connections,
            port=self.m.nginx_port,
        )
        assert result["statuses"] == {"201": count}, result["statuses"]
        self.bench.rates["exchange"] = result["rate"]
        return result


def share(checkout, written, exchanged):
    """Returns the checkouts of a round as a share of the limit, and both floors in µs."""
    postgres = microseconds(written, "PostgreSQL")
    http = microseconds(exchanged, "others") + microseconds(exchanged, "load")
    return checkout["rate"] * (postgres + http) / (os.cpu_count() * 1e6), postgres, http
