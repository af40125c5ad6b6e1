"""The n-th call to the database fails, for every n, in every route of the OpenAPI document that calls the database at all.

It fails in three ways: the connection is cut before the call goes out; it is cut after PostgreSQL has done it and before anybody hears of it;
PostgreSQL refuses it. Before and after, all tables are read: an answer that says it was done and what a whole run changes, or a problem and
no change, or, where the answer was lost, a problem and what a whole run changes. Never anything between.
"""

import asyncio
import collections
import json
import subprocess
import time

from experiment import outcome
from processes import BINARIES
from proxy import READY, SYNC, Fault, proxied
from web import Connection, Lost, request

NAME = "nth-call"
MUST_HOLD = "a problem and an unchanged database, or the whole work; never half"
TOKEN = "staff"
KINDS = {"cut before": ("cut", SYNC, 0), "cut after": ("cut", READY, 0), "refused": ("refuse", SYNC, "53200")}
MOST = 20  # calls of one request


def run(scale):
    with proxied(scale, coupons=100000, arguments=["--staff-token", TOKEN]) as (shop, proxy):
        walk = Walk(shop, proxy, scale)
        try:
            asyncio.run(walk.all_routes())
        finally:
            walk.tables.close()
        wrong = walk.wrong + proxy.wrong
    if len(walk.calling) < 20 or walk.tried["refused"] < 35:
        wrong.append(f"only {walk.tried['refused']} calls of {len(walk.calling)} routes were found")
    return outcome(wrong, f"{len(walk.calling)} routes with {sum(walk.calling.values())} calls, {len(walk.quiet)} without any; {sum(walk.tried.values())} faults: "
                          f"{walk.whole} times done all the same, {walk.refused} times a problem and no change, {walk.doubtful} times done and the answer lost")


