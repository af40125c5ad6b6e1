"""The n-th call to the database fails, for every n, in every route of the OpenAPI document that calls the database.

There are three kinds of faults: the connection is cut before the call is sent, it is cut after PostgreSQL executed the
call, or PostgreSQL rejects the call. All tables are compared before and after. A success must come with the complete
change. A problem must come with no change or, if the connection was cut after the call, with the complete change. A
partial change is always an error.

REQUESTS lists the calls of each route, in order. A route of the document that is missing in REQUESTS is an error. So is
an unexpected or a missing call. Each kind of fault must hit each call, and one more run must hit none, so that no call
is skipped silently. Preparing a statement is a call too, but each connection does it once. It is hit only if the
connection has not prepared it yet.
"""

import asyncio
import collections
import contextlib
import json
import subprocess
import time

from experiment import outcome
from pictures import png
from processes import BINARIES
from proxy import READY, SYNC, Fault, proxied
from web import Connection, ConnectionLost, request

NAME = "nth-call"
EXPECTED = "a problem and an unchanged database, or the complete change; never a partial one"
TOKEN = "the-staff-token-of-this-run"
KINDS = {"cut before": ("cut", SYNC, 0), "cut after": ("cut", READY, 0), "refused": ("refuse", SYNC, "53200")}
MAX_CALLS = 20  # calls of one request, preparations included
# Background calls of the server, which belong to no request. Setting up a connection uses the unnamed statement.
BACKGROUND = {"load_menu_revision", "load_menu", "load_kitchen_orders", "load_staff", "load_waiting_orders",
             "are_day_numbers_written", "write_day_numbers", "load_unnumbered_orders", "number_orders",
             "load_due_steps", "execute_pending_step", "answers", "draw_order_numbers", "held_snapshots", ""}
POLLS = {"newest_orders"}  # twice a second while a client follows the staff's events


def run(scale):
    with proxied(scale, servers=2, coupons=100000, arguments=["--staff-token", TOKEN]) as (shop, proxy):
        walk = RouteWalk(shop, proxy, scale)
        try:
            asyncio.run(walk.all_routes())
        finally:
            walk.tables.close()
        problems = walk.problems + proxy.problems
    calling = [route for route, (_, *calls) in REQUESTS.items() if calls]
    routes, results = len({(method, path.partition(" ")[0]) for method, path in calling}), walk.results
    return outcome(
        problems,
        f"{routes} routes in {len(calling)} variants, with {sum(len(REQUESTS[route]) - 1 for route in calling)} calls,"
        f" {len(REQUESTS) - len(calling)} without calls; {walk.faults} of {walk.expected} faults and"
        f" {walk.preparations} in preparations: {results['done']} succeeded, {results['refused']} failed without a"
        f" change, {results['doubtful']} failed after the complete change",
    )


def without_polls(calls, expected):
    """The calls without those that the server repeats while a client follows the staff's events, also shortly after."""
    return [call for n, call in enumerate(calls) if call not in POLLS or call in expected and call not in calls[:n]]


