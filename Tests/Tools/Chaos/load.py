"""Guests who buy without pause and measure how long a checkout takes, in a process of their own: what an experiment does besides must not make
them wait for their turn in its event loop. Used by the experiments that compare latencies.

    buyers = Buyers(port, 8)
    await buyers.start()
    times = await buyers.measure(5)      the seconds that each checkout of the next five seconds took
    await buyers.stop()                  buyers.wrong says what went wrong
"""

import asyncio
import json
import re
import sys
import time

from web import Connection, Lost

# Seconds that the short form forgives beside a factor. It has a debug build and a machine that does other things: with six that want a core each waits for
# some 4 ms × 5. What it looks for costs more: behind a stuck statement one waits 100 ms at least (ConnectionLoop.tick), behind a slow client for its deadline
# of ten seconds, behind a listener who stalls for as long as that lasts. The full form forgives nothing.
ALLOWANCE = 0.02
BURGER = {"dish": {"menuItemId": 2001, "quantity": 1}}
FORM = {"name": "Ann Lee", "address": "12 Elm Street, Springfield"}


class Buyers:
    def __init__(self, port, count, wishes=(BURGER,)):
        """`wishes`: what they order, in turn: a dish as it is added to a basket, and a coupon if they have one."""
        self.port, self.count, self.wishes, self.wrong = port, count, wishes, []

    async def start(self):
        self.process = await asyncio.create_subprocess_exec(sys.executable, __file__, str(self.port), str(self.count),
                                                            json.dumps(self.wishes), limit=1 << 26,
                                                            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)

    async def measure(self, seconds):
        self.process.stdin.write(f"{seconds}\n".encode())
        return json.loads(await self.process.stdout.readline())

    async def stop(self):
        self.process.stdin.close()
        self.wrong += json.loads(await self.process.stdout.readline())
        await self.process.wait()


class Buying:
    """What runs in their process: a line that comes in says for how long to measure, a line that goes out says what was measured."""

    def __init__(self, port):
        self.port, self.times, self.wrong, self.is_over, self.guests = port, [], [], False, 0

    async def run(self, count, wishes):
        tasks = [asyncio.create_task(self.buy(**wishes[n % len(wishes)])) for n in range(count)]
        while line := await asyncio.to_thread(sys.stdin.readline):
            self.times = []
            await asyncio.sleep(float(line))
            print(json.dumps(self.times), flush=True)
        self.is_over = True
        await asyncio.gather(*tasks)
        print(json.dumps(self.wrong), flush=True)

    async def buy(self, dish, coupon=None):
        client = Connection(self.port)
        while not self.is_over:
            self.guests += 1
            try:
                basket = (await self.sure(client, 201, "POST", "/v1/baskets"))["id"]
                total = (await self.sure(client, 200, "POST", f"/v1/baskets/{basket}/items", json.dumps(dish).encode()))["total"]
                form = FORM | {"basketId": basket, "phone": f"555{self.guests:07}", "email": f"guest{self.guests}@example.com", "expectedTotal": total}
                if coupon:
                    form["coupon"] = coupon
                    form["expectedTotal"] = (await self.sure(client, 200, "POST", "/v1/checkout/validate", json.dumps(form).encode()))["quote"]["total"]
                begin = time.perf_counter()
                await self.sure(client, 201, "POST", "/v1/checkout", json.dumps(form).encode(), [("Idempotency-Key", f"key of {basket}")])
                self.times.append(time.perf_counter() - begin)
            except Lost as error:
                self.wrong.append(f"an honest guest: {error}")
        client.close()

    async def sure(self, client, status, *request):
        answer = await client.send(*request)
        if answer.status != status:
            raise Lost(f"{request[1]} is answered {answer!r}")
        return answer.json


def percentile(times, part):
    return sorted(times)[int(part * (len(times) - 1))]


def bounded(wrong, alone, beside, most, parts=(0.5, 0.99), allowance=0):
    """The latencies in words; what is more than `most` times as long, and longer by more than the allowance, is wrong."""
    words = []
    for part in parts:
        was, now = percentile(alone, part), percentile(beside, part)
        words.append(f"p{part * 100:.0f} {was * 1000:.1f} → {now * 1000:.1f} ms ({now / was:.2f}×)")
        if now > was * most and now - was > allowance:
            wrong.append(f"{words[-1]}, and {most}× is the most")
    return ", ".join(words)


def resident(server):
    """The server's memory now, in MB."""
    with open(f"/proc/{server.process.pid}/status") as f:
        return int(re.search(r"VmRSS:\s+(\d+)", f.read())[1]) / 1024


if __name__ == "__main__":
    asyncio.run(Buying(int(sys.argv[1])).run(int(sys.argv[2]), json.loads(sys.argv[3])))
