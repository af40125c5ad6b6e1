"""A cluster that is filled with the orders of two years and everything that belongs to them.

The cluster is below `.build/growth` and is kept: its name is the checksum of the schema and of the fill, and the number
of orders. A kept cluster is brought up to date with the orders since its last use.
"""

import concurrent.futures
import datetime
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{os.path.dirname(HERE)}/Processes")

from client import Client, check_out, fill_basket
from processes import BECOME, ROOT, SEEDS, Cluster, Server

DAYS = 732  # two years, and a day whose audit can be pruned
CHUNK = 100_000  # the orders that one session fills in one transaction
SESSIONS = 2
AUDIT_ROWS = 6  # at most so many rows of an order
# The tables that grow with the orders. Their indexes are created after the fill, unless the shop is small.
TABLES = ("orders", "baskets", "order_steps", "audit", "order_mails", "coupon_uses", "stock_movements")
FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0",
        "max_wal_size=2GB", "checkpoint_timeout=1h", "autovacuum=off", "shared_buffers=1GB", "work_mem=128MB",
        "maintenance_work_mem=1GB", "max_parallel_maintenance_workers=0", "jit=off", "max_connections=100")
# The settings of `make bench`, and the statistics of statements.
MEASURED = ("max_connections=300", "shared_buffers=512MB", "max_wal_size=4GB",
            "shared_preload_libraries=pg_stat_statements,auto_explain", "pg_stat_statements.track=all",
            "pg_stat_statements.max=10000")
STAFF = {"Ann": "manager", "Ben": "counter", "Carla": "kitchen"}
# Dishes with and without default options, counted dishes, and the sets of two sales (negative).
DISHES = (1001, 1002, 1003, 1004, 1005, 2001, 2002, 2003, 2004, 2005, 3001, 3002, 3003, 4001, 4002, 5001, 5002,
          -200, -400)


def checksum():
    """Returns the checksum of the schema, the seeds and the fill."""
    digest = hashlib.sha256()
    folders = (f"{ROOT}/sql", f"{ROOT}/seed", HERE)
    for folder in folders:
        for name in sorted(os.listdir(folder)):
            if name.endswith(".sql") or name == "fill.py":
                with open(f"{folder}/{name}", "rb") as file:
                    digest.update(file.read())
    return digest.hexdigest()[:12]


def folder_of(orders):
    return f"{ROOT}/.build/growth/{checksum()}-{orders}"


def run(program, *arguments):
    """Runs a command of the program, which may be repeated: on a busy machine it may time out. Returns its output."""
    for attempt in range(1, 6):
        done = subprocess.run([program, *arguments], capture_output=True, text=True, cwd=ROOT)
        if done.returncode == 0:
            return done.stdout
        time.sleep(attempt)
    raise RuntimeError(f"welms {arguments[0]}: {done.stderr.strip()}{done.stdout.strip()}")


class Shop:
    """A shop in a cluster, with the settings that the measurements need. `orders` 0 is an empty shop."""

    def __init__(self, program, folder, orders):
        self.program, self.folder, self.orders = program, folder, orders
        self.cluster = Cluster(f"{folder}/data", MEASURED)
        self.ready = f"{folder}/ready.json"

    @property
    def url(self):
        return self.cluster.url_of("welms", "welms_server")

    def sql(self, text):
        """Runs SQL of the measurement, whose plans are never logged."""
        return self.cluster.sql(text, options="-cauto_explain.log_min_duration=-1")

    def server(self, name="server", *arguments):
        """Returns a server that is not started, with the privileges of a server in operation."""
        server = Server(self.program, self.url, f"{self.folder}/{name}.log", arguments, owner=self.cluster.url)
        server.environment = {"WELMS_CONNECTION_LIMIT_CLIENT": "10000", "WELMS_STREAM_LIMIT_CLIENT": "10000",
                              "WELMS_RATE_LIMIT_CHECKOUTS": "1000000", "WELMS_RATE_LIMIT_BASKETS": "1000000",
                              "WELMS_RATE_LIMIT_COUPONS": "1000000", "WELMS_PRUNE_EVERY": "off"}
        return server

    def make(self):
        """Creates the shop with its menu, its settings and its members of staff."""
        os.makedirs(self.folder, exist_ok=True)
        os.chmod(self.folder, 0o755)
        self.cluster.settings = list(FAST)
        self.cluster.make()
        self.cluster.start()
        self.cluster.sql("create database welms", database="postgres")
        run(self.program, "migrate", "--database-url", self.cluster.url)
        files = [*SEEDS[1::2], f"{ROOT}/seed/restaurant.sql"]
        run(self.program, "seed", "--database-url", self.cluster.url, *files)
        # Open day and night, with room for every order. Carries on from the seeds of a restaurant.
        self.sql("""
            begin;
            delete from opening_hours; delete from serving_hours;
            insert into opening_hours (weekday, opens, closes)
            select day, '00:00', '24:00' from generate_series(1, 7) as day;
            update fulfilments set orders_per_slot = 100000, small_order_below = 0;
            update item_stock set per_day = 100000000; update option_stock set per_day = 100000000;
            insert into coupons (id, key, benefit, percent, redemption_limit, guest_limit, title, description) values
                (90, 'BENCH', 'percent', 10, 1000000000, null, 'Bench', 'In every checkout.'),
                (91, 'COLD', 'percent', 10, null, 1, 'Cold', 'Once per guest.');
            commit""")
        self.tokens = {name: run(self.program, "staff", "add", name, "--role", role, "--database-url",
                                 self.cluster.url).strip() for name, role in STAFF.items()}

    def stop(self):
        self.cluster.stop()

    def write_ready(self, facts):
        with open(self.ready, "w") as file:
            json.dump({"tokens": self.tokens} | facts, file)

    def read_ready(self):
        with open(self.ready) as file:
            facts = json.load(file)
        self.tokens = facts["tokens"]
        return facts


