#!/usr/bin/python3
"""The second half of `make test-containers`: runs compose.yaml unchanged on a Docker engine, with the images of
build.py.

The default profile starts and runs the README's tour. Each container is killed once under load. The standby joins, is
killed, and is promoted after the primary is killed. The primary becomes a standby and takes over again. Everything is
stopped. After each of these steps, the checks of Tests/Tools/Chaos compare the acknowledged orders with the database.
Finally, a seeded shop is distributed over a Citus cluster, if its image exists. The network namespace has no outside
access.

Prints a row for each step, and exits with 1 if a step fails.
"""

import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
import traceback

from engine import FOLDER, ROOT, Engine
from project import Project

sys.path[:0] = [f"{ROOT}/Tests/Tools/Chaos", f"{ROOT}/Tests/Tools/Processes"]
import consistency
from guests import COUPONS, Guests
from event_listener import EventListener
from processes import get, psql

PORT = 8080
GUESTS = 24
RECOVERY_LIMIT = 30  # seconds until a killed container is healthy again
TIME_LIMIT = 1500  # seconds for all steps
UP = ("up", "--detach", "--wait", "--wait-timeout=180", "--no-build")
with open(f"{ROOT}/compose.yaml") as f:
    FILE = f.read()


class CheckFailed(Exception):
    """A check failed."""


def check(condition, what):
    if not condition:
        raise CheckFailed(what)


def check_orders(run):
    """Checks that the database has the acknowledged orders and that of the tour, and no others."""
    database = run.shop.database(run.primary)
    problems = consistency.check(run.acknowledged, database, PORT, all_answered=False)
    check(not problems, "; ".join(problems[:5]))
    orders = int(psql(database, "select count(*) from orders"))
    check(
        orders == len(run.acknowledged) + run.tour_orders,
        f"{orders} orders, expected {len(run.acknowledged)} of guests and {run.tour_orders} of the tour",
    )


def guests_of(run):
    """Guests who do not cancel: a cancellation that a promotion loses cannot be distinguished from a later one."""
    return Guests([PORT], run.chance, count=GUESTS, cancelling=0)


def finish(run, guests):
    guests.finish()
    check(not guests.surprises, "; ".join(guests.surprises[:5]))
    run.acknowledged += guests.acknowledged


# The steps, in order. Each returns its measurements, and its docstring is the expected behaviour.

def start(run):
    """each service starts after its dependencies are healthy; all become healthy"""
    run.shop.compose("down", "--volumes", "--remove-orphans")
    since = time.time()
    run.shop.compose(*UP)
    seconds = time.time() - since
    check_start_order(run.shop, run.shop.events(since))
    return f"all healthy after {seconds:.1f} s"


def check_start_order(shop, events):
    for name, service in shop.services().items():
        for needed in service.get("depends_on", {}):
            if (name, "start") in events and (needed, "start") in events:
                healthy = (needed, "health_status: healthy")
                check(
                    healthy in events and events.index(healthy) < events.index((name, "start")),
                    f"{name} was started before {needed} was healthy",
                )


def tour(run):
    """the README's tour works through the load balancer; servers and load balancer run without root, read-only"""
    with open(f"{ROOT}/README.md") as f:
        text = re.search(r"<!-- tour.*?```sh\n(.*?)```", f.read(), re.S)[1]
    done = subprocess.run(
        ["sh", "-e"], input=text, capture_output=True, text=True, env=os.environ | {"BASE": f"http://127.0.0.1:{PORT}"}
    )
    check(
        done.returncode == 0 and "sent twice, ordered once" in done.stdout,
        f"the tour: {done.stdout[-500:]}{done.stderr}",
    )
    for service in ("server-1", "server-2", "load-balancer"):
        check(run.shop.execute(service, "id", "-u") != "0", f"{service} runs as root")
        written = run.shop.execute(
            service,
            "sh",
            "-c",
            "for place in / /tmp /app /var/lib /usr/local/etc; do touch $place/x 2> /dev/null && echo $place; done;"
            " true",
        )
        check(not written, f"{service} can write to {written}")
    psql(run.shop.database("postgres"), COUPONS % 400)
    run.tour_orders = int(psql(run.shop.database("postgres"), "select count(*) from orders"))
    check(run.tour_orders == 1, f"{run.tour_orders} orders after the tour")
    return done.stdout.splitlines()[-2]


