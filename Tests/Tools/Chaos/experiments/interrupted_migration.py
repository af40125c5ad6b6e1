"""Interrupts the upgrade of an older shop twice, repeats it each time, and places orders meanwhile. The first run is
killed in the middle of a transaction, which PostgreSQL has to roll back. The second run is interrupted in the middle of
`create index concurrently`, which leaves an invalid index. The third run has to replace the index and apply the rest.

The shop has the frozen migrations and the rows of Tests/Data/Upgrade. No server of that version is available, so the
orders are placed with the function that its servers call."""

import dataclasses
import glob
import http.client
import json
import os
import signal
import subprocess
import threading
import time
import uuid

from experiment import outcome
from lock_holder import LockHolder
from processes import ROOT, psql, tail
from shop import Shop

NAME = "interrupted-migration"
EXPECTED = "the next run completes the migrations and replaces the invalid index; no order is lost; a server serves"
FROZEN = f"{ROOT}/Tests/Data/Migrations/frozen.sha256"
RECORDED = f"{ROOT}/Tests/Data/Upgrade/022"
# The first pending file creates functions, and then an index of coupon_uses in the same transaction.
TRANSACTION_FILE, TRANSACTION_FUNCTION, TRANSACTION_TABLE = "023_retention.sql", "retained_since", "coupon_uses"
# The file without a transaction, which creates one index of orders.
INDEX_FILE, INDEX = "025_open_orders.sql", "open_orders"
SESSION_LIMIT = 5  # seconds until the session of a killed migrator ends; PostgreSQL checks its client every two seconds

# As the migrator creates it, before its first file.
MIGRATIONS_TABLE = """
    create table schema_migrations (
        name text not null constraint schema_migrations_pkey primary key, checksum text not null,
        applied_at timestamptz not null default now());
"""
APPLIED = "select name from schema_migrations order by name"
MIGRATOR_SESSIONS = "from pg_stat_activity where datname = current_database() and application_name = 'welms migrate'"
WAITS_FOR_TABLE = f"""
    select count(*) from pg_locks
    where not granted and relation = '{TRANSACTION_TABLE}'::regclass and pid in (select pid {MIGRATOR_SESSIONS})
"""
INDEX_PHASE = """
    select phase from pg_stat_progress_create_index
    where datname = current_database() and relid = 'orders'::regclass
"""
INDEX_STATE = f"select indexrelid, indisvalid from pg_index where indexrelid = to_regclass('{INDEX}')"
INVALID_INDEXES = "select count(*) from pg_index where not indisvalid"
COLUMNS = """
    select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
    where attrelid = 'orders'::regclass and attnum > 0 and not attisdropped
"""
# The number and a digest of the recorded orders. Leaves out null members, because a migration may add an attribute to
# a composite type.
DIGEST = """
    select count(*), md5(string_agg(jsonb_strip_nulls(to_jsonb(recorded))::text, ' ' order by id))
    from (select %s from orders where idempotency_key like 'upgrade %%') as recorded
"""
PLACED = "select id || ' ' || number from orders where idempotency_key like 'meanwhile %'"
# Places an order like the recorded one with this key, which has neither a coupon nor counted dishes.
PLACE_ORDER = """
    insert into baskets (id, state, version, lines_made, lines, currency, changed_at)
    select '{id}', 'open', 1, baskets.lines_made, baskets.lines, baskets.currency, now()
    from baskets join orders using (id) where idempotency_key = 'upgrade 5';
    set role welms_server;
    select placed.number
    from orders as recorded cross join lateral place_orders('{id}', now(), null, recorded.currency, array[
        jsonb_populate_record(null::new_order, to_jsonb(recorded) || jsonb_build_object(
            'id', '{id}', 'basket_version', 1, 'idempotency_key', '{key}'))]) as placed
    where recorded.idempotency_key = 'upgrade 5';
"""


@dataclasses.dataclass
class Interruption:
    """How the creation of the index is interrupted."""
    command: str  # migrate, or serve, which migrates at its start
    holder: str  # a statement; the creation waits for the end of its transaction
    phase: str  # of the creation while it waits
    is_killed: bool  # the process is killed; otherwise PostgreSQL terminates its session


