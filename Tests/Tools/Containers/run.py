#!/usr/bin/python3
"""The second half of `make test-containers`: compose.yaml on Docker's own engine and Compose, as written, with the images of build.py.

The default profile comes up and takes the README's tour; each container is killed once under guests' load; the standby joins, is killed, and is
promoted when the primary has gone; the way back is gone; everything is stopped in order. What guests were told is compared with the database each time, by
the oracle of Tests/Tools/Chaos. Started with a network of its own, in which the file's port is free and from which nothing gets out.

It prints a row for each step, and ends with 1 if one fails.
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

from engine import PLACE, ROOT, Engine
from project import Project

sys.path[:0] = [f"{ROOT}/Tests/Tools/Chaos", f"{ROOT}/Tests/Tools/Processes"]
import exactness
from guests import COUPONS, Guests
from listening import Listener
from processes import get, psql

PORT = 8080
GUESTS = 24
RECOVERED = 30  # seconds until a killed container is healthy again
LONGEST = 1200  # seconds that all may take before it is called stuck
UP = ("up", "--detach", "--wait", "--wait-timeout=180", "--no-build")
with open(f"{ROOT}/compose.yaml") as f:
    FILE = f.read()


class Wrong(Exception):
    """Something that does not hold."""


def hold(is_so, what):
    if not is_so:
        raise Wrong(what)


def exact(run):
    """Every order that a guest was told of is there as told, and the tour's, and no other."""
    database = run.shop.database(run.primary)
    wrong = exactness.check(run.told, database, PORT, everyone_answered=False)
    hold(not wrong, "; ".join(wrong[:5]))
    orders = int(psql(database, "select count(*) from orders"))
    hold(orders == len(run.told) + run.toured, f"{orders} orders, where guests were told of {len(run.told)} and the tour of {run.toured}")


def guests_of(run):
    """Guests whose surprises are wrong; a cancellation that a promotion loses could not be told from one that came later."""
    return Guests([PORT], run.chance, count=GUESTS, cancelling=0)


def settled(run, guests):
    guests.finish()
    hold(not guests.surprises, "; ".join(guests.surprises[:5]))
    run.told += guests.told


# The steps, in their order. Each returns what it has measured.

def comes_up(run):
    """everybody starts when those that they need are healthy; all healthy"""
    run.shop.compose("down", "--volumes", "--remove-orphans")
    since = time.time()
    run.shop.compose(*UP)
    seconds = time.time() - since
    started_in_order(run.shop, run.shop.events(since))
    return f"all healthy after {seconds:.1f} s"


def started_in_order(shop, events):
    for name, service in shop.services().items():
        for needed in service.get("depends_on", {}):
            if (name, "start") in events and (needed, "start") in events:
                healthy = (needed, "health_status: healthy")
                hold(healthy in events and events.index(healthy) < events.index((name, "start")), f"{name} was started before {needed} was healthy")


def tour(run):
    """the README's tour through the load balancer; servers and load balancer are no root, and write nowhere"""
    with open(f"{ROOT}/README.md") as f:
        text = re.search(r"<!-- tour.*?```sh\n(.*?)```", f.read(), re.S)[1]
    done = subprocess.run(["sh", "-e"], input=text, capture_output=True, text=True, env=os.environ | {"BASE": f"http://127.0.0.1:{PORT}"})
    hold(done.returncode == 0 and "sent twice, ordered once" in done.stdout, f"the tour: {done.stdout[-500:]}{done.stderr}")
    for service in ("server-1", "server-2", "load-balancer"):
        hold(run.shop.execute(service, "id", "-u") != "0", f"{service} is root")
        written = run.shop.execute(service, "sh", "-c", "for place in / /tmp /app /var/lib /usr/local/etc; do touch $place/x 2> /dev/null && echo $place; done; true")
        hold(not written, f"{service} can write to {written}")
    psql(run.shop.database("postgres"), COUPONS % 400)
    run.toured = int(psql(run.shop.database("postgres"), "select count(*) from orders"))
    hold(run.toured == 1, f"{run.toured} orders after the tour")
    return done.stdout.splitlines()[-2]


