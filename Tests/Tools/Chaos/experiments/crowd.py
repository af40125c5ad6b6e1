"""Many idle connections, slow request heads and bodies, and clients that do not read. Latencies of normal guests are
measured with and without them, in turn. The deadlines of ConnectionLimits must end the slow clients.
"""

import asyncio
import resource
import socket
import time

from experiment import outcome
from load import ALLOWANCE, Buyers, compare_latencies, resident_memory
from shop import Shop
from web import request

NAME = "crowd"
EXPECTED = "p99 of normal guests ≤ 2×; memory bounded; slow clients get 4xx or a closed connection"
IS_TIMED = True
DEADLINE = 10  # seconds for a complete head, and for progress of a body or a reader (ConnectionLimits)
END_LIMIT = DEADLINE + 5
MEMORY_LIMIT = 200  # MB of growth; 5,000 idle connections of 30 kB take 150 MB


def run(scale):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    # Each connection takes one descriptor in the server and one here.
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if 0 < hard < 20000 else 20000, hard))
    # All clients come from one address.
    with Shop(scale, arguments=("--connection-limit-client", "10000")) as shop:
        return asyncio.run(crowd(shop, scale))


async def crowd(shop, scale):
    problems, port = [], shop.server.port
    counts = {
        "idle": scale.pick(5000, 1000),
        "slow head": scale.pick(200, 50),
        "slow body": scale.pick(200, 50),
        "slow reader": scale.pick(100, 25),
    }
    buyers = Buyers(port, scale.pick(8, 4))
    await buyers.start()
    await buyers.measure(scale.pick(2, 1))
    baseline, measured, before = [], [], resident_memory(shop.server)
    memory, results = before, []
    for _ in range(scale.pick(3, 1)):
        baseline += await buyers.measure(3)
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(counts["idle"])]
        begin = time.monotonic()
        slow = [asyncio.create_task(kind(port)) for name, kind in KINDS.items() for _ in range(counts[name])]
        # When they connect, one or two checkouts of each buyer take some tenths of a second longer (debug build).
        # These are less than 1 % of the checkouts, so p99 does not change.
        measured += await buyers.measure(8)
        memory = max(memory, resident_memory(shop.server))
        done, pending = await asyncio.wait(slow, timeout=END_LIMIT + begin - time.monotonic())
        for task in pending:
            task.cancel()
        if pending:
            problems.append(f"{len(pending)} slow clients were still connected after {END_LIMIT} s")
        found = [task.result() for task in done]
        if unexpected := [end for end in found if not (end == "closed" or end.startswith("4"))]:
            problems.append(f"{len(unexpected)} slow clients ended in {unexpected[0]!r}")
        results += found
        if closed := sum(reader.at_eof() for reader, _ in idle):
            problems.append(f"{closed} idle connections were closed")
        for _, writer in idle:
            writer.close()
        await asyncio.sleep(0.5)
        # Measures before and after, because the other load of the machine changes.
        baseline += await buyers.measure(3)
    await buyers.stop()
    problems += buyers.problems
    if len(baseline) < 10 or len(measured) < 10:
        return outcome(problems + [f"{len(baseline)} checkouts without the crowd, {len(measured)} with it"], "")
    figure = compare_latencies(problems, baseline, measured, 2, parts=(0.99,), allowance=scale.pick(0, ALLOWANCE))
    if memory - before > MEMORY_LIMIT:
        problems.append(f"the memory grew by {memory - before:.0f} MB")
    kinds = ", ".join(f"{results.count(end)} × {end}" for end in sorted(set(results)))
    return outcome(
        problems,
        f"{counts['idle']} idle, {sum(counts.values()) - counts['idle']} slow: {kinds}; normal guests {figure};"
        f" {before:.0f} MB, at most {memory:.0f} MB",
    )


async def slow_head(port):
    return await trickle(port, b"GET /v1/menu HTTP/1.1\r\nHost: 127.0.0.1\r\nName: ")


async def slow_body(port):
    return await trickle(
        port,
        b"POST /v1/checkout HTTP/1.1\r\nHost: 127.0.0.1\r\nIdempotency-Key: k\r\nContent-Type:"
        b" application/json\r\nContent-Length: 5000\r\n\r\n{",
    )


async def trickle(port, begin):
    """Sends a byte per second until the server answers or closes the connection."""
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
    """Requests more than the socket buffers hold, and never reads. The TCP state shows when the server closes."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.setblocking(False)
    loop = asyncio.get_running_loop()
    try:
        await loop.sock_connect(client, ("127.0.0.1", port))
        await loop.sock_sendall(client, request("GET", "/openapi.json") * 500)  # the largest answer, 500 times: 30 MB
        while client.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == 1:  # established
            await asyncio.sleep(0.2)
    except OSError:
        pass
    finally:
        client.close()
    return "closed"


KINDS = {"slow head": slow_head, "slow body": slow_body, "slow reader": slow_reader}
