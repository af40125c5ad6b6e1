"""Guests who order without pause and measure the latency of each checkout.

They run in a separate process, so that the event loop of the experiment does not delay them.

    buyers = Buyers(port, 8)
    await buyers.start()
    times = await buyers.measure(5)      the latencies of all checkouts of the next five seconds, in seconds
    await buyers.stop()                  buyers.problems lists unexpected answers
"""

import asyncio
import json
import re
import sys
import time

from web import Connection, ConnectionLost

# Seconds of extra latency that the short form tolerates. It runs a debug build on a busy machine: with six processes
# for a core, each process waits for the five others, about 4 ms each. The faults that it has to detect cost more: at
# least 100 ms behind a stuck statement (ConnectionLoop.pollInterval), and ten seconds behind a slow client. The full
# form tolerates none.
ALLOWANCE = 0.02
BURGER = {"dish": {"menuItemId": 2001, "quantity": 1}}
FORM = {"name": "Ann Lee", "address": "12 Elm Street, Springfield"}


class Buyers:
    def __init__(self, port, count, purchases=(BURGER,)):
        """`purchases`: what the guests order in turn, each with a dish and optionally a coupon."""
        self.port, self.count, self.purchases, self.problems = port, count, purchases, []

    async def start(self):
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            __file__,
            str(self.port),
            str(self.count),
            json.dumps(self.purchases),
            limit=1 << 26,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )

    async def measure(self, seconds):
        self.process.stdin.write(f"{seconds}\n".encode())
        return json.loads(await self.process.stdout.readline())

    async def stop(self):
        self.process.stdin.close()
        self.problems += json.loads(await self.process.stdout.readline())
        await self.process.wait()


class BuyerProcess:
    """The process of the buyers. A line on standard input is the seconds to measure; it answers with a line of
    latencies."""

    def __init__(self, port):
        self.port, self.times, self.problems, self.is_over, self.guests = port, [], [], False, 0

    async def run(self, count, purchases):
        tasks = [asyncio.create_task(self.buy(**purchases[n % len(purchases)])) for n in range(count)]
        while line := await asyncio.to_thread(sys.stdin.readline):
            self.times = []
            await asyncio.sleep(float(line))
            print(json.dumps(self.times), flush=True)
        self.is_over = True
        await asyncio.gather(*tasks)
        print(json.dumps(self.problems), flush=True)

    async def buy(self, dish, coupon=None):
        client = Connection(self.port)
        while not self.is_over:
            self.guests += 1
            try:
                basket = (await self.expect(client, 201, "POST", "/v1/baskets"))["id"]
                total = (
                    await self.expect(client, 200, "POST", f"/v1/baskets/{basket}/items", json.dumps(dish).encode())
                )["total"]
                form = FORM | {
                    "basketId": basket,
                    "phone": f"555{self.guests:07}",
                    "email": f"guest{self.guests}@example.com",
                    "expectedTotal": total,
                }
                if coupon:
                    form["coupon"] = coupon
                    form["expectedTotal"] = (
                        await self.expect(client, 200, "POST", "/v1/checkout/validate", json.dumps(form).encode())
                    )["quote"]["total"]
                begin = time.perf_counter()
                await self.expect(
                    client,
                    201,
                    "POST",
                    "/v1/checkout",
                    json.dumps(form).encode(),
                    [("Idempotency-Key", f"key of {basket}")],
                )
                self.times.append(time.perf_counter() - begin)
            except ConnectionLost as error:
                self.problems.append(f"a buyer: {error}")
        client.close()

    async def expect(self, client, status, *request):
        answer = await client.send(*request)
        if answer.status != status:
            raise ConnectionLost(f"{request[1]} is answered {answer!r}")
        return answer.json


def percentile(times, part):
    return sorted(times)[int(part * (len(times) - 1))]


def compare_latencies(problems, baseline, measured, limit, parts=(0.5, 0.99), allowance=0):
    """Describes the latencies. Adds a problem if one is above `limit` times the baseline and longer by more than the
    allowance."""
    words = []
    for part in parts:
        before, now = percentile(baseline, part), percentile(measured, part)
        words.append(f"p{part * 100:.0f} {before * 1000:.1f} → {now * 1000:.1f} ms ({now / before:.2f}×)")
        if now > before * limit and now - before > allowance:
            problems.append(f"{words[-1]}, which is above {limit}×")
    return ", ".join(words)


def resident_memory(server):
    """The current resident memory of the server, in MB."""
    with open(f"/proc/{server.process.pid}/status") as f:
        return int(re.search(r"VmRSS:\s+(\d+)", f.read())[1]) / 1024


if __name__ == "__main__":
    asyncio.run(BuyerProcess(int(sys.argv[1])).run(int(sys.argv[2]), json.loads(sys.argv[3])))