class RouteWalk:
    def __init__(self, shop, proxy, scale):
        self.shop, self.proxy, self.port, self.is_full = shop, proxy, shop.server.port, scale.is_full
        self.tables = Tables(shop.cluster.url)
        self.problems, self.expected, self.faults, self.preparations = [], 0, 0, 0
        self.results, self.guest = collections.Counter(), 0

    async def all_routes(self):
        paths = (await self.send_until_ok("GET", "/openapi.json")).json["paths"]
        routes = {
            (method.upper(), path)
            for path, methods in paths.items()
            for method in methods.keys() & {"get", "post", "put", "patch", "delete"}
        }
        known = {(method, path.partition(" ")[0]) for method, path in REQUESTS}
        for method, path in routes ^ known:
            self.problems.append(
                f"{method} {path}: missing in {'the document' if (method, path) in known else 'REQUESTS'}"
            )
        for (method, path), (prepare, *calls) in REQUESTS.items():
            await self.route(method, path, prepare, calls)

    async def route(self, method, path, prepare, calls):
        arguments = await prepare(self)
        before = self.tables.read()
        self.proxy.record()
        answer = await self.ask(*arguments)
        actual = [statement for group in self.proxy.groups for statement in group.statements]
        actual = [
            statement for statement in actual if statement not in BACKGROUND and not statement.startswith("prepare ")
        ]
        actual = without_polls(actual, calls)
        reference = difference(before, self.tables.read())
        if answer.status >= 300:
            return self.problems.append(f"{method} {path}: without a fault, {answer!r}")
        if actual != calls:
            return self.problems.append(f"{method} {path}: calls {actual} instead of {calls}")
        for name, (kind, at, amount) in KINDS.items():
            # After a cut, the server waits before it reopens the connection. These pauses take most of the time of
            # this experiment, so the short form omits most cuts.
            if not calls or not self.is_full and name != "refused" and not path.startswith("/v1/checkout "):
                continue

            async def inject(statements):
                """Fails the first of these statements, the second, and so on, until a run calls fewer. Returns the
                statements hit."""
                hit_calls = []
                while len(hit_calls) < MAX_CALLS:
                    arguments = await prepare(self)
                    before = self.tables.read()
                    fault = self.proxy.add(
                        Fault(kind, at, len(hit_calls) + 1, amount, lambda g: statements.intersection(g.statements))
                    )
                    answer = await self.ask(*arguments)
                    self.proxy.clear()
                    await self.wait_for_sessions()
                    if not fault.occurred.is_set():
                        await self.judge(f"{method} {path}, without a fault", arguments, answer, before, reference)
                        break
                    hit_calls += [statement for statement in fault.group.statements if statement in statements]
                    self.results[
                        await self.judge(f"{method} {path}, {fault.group} {name}", arguments, answer, before, reference)
                    ] += 1
                return hit_calls

            hit_calls = without_polls(await inject(set(calls)), calls)
            self.expected += len(calls)
            self.faults += len(hit_calls)
            if hit_calls != calls:
                self.problems.append(f"{method} {path}: {name}, {hit_calls} instead of {calls}")
            self.preparations += len(await inject({f"prepare {call}" for call in calls}))

    async def wait_for_sessions(self):
        """Waits until the sessions whose connections were cut have executed what they received."""
        end = time.monotonic() + 10
        while ended := ", ".join(map(str, self.proxy.ended.copy())):
            remaining = self.tables.ask(f"select pid from pg_stat_activity where pid in ({ended})")
            self.proxy.ended.intersection_update(map(int, remaining))
            if time.monotonic() > end:
                return self.problems.append(f"the session {remaining} continues without its connection")
            await asyncio.sleep(0.005)

    async def judge(self, name, arguments, answer, before, reference):
        change = difference(before, self.tables.read())
        if isinstance(answer, ConnectionLost):
            self.problems.append(f"{name}: no answer, {answer!r}")
            return "lost"
        if answer.status < 300:
            if change != reference:
                self.problems.append(f"{name}: {answer.status}, and {change or 'no change'} instead of {reference}")
            return "done"
        if (
            answer.status != 503
            or "problem+json" not in answer.headers["content-type"]
            or "retry-after" not in answer.headers
        ):
            self.problems.append(f"{name}: {answer!r}")
        if change and change != reference:
            self.problems.append(f"{name}: a problem, and {change}: a part of {reference}")
        if arguments[1] == "/v1/checkout":
            replay = await self.send_until_ok(*arguments)
            if replay.status != 201 or difference(before, self.tables.read()) != reference:
                self.problems.append(
                    f"{name}: the replay with the same key: {replay!r}, {difference(before, self.tables.read())}"
                )
        return "doubtful" if change else "refused"

    # Requests.

    async def ask(self, method, path, body=None, headers=()):
        client = Connection(self.port)
        try:
            if not path.endswith("/events"):
                return await client.send(method, path, body, headers)
            return await self.open_stream(client, request(method, path, body, headers))
        except ConnectionLost as error:
            return error
        finally:
            client.close()

    async def open_stream(self, client, text):
        """Requests a stream and returns after its first lines. A client whose stream breaks would reconnect."""
        client.reader, client.writer = await asyncio.open_connection("127.0.0.1", self.port)
        client.writer.write(text)
        async with asyncio.timeout(10):
            head = await client.reader.readuntil(b"\r\n\r\n")
            if head.startswith(b"HTTP/1.1 200"):
                await client.reader.readuntil(b"retry: ")
                await asyncio.sleep(0.02)
                client.writer.close()
                return Streamed
            head = head.decode().lower()
            length = int(head.partition("content-length: ")[2].partition("\r\n")[0])
            body = await client.reader.readexactly(length)
        answer = type("Answer", (Streamed,), {"status": int(head.split(" ")[1]), "body": body})
        answer.headers = {k: v.strip() for k, _, v in (line.partition(":") for line in head.split("\r\n")[1:-2])}
        return answer

    async def send_until_ok(self, method, path, body=None, headers=()):
        """Retries a request that must not fail until it succeeds."""
        for _ in range(100):
            answer = await self.ask(method, path, body, headers)
            if not isinstance(answer, ConnectionLost) and answer.status != 503:
                return answer
            await asyncio.sleep(0.05)
        raise RuntimeError(f"{method} {path}: {answer!r}")

    async def basket(self, *additions):
        id = (await self.send_until_ok("POST", "/v1/baskets")).json["id"]
        for what, body in additions or (("items", {"menuItemId": 2001, "quantity": 2}),):
            answer = await self.send_until_ok("POST", f"/v1/baskets/{id}/{what}", json.dumps(body).encode())
        return answer.json

    def form(self, basket, coupon=True):
        self.guest += 1
        form = {
            "basketId": basket["id"],
            "name": "Ann Lee",
            "phone": f"555{self.guest:07}",
            "email": f"ann{self.guest}@example.com",
            "address": "12 Elm Street, Springfield",
        }
        form |= (
            {"coupon": "once", "expectedTotal": (basket["total"] * 80 * 2 + 100) // 200}
            if coupon
            else {"expectedTotal": basket["total"]}
        )
        return json.dumps(form).encode()

    @contextlib.contextmanager
    def other_server(self):
        """Sends requests to the other server, so that the first one does not have the basket in its cache."""
        try:
            self.port = self.shop.servers[1].port
            yield
        finally:
            self.port = self.shop.server.port

    async def order(self):
        return (await self.send_until_ok(*await checkout()(self))).json


class Streamed:
    status, headers, body = 200, {}, b""


def on_basket(method, path, body=None, additions=(), at_other_server=False):
    async def prepare(walk):
        with walk.other_server() if at_other_server else contextlib.nullcontext():
            basket = await walk.basket(*additions)
        return method, f"/v1/baskets/{basket['id']}{path}", body and json.dumps(body).encode()
    return prepare


def checkout(coupon=True, at_other_server=False):
    async def prepare(walk):
        with walk.other_server() if at_other_server else contextlib.nullcontext():
            basket = await walk.basket()
        return "POST", "/v1/checkout", walk.form(basket, coupon), [("Idempotency-Key", f"key of {basket['id']}")]
    return prepare


def plain(path, headers=(), method="GET"):
    async def prepare(walk):
        return method, path, None, headers
    return prepare


STAFF = [("Authorization", f"Bearer {TOKEN}")]


def on_order(method, path, body=None, headers=None):
    async def prepare(walk):
        order = await walk.order()
        return (
            method,
            path.format(**order),
            body and json.dumps(body).encode(),
            headers or [("Authorization", f"Bearer {order['accessToken']}")],
        )
    return prepare


def on_accepted(path, body):
    async def prepare(walk):
        order = await walk.order()
        walk.shop.cluster.sql(f"select advance_order('{order['number']}', 'accepted')")
        return "POST", path.format(**order), json.dumps(body).encode(), STAFF
    return prepare


def on_pending(step, state, body=None):
    """A pending step. It is never executed, because that would change the tables during another call."""
    async def prepare(walk):
        order = await walk.order()
        walk.shop.cluster.sql(f"""
            create or replace function execute_pending_step(the_id uuid) returns boolean
            language sql security definer set search_path = public, pg_temp as 'select false';
            update orders set state = '{state}' where number = '{order['number']}'""")
        return "POST", f"/v1/staff/orders/{order['number']}/{step}", body and json.dumps(body).encode(), STAFF
    return prepare


async def validate(walk):
    return "POST", "/v1/checkout/validate", walk.form(await walk.basket())


async def full_page(walk):
    await walk.order()
    await walk.order()
    return "GET", "/v1/staff/orders?limit=1", None, STAFF


async def board_page(walk):
    await walk.order()
    return "GET", "/v1/staff/orders?open=true&limit=1", None, STAFF


async def availability(walk):
    walk.shop.cluster.sql("update menu_items set is_available = true where id = 5003")
    return "POST", "/v1/staff/menu/5003/availability", b'{"isAvailable": false}', STAFF


async def item_stock(walk):
    walk.shop.cluster.sql("delete from item_stock where menu_item_id = 5003")
    return "POST", "/v1/staff/menu/5003/stock", b'{"remaining": 5}', STAFF


async def option_stock(walk):
    walk.shop.cluster.sql("delete from option_stock where option_id = 1206")
    return "POST", "/v1/staff/options/1206/stock", b'{"perDay": 20}', STAFF


async def option_availability(walk):
    walk.shop.cluster.sql("update options set is_available = true, sold_out_until = null where id = 1206")
    return "POST", "/v1/staff/options/1206/availability", b'{"isAvailable": false, "untilTomorrow": true}', STAFF


async def photograph(walk):
    """Uploads a different photograph each time, so that each call writes one."""
    walk.guest += 1
    walk.shop.cluster.sql("update menu_items set photograph = null where id = 5003")
    return (
        "PUT",
        "/v1/staff/menu/5003/photograph",
        png(colour=(walk.guest * 37 % 256, walk.guest * 91 % 256, 99)),
        STAFF,
    )


async def no_photograph(walk):
    await walk.send_until_ok(*await photograph(walk))
    return "DELETE", "/v1/staff/menu/5003/photograph", None, STAFF


async def shown_photograph(walk):
    answer = await walk.send_until_ok(*await photograph(walk))
    return "GET", answer.json["photograph"]["sizes"][0]["url"], None, ()


def on_shop(method, path, before, body=None):
    """A change of the shop. `before` is SQL that makes sure that the request changes something."""
    async def prepare(walk):
        walk.shop.cluster.sql(before)
        return method, path, body and json.dumps(body).encode(), STAFF
    return prepare


OPEN = (
    "update shop set pause_until = null, pause_reason = null, busy_minutes = 0, busy_until = null,"
    " accept_within_minutes = null; delete from opening_exceptions"
)
PAUSED = "update shop set pause_until = now() + interval '1 minute'"
FAR = "2099-12-24"
SPECIAL = (
    f"delete from opening_exceptions; insert into opening_exceptions (date, opens, closes) values ('{FAR}', '10:00',"
    " '14:00')"
)
SALE = (("sales", {"salesGroupId": 400}),)
CHANGES = {
    ("POST", "/v1/baskets/{basketId}/items"): ("POST", "/items", {"menuItemId": 2003, "quantity": 1}),
    ("DELETE", "/v1/baskets/{basketId}/items"): ("DELETE", "/items"),
    ("DELETE", "/v1/baskets/{basketId}/items/{menuItemId}"): ("DELETE", "/items/2001"),
    ("POST", "/v1/baskets/{basketId}/items/{menuItemId}/increment"): ("POST", "/items/2001/increment"),
    ("POST", "/v1/baskets/{basketId}/items/{menuItemId}/decrement"): ("POST", "/items/2001/decrement"),
    ("PATCH", "/v1/baskets/{basketId}/lines/{lineId}"): ("PATCH", "/lines/1", {"note": "rare"}),
    ("DELETE", "/v1/baskets/{basketId}/lines/{lineId}"): ("DELETE", "/lines/1"),
    ("POST", "/v1/baskets/{basketId}/lines/{lineId}/increment"): ("POST", "/lines/1/increment"),
    ("POST", "/v1/baskets/{basketId}/lines/{lineId}/decrement"): ("POST", "/lines/1/decrement"),
    ("POST", "/v1/baskets/{basketId}/sales"): ("POST", "/sales", {"salesGroupId": 200}),
    ("PUT", "/v1/baskets/{basketId}/sales/{salesGroupId}"): (
        "PUT",
        "/sales/400",
        {"items": [{"menuItemId": 1002, "note": "rare"}]},
        SALE,
    ),
    ("DELETE", "/v1/baskets/{basketId}/sales/{salesGroupId}"): ("DELETE", "/sales/400", None, SALE),
    ("DELETE", "/v1/baskets/{basketId}/sales/{salesGroupId}/items/{menuItemId}"): (
        "DELETE",
        "/sales/400/items/1003",
        None,
        SALE,
    ),
}
# The request of each route and its database calls. The words after a space name a variant with other calls.
REQUESTS = {
    ("POST", "/v1/baskets"): (plain("/v1/baskets", method="POST"), "write_baskets"),
    ("GET", "/v1/baskets/{basketId}"): (on_basket("GET", ""), "load_baskets"),
    **{route: (on_basket(*change), "write_baskets") for route, change in CHANGES.items()},
    **{
        (method, f"{path} uncached"): (on_basket(*change, at_other_server=True), "load_baskets", "write_baskets")
        for (method, path), change in CHANGES.items()
    },
    ("POST", "/v1/checkout/validate"): (validate, "load_checkout_facts"),
    ("POST", "/v1/checkout with a coupon"): (checkout(), "load_checkout_facts", "place_orders"),
    ("POST", "/v1/checkout plain"): (checkout(coupon=False), "place_orders"),
    ("POST", "/v1/checkout plain, uncached"): (
        checkout(coupon=False, at_other_server=True),
        "load_plain_facts",
        "place_orders",
    ),
    ("GET", "/v1/orders/{orderId}"): (on_order("GET", "/v1/orders/{id}"), "load_orders"),
    ("GET", "/v1/orders/{orderId}/receipt"): (on_order("GET", "/v1/orders/{id}/receipt"), "load_orders"),
    ("POST", "/v1/orders/{orderId}/cancel"): (
        on_order("POST", "/v1/orders/{id}/cancel"),
        "load_orders",
        "cancel_order",
    ),
    ("GET", "/v1/orders/{orderId}/events"): (on_order("GET", "/v1/orders/{id}/events"), "load_order_histories"),
    ("GET", "/v1/staff/me"): (plain("/v1/staff/me", STAFF),),
    ("GET", "/v1/staff/audit"): (plain("/v1/staff/audit?limit=1", STAFF), "load_audit"),
    ("GET", "/v1/staff/orders full page"): (
        full_page,
        "list_orders",
        "load_orders",
        "unsent_mails",
        "load_pending_steps",
    ),
    ("GET", "/v1/staff/orders of the board"): (
        board_page,
        "list_open_orders",
        "load_orders",
        "unsent_mails",
        "load_pending_steps",
    ),
    ("GET", "/v1/staff/orders without orders"): (
        plain("/v1/staff/orders?state=delivered", STAFF),
        "list_orders",
        "end_of_look",
    ),
    ("GET", "/v1/staff/orders/events"): (plain("/v1/staff/orders/events", STAFF), "newest_orders"),
    ("GET", "/v1/staff/events"): (plain("/v1/staff/events", STAFF), "newest_orders"),
    ("POST", "/v1/staff/orders/{number}/reject"): (
        on_pending("reject", "placed", {"reason": "no gas"}),
        "request_step",
        "find_order",
        "load_orders",
        "unsent_mails",
        "load_pending_steps",
    ),
    ("POST", "/v1/staff/orders/{number}/deliver"): (
        on_pending("deliver", "on_the_way"),
        "request_step",
        "find_order",
        "load_orders",
        "unsent_mails",
        "load_pending_steps",
    ),
    ("GET", "/v1/staff/orders/{number}"): (
        on_order("GET", "/v1/staff/orders/{number}", headers=STAFF),
        "find_order",
        "load_orders",
        "unsent_mails",
        "load_pending_steps",
    ),
    ("POST", "/v1/staff/orders/{number}/accept"): (
        on_order("POST", "/v1/staff/orders/{number}/accept", {"minutes": 25}, STAFF),
        "advance_order",
        "find_order",
        "load_orders",
        "unsent_mails",
        "load_pending_steps",
    ),
    ("POST", "/v1/staff/orders/{number}/advance"): (
        on_order("POST", "/v1/staff/orders/{number}/advance", {"state": "accepted"}, STAFF),
        "advance_order",
        "find_order",
        "load_orders",
        "unsent_mails",
        "load_pending_steps",
    ),
    ("POST", "/v1/staff/orders/{number}/back"): (
        on_accepted("/v1/staff/orders/{number}/back", {"state": "accepted"}),
        "take_back_step",
        "find_order",
        "load_orders",
        "unsent_mails",
        "load_pending_steps",
    ),
    ("POST", "/v1/staff/orders/{number}/delay"): (
        on_accepted("/v1/staff/orders/{number}/delay", {"minutes": 20, "reason": "the oven"}),
        "delay_order",
        "find_order",
        "load_orders",
        "unsent_mails",
        "load_pending_steps",
    ),
    ("GET", "/v1/staff/orders of a name"): (plain("/v1/staff/orders?q=nobody", STAFF), "search_orders_by_name"),
    ("GET", "/v1/staff/orders in progress of a name"): (
        plain("/v1/staff/orders?q=nobody&open=true", STAFF),
        "search_open_orders_by_name",
    ),
    ("GET", "/v1/staff/orders of a number"): (plain("/v1/staff/orders?q=999999999", STAFF), "search_orders_by_number"),
    ("POST", "/v1/staff/menu/{id}/availability"): (availability, "set_availability"),
    ("GET", "/v1/staff/options"): (plain("/v1/staff/options", STAFF),),
    ("POST", "/v1/staff/menu/{id}/stock"): (item_stock, "set_count"),
    ("PUT", "/v1/staff/menu/{id}/photograph"): (photograph, "set_photograph_by_staff"),
    ("DELETE", "/v1/staff/menu/{id}/photograph"): (no_photograph, "set_photograph_by_staff"),
    ("GET", "/photographs/{digest}/{width}"): (shown_photograph, "load_photograph"),
    ("POST", "/v1/staff/options/{id}/stock"): (option_stock, "set_count"),
    ("POST", "/v1/staff/options/{id}/availability"): (option_availability, "business_days", "set_option_availability"),
    ("GET", "/v1/staff/shop"): (plain("/v1/staff/shop", STAFF),),
    ("POST", "/v1/staff/busy"): (
        on_shop("POST", "/v1/staff/busy", OPEN, {"minutes": 10, "forMinutes": 60}),
        "set_busy",
    ),
    # An hour is longer than this experiment, so no order is rejected.
    ("PUT", "/v1/staff/acceptance"): (
        on_shop("PUT", "/v1/staff/acceptance", OPEN, {"withinMinutes": 60}),
        "set_acceptance",
    ),
    ("PUT", "/v1/staff/hours/{date}"): (
        on_shop("PUT", f"/v1/staff/hours/{FAR}", OPEN, {"shifts": [{"opens": "18:00", "closes": "26:00"}]}),
        "set_hours",
    ),
    ("DELETE", "/v1/staff/hours/{date}"): (on_shop("DELETE", f"/v1/staff/hours/{FAR}", SPECIAL), "set_hours"),
    # These changes come last, because a paused shop accepts no orders.
    ("POST", "/v1/staff/pause"): (
        on_shop("POST", "/v1/staff/pause", OPEN, {"minutes": 1, "reason": "the oven"}),
        "set_pause",
    ),
    ("DELETE", "/v1/staff/pause"): (on_shop("DELETE", "/v1/staff/pause", PAUSED), "set_pause"),
    ("GET", "/v1/staff/today"): (plain("/v1/staff/today", STAFF), "today", "count_day", "top_items"),
    **{
        ("GET", path): (
            plain(
                path.replace("delivery", "delivery?postcode=10117").format(
                    id="2001" if "menu" in path else "200", file="1001.svg"
                )
            ),
        )
        for path in (
            "/v1/home",
            "/v1/shop",
            "/v1/times",
            "/v1/categories",
            "/v1/delivery",
            "/v1/menu",
            "/v1/menu/{id}",
            "/v1/sales",
            "/v1/sales/{id}",
            "/v1/coupons",
            "/pictures/{file}",
            "/livez",
            "/readyz",
            "/metrics",
            "/v1/errors",
            "/v1/errors/events",
            "/openapi.json",
        )
    },
}


class Tables:
    """Reads all rows of all tables in one session."""

    def __init__(self, url):
        self.process = subprocess.Popen(
            [f"{BINARIES}/psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", url],
            text=True,
            cwd="/",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.names = self.ask(
            "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')"
        )

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
    """Returns how many rows were removed and added, by table."""
    counts = collections.defaultdict(lambda: [0, 0])
    for row in (before - after).elements():
        counts[row.split(" ")[0]][0] += 1
    for row in (after - before).elements():
        counts[row.split(" ")[0]][1] += 1
    return {table: f"-{removed} +{added}" for table, (removed, added) in sorted(counts.items())}