OLD_SNAPSHOT = ("set transaction isolation level repeatable read", "waiting for old snapshots")
OPEN_WRITE = ("lock table orders in row exclusive mode", "waiting for writers before build")
INTERRUPTIONS = (
    Interruption("migrate", *OLD_SNAPSHOT, is_killed=False),
    Interruption("migrate", *OPEN_WRITE, is_killed=True),
    Interruption("serve", *OLD_SNAPSHOT, is_killed=True),
)


def run(scale):
    problems, figures = [], Figures()
    # The short form saves the two seconds until PostgreSQL notices the end of another killed process.
    interruptions = scale.pick(INTERRUPTIONS, INTERRUPTIONS[:1])
    for interruption in interruptions:
        # PostgreSQL itself is not killed, so syncing its files would only cost time.
        with OlderShop(scale, settings=["fsync=off"]) as shop:
            upgrade(shop, interruption, problems, figures)
    return outcome(
        problems,
        f"{len(interruptions)} upgrades, each interrupted twice, {figures.orders} orders meanwhile in"
        f" {figures.longest_order:.2f} s at most, a killed migrator's session ends in"
        f" {figures.longest_session:.1f} s at most",
    )


@dataclasses.dataclass
class Figures:
    orders: int = 0
    longest_order: float = 0
    longest_session: float = 0


def upgrade(shop, interruption, problems, figures):
    frozen, files = frozen_files(), all_files()
    columns = shop.cluster.sql(COLUMNS)
    digest = shop.cluster.sql(DIGEST % columns)
    with Checkouts(shop.cluster) as checkouts:
        interrupt_transaction(shop, interruption, checkouts, figures)
        check_applied(shop, frozen, "after the killed transaction", problems)
        left = shop.cluster.sql(f"select count(*) from pg_proc where proname = '{TRANSACTION_FUNCTION}'")
        if left != "0":
            problems.append(f"a killed transaction left the function {TRANSACTION_FUNCTION}")

        interrupt_index(shop, interruption, checkouts, problems, figures)
        check_applied(shop, files[:files.index(INDEX_FILE)], "after the interrupted creation of an index", problems)
        invalid = shop.cluster.sql(INDEX_STATE)
        if not invalid.endswith("|f"):
            problems.append(f"no invalid index is left: {invalid!r}")
        # A migrator that only repeats the file fails the checks below: `if not exists` skips an invalid index.
        with open(f"{ROOT}/sql/{INDEX_FILE}", encoding="utf-8") as file:
            shop.cluster.sql(file.read())
        if shop.cluster.sql(INDEX_STATE) != invalid:
            problems.append("a repetition of the file repairs the index, so this run tested nothing")

        done = subprocess.run(
            [shop.scale.server, "migrate", "--database-url", shop.cluster.url], capture_output=True, text=True,
            timeout=120, cwd=ROOT)
        expected = [f"applied {name}" for name in files[files.index(INDEX_FILE):]]
        if done.returncode or done.stdout.splitlines() != expected:
            problems.append(f"the last run exits with {done.returncode}: {done.stdout}{done.stderr}")
        checkouts.wait_for(2)
    check_applied(shop, files, "at the end", problems)
    if not (valid := shop.cluster.sql(INDEX_STATE)).endswith("|t") or valid.split("|")[0] == invalid.split("|")[0]:
        problems.append(f"the invalid index was not replaced: {invalid!r} became {valid!r}")
    if (count := shop.cluster.sql(INVALID_INDEXES)) != "0":
        problems.append(f"{count} indexes are invalid")

    problems += checkouts.problems
    if set(shop.cluster.sql(PLACED).splitlines()) != checkouts.placed:
        problems.append("the orders that were placed meanwhile differ from those in the database")
    if (now := shop.cluster.sql(DIGEST % columns)) != digest:
        problems.append(f"the recorded orders were {digest} and are {now}")
    figures.orders += len(checkouts.placed)
    figures.longest_order = max(figures.longest_order, checkouts.longest)
    if not problems:
        check_server(shop, problems)