def crash(service):
    def step(run):
        with guests_of(run) as guests:
            guests.wait_for(run.chance.randrange(60, 120))
            run.shop.crash(service)
            killed = time.monotonic()
            guests.wait_for(GUESTS)
            again = time.monotonic() - killed
            healthy = run.shop.recovered(service) - killed
            guests.wait_for(100)
            settled(run, guests)
        exact(run)
        hold(healthy < RECOVERED, f"healthy only after {healthy:.1f} s")
        return f"{GUESTS} more orders {again:.1f} s after the kill, healthy {healthy:.1f} s after it; 0 of {len(run.told)} orders lost, longest wait {guests.longest:.1f} s"
    step.__doc__ = "killed under load: restarted, healthy, no order lost"
    return step


def nobody_there(run):
    """without a server guests are told when to come back, and with one they are served again"""
    run.shop.compose("stop", "server-1", "server-2")
    status, headers, body = get(PORT, "/v1/menu")
    run.shop.compose("start", "server-1", "server-2")
    hold((status, headers.get("retry-after"), json.loads(body)["status"]) == (503, "1", 503), f"the load balancer answers {status} {headers} {body}")
    begin = time.monotonic()
    while (status := get(PORT, "/v1/menu")[0]) != 200:
        hold(time.monotonic() < begin + RECOVERED, f"{status} still {RECOVERED} s after the servers were started")
        time.sleep(0.1)
    return f"503 with Retry-After; 200 again {time.monotonic() - begin:.1f} s after the servers were started"


def one_left_and_slow(run):
    """with one server left, which stands still for a second and a half, guests wait and are served"""
    run.shop.compose("stop", "server-2")
    run.shop.signal("server-1", "STOP")
    time.sleep(1)  # The load balancer looks twice in it.
    waking = threading.Timer(0.5, run.shop.signal, ("server-1", "CONT"))
    waking.start()
    begin = time.monotonic()
    status = get(PORT, "/v1/menu")[0]
    waited = time.monotonic() - begin
    waking.join()
    run.shop.compose(*UP)
    hold(status == 200, f"the menu is answered {status}")
    return f"200 after {waited:.1f} s"


def moves(run):
    """a server is stopped under load and comes back at another address: no request is lost, and the load balancer finds it"""
    old = run.shop.address("server-2")
    with guests_of(run) as guests:
        guests.wait_for(60)
        run.shop.compose("stop", "server-2")
        # Somebody else takes its address.
        run.shop.engine.run("docker", "run", "--detach", "--rm", "--name=squatter", f"--network={run.shop.network()}", "debian:bookworm-slim", "sleep", "600")
        run.shop.compose("start", "server-2")
        while not run.shop.is_healthy("server-2"):
            time.sleep(0.1)
        before = served(run.shop, "server-2")
        guests.wait_for(100)
        settled(run, guests)
    run.shop.engine.run("docker", "kill", "squatter")
    hold(run.shop.address("server-2") != old, f"server-2 still has the address {old}")
    hold(served(run.shop, "server-2") > before + 50, "the load balancer sends nothing to server-2 any more")
    hold(guests.lost_requests == 0 and set(guests.statuses) <= {200, 201, 409, 422}, f"{guests.lost_requests} requests lost, {dict(guests.statuses)}")
    exact(run)
    return f"{old} → {run.shop.address('server-2')}, {sum(guests.statuses.values())} requests, 0 lost"


def served(shop, service):
    """How many requests a server has answered, health checks aside."""
    text = shop.execute(service, "curl", "--silent", f"http://127.0.0.1:{PORT}/metrics")
    return sum(float(n) for n in re.findall(r'^welms_http_requests_total\{[^}]*/v1/[^}]*\} (\S+)', text, re.M))


def standby_joins(run):
    """the standby's profile, with the settings that the file names, beside the running shop: it streams, and the servers read from it"""
    run.shop.profiles, run.shop.variables = ["standby"], said("standby")
    run.shop.compose(*UP)
    state = psql(run.shop.database("postgres"), "select state from pg_stat_replication")
    hold(state == "streaming", f"pg_stat_replication says {state!r}")
    reads = psql(run.shop.database("standby"), "select count(*) from pg_stat_activity where datname = 'welms' and client_addr is not null and pid <> pg_backend_pid()")
    hold(int(reads) > 0, "no server is connected to the standby")
    exact(run)
    return f"streaming, {reads} connections of the servers to it"


def said(profile):
    """The settings that the head of compose.yaml says for a profile."""
    text = re.search(rf"docker compose --profile {profile} up .*?:\n((?:#         \w+=.*\n)+)", FILE)[1]
    return {name: value.strip("'") for name, value in re.findall(r"(\w+)=('[^']*'|\S+)", text) if name.isupper()}


