"""A thousand clients subscribe to the error channel, and a tenth of them never read. The menu fails and recovers
several times, and each reading client must receive each event. Checkout latencies are measured with and without the
subscribers, in turn.
"""

import asyncio
import datetime
import re
import socket
import time

from experiment import outcome
from load import ALLOWANCE, Buyers, compare_latencies, resident_memory
from shop import Shop
from web import request

NAME = "listeners"
EXPECTED = "readers receive each event within 1 s; memory bounded; checkout latency ≤ 1.25×"
IS_TIMED = True
DELAY_LIMIT = 1.0
MEMORY_LIMIT = 100  # MB more than before
HIDE = (
    "begin; alter table menu_items rename to hidden_items; update menu_revision set revision = revision + 1; notify"
    " menu_changed; commit"
)
SHOW = (
    "begin; alter table hidden_items rename to menu_items; update menu_revision set revision = revision + 1; notify"
    " menu_changed; commit"
)


def run(scale):
    # All subscribers come from one address.
    with Shop(scale, arguments=("--stream-limit-client", "2000")) as shop:
        return asyncio.run(measure(shop, scale))


async def measure(shop, scale):
    problems, port = [], shop.server.port
    count, stalled = scale.pick(1000, 300), scale.pick(100, 30)
    before = resident_memory(shop.server)
    reading, stalled_clients = await subscribe(port, count, stalled)
    rounds, events = scale.pick(50, 5), 0
    for n in range(rounds * 2):
        await asyncio.to_thread(shop.cluster.sql, HIDE if n % 2 == 0 else SHOW)
        events += 1
        end = time.monotonic() + 5
        while any(len(subscriber.received) < events for subscriber in reading) and time.monotonic() < end:
            await asyncio.sleep(0.005)
    delays = []
    for n in range(events):
        received = [subscriber.received[n] for subscriber in reading if len(subscriber.received) > n]
        if len(received) < len(reading):
            problems.append(f"event {n + 1} of {events} was received by {len(received)} of {len(reading)}")
        if received:
            delays.append(max(at - occurred for at, occurred in received))
    memory = resident_memory(shop.server)
    if max(delays, default=9) > DELAY_LIMIT:
        problems.append(f"received after {max(delays, default=9):.2f} s")
    if lost := sum(subscriber.is_lost for subscriber in reading):
        problems.append(f"{lost} readers were disconnected")
    close(reading, stalled_clients)

    # Latencies with and without the subscribers, in turn.
    buyers = Buyers(port, 4)
    await buyers.start()
    await buyers.measure(1)
    baseline, measured = [], []
    for n in range(scale.pick(6, 2)):
        baseline += await buyers.measure(scale.pick(4, 1.5))
        reading, stalled_clients = await subscribe(port, count, stalled)
        await asyncio.sleep(0.2)
        measured += await buyers.measure(scale.pick(4, 1.5))
        memory = max(memory, resident_memory(shop.server))
        close(reading, stalled_clients)
        await asyncio.sleep(0.3)
    await buyers.stop()
    problems += buyers.problems
    # Three seconds each are too few in the short form to detect 1.25×.
    figure = compare_latencies(problems, baseline, measured, scale.pick(1.25, 2), allowance=scale.pick(0, ALLOWANCE))
    if memory - before > MEMORY_LIMIT:
        problems.append(f"the memory grew by {memory - before:.0f} MB")
    return outcome(
        problems,
        f"{count} subscribers, {stalled} of them stalled: {events} events reach each reader within"
        f" {max(delays, default=9):.2f} s; checkout {figure}; {before:.0f} MB, at most {memory:.0f} MB",
    )


class Subscriber(asyncio.Protocol):
    """A subscriber that records when it received each event, and the time of the event by the server's clock."""

    def __init__(self):
        self.received, self.rest, self.is_lost, self.opened = [], b"", False, asyncio.get_running_loop().create_future()

    def connection_made(self, transport):
        self.transport = transport
        transport.write(request("GET", "/v1/errors/events"))

    def data_received(self, data):
        now = time.time()
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            if line.startswith(b"data: "):
                at = re.search(rb'"at":"([^"]*)"', line)[1].decode()
                self.received.append((now, datetime.datetime.fromisoformat(at).timestamp()))
            elif line.startswith(b"retry: ") and not self.opened.done():
                self.opened.set_result(None)

    def connection_lost(self, error):
        self.is_lost = True


async def subscribe(port, count, stalled):
    loop = asyncio.get_running_loop()
    stalled_clients, reading = [], []
    for _ in range(stalled):
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        client.connect(("127.0.0.1", port))
        client.sendall(request("GET", "/v1/errors/events"))
        stalled_clients.append(client)
    for _ in range(count - stalled):
        reading.append((await loop.create_connection(Subscriber, "127.0.0.1", port))[1])
    async with asyncio.timeout(30):
        await asyncio.gather(*(subscriber.opened for subscriber in reading))
    return reading, stalled_clients


def close(reading, stalled_clients):
    for subscriber in reading:
        subscriber.transport.abort()
    for client in stalled_clients:
        client.close()