class Walk:
    def __init__(self, shop, proxy, scale):
        self.shop, self.proxy, self.port, self.is_full = shop, proxy, shop.server.port, scale.is_full
        self.tables = Tables(shop.cluster.url)
        self.wrong, self.tried, self.calling, self.quiet = [], collections.Counter(), {}, []
        self.whole = self.refused = self.doubtful = self.guest = 0

    async def all_routes(self):
        # What the server asks by itself, once everything is prepared.
        await self.sure("GET", "/v1/menu")
        self.proxy.record()
        await asyncio.sleep(2.5)
        background = {group.statement for group in self.proxy.groups}
        self.is_ours = lambda group: group.statement not in background and group.statement.removeprefix("prepare ") not in background
        paths = (await self.sure("GET", "/openapi.json")).json["paths"]
        for path, methods in paths.items():
            for method in methods.keys() & {"get", "post", "put", "patch", "delete"}:
                await self.route(method.upper(), path)

    async def route(self, method, path):
        prepare = REQUESTS.get((method, path))
        if prepare is None:
            return self.wrong.append(f"{method} {path}: not known here")
        asking = await prepare(self)
        before = self.tables.read()
        self.proxy.record()
        answer = await self.ask(*asking)
        calls = [group for group in self.proxy.groups if self.is_ours(group)]
        reference = difference(before, self.tables.read())
        if answer.status >= 300:
            return self.wrong.append(f"{method} {path}: without any fault {answer!r}")
        if not calls:
            return self.quiet.append(path)
        self.calling[f"{method} {path}"] = len(calls)
        for name, (kind, at, amount) in KINDS.items():
            # A connection that was cut is only opened anew after a pause, which is most of the time that this takes.
            if not self.is_full and name != "refused" and path != "/v1/checkout":
                continue
            for n in range(1, MOST):
                asking = await prepare(self)
                before = self.tables.read()
                fault = self.proxy.add(Fault(kind, at, n, amount, self.is_ours))
                answer = await self.ask(*asking)
                self.proxy.clear()
                await self.settled()
                if not fault.happened.is_set():
                    break
                self.tried[name] += 1
                await self.judge(f"{method} {path}, call {n} {name}", asking, answer, before, reference)
            else:
                self.wrong.append(f"{method} {path}: more than {MOST} calls")

    async def settled(self):
        """A session whose connection was cut still does what had come over it."""
        end = time.monotonic() + 10
        while ended := ", ".join(map(str, self.proxy.ended.copy())):
            left = self.tables.ask(f"select pid from pg_stat_activity where pid in ({ended})")
            self.proxy.ended.intersection_update(map(int, left))
            if time.monotonic() > end:
                return self.wrong.append(f"the session {left} goes on without its connection")
            await asyncio.sleep(0.005)

    async def judge(self, name, asking, answer, before, reference):
        change = difference(before, self.tables.read())
        if isinstance(answer, Lost):
            return self.wrong.append(f"{name}: no answer, {answer!r}")
        if answer.status < 300:
            self.whole += 1
            if change != reference:
                self.wrong.append(f"{name}: {answer.status}, and {change or 'no change'} instead of {reference}")
            return
        if answer.status != 503 or "problem+json" not in answer.headers["content-type"] or "retry-after" not in answer.headers:
            self.wrong.append(f"{name}: {answer!r}")
        if change and change != reference:
            self.wrong.append(f"{name}: a problem, and {change}: half of {reference}")
        if change:
            self.doubtful += 1
        else:
            self.refused += 1
        if asking[1] == "/v1/checkout":
            again = await self.sure(*asking)
            if again.status != 201 or difference(before, self.tables.read()) != reference:
                self.wrong.append(f"{name}: asked again with the same key: {again!r}, {difference(before, self.tables.read())}")

    # Requests.

    async def ask(self, method, path, body=None, headers=()):
        client = Connection(self.port)
        try:
            if not path.endswith("/events"):
                return await client.send(method, path, body, headers)
            return await self.first_of_stream(client, request(method, path, body, headers))
        except Lost as error:
            return error
        finally:
            client.close()

    async def first_of_stream(self, client, asking):
        """A stream is answered once its first lines are there; who loses it comes again."""
        client.reader, client.writer = await asyncio.open_connection("127.0.0.1", self.port)
        client.writer.write(asking)
        async with asyncio.timeout(10):
            head = await client.reader.readuntil(b"\r\n\r\n")
            if head.startswith(b"HTTP/1.1 200"):
                await client.reader.readuntil(b"retry: ")
                await asyncio.sleep(0.02)
                client.writer.close()
                return Streamed
            text = head.decode().lower()
            length = int(text.partition("content-length: ")[2].partition("\r\n")[0])
            body = await client.reader.readexactly(length)
        found = type("Answer", (Streamed,), {"status": int(text.split(" ")[1]), "body": body})
        found.headers = {k: v.strip() for k, _, v in (line.partition(":") for line in text.split("\r\n")[1:-2])}
        return found

    async def sure(self, method, path, body=None, headers=()):
        """What is not to fail is asked for until it does not."""
        for _ in range(100):
            answer = await self.ask(method, path, body, headers)
            if not isinstance(answer, Lost) and answer.status != 503:
                return answer
            await asyncio.sleep(0.05)
        raise RuntimeError(f"{method} {path}: {answer!r}")

    async def basket(self, *additions):
        id = (await self.sure("POST", "/v1/baskets")).json["id"]
        for what, body in additions or (("items", {"menuItemId": 2001, "quantity": 2}),):
            answer = await self.sure("POST", f"/v1/baskets/{id}/{what}", json.dumps(body).encode())
        return answer.json

    def form(self, basket):
        self.guest += 1
        return json.dumps({"basketId": basket["id"], "name": "Ann Lee", "phone": f"555{self.guest:07}", "email": f"ann{self.guest}@example.com", "coupon": "once",
                           "address": "12 Elm Street, Springfield", "expectedTotal": (basket["total"] * 80 * 2 + 100) // 200}).encode()

    async def checkout(self):
        basket = await self.basket()
        return "POST", "/v1/checkout", self.form(basket), [("Idempotency-Key", f"key of {basket['id']}")]

    async def order(self):
        return (await self.sure(*await self.checkout())).json


class Streamed:
    status, headers, body = 200, {}, b""


def on_basket(method, path, body=None, additions=()):
    async def prepare(walk):
        basket = await walk.basket(*additions)
        return method, f"/v1/baskets/{basket['id']}{path}", body and json.dumps(body).encode()
    return prepare


def plain(path, headers=(), method="GET"):
    async def prepare(walk):
        return method, path, None, headers
    return prepare


STAFF = [("Authorization", f"Bearer {TOKEN}")]


def on_order(method, path, body=None, headers=None):
    async def prepare(walk):
        order = await walk.order()
        return method, path.format(**order), body and json.dumps(body).encode(), headers or [("Authorization", f"Bearer {order['accessToken']}")]
    return prepare


async def validate(walk):
    return "POST", "/v1/checkout/validate", walk.form(await walk.basket())


async def availability(walk):
    walk.shop.cluster.sql("update menu_items set is_available = true where id = 5003")
    return "POST", "/v1/staff/menu/5003/availability", b'{"isAvailable": false}', STAFF

SALE = (("sales", {"salesGroupId": 400}),)
REQUESTS = {
    ("POST", "/v1/baskets"): plain("/v1/baskets", method="POST"),
    ("GET", "/v1/baskets/{basketId}"): on_basket("GET", ""),
    ("POST", "/v1/baskets/{basketId}/items"): on_basket("POST", "/items", {"menuItemId": 2003, "quantity": 1}),
    ("DELETE", "/v1/baskets/{basketId}/items"): on_basket("DELETE", "/items"),
    ("DELETE", "/v1/baskets/{basketId}/items/{menuItemId}"): on_basket("DELETE", "/items/2001"),
    ("POST", "/v1/baskets/{basketId}/items/{menuItemId}/increment"): on_basket("POST", "/items/2001/increment"),
    ("POST", "/v1/baskets/{basketId}/items/{menuItemId}/decrement"): on_basket("POST", "/items/2001/decrement"),
    ("POST", "/v1/baskets/{basketId}/sales"): on_basket("POST", "/sales", {"salesGroupId": 200}),
    ("DELETE", "/v1/baskets/{basketId}/sales/{salesGroupId}"): on_basket("DELETE", "/sales/400", additions=SALE),
    ("POST", "/v1/checkout/validate"): validate,
    ("POST", "/v1/checkout"): Walk.checkout,
    ("GET", "/v1/orders/{orderId}"): on_order("GET", "/v1/orders/{id}"),
    ("POST", "/v1/orders/{orderId}/cancel"): on_order("POST", "/v1/orders/{id}/cancel"),
    ("GET", "/v1/orders/{orderId}/events"): on_order("GET", "/v1/orders/{id}/events"),
    ("GET", "/v1/staff/orders"): plain("/v1/staff/orders", STAFF),
    ("GET", "/v1/staff/orders/events"): plain("/v1/staff/orders/events", STAFF),
    ("GET", "/v1/staff/orders/{number}"): on_order("GET", "/v1/staff/orders/{number}", headers=STAFF),
    ("POST", "/v1/staff/orders/{number}/advance"): on_order("POST", "/v1/staff/orders/{number}/advance", {"state": "accepted"}, STAFF),
    ("POST", "/v1/staff/menu/{id}/availability"): availability,
    ("GET", "/v1/staff/today"): plain("/v1/staff/today", STAFF),
    **{("GET", path): plain(path.format(id="2001" if "menu" in path else "200", file="1001.svg")) for path in (
        "/v1/home", "/v1/categories", "/v1/menu", "/v1/menu/{id}", "/v1/sales", "/v1/sales/{id}", "/v1/coupons", "/pictures/{file}", "/livez", "/readyz",
        "/metrics", "/v1/errors", "/v1/errors/events", "/openapi.json")},
}


class Tables:
    """Reads all rows of all tables, over one session."""

    def __init__(self, url):
        self.process = subprocess.Popen([f"{BINARIES}/psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", url], text=True, cwd="/",
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.names = self.ask("select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')")

    def ask(self, statement):
        self.process.stdin.write(f"{statement};\nselect '-- end';\n")
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline()) != "-- end\n":
            if not line:
                raise RuntimeError(f"psql ended at {statement}")
            lines.append(line.rstrip("\n"))
        return lines

    def read(self):
        rows = self.ask(" union all ".join(f"select '{name} ' || md5(t::text) from {name} as t" for name in self.names))
        return collections.Counter(rows)

    def close(self):
        self.process.stdin.close()
        self.process.wait(5)


def difference(before, after):
    """How many rows went and came, by table."""
    shape = collections.defaultdict(lambda: [0, 0])
    for row in (before - after).elements():
        shape[row.split(" ")[0]][0] += 1
    for row in (after - before).elements():
        shape[row.split(" ")[0]][1] += 1
    return {table: f"-{gone} +{come}" for table, (gone, come) in sorted(shape.items())}