def interrupt_transaction(shop, interruption, checkouts, figures):
    """Kills the migrator while it waits in the middle of a transaction."""
    with LockHolder(shop.cluster.url, f"lock table {TRANSACTION_TABLE} in row exclusive mode"):
        with Migrator(shop, interruption.command, "transaction") as migrator:
            migrator.wait_for(WAITS_FOR_TABLE, "1")
            checkouts.wait_for(1)
            # Its lock times out after two seconds, and then it tries again.
            migrator.wait_for(WAITS_FOR_TABLE, "1")
            kill(shop, migrator, figures)


def interrupt_index(shop, interruption, checkouts, problems, figures):
    """Interrupts the migrator while it creates the index."""
    with LockHolder(shop.cluster.url, interruption.holder):
        with Migrator(shop, interruption.command, "index") as migrator:
            migrator.wait_for(INDEX_PHASE, interruption.phase)
            checkouts.wait_for(2)
            if interruption.is_killed:
                kill(shop, migrator, figures)
                return
            shop.cluster.sql(f"select pg_terminate_backend(pid) {MIGRATOR_SESSIONS}")
            status = migrator.process.wait(60)
            if status <= 0 or f"{INDEX_FILE} failed" not in tail(migrator.log):
                problems.append(f"a migrator without its session exits with {status}: {tail(migrator.log, 3)}")


def kill(shop, migrator, figures):
    """Kills the process and waits until its session ends. The lock that the session waits for is still held."""
    migrator.process.send_signal(signal.SIGKILL)
    migrator.process.wait()
    seconds = wait_for(shop.cluster, f"select count(*) {MIGRATOR_SESSIONS}", "0", SESSION_LIMIT)
    figures.longest_session = max(figures.longest_session, seconds)


def wait_for(cluster, query, expected, within=60, check=lambda: None):
    """Polls until the query returns the expected text. Returns the seconds."""
    begin = time.monotonic()
    while (found := cluster.sql(query)) != expected:
        check()
        if time.monotonic() > begin + within:
            raise RuntimeError(f"{found!r} instead of {expected!r} after {within} s: {' '.join(query.split())}")
        time.sleep(0.01)
    return time.monotonic() - begin


def frozen_files():
    """The names of the migrations of the older version, in order."""
    with open(FROZEN, encoding="utf-8") as file:
        return [os.path.basename(line.split()[1]) for line in file]


def all_files():
    return sorted(os.path.basename(path) for path in glob.glob(f"{ROOT}/sql/[0-9]*.sql"))


def check_applied(shop, expected, when, problems):
    if (applied := shop.cluster.sql(APPLIED).splitlines()) != expected:
        problems.append(f"{when}, {applied[-3:]} are the last of {len(applied)} migrations, not of {len(expected)}")


def check_server(shop, problems):
    """A server replays each recorded checkout with the same order, and places a new one."""
    shop.server.start()
    with open(f"{RECORDED}/answers.json", encoding="utf-8") as file:
        orders = json.load(file)["orders"]
    for order in orders:
        status, headers, answer = send(shop.server.port, "/v1/checkout", order["form"], order["key"])
        if (status, headers["Idempotency-Replayed"]) != (201, "true") or answer["id"] != order["placed"]["id"]:
            problems.append(f"{order['key']}: the replay was answered {status} {answer}")
    status, answer = check_out(shop.server.port)
    if status != 201:
        problems.append(f"after the upgrade, a checkout is answered {status} {answer}")
    # No request is in progress, so a shutdown with its draining would only cost time.
    shop.server.stop(signal.SIGKILL)