def promotion(run):
    """the primary is killed and stays away, the standby is promoted as the file says: with synchronous replication no acknowledged order is lost"""
    run.shop.execute("postgres", "psql", "--quiet", "--username=welms", "--command=alter system set synchronous_standby_names = '*'", "--command=select pg_reload_conf()")
    with guests_of(run) as guests:
        end = time.monotonic() + 20
        while psql(run.shop.database("postgres"), "select sync_state from pg_stat_replication") != "sync":
            hold(time.monotonic() < end, "the standby is not synchronous")
        guests.wait_for(run.chance.randrange(60, 200))
        run.shop.compose("kill", "postgres")
        for command in commands("To promote it"):
            run.shop.line(command)
        promoted = time.monotonic()
        run.primary = "standby"
        guests.wait_for(GUESTS)
        again = time.monotonic() - promoted
        guests.wait_for(100)
        settled(run, guests)
    exact(run)
    return f"orders go on {again:.1f} s after the promotion, 0 of {len(run.told)} lost"


def way_back(run):
    """the primary becomes a copy of the promoted standby, and that one a standby again, as the file says"""
    for command in commands("So before the next one"):
        run.shop.line(command)
    run.primary = "postgres"
    run.shop.compose(*UP)
    hold(psql(run.shop.database("postgres"), "select pg_is_in_recovery()") == "f", "the primary is a standby")
    end = time.monotonic() + 20
    while psql(run.shop.database("postgres"), "select state from pg_stat_replication") != "streaming":
        hold(time.monotonic() < end, "the standby does not stream")
    with guests_of(run) as guests:
        guests.wait_for(100)
        settled(run, guests)
    exact(run)
    return f"all healthy, streaming, 0 of {len(run.told)} orders lost"


def commands(purpose):
    """The commands that a comment of compose.yaml gives for something, which it says before them."""
    text = FILE[FILE.index(purpose):]
    block = re.search(r"(?: +#     docker .*\n)+", text)[0]
    return [line.strip(" #") for line in block.splitlines()]


def all_stop(run):
    """everything is stopped in order, and in time, while somebody follows an event stream"""
    with Listener(PORT, "/v1/errors/events"):
        begin = time.monotonic()
        run.shop.compose("stop")
        seconds = time.monotonic() - begin
    ends = {service: run.shop.inspect(service)["State"]["ExitCode"] for service in run.shop.services()}
    hold(set(ends.values()) == {0}, f"exit statuses {ends} after {seconds:.1f} s")
    return f"all exit 0 after {seconds:.1f} s"


STEPS = [
    ("up", comes_up), ("tour", tour), *((f"kill {service}", crash(service)) for service in ("server-1", "server-2", "load-balancer", "postgres")), ("no server", nobody_there), ("slow server", one_left_and_slow), ("move", moves),
    ("standby", standby_joins), ("kill standby", crash("standby")), ("promote", promotion),
    ("way back", way_back), ("stop", all_stop),
]


class Run:
    def __init__(self, engine, seed):
        self.shop, self.chance, self.told = Project(engine), random.Random(seed), []
        self.toured, self.primary = 0, "postgres"


def stuck(*_):
    raise TimeoutError(f"not done after {LONGEST} s")


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else random.SystemRandom().randrange(1_000_000)
    signal.signal(signal.SIGALRM, stuck)
    signal.alarm(LONGEST)
    # Ended from outside, it still ends what it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    with open(f"{PLACE}/images.json") as f:
        made = [image for image, is_real in json.load(f).items() if not is_real]
    print(f"seed {seed}; made of Debian's packages: {', '.join(made) or 'no image'}\n", flush=True)
    failed = 0
    with Engine() as engine:
        run = Run(engine, seed)
        for name, step in STEPS:
            begin = time.monotonic()
            try:
                verdict, figures = "pass", step(run)
            except Exception as error:
                if not isinstance(error, Wrong):
                    traceback.print_exc()
                verdict, figures, failed = "FAIL", f"{type(error).__name__}: {error}", 1
            print(f"{name:20} {time.monotonic() - begin:6.1f}  {verdict} {figures} | {step.__doc__}", flush=True)
            if failed:  # what comes next builds on it
                print(run.shop.logs())
                break
        run.shop.profiles = ["standby"]
        run.shop.compose("down", "--volumes", "--remove-orphans")
    passed = STEPS.index((name, step)) + 1 - failed
    print(f"\n{passed} passed, {failed} failed")
    sys.exit(failed)


if __name__ == "__main__":
    main()
