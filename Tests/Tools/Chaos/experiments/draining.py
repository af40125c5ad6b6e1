"""Sends SIGTERM, as an orchestrator does, with 100 requests of three kinds in flight and 100 open event streams."""

import asyncio
import json
import signal
import time
from pathlib import Path

from experiment import outcome
from lock_holder import LockHolder
from processes import get
from shop import Shop
from web import Connection, ConnectionLost, request

NAME = "draining"
EXPECTED = "/readyz fails first, every request is answered, streams end, exit 0 in 10 s"
FORM = {"name": "Ann Lee", "phone": "5552345678", "email": "ann@example.com", "address": "12 Elm Street, Springfield"}


def run(scale):
    # All streams come from one address, so the limit per client is raised. No statement times out behind the locks.
    with Shop(scale, arguments=("--stream-limit-client", "200", "--database-timeout", "30")) as shop:
        return asyncio.run(drain(shop))


async def drain(shop):
    problems, port = [], shop.server.port
    client = Connection(port)
    baskets = []
    for _ in range(101):
        id = (await client.send("POST", "/v1/baskets")).json["id"]
        baskets.append(
            (await client.send("POST", f"/v1/baskets/{id}/items", b'{"menuItemId": 2001, "quantity": 1}')).json
        )

    def checkout(basket):
        body = json.dumps(FORM | {"basketId": basket["id"], "expectedTotal": basket["total"]}).encode()
        return "POST", "/v1/checkout", body, [("Idempotency-Key", f"key of {basket['id']}")]

    order = (await client.send(*checkout(baskets.pop()))).json
    client.close()
    streams = [await open_stream(port, path) for path in ["/v1/errors/events", f"/v1/orders/{order['id']}/events"] * 50]

    # 40 checkouts and 30 reads wait for locks, and 30 checkouts have sent only a part of their body.
    with LockHolder(
        shop.cluster.url, "lock table orders in share mode; lock table baskets in access exclusive mode"
    ) as holder:
        waiting = [await send_bytes(port, request(*checkout(b))) for b in baskets[:40]]
        waiting += [await send_bytes(port, request("GET", f"/v1/baskets/{b['id']}")) for b in baskets[40:70]]
        wholes = [request(*checkout(b)) for b in baskets[70:]]
        halves = [(await send_bytes(port, whole[:-80]), whole[-80:]) for whole in wholes]
        while unread_bytes(port):
            await asyncio.sleep(0.01)

        begin = time.monotonic()
        shop.server.process.send_signal(signal.SIGTERM)
        # The load balancer must see an unready server first, while other requests are still served.
        first = await asyncio.to_thread(poll_status, port)
        if first != 503:
            problems.append(f"the first /readyz other than 200 after SIGTERM was {first}")
        elif (status := await asyncio.to_thread(poll_status, port, "/v1/menu")) != 200:
            problems.append(f"after /readyz failed, the menu was answered {status}")
        for connection, rest in halves:
            connection.writer.write(rest)
        while await asyncio.to_thread(poll_status, port, "/livez") == 200:
            await asyncio.sleep(0.01)
            if time.monotonic() > begin + 8:
                break
        if time.monotonic() > begin + 8:
            problems.append("the server still accepts connections 8 s after SIGTERM")
        await asyncio.to_thread(holder.release)

    answers = await asyncio.gather(
        *map(read_answer, waiting + [connection for connection, _ in halves]), return_exceptions=True
    )
    endings = [await has_ended(reader) for reader, _ in streams]
    status = await asyncio.to_thread(shop.server.process.wait, 20)
    duration = time.monotonic() - begin

    failed = [answer for answer in answers if isinstance(answer, BaseException)]
    rejected = [
        answer for answer in answers if not isinstance(answer, BaseException) and answer.status not in (200, 201)
    ]
    if failed:
        problems.append(f"{len(failed)} of {len(answers)} requests were not answered: {failed[0]!r}")
    if unexpected := [answer for answer in rejected if answer.status != 503 or "retry-after" not in answer.headers]:
        problems.append(f"answered {unexpected[0]}")
        problems += [line for line in Path(shop.server.log).read_text().splitlines() if "Request failed" in line]
    acknowledged = {
        answer.json["id"] for answer in answers if not isinstance(answer, BaseException) and answer.status == 201
    }
    stored = set(shop.cluster.sql("select id from orders").split()) - {order["id"]}
    if acknowledged - stored:
        problems.append(f"{len(acknowledged - stored)} orders were acknowledged and are missing")
    if not all(endings):
        problems.append(f"{endings.count(False)} of {len(endings)} streams were cut")
    if status != 0 or duration > 10:
        problems.append(f"exit {status} after {duration:.1f} s")
    return outcome(
        problems,
        f"{len(answers) - len(failed)} of {len(answers)} answered, {len(rejected)} of them 503, {endings.count(True)}"
        f" streams ended, exit {status} after {duration:.1f} s",
    )


def poll_status(port, path="/readyz"):
    """Returns the status; for /readyz, polls until the status is not 200."""
    while True:
        try:
            status = get(port, path)[0]
        except OSError as error:
            return repr(error)
        if path != "/readyz" or status != 200:
            return status


async def open_stream(port, path):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request("GET", path))
    await reader.readuntil(b"retry: ")
    return reader, writer


async def send_bytes(port, text):
    connection = Connection(port, 20)
    connection.reader, connection.writer = await asyncio.open_connection("127.0.0.1", port)
    connection.writer.write(text)
    return connection


def unread_bytes(port):
    """Returns how many received bytes the server at this port has not read from the kernel."""
    connections = [
        line.split() for family in Path("/proc/net").glob("tcp*") for line in family.read_text().splitlines()[1:]
    ]
    return sum(
        int(queues.split(":")[1], 16) for _, local, _, _, queues, *_ in connections if local.endswith(f":{port:04X}")
    )


async def has_ended(reader):
    """Whether the stream ended with its last chunk."""
    try:
        return (await asyncio.wait_for(reader.read(), 20)).endswith(b"0\r\n\r\n")
    except (OSError, TimeoutError):
        return False


async def read_answer(connection):
    try:
        return await asyncio.wait_for(connection.answer(), 20)
    except (OSError, EOFError, TimeoutError) as error:
        raise ConnectionLost(repr(error)) from None