def crash(service):
    def step(run):
        with guests_of(run) as guests:
            guests.wait_for(run.chance.randrange(60, 120))
            run.shop.crash(service)
            killed = time.monotonic()
            guests.wait_for(GUESTS)
            recovery = time.monotonic() - killed
            healthy = run.shop.wait_for_recovery(service) - killed
            guests.wait_for(100)
            finish(run, guests)
        check_orders(run)
        check(healthy < RECOVERY_LIMIT, f"healthy only after {healthy:.1f} s")
        return (
            f"{GUESTS} more orders {recovery:.1f} s after the kill, healthy {healthy:.1f} s after it; 0 of"
            f" {len(run.acknowledged)} orders lost, longest wait {guests.longest:.1f} s"
        )
    step.__doc__ = "killed under load: it is restarted and healthy, and no order is lost"
    return step


def no_servers(run):
    """without servers the load balancer answers 503 with Retry-After; with servers it answers 200 again"""
    run.shop.compose("stop", "server-1", "server-2")
    status, headers, body = get(PORT, "/v1/menu")
    run.shop.compose("start", "server-1", "server-2")
    check(
        (status, headers.get("retry-after"), json.loads(body)["status"]) == (503, "1", 503),
        f"the load balancer answers {status} {headers} {body}",
    )
    begin = time.monotonic()
    while (status := get(PORT, "/v1/menu")[0]) != 200:
        check(
            time.monotonic() < begin + RECOVERY_LIMIT,
            f"{status} still {RECOVERY_LIMIT} s after the servers were started",
        )
        time.sleep(0.1)
    return f"503 with Retry-After; 200 again {time.monotonic() - begin:.1f} s after the servers were started"


def slow_server(run):
    """with one server, which stops for 1.5 s, requests wait and succeed"""
    run.shop.compose("stop", "server-2")
    run.shop.signal("server-1", "STOP")
    time.sleep(1)  # The load balancer makes two health checks.
    waking = threading.Timer(0.5, run.shop.signal, ("server-1", "CONT"))
    waking.start()
    begin = time.monotonic()
    status = get(PORT, "/v1/menu")[0]
    waited = time.monotonic() - begin
    waking.join()
    run.shop.compose(*UP)
    check(status == 200, f"the menu is answered {status}")
    return f"200 after {waited:.1f} s"


def move_server(run):
    """a server restarts under load with another address: no request is lost, and the load balancer finds it"""
    old = run.shop.address("server-2")
    with guests_of(run) as guests:
        guests.wait_for(60)
        run.shop.compose("stop", "server-2")
        # Another container takes its address.
        run.shop.engine.run(
            "docker",
            "run",
            "--detach",
            "--rm",
            "--name=squatter",
            f"--network={run.shop.network()}",
            "debian:bookworm-slim",
            "sleep",
            "600",
        )
        run.shop.compose("start", "server-2")
        while not run.shop.is_healthy("server-2"):
            time.sleep(0.1)
        before = served_requests(run.shop, "server-2")
        guests.wait_for(100)
        finish(run, guests)
    run.shop.engine.run("docker", "kill", "squatter")
    check(run.shop.address("server-2") != old, f"server-2 still has the address {old}")
    check(served_requests(run.shop, "server-2") > before + 50, "the load balancer sends no requests to server-2")
    check(
        guests.lost_requests == 0 and set(guests.statuses) <= {200, 201, 409, 422},
        f"{guests.lost_requests} requests lost, {dict(guests.statuses)}",
    )
    check_orders(run)
    return f"{old} → {run.shop.address('server-2')}, {sum(guests.statuses.values())} requests, 0 lost"


def served_requests(shop, service):
    """The number of requests that a server has answered, without health checks."""
    text = shop.execute(service, "curl", "--silent", f"http://127.0.0.1:{PORT}/metrics")
    return sum(float(n) for n in re.findall(r'^welms_http_requests_total\{[^}]*/v1/[^}]*\} (\S+)', text, re.M))


