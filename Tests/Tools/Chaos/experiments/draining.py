"""SIGTERM with 100 requests in flight, of three kinds, and 100 event streams open: the way an orchestrator ends a server."""

import asyncio
import json
import signal
import time
from pathlib import Path

from experiment import outcome
from holding import Holder
from processes import get
from shop import Shop
from web import Connection, Lost, request

NAME = "draining"
MUST_HOLD = "/readyz fails first, every request answered, streams ended, exit 0 in 10 s"
FORM = {"name": "Ann Lee", "phone": "5552345678", "email": "ann@example.com", "address": "12 Elm Street, Springfield"}


def run(scale):
    # All streams come from one address.
    with Shop(scale, arguments=("--stream-limit-client", "200")) as shop:
        return asyncio.run(drain(shop))


async def drain(shop):
    wrong, port = [], shop.server.port
    client = Connection(port)
    baskets = []
    for _ in range(101):
        id = (await client.send("POST", "/v1/baskets")).json["id"]
        baskets.append((await client.send("POST", f"/v1/baskets/{id}/items", b'{"menuItemId": 2001, "quantity": 1}')).json)

    def checkout(basket):
        body = json.dumps(FORM | {"basketId": basket["id"], "expectedTotal": basket["total"]}).encode()
        return "POST", "/v1/checkout", body, [("Idempotency-Key", f"key of {basket['id']}")]

    order = (await client.send(*checkout(baskets.pop()))).json
    client.close()
    streams = [await stream(port, path) for path in ["/v1/errors/events", f"/v1/orders/{order['id']}/events"] * 50]

    # 40 checkouts behind a lock, 30 readings behind another, and 30 forms whose second half is still to come.
    with Holder(shop.cluster.url, "lock table orders in share mode; lock table baskets in access exclusive mode") as holder:
        held = [await sent(port, request(*checkout(b))) for b in baskets[:40]]
        held += [await sent(port, request("GET", f"/v1/baskets/{b['id']}")) for b in baskets[40:70]]
        wholes = [request(*checkout(b)) for b in baskets[70:]]
        halves = [(await sent(port, whole[:-80]), whole[-80:]) for whole in wholes]
        while unread(port):
            await asyncio.sleep(0.01)

        begin = time.monotonic()
        shop.server.process.send_signal(signal.SIGTERM)
        # The first that a load balancer sees is a no, while the others are still served.
        first = await asyncio.to_thread(ready, port)
        if first != 503:
            wrong.append(f"the first /readyz after SIGTERM that was not 200 was {first}")
        elif (status := await asyncio.to_thread(ready, port, "/v1/menu")) != 200:
            wrong.append(f"the menu, after /readyz has said no, was {status}")
        for connection, rest in halves:
            connection.writer.write(rest)
        while await asyncio.to_thread(ready, port, "/livez") == 200:
            await asyncio.sleep(0.01)
            if time.monotonic() > begin + 5:
                break
        if time.monotonic() > begin + 5:
            wrong.append("still takes connections 5 s after SIGTERM")
        await asyncio.to_thread(holder.release)

    answers = await asyncio.gather(*map(whole_answer, held + [connection for connection, _ in halves]), return_exceptions=True)
    ends = [await end(reader) for reader, _ in streams]
    status = await asyncio.to_thread(shop.server.process.wait, 20)
    took = time.monotonic() - begin

    lost = [a for a in answers if isinstance(a, BaseException)]
    refused = [a for a in answers if not isinstance(a, BaseException) and a.status not in (200, 201)]
    if lost:
        wrong.append(f"{len(lost)} of {len(answers)} requests were not answered: {lost[0]!r}")
    if other := [a for a in refused if a.status != 503 or "retry-after" not in a.headers]:
        wrong.append(f"answered {other[0]}")
    told = {a.json["id"] for a in answers if not isinstance(a, BaseException) and a.status == 201}
    there = set(shop.cluster.sql("select id from orders").split()) - {order["id"]}
    if told - there:
        wrong.append(f"{len(told - there)} orders were acknowledged and are missing")
    if not all(ends):
        wrong.append(f"{ends.count(False)} of {len(ends)} streams were cut")
    if status != 0 or took > 10:
        wrong.append(f"exit {status} after {took:.1f} s")
    return outcome(wrong, f"{len(answers) - len(lost)} of {len(answers)} answered, {len(refused)} of them 503, {ends.count(True)} streams ended, exit {status} after {took:.1f} s")


def ready(port, path="/readyz"):
    """The status; for /readyz the first one that isn't 200."""
    while True:
        try:
            status = get(port, path)[0]
        except OSError as error:
            return repr(error)
        if path != "/readyz" or status != 200:
            return status


async def stream(port, path):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request("GET", path))
    await reader.readuntil(b"retry: ")
    return reader, writer


async def sent(port, text):
    connection = Connection(port, 20)
    connection.reader, connection.writer = await asyncio.open_connection("127.0.0.1", port)
    connection.writer.write(text)
    return connection


def unread(port):
    """How many bytes lie in the kernel that the server at this port has not read."""
    connections = [line.split() for family in Path("/proc/net").glob("tcp*") for line in family.read_text().splitlines()[1:]]
    return sum(int(queues.split(":")[1], 16) for _, local, _, _, queues, *_ in connections if local.endswith(f":{port:04X}"))


async def end(reader):
    """Whether a stream came to its own end: the last chunk."""
    try:
        return (await asyncio.wait_for(reader.read(), 20)).endswith(b"0\r\n\r\n")
    except (OSError, TimeoutError):
        return False


async def whole_answer(connection):
    try:
        return await asyncio.wait_for(connection.answer(), 20)
    except (OSError, EOFError, TimeoutError) as error:
        raise Lost(repr(error)) from None
