"""A crowd that only takes room: idle connections, heads and bodies that trickle, readers who don't read. Honest guests are measured beside it, and
alone, in turn; the slow ones come to an end by the deadlines of ConnectionLimits.
"""

import asyncio
import resource
import socket
import time

from experiment import outcome
from load import ALLOWANCE, Buyers, bounded, resident
from shop import Shop
from web import request

NAME = "crowd"
MUST_HOLD = "honest guests' p99 ≤ 2×; memory bounded; the slow ones end in 4xx or a closed connection"
IS_TIMED = True
DEADLINE = 10  # seconds that a head has, and in which a body or a reader has to make progress (ConnectionLimits)
WITHIN = DEADLINE + 5
MEMORY = 200  # MB more than before, for all of them: 30 kB for each that is idle is 150


def run(scale):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    # Each connection takes a descriptor of the server's, and one here.
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if 0 < hard < 20000 else 20000, hard))
    # All of the crowd comes from one address.
    with Shop(scale, arguments=("--connection-limit-client", "10000")) as shop:
        return asyncio.run(crowd(shop, scale))


async def crowd(shop, scale):
    wrong, port = [], shop.server.port
    counts = {"idle": scale.pick(5000, 1000), "slow head": scale.pick(200, 50), "slow body": scale.pick(200, 50), "slow reader": scale.pick(100, 25)}
    buyers = Buyers(port, scale.pick(8, 4))
    await buyers.start()
    await buyers.measure(scale.pick(2, 1))
    alone, beside, before = [], [], resident(shop.server)
    memory, ends = before, []
    for _ in range(scale.pick(3, 1)):
        alone += await buyers.measure(3)
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(counts["idle"])]
        begin = time.monotonic()
        slow = [asyncio.create_task(kind(port)) for name, kind in KINDS.items() for _ in range(counts[name])]
        # Their arrival holds up a checkout or two of each buyer, for some tenths of a second with the debug build: fewer than one in a hundred.
        beside += await buyers.measure(8)
        memory = max(memory, resident(shop.server))
        done, pending = await asyncio.wait(slow, timeout=WITHIN + begin - time.monotonic())
        for task in pending:
            task.cancel()
        if pending:
            wrong.append(f"{len(pending)} slow clients were still there after {WITHIN} s")
        found = [task.result() for task in done]
        if strange := [end for end in found if not (end == "closed" or end.startswith("4"))]:
            wrong.append(f"{len(strange)} slow clients ended in {strange[0]!r}")
        ends += found
        if gone := sum(reader.at_eof() for reader, _ in idle):
            wrong.append(f"{gone} idle connections were closed")
        for _, writer in idle:
            writer.close()
        await asyncio.sleep(0.5)
        # Before and after, for what else the machine does changes.
        alone += await buyers.measure(3)
    await buyers.stop()
    wrong += buyers.wrong
    if len(alone) < 10 or len(beside) < 10:
        return outcome(wrong + [f"{len(alone)} checkouts alone, {len(beside)} beside the crowd"], "")
    figure = bounded(wrong, alone, beside, 2, parts=(0.99,), allowance=scale.pick(0, ALLOWANCE))
    if memory - before > MEMORY:
        wrong.append(f"{memory - before:.0f} MB more")
    kinds = ", ".join(f"{ends.count(end)} × {end}" for end in sorted(set(ends)))
    return outcome(wrong, f"{counts['idle']} idle, {sum(counts.values()) - counts['idle']} slow: {kinds}; honest {figure}; {before:.0f} MB, at most {memory:.0f} MB")


async def slow_head(port):
    return await trickle(port, b"GET /v1/menu HTTP/1.1\r\nHost: 127.0.0.1\r\nName: ")


async def slow_body(port):
    return await trickle(port, b"POST /v1/checkout HTTP/1.1\r\nHost: 127.0.0.1\r\nIdempotency-Key: k\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{")


async def trickle(port, begin):
    """A byte a second, until there is an answer or an end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(begin)
    answer = asyncio.create_task(reader.read(4096))
    while not answer.done():
        await asyncio.wait([answer], timeout=1)
        writer.write(b" ")
    try:
        head = answer.result()
    except OSError:
        head = b""
    writer.close()
    return head.split(b" ")[1].decode() if head else "closed"


async def slow_reader(port):
    """Asks for more than there is room for, and never reads. That the server has let go is seen by the connection's state."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.setblocking(False)
    loop = asyncio.get_running_loop()
    try:
        await loop.sock_connect(client, ("127.0.0.1", port))
        await loop.sock_sendall(client, request("GET", "/openapi.json") * 500)  # the largest answer, as often as takes 30 MB
        while client.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == 1:  # established
            await asyncio.sleep(0.2)
    except OSError:
        pass
    finally:
        client.close()
    return "closed"


KINDS = {"slow head": slow_head, "slow body": slow_body, "slow reader": slow_reader}
