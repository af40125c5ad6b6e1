"""A thousand listen to the error channel, a tenth of them without ever reading. The menu fails and is well again, again and again, and each of the
others hears it. Checkouts are measured with the listeners there and without, in turn.
"""

import asyncio
import datetime
import re
import socket
import time

from experiment import outcome
from load import ALLOWANCE, Buyers, bounded, resident
from shop import Shop
from web import request

NAME = "listeners"
MUST_HOLD = "those who read hear within 1 s; memory bounded; checkout latency ≤ 1.25×"
IS_TIMED = True
WITHIN = 1.0
MEMORY = 100  # MB more than before
HIDE = "begin; alter table menu_items rename to hidden_items; update menu_revision set revision = revision + 1; notify menu_changed; commit"
SHOW = "begin; alter table hidden_items rename to menu_items; update menu_revision set revision = revision + 1; notify menu_changed; commit"


def run(scale):
    # All of them listen from one address.
    with Shop(scale, arguments=("--stream-limit-client", "2000")) as shop:
        return asyncio.run(listen(shop, scale))


async def listen(shop, scale):
    wrong, port = [], shop.server.port
    count, stalled = scale.pick(1000, 300), scale.pick(100, 30)
    before = resident(shop.server)
    reading, silent = await crowd(port, count, stalled)
    rounds, events = scale.pick(50, 5), 0
    for n in range(rounds * 2):
        await asyncio.to_thread(shop.cluster.sql, HIDE if n % 2 == 0 else SHOW)
        events += 1
        end = time.monotonic() + 5
        while any(len(listener.heard) < events for listener in reading) and time.monotonic() < end:
            await asyncio.sleep(0.005)
    delays = []
    for n in range(events):
        heard = [listener.heard[n] for listener in reading if len(listener.heard) > n]
        if len(heard) < len(reading):
            wrong.append(f"event {n + 1} of {events} was heard by {len(heard)} of {len(reading)}")
        if heard:
            delays.append(max(at - happened for at, happened in heard))
    memory = resident(shop.server)
    if max(delays, default=9) > WITHIN:
        wrong.append(f"heard after {max(delays, default=9):.2f} s")
    if lost := sum(listener.is_lost for listener in reading):
        wrong.append(f"{lost} who read were cut off")
    close(reading, silent)

    # With them and without, in turn.
    buyers = Buyers(port, 4)
    await buyers.start()
    await buyers.measure(1)
    alone, beside = [], []
    for n in range(scale.pick(6, 2)):
        alone += await buyers.measure(scale.pick(4, 1.5))
        reading, silent = await crowd(port, count, stalled)
        await asyncio.sleep(0.2)
        beside += await buyers.measure(scale.pick(4, 1.5))
        memory = max(memory, resident(shop.server))
        close(reading, silent)
        await asyncio.sleep(0.3)
    await buyers.stop()
    wrong += buyers.wrong
    # Three seconds of each are too few in the short form to see a quarter.
    figure = bounded(wrong, alone, beside, scale.pick(1.25, 2), allowance=scale.pick(0, ALLOWANCE))
    if memory - before > MEMORY:
        wrong.append(f"{memory - before:.0f} MB more")
    return outcome(wrong, f"{count} listeners, {stalled} of them stalled: {events} events heard by each within {max(delays, default=9):.2f} s; "
                          f"checkout {figure}; {before:.0f} MB, at most {memory:.0f} MB")


class Listener(asyncio.Protocol):
    """Notes when it heard of each event, and when that happened by the server's clock."""

    def __init__(self):
        self.heard, self.rest, self.is_lost, self.opened = [], b"", False, asyncio.get_running_loop().create_future()

    def connection_made(self, transport):
        self.transport = transport
        transport.write(request("GET", "/v1/errors/events"))

    def data_received(self, data):
        now = time.time()
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            if line.startswith(b"data: "):
                at = re.search(rb'"at":"([^"]*)"', line)[1].decode()
                self.heard.append((now, datetime.datetime.fromisoformat(at).timestamp()))
            elif line.startswith(b"retry: ") and not self.opened.done():
                self.opened.set_result(None)

    def connection_lost(self, error):
        self.is_lost = True


async def crowd(port, count, stalled):
    loop = asyncio.get_running_loop()
    silent, reading = [], []
    for _ in range(stalled):
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        client.connect(("127.0.0.1", port))
        client.sendall(request("GET", "/v1/errors/events"))
        silent.append(client)
    for _ in range(count - stalled):
        reading.append((await loop.create_connection(Listener, "127.0.0.1", port))[1])
    async with asyncio.timeout(30):
        await asyncio.gather(*(listener.opened for listener in reading))
    return reading, silent


def close(reading, silent):
    for listener in reading:
        listener.transport.abort()
    for client in silent:
        client.close()