def check_out(port):
    """Orders a dish for pickup. Returns the status and the body of the answer."""
    _, _, basket = send(port, "/v1/baskets")
    send(port, f"/v1/baskets/{basket['id']}/items", json.dumps({"menuItemId": 2004, "quantity": 1}))
    form = {"basketId": basket["id"], "name": "Ann Lee", "phone": "(212) 555-0100", "email": "ann@example.com",
            "fulfilment": "pickup"}
    status, _, answer = send(port, "/v1/checkout/validate", json.dumps(form))
    if not answer.get("quote"):
        return status, answer
    form |= {"expectedTotal": answer["quote"]["total"], "currency": answer["quote"]["currency"]}
    status, _, answer = send(port, "/v1/checkout", json.dumps(form), "after the upgrade")
    return status, answer


def send(port, path, body=None, key=None):
    """Posts a request. Returns the status, the headers and the body of the answer. Retries while the server is busy."""
    headers = {"Content-Type": "application/json"} if body else {}
    headers |= {"Idempotency-Key": key} if key else {}
    end = time.monotonic() + 30
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("POST", path, body.encode() if body else None, headers)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        if answer.status != 503 or time.monotonic() > end:
            return answer.status, answer.headers, json.loads(text)
        time.sleep(0.1)


class OlderShop(Shop):
    """The recorded shop with the schema of the older version. No server runs."""

    def __enter__(self):
        try:
            self.cluster.make(like=self.template_cluster())
            self.cluster.start()
            self.cluster.sql("create database welms", database="postgres")
            script = [MIGRATIONS_TABLE]
            for name in frozen_files():
                with open(f"{ROOT}/sql/{name}", encoding="utf-8") as file:
                    script.append(f"begin;\n{file.read()}\ncommit;\n")
            # The last file, because it switches off the triggers of its session. It has the rows of schema_migrations.
            with open(f"{RECORDED}/rows.sql", encoding="utf-8") as file:
                script.append(file.read())
            self.cluster.sql("".join(script))
        except BaseException as error:
            self.__exit__(type(error))
            raise
        return self


class Migrator:
    """A process that migrates. At the end of the `with` block it is killed, if it still runs."""

    def __init__(self, shop, command, name):
        self.cluster, self.log = shop.cluster, f"{shop.directory}/{name}.log"
        arguments = (
            ["migrate", "--database-url", shop.cluster.url]
            if command == "migrate"
            else ["serve", "--database-url", shop.server.url, "--owner-url", shop.cluster.url, "--port",
                  str(shop.server.port)]
        )
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [shop.scale.server, *arguments], stdout=log, stderr=subprocess.STDOUT, cwd=ROOT)

    def wait_for(self, query, expected):
        wait_for(self.cluster, query, expected, check=self.check_running)

    def check_running(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"the migrator ended with {self.process.returncode}:\n{tail(self.log)}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class Checkouts:
    """Places orders in a separate thread, one after the other, until the end of the `with` block."""

    def __init__(self, cluster):
        self.cluster, self.placed, self.problems, self.longest = cluster, set(), [], 0
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join(10)

    def wait_for(self, more, within=30):
        """Waits until so many more orders are placed."""
        goal, end = len(self.placed) + more, time.monotonic() + within
        while len(self.placed) < goal:
            if self.problems or time.monotonic() > end:
                raise RuntimeError(f"{goal - len(self.placed)} of {more} orders are not placed: {self.problems}")
            time.sleep(0.005)

    # The methods below run in the thread.

    def run(self):
        while not self.is_over.wait(0.02):
            try:
                self.place(f"meanwhile {len(self.placed) + 1}")
            except RuntimeError as error:
                self.problems.append(f"an order was not placed meanwhile: {error}")
                return

    def place(self, key):
        id = new_id()
        begin = time.monotonic()
        number = psql(self.cluster.url, PLACE_ORDER.format(id=id, key=key), options="-cstatement_timeout=5s")
        self.longest = max(self.longest, time.monotonic() - begin)
        if not number:
            raise RuntimeError(f"place_orders returned nothing for {id}")
        self.placed.add(f"{id} {number}")


def new_id():
    """Returns a UUID of version 7, as a server makes it for a basket."""
    return str(uuid.UUID(f"{int(time.time() * 1000):012x}7{uuid.uuid4().hex[13:]}"))