def standby_joins(run):
    """the standby profile starts beside the running shop: it streams, and the servers read from it"""
    run.shop.profiles, run.shop.variables = ["standby"], documented_settings("standby")
    run.shop.compose(*UP)
    state = psql(run.shop.database("postgres"), "select state from pg_stat_replication")
    check(state == "streaming", f"pg_stat_replication says {state!r}")
    reads = psql(
        run.shop.database("standby"),
        "select count(*) from pg_stat_activity where datname = 'welms' and client_addr is not null and pid <>"
        " pg_backend_pid()",
    )
    check(int(reads) > 0, "no server is connected to the standby")
    check_orders(run)
    return f"streaming, {reads} connections of the servers to it"


def documented_settings(profile):
    """The settings for a profile in the header of compose.yaml."""
    text = re.search(rf"docker compose --profile {profile} up .*?:\n((?:#         \w+=.*\n)+)", FILE)[1]
    return {name: value.strip("'") for name, value in re.findall(r"(\w+)=('[^']*'|\S+)", text) if name.isupper()}


def promotion(run):
    """the primary is killed and the standby promoted as documented: with synchronous replication no acknowledged order
    is lost"""
    run.shop.execute(
        "postgres",
        "psql",
        "--quiet",
        "--username=welms",
        "--command=alter system set synchronous_standby_names = '*'",
        "--command=select pg_reload_conf()",
    )
    with guests_of(run) as guests:
        end = time.monotonic() + 20
        while psql(run.shop.database("postgres"), "select sync_state from pg_stat_replication") != "sync":
            check(time.monotonic() < end, "the standby is not synchronous")
        guests.wait_for(run.chance.randrange(60, 200))
        run.shop.compose("kill", "postgres")
        for command in documented_commands("To promote the standby"):
            run.shop.shell(command)
        promoted = time.monotonic()
        run.primary = "standby"
        guests.wait_for(GUESTS)
        recovery = time.monotonic() - promoted
        guests.wait_for(100)
        finish(run, guests)
    check_orders(run)
    return f"orders continue {recovery:.1f} s after the promotion, 0 of {len(run.acknowledged)} lost"


def switch_back(run):
    """the primary becomes a copy of the promoted standby, and the standby starts again, as documented"""
    for command in documented_commands("Before the next `up`"):
        run.shop.shell(command)
    run.primary = "postgres"
    run.shop.compose(*UP)
    check(psql(run.shop.database("postgres"), "select pg_is_in_recovery()") == "f", "the primary is a standby")
    end = time.monotonic() + 20
    while psql(run.shop.database("postgres"), "select state from pg_stat_replication") != "streaming":
        check(time.monotonic() < end, "the standby does not stream replication")
    with guests_of(run) as guests:
        guests.wait_for(100)
        finish(run, guests)
    check_orders(run)
    return f"all healthy, streaming, 0 of {len(run.acknowledged)} orders lost"


def documented_commands(purpose):
    """The commands after a text in the comments of compose.yaml."""
    text = FILE[FILE.index(purpose):]
    block = re.search(r"(?: +#     docker .*\n)+", text)[0]
    return [line.strip(" #") for line in block.splitlines()]


def stop_all(run):
    """all containers stop in order and in time while an event stream is open"""
    with EventListener(PORT, "/v1/errors/events"):
        begin = time.monotonic()
        run.shop.compose("stop")
        seconds = time.monotonic() - begin
    ends = {service: run.shop.inspect(service)["State"]["ExitCode"] for service in run.shop.services()}
    check(set(ends.values()) == {0}, f"exit statuses {ends} after {seconds:.1f} s")
    return f"all exit 0 after {seconds:.1f} s"


