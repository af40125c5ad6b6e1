#!/usr/bin/python3
"""Records a shop of an older version for UpgradeTests: its rows, its answers and its SQL statements.

    python3 -B Tests/Data/Upgrade/make.py PROGRAM TREE

PROGRAM is the release build of the older version and TREE the working tree that it was built from. The program serves
guests and staff on a cluster of its own, until the shop has an order in every state. The files are written to a folder
with the number of the last migration in TREE:

    rows.sql          the rows of all tables and the values of all sequences. A superuser loads it with psql into a
                      database with the migrations of TREE
    answers.json      the requests of the checkouts with their idempotency keys, and what the older server answered
    statements.sql    the statements that the older server prepared, with the types of their parameters

The schema is not dumped, because migrations of a release never change. All names, addresses and tokens are invented.
Another run writes other ids and times, but the same shop.
"""

import argparse
import contextlib
import glob
import json
import os
import re
import signal
import struct
import subprocess
import sys
import time
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = f"{HERE}/../../Tools"
sys.path[:0] = [f"{TOOLS}/Growth", f"{TOOLS}/Chaos", f"{TOOLS}/Processes"]

from client import Client
from event_listener import EventListener
from processes import BINARIES, Cluster, Server, free_port, new_directory, remove
from proxy import Proxy

# Two languages, pre-orders, counted dishes, and a pause that has ended. The shop is open day and night. The seeds have
# delivery areas, fees and taxes.
SETTINGS = """
    update shop set languages = '{en,de}', name = 'The Old Oven', tax_number = '12-3456789', tip_limit_percent = 25,
        pause_until = now() - interval '1 hour', pause_reason = 'The oven was cold.';
    update fulfilments set slot_minutes = 30, orders_per_slot = 20, items_per_slot = 200;
    insert into translations (subject, id, language, title) values ('menu_items', 2001, 'de', 'Der große Leckere');
    insert into item_stock (menu_item_id, remaining) values (2001, 500);
    insert into item_stock (menu_item_id, per_day) values (2002, 300);
    insert into option_stock (option_id, remaining) values (1202, 400);
    insert into serving_hours (menu_item_id, weekday, opens, closes)
        select 1005, day, '06:00', '30:00' from generate_series(1, 7) as day;
    insert into opening_hours (weekday, opens, closes) select day, '00:00', '24:00' from generate_series(1, 7) as day;
    insert into opening_exceptions (date, note) values ('2199-12-31', 'The last day');
"""


