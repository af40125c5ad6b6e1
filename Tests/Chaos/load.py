"""Guests who buy without pause and measure how long a checkout takes, in the caller's event loop. Used by the experiments that compare latencies.

    buyers = Buyers(port, 8)
    await buyers.start()
    times = await buyers.measure(5)      the seconds that each checkout of the next five seconds took
"""

import asyncio
import json
import re
import time

from web import Connection, Lost

FORM = {"name": "Ann Lee", "address": "12 Elm Street, Springfield"}


class Buyers:
    def __init__(self, port, count):
        self.port, self.count, self.times, self.wrong, self.is_over, self.guests = port, count, [], [], False, 0

    async def start(self):
        self.tasks = [asyncio.create_task(self.buy()) for _ in range(self.count)]

    async def buy(self):
        client = Connection(self.port)
        while not self.is_over:
            self.guests += 1
            try:
                basket = (await client.send("POST", "/v1/baskets")).json["id"]
                total = (await client.send("POST", f"/v1/baskets/{basket}/items", b'{"menuItemId": 2001, "quantity": 1}')).json["total"]
                form = FORM | {"basketId": basket, "phone": f"555{self.guests:07}", "email": f"guest{self.guests}@example.com", "expectedTotal": total}
                begin = time.perf_counter()
                answer = await client.send("POST", "/v1/checkout", json.dumps(form).encode(), [("Idempotency-Key", f"key of {basket}")])
                self.times.append(time.perf_counter() - begin)
                if answer.status != 201:
                    self.wrong.append(f"checkout: {answer!r}")
            except (Lost, KeyError) as error:
                self.wrong.append(f"an honest guest: {error!r}")
        client.close()

    async def measure(self, seconds):
        self.times = []
        await asyncio.sleep(seconds)
        return self.times

    async def stop(self):
        self.is_over = True
        await asyncio.gather(*self.tasks)


def percentile(times, part):
    return sorted(times)[int(part * (len(times) - 1))]


def bounded(wrong, alone, beside, most, parts=(0.5, 0.99), noise=0.003):
    """The latencies in words; what is more than `most` times as long, and longer by more than noise, is wrong."""
    words = []
    for part in parts:
        was, now = percentile(alone, part), percentile(beside, part)
        words.append(f"p{part * 100:.0f} {was * 1000:.1f} → {now * 1000:.1f} ms ({now / was:.2f}×)")
        if now > was * most and now - was > noise:
            wrong.append(f"{words[-1]}, and {most}× is the most")
    return ", ".join(words)


def resident(server):
    """The server's memory now, in MB."""
    with open(f"/proc/{server.process.pid}/status") as f:
        return int(re.search(r"VmRSS:\s+(\d+)", f.read())[1]) / 1024