def make_templates(shop, count):
    """Places the orders that the fill copies, over HTTP."""
    server = shop.server("templates")
    server.start()
    guest, chance = Client(server.port), random.Random(1)
    today = shop.sql("select to_char(now() at time zone time_zone, 'MM-DD') from shop")
    tomorrow = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=2)).strftime("%Y-%m-%d")

    def place(n, more):
        items = [(dish, chance.choice((1, 1, 1, 2, 3))) for dish in chance.sample(DISHES, chance.choice((1, 2, 2, 3,
                                                                                                       4)))]
        if more.get("coupon") == "FOLLOW":
            items.append((2003, 1))
        form = {"name": "Ann Lee", "phone": f"+1313{5550000 + n}", "email": f"template.{n}@example.com"} | more
        if n % 5 == 4:
            form["fulfilment"] = "pickup"
        else:
            form |= {"address": f"{n + 1} Elm Street, Berlin", "postcode": "10117"}
        if n % 7 == 3:
            form["tip"] = 200
        if n % 6 == 1:
            form["comment"] = "Please ring twice."
        while True:
            basket = fill_basket(guest, items)
            if order := check_out(guest, basket, form, f"template {n}"):
                return order
            # Delivery has a minimum, and a sale's set may be unavailable.
            assert len(items) < 9, (items, form, guest.post("/v1/checkout/validate", {"basketId": basket["id"]} | form))
            items = [(1001, 2), *[item for item in items if item[0] > 0 and item[0] != 1001]]
            items.append((2004, len(items)))

    for n in range(count):
        place(n, {"wantedAt": f"{tomorrow}T{10 + n % 12}:{n % 4 * 15:02}:00Z"} if n % 7 == 2 else {})
    for key in ("FRST", "FOLLOW", "HAPPY"):
        for n in range(max(count // 8, 3)):
            more = {"coupon": key, "birthday": today} if key == "HAPPY" else {"coupon": key}
            place(count * (2 + ord(key[1])) + n, more)
    guest.close()
    server.stop()


def index_definitions(shop):
    """Returns (table, statement that drops, statement that creates) of all indexes of the large tables."""
    rows = shop.sql(f"""
        select json_agg(json_build_array(indrelid::regclass, case when conname is null
            then format('drop index %s', indexrelid::regclass)
            else format('alter table %s drop constraint %I', indrelid::regclass, conname) end,
            case when conname is null then pg_get_indexdef(indexrelid)
            else format('alter table %s add constraint %I %s', indrelid::regclass, conname,
                pg_get_constraintdef(pg_constraint.oid)) end) order by indexrelid::regclass::text)
        from pg_index left join pg_constraint on conindid = indexrelid and contype in ('p', 'u')
        where indrelid = any ('{{{",".join(TABLES)}}}'::regclass[])""")
    return json.loads(rows)


def in_sessions(shop, statements, report=lambda done: None):
    """Executes statements in parallel sessions."""
    with concurrent.futures.ThreadPoolExecutor(SESSIONS) as pool:
        for done, work in enumerate(concurrent.futures.as_completed([pool.submit(shop.sql, s) for s in statements])):
            work.result()
            report(done + 1)


def fill(shop, orders, log):
    """Creates and fills a shop. Returns with the cluster stopped."""
    shutil.rmtree(shop.folder, ignore_errors=True)
    begin = time.monotonic()

    def say(text):
        log(f"{time.monotonic() - begin:7.1f} s  {text}")
    try:
        shop.make()
        make_templates(shop, 24 if orders < 20_000 else 96)
        say("templates are placed")
        with open(f"{HERE}/fill.sql") as file:
            shop.sql("create schema growth; set search_path = public;" + file.read())
        # The changes of the set-up are the oldest rows of the audit, and due to be pruned.
        shop.sql(f"""
            insert into growth.plan
            select now() - interval '{DAYS} days', now(), {DAYS} * 86400.0 / {orders}, nextval('order_sequence'),
                order_number, time_zone, business_day_start::interval, ceil({orders} * 25.0 / 24 / {DAYS}) + 1
            from shop_secrets cross join shop;
            set session_replication_role = replica;
            update audit set at = now() - interval '{DAYS} days'""")
        indexes = index_definitions(shop) if orders > 50_000 else []
        for _, drop, _ in indexes:
            shop.sql(drop)
        ranges = [(first, min(first + CHUNK, orders) - 1) for first in range(0, orders, CHUNK)]
        in_sessions(
            shop,
            [f"select growth.fill({first}, {last}, 100000 + {first}::bigint * {AUDIT_ROWS})" for first, last in ranges],
            lambda done: done % 10 == 0 and say(f"{min(done * CHUNK, orders):,} orders"))
        say("the rows are inserted")
        in_sessions(shop, [create for _, _, create in indexes])
        if indexes and sorted(index_definitions(shop)) != sorted(indexes):
            raise RuntimeError("the indexes differ from those of the schema")
        say("the indexes are created")
        shop.sql(f"""
            select growth.count(), growth.write_days();
            select setval('order_sequence', first_sequence + {orders}) from growth.plan;
            select setval(pg_get_serial_sequence('audit', 'id'), (select max(id) from audit));
            create extension pg_stat_statements""")
        in_sessions(shop, [f"vacuum (analyze) {table}" for table in (*TABLES, "slot_uses", "stock_days")])
        shop.sql("analyze; checkpoint")
        shop.stop()
        subprocess.run(["sync", "-f", shop.folder], check=True)
        size = sum(os.path.getsize(os.path.join(top, name)) for top, _, names in os.walk(shop.cluster.data)
                   for name in names)
        facts = {"orders": orders, "next": orders, "seconds": time.monotonic() - begin, "bytes": size}
        shop.write_ready(facts)
        say(f"filled: {size / 1e9:.1f} GB")
        return facts
    finally:
        shop.stop()


def top_up(shop, facts, log):
    """Fills the orders between the last use and now, and ends those that are overdue."""
    begin = time.monotonic()
    overdue = shop.sql("""
        select number, state from orders
        where placed_at > now() - interval '30 days' and state in ('placed', 'accepted', 'preparing', 'on_the_way')
            and coalesce(wanted_at, placed_at + interval '1 hour') < now() order by placed_at""").splitlines()
    states = ("placed", "accepted", "preparing", "on_the_way", "delivered")
    steps = []
    for row in overdue:
        number, state = row.split("|")
        steps += [f"select act_as('Ann', 'manager'), advance_order('{number}', '{following}');"
                  for following in states[states.index(state) + 1:]]
    if steps:
        shop.sql("set synchronous_commit = off;" + "\n".join(steps))
    first = facts["next"]
    last = int(shop.sql(f"""
        update growth.plan set moment = now();
        select floor(extract(epoch from now() - begins) / step)::bigint from growth.plan""").split()[-1])
    if last >= first:
        # The server has drawn order numbers since, and has written to the audit.
        shop.sql(f"""
            update growth.plan set first_sequence = nextval('order_sequence') - {first};
            select setval('order_sequence', first_sequence + {last} + 1) from growth.plan;
            select growth.fill({first}, {last}, (select max(id) from audit));
            select growth.count();
            select setval(pg_get_serial_sequence('audit', 'id'), (select max(id) from audit))""")
        facts["next"] = last + 1
        shop.write_ready(facts)
    shop.sql("analyze orders, order_steps, audit, order_mails, baskets")
    log(f"{time.monotonic() - begin:7.1f} s  brought up to date: {last + 1 - first} orders, {len(steps)} steps")


def open_filled(program, orders, log):
    """Returns the filled shop, running with durability. Fills it first if it is not there."""
    shop = Shop(program, folder_of(orders), orders)
    if os.path.exists(shop.ready):
        facts = shop.read_ready()
        log(f"the kept cluster {os.path.relpath(shop.folder, ROOT)} is used")
    else:
        facts = fill(shop, orders, log)
    shop.cluster.settings = list(MEASURED)
    shop.cluster.start(within=600)
    for setting in ("fsync", "synchronous_commit", "full_page_writes"):
        assert shop.cluster.sql(f"show {setting}") == "on", setting
    top_up(shop, facts, log)
    return shop, facts


def open_empty(program, log):
    """Returns an empty shop with the same settings, running with durability. It is made anew."""
    shop = Shop(program, f"{ROOT}/.build/growth/empty", 0)
    shutil.rmtree(shop.folder, ignore_errors=True)
    try:
        shop.make()
        shop.sql("create extension pg_stat_statements; analyze")
    finally:
        shop.stop()
    shop.cluster.settings = list(MEASURED)
    shop.cluster.start()
    return shop