def citus(run):
    """the citus profile distributes a seeded shop; orders have distinct numbers, also while its files are loaded
    again"""
    with open(f"{FOLDER}/citus.json") as f:
        if not json.load(f):
            return "skipped: the image of Citus cannot be pulled"
    run.shop.profiles = ["standby", "citus"]
    run.shop.compose("down", "--volumes", "--remove-orphans")
    run.shop.profiles, run.shop.variables = ["citus"], documented_settings("citus")
    # The menu is seeded before the tables are distributed.
    once = ("run", "--rm", "--no-TTY")
    run.shop.compose(*once, "citus-migrate", "migrate")
    run.shop.compose(*once, "citus-migrate", "seed")
    distribute_tables(run)
    # Without --wait, which would fail for services that end.
    run.shop.compose("up", "--detach", "--no-build")
    end = time.monotonic() + 180
    while not all(run.shop.is_healthy(service) for service in ("server-1", "server-2", "load-balancer")):
        check(time.monotonic() < end, "the servers are not healthy")
        time.sleep(0.5)
    database = run.shop.database("citus-coordinator")
    psql(database, COUPONS % 400)
    before = len(run.acknowledged)
    with guests_of(run) as guests:
        guests.wait_for(60)
        distribute_tables(run)
        guests.wait_for(60)
        finish(run, guests)
    acknowledged = len(run.acknowledged) - before
    orders, numbers = psql(database, "select count(*), count(distinct number) from orders").split("|")
    check(int(orders) == acknowledged, f"{orders} orders, expected {acknowledged}")
    check(numbers == orders, f"{numbers} numbers for {orders} orders")
    nodes = psql(
        database,
        "select count(distinct groupid) from pg_dist_placement join pg_dist_shard using (shardid)"
        " where logicalrelid = 'baskets'::regclass",
    )
    check(nodes == "2", f"the baskets are on {nodes} nodes")
    sequences = psql(
        database,
        "select sum(result::integer) from run_command_on_all_nodes("
        "$$select count(*) from pg_class where relname = 'order_sequence'$$)",
    )
    check(sequences == "1", f"{sequences} sequences of order numbers")
    run.shop.compose("stop")
    return f"{orders} orders with distinct numbers on {nodes} workers"


def distribute_tables(run):
    output = run.shop.compose("run", "--rm", "--no-TTY", "citus-spread")
    check("ERROR" not in output, f"citus-spread: {output[-2000:]}")


STEPS = [
    ("up", start),
    ("tour", tour),
    *((f"kill {service}", crash(service)) for service in ("server-1", "server-2", "load-balancer", "postgres")),
    ("no server", no_servers),
    ("slow server", slow_server),
    ("move", move_server),
    ("standby", standby_joins),
    ("kill standby", crash("standby")),
    ("promote", promotion),
    ("way back", switch_back),
    ("stop", stop_all),
    ("citus", citus),
]


class Run:
    def __init__(self, engine, seed):
        self.shop, self.chance, self.acknowledged = Project(engine), random.Random(seed), []
        self.tour_orders, self.primary = 0, "postgres"


def raise_timeout(*_):
    raise TimeoutError(f"not done after {TIME_LIMIT} s")


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else random.SystemRandom().randrange(1_000_000)
    signal.signal(signal.SIGALRM, raise_timeout)
    signal.alarm(TIME_LIMIT)
    # SIGTERM raises SystemExit, so that the finally blocks stop all containers.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    with open(f"{FOLDER}/images.json") as f:
        substitutes = [image for image, is_pulled in json.load(f).items() if not is_pulled]
    print(f"seed {seed}; made from Debian's packages: {', '.join(substitutes) or 'no image'}\n", flush=True)
    failed = 0
    with Engine() as engine:
        run = Run(engine, seed)
        for name, step in STEPS:
            begin = time.monotonic()
            try:
                verdict, figures = "pass", step(run)
            except Exception as error:
                if not isinstance(error, CheckFailed):
                    traceback.print_exc()
                verdict, figures, failed = "FAIL", f"{type(error).__name__}: {error}", 1
            print(f"{name:20} {time.monotonic() - begin:6.1f}  {verdict} {figures} | {step.__doc__}", flush=True)
            if failed:  # the next steps depend on it
                print(run.shop.logs())
                break
        run.shop.profiles = ["standby", "citus"]
        run.shop.compose("down", "--volumes", "--remove-orphans")
    passed = STEPS.index((name, step)) + 1 - failed
    print(f"\n{passed} passed, {failed} failed")
    sys.exit(failed)


if __name__ == "__main__":
    main()