def picture(width=800, height=600):
    """Returns a PNG of one colour."""
    def chunk(kind, data):
        return struct.pack("!I", len(data)) + kind + data + struct.pack("!I", zlib.crc32(kind + data))
    row = b"\0" + b"\xc0\x60\x30" * width
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack("!IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(row * height, 9)) + chunk(b"IEND", b""))


class MailServer:
    """Tests/Tools/Mail/smtp.py, until it is stopped."""

    def __init__(self, directory):
        self.port = free_port()
        self.process = subprocess.Popen(
            ["/usr/bin/python3", "-B", f"{TOOLS}/Mail/smtp.py", str(self.port), f"{directory}/mails"],
            stdout=subprocess.DEVNULL)

    def stop(self):
        self.process.terminate()
        self.process.wait()


class OldShop:
    """The shop, its server and the clients of a guest and of the three roles of staff."""

    def __init__(self, program, tree, directory):
        self.program, self.tree, self.directory = program, tree, directory
        self.cluster = Cluster(f"{directory}/data", ["fsync=off"])
        self.proxy = Proxy()
        self.proxy.path = f"{self.cluster.data}/.s.PGSQL.{self.cluster.port}"
        self.orders, self.baskets, self.guest_number = [], [], 0

    # Start and stop.

    def __enter__(self):
        self.mails = MailServer(self.directory)
        self.cluster.make()
        self.cluster.start()
        self.cluster.sql("create database welms", database="postgres")
        self.run("migrate")
        # The audit of the seeds would be larger than the rest of the dump.
        for name in ("menu", "options", "sales", "coupons", "restaurant-us"):
            with open(f"{self.tree}/seed/{name}.sql", encoding="utf-8") as file:
                self.cluster.sql(file.read(), options="-cwelms.suppress_audit=yes")
        self.cluster.sql(SETTINGS, options="-cwelms.suppress_audit=yes")
        self.tokens = {role: self.run("staff", "add", name, "--role", role).strip()
                       for name, role in (("Ann", "manager"), ("Ben", "counter"), ("Carla", "kitchen"))}
        self.proxy.record()
        self.proxy.__enter__()
        self.server = Server(
            self.program, self.proxy.url.replace("//postgres@", "//welms_server@"), f"{self.directory}/server.log",
            ["--smtp-url", f"smtp://127.0.0.1:{self.mails.port}", "--mail-from", "shop@example.com", "--public-url",
             "http://127.0.0.1", "--rate-limit-checkouts", "off"], owner=self.cluster.url)
        self.server.start()
        self.guest = Client(self.server.port)
        self.staff = {role: Client(self.server.port, token) for role, token in self.tokens.items()}
        return self

    def __exit__(self, *_):
        with contextlib.suppress(AttributeError):
            self.server.stop(signal.SIGKILL)
        self.mails.stop()
        self.proxy.__exit__()
        self.cluster.stop()

    def run(self, *arguments):
        done = subprocess.run([self.program, *arguments, "--database-url", self.cluster.url], capture_output=True,
                              text=True, cwd=self.tree)
        if done.returncode:
            raise RuntimeError(f"welms {' '.join(arguments)}: {done.stderr}{done.stdout}")
        return done.stdout

    # Requests. Each one has to succeed.

    def send(self, client, method, path, body=None, **headers):
        for _ in range(10):
            status, answer = client.request(path, method, path, body, headers.items())
            if status != 503:
                break
            time.sleep(0.5)  # the machine is busy
        if status // 100 != 2:
            raise RuntimeError(f"{method} {path}: {status} {answer}")
        return answer

    def basket(self, *lines, sales=()):
        """Fills a new basket. A line is an item or the members of its request."""
        basket = self.send(self.guest, "POST", "/v1/baskets")
        path = f"/v1/baskets/{basket['id']}"
        for line in lines:
            line = line if isinstance(line, dict) else {"menuItemId": line}
            basket = self.send(self.guest, "POST", f"{path}/items", line)
        for sale in sales:
            basket = self.send(self.guest, "POST", f"{path}/sales", {"salesGroupId": sale})
        return basket

    def order(self, basket, language="en", **more):
        """Orders a basket as a new guest. Returns the answer."""
        self.guest_number += 1
        n = self.guest_number
        form = {"basketId": basket["id"], "name": "Ann Lee", "phone": f"(212) 555-{n:04}",
                "email": f"ann.{n}@example.com"} | more
        if form.get("fulfilment") != "pickup":
            form = {"address": f"{n} Elm Street, New York", "postcode": "10001"} | form
        headers = {"Accept-Language": language}
        quote = self.send(self.guest, "POST", "/v1/checkout/validate", form, **headers)["quote"]
        form |= {"expectedTotal": quote["total"], "currency": quote["currency"]}
        key = f"upgrade {n}"
        headers["Idempotency-Key"] = key
        answer = self.send(self.guest, "POST", "/v1/checkout", form, **headers)
        # The form is sent again as this text.
        self.orders.append({"key": key, "form": json.dumps(form, ensure_ascii=False), "placed": answer})
        return answer

    def step(self, order, action, body=None, role="counter"):
        return self.send(self.staff[role], "POST", f"/v1/staff/orders/{order['number']}/{action}", body)

    def advance(self, order, *states):
        for state in states:
            if state == "accepted":
                self.step(order, "accept")
            else:
                self.step(order, "advance", {"state": state}, role="kitchen")
        return order

    def sql(self, text):
        """Runs SQL as staff."""
        url = self.cluster.url_of("welms", "welms_staff")
        done = subprocess.run([f"{BINARIES}/psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", text],
                              capture_output=True, text=True, check=True, cwd="/")
        return done.stdout.strip()

    def wait_for(self, question, what):
        end = time.monotonic() + 60
        while self.cluster.sql(question) != "t":
            if time.monotonic() > end:
                raise RuntimeError(f"{what}: not after a minute")
            time.sleep(0.1)

    # The content of the shop.

    def serve(self):
        self.change_shop()
        self.place_orders()
        self.leave_baskets()
        self.read_everything()
        self.leave_unsent_mail()
        self.request_steps()

    def change_shop(self):
        manager = self.staff["manager"]
        for method, path, body in (
            ("POST", "menu/4005/availability", {"isAvailable": False}),
            ("POST", "options/1203/availability", {"isAvailable": False}),
            ("POST", "menu/1001/stock", {"perDay": 400}), ("POST", "options/1201/stock", {"remaining": 300}),
            ("POST", "busy", {"minutes": 10, "forMinutes": 60}),
            ("POST", "pause", {"minutes": 30, "reason": "The oven is cold."}), ("DELETE", "pause", None),
            ("PUT", "acceptance", {"withinMinutes": 10}), ("PUT", "acceptance", {"withinMinutes": None}),
            ("PUT", "hours/2099-12-31", {"shifts": [{"opens": "18:00", "closes": "26:00", "fulfilment": None}]}),
        ):
            self.send(manager, method, f"/v1/staff/{path}", body)
        # The body of a photograph is no JSON.
        manager.connection.request("PUT", "/v1/staff/menu/5002/photograph", picture(), manager.headers | {
            "Content-Type": "application/octet-stream"})
        answer = manager.connection.getresponse()
        text = answer.read()
        if answer.status // 100 != 2:
            raise RuntimeError(f"the photograph: {answer.status} {text}")
        self.sql("set welms.why = 'prices of the spring'; update menu_items set price = price + 5 where id = 5001")
        # The server loads the changed menu within a second.
        time.sleep(2)

    def place_orders(self):
        burger = {"menuItemId": 2001, "quantity": 2, "note": "no salt", "options": [
            {"optionId": 1103}, {"optionId": 1202, "quantity": 2}, {"optionId": 1303}]}
        self.order(self.basket(2003, 1001, 1001))  # placed
        self.order(self.basket(burger, 1002), coupon="FRST", tip=200, comment="Please ring twice.")  # placed
        self.order(self.basket(burger, 2002, sales=[200]), language="de", name="Jörg Müller")  # placed
        accepted = self.order(self.basket(burger, 2001, sales=[400]), coupon="FOLLOW")
        self.step(accepted, "accept", {"minutes": 35})
        self.step(accepted, "delay", {"minutes": 10, "reason": "The oven is cold."})
        preparing = self.advance(self.order(self.basket({"menuItemId": 2004, "quantity": 3})), "accepted")
        self.step(preparing, "back", {"state": "accepted"})
        self.advance(preparing, "accepted", "preparing")
        self.advance(self.order(self.basket(2001, 2002, 3001)), "accepted", "preparing", "on_the_way")
        delivered = self.advance(self.order(self.basket(2001, 2001), fulfilment="pickup"), "accepted", "preparing",
                                 "on_the_way")
        self.step(delivered, "deliver")
        self.cluster.sql("update pending_order_steps set execute_at = now()")
        self.wait_for(f"select state = 'delivered' from orders where id = '{delivered['id']}'", "the delivery")
        cancelled = self.order(self.basket(2001, 2003), coupon="FRST")
        self.send(self.guest, "POST", f"/v1/orders/{cancelled['id']}/cancel",
                  Authorization=f"Bearer {cancelled['accessToken']}")
        rejected = self.order(self.basket(2001, 2003))
        self.sql(f"select advance_order('{rejected['number']}', 'rejected', 'We are out of buns.')")
        wasted = self.advance(self.order(self.basket(2002, 2003)), "accepted", "preparing")
        self.sql(f"select advance_order('{wasted['number']}', 'rejected', 'Nobody opened.', food_is_wasted => true)")
        overdue = self.order(self.basket(2002, 2003))
        self.cluster.sql(f"""
            select settle_waiting_order('{overdue['id']}', (select revision from menu_revision), now(),
                'The kitchen did not answer in time.')""")
        slots = self.slots("+ 1")
        self.order(self.basket(2005, 2003), fulfilment="pickup", wantedAt=slots[0])  # placed
        self.advance(self.order(self.basket(burger), fulfilment="pickup", wantedAt=slots[1]), "accepted")
        due = self.order(self.basket(2005, 2003), fulfilment="pickup", wantedAt=self.slots("+ 0")[0])  # placed
        self.wait_for(f"select day_number is not null from orders where id = '{due['id']}'", "the day number")
        pruned = self.advance(self.order(self.basket(1003, 2005)), "accepted", "preparing", "on_the_way")
        self.sql(f"select advance_order('{pruned['number']}', 'delivered')")
        self.cluster.sql(f"select empty_baskets(array['{pruned['id']}'::uuid])")

    def slots(self, days):
        """Returns the slots for a pickup, so many days after today."""
        day = self.cluster.sql(f"select (now() at time zone time_zone)::date {days} from shop")
        answer = self.send(self.guest, "GET", f"/v1/times?fulfilment=pickup&date={day}")
        return re.findall(r'"startsAt": "([^"]+)"', json.dumps(answer))

    def leave_baskets(self):
        """Baskets that guests have not ordered yet."""
        self.baskets.append(self.basket(
            {"menuItemId": 2001, "quantity": 3, "note": "well done", "options": [{"optionId": 1103}]}, 1002))
        basket = self.basket(2004, {"menuItemId": 1001, "quantity": 4}, sales=[400])
        self.baskets.append(self.send(self.guest, "DELETE", f"/v1/baskets/{basket['id']}/sales/400/items/1002"))
        self.baskets.append(self.send(self.guest, "POST", "/v1/baskets"))

    def read_everything(self):
        """Reads what the pages read, so that the server prepares the statements for it."""
        order = self.orders[1]["placed"]
        for path in ("home", "shop", "menu?q=burger", "menu/2001", "categories", "sales", "coupons", "delivery",
                     "errors", f"times?basketId={self.baskets[0]['id']}"):
            self.send(self.guest, "GET", f"/v1/{path}")
        manager = self.staff["manager"]
        for path in ("me", "audit", "orders?open=true", "orders?open=false", "orders?state=placed", "options", "today",
                     "shop", "orders?q=5550003", "orders?q=ann", f"orders/{order['number']}"):
            self.send(manager, "GET", f"/v1/staff/{path}")
        photograph = self.cluster.sql("select digest || '/' || widths[1] from photographs")
        for path in (f"v1/orders/{order['id']}/receipt", f"photographs/{photograph}"):
            self.send(self.guest, "GET", f"/{path}", Authorization=f"Bearer {order['accessToken']}")
        with EventListener(self.server.port, f"/v1/orders/{order['id']}/events") as listener:
            listener.wait_for(lambda event: True, 10)
        for command in ("prune", "doctor"):
            subprocess.run([self.program, command, "--database-url", self.server.url], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, cwd=self.tree)

    def leave_unsent_mail(self):
        self.wait_for("select count(*) > 5 from order_mails where sent_at is not null", "the mails are sent")
        self.mails.stop()
        order = self.order(self.basket(2001, 2003))  # placed, and its mail is not sent
        self.wait_for(f"select count(*) = 1 from order_mails where order_id = '{order['id']}' and sent_at is null",
                      "the mail is pending")

    def request_steps(self):
        """Requests steps that the server has not executed when it is killed."""
        delivery = self.advance(self.order(self.basket(2001, 2002)), "accepted", "preparing", "on_the_way")
        rejection = self.order(self.basket(2001, 2002), coupon="FRST")
        self.step(delivery, "deliver")
        self.step(rejection, "reject", {"reason": "We are out of buns."})
        for order in self.orders:
            placed = order["placed"]
            order["read"] = self.send(self.guest, "GET", f"/v1/orders/{placed['id']}",
                                      Authorization=f"Bearer {placed['accessToken']}")
            order["pending"] = {delivery["id"]: "delivered", rejection["id"]: "rejected"}.get(placed["id"])
        self.server.stop(signal.SIGKILL)

    # The files.

    def write(self, folder):
        os.makedirs(folder, exist_ok=True)
        for name, text in (("rows.sql", self.rows()), ("answers.json", self.answers()),
                           ("statements.sql", self.statements())):
            with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
                file.write(text)

    def rows(self):
        """The output of pg_dump, without its comments and settings. The rows of a table are in the order of their
        text."""
        dump = subprocess.run([f"{BINARIES}/pg_dump", "--data-only", "-d", self.cluster.url], capture_output=True,
                              check=True, text=True, cwd="/").stdout
        tables = self.cluster.sql("""
            select string_agg(format('public.%I', relname), ', ' order by relname) from pg_class
            where relnamespace = 'public'::regnamespace and relkind = 'r'""")
        parts = ["-- Made by Tests/Data/Upgrade/make.py. Without triggers, because all rows were checked already.",
                 "set session_replication_role = replica;", f"truncate {tables};"]
        lines = iter(dump.splitlines())
        for line in lines:
            if line.startswith("COPY "):
                rows = []
                while (row := next(lines)) != "\\.":
                    rows.append(row)
                parts += [line, *sorted(rows), "\\."] if rows else []
            elif line.startswith("SELECT pg_catalog.setval("):
                parts.append(line)
        return "\n".join(parts) + "\n"

    def answers(self):
        """The tokens, the baskets and the orders, one in each line."""
        def lines(values):
            return ",\n".join(json.dumps(value, ensure_ascii=False) for value in values)
        return (f'{{"staffToken": {json.dumps(self.tokens["manager"])},\n"baskets": [\n{lines(self.baskets)}\n],\n'
                f'"orders": [\n{lines(self.orders)}\n]}}\n')

    def statements(self):
        """PREPARE for each statement and combination of types. Other commands cannot be prepared in SQL."""
        types = dict(row.split("|") for row in self.cluster.sql(
            "select oid, format_type(oid, null) from pg_type").splitlines())
        types["0"] = "unknown"
        found = {}
        for group in self.proxy.groups:
            for kind, whole in group.messages:
                if kind != b"P":
                    continue
                name, text, rest = whole[5:].split(b"\0", 2)
                count, = struct.unpack("!h", rest[:2])
                parameters = tuple(types[str(oid)] for oid in struct.unpack(f"!{count}I", rest[2:2 + 4 * count]))
                text = text.decode().strip()
                if re.match(r"(select|insert|update|delete|with)\b", text):
                    name = name.decode().rpartition(".")[0] or "unnamed"
                    found.setdefault((text, parameters), name)
        lines, counts = [], {}
        for (text, parameters), name in sorted(found.items(), key=lambda item: (item[1], item[0])):
            counts[name] = counts.get(name, 0) + 1
            number = f"_{counts[name]}" if counts[name] > 1 else ""
            declared = f" ({', '.join(parameters)})" if parameters else ""
            lines.append(f'prepare "{name}{number}"{declared} as\n{text};')
        return "\n\n".join(["-- Made by Tests/Data/Upgrade/make.py.", *lines]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the program of the older version")
    parser.add_argument("tree", help="the working tree of the older version")
    arguments = parser.parse_args()
    tree = os.path.abspath(arguments.tree)
    last = max(os.path.basename(path)[:3] for path in glob.glob(f"{tree}/sql/[0-9]*.sql"))
    directory = new_directory("welms-upgrade-")
    try:
        with OldShop(os.path.abspath(arguments.program), tree, directory) as shop:
            shop.serve()
            shop.write(f"{HERE}/{last}")
            print(shop.cluster.sql("select state, count(*) from orders group by 1 order by 1"))
    finally:
        remove(directory)
    for path in sorted(glob.glob(f"{HERE}/{last}/*")):
        print(f"{path}: {os.path.getsize(path):,} bytes")


if __name__ == "__main__":
    main()
