"""A server of an older version serves guests while a newer server migrates the database. Then both serve. A server of
the older version that starts again has to refuse with one line.

WELMS_OLD names the program of the older version. Without it, the full form builds the commit that froze the schema,
below .build/against as `make bench-against` does, which takes ten minutes. UpgradeTests is the short form."""

import os
import shutil
import signal
import subprocess
import time

import consistency
from experiment import Outcome, outcome
from guests import Guests
from processes import ROOT, Server, get, tail
from shop import Shop

NAME = "upgrade"
EXPECTED = "consistent; old and new serve one database; a step reaches both; an old server that starts refuses; no 500"
IS_LONG = True
FROZEN = "Tests/Data/Migrations/frozen.sha256"
BUILD_LIMIT, TIME_LIMIT = 3600, 900
STEP_LIMIT = 1


def run(scale):
    old = os.environ.get("WELMS_OLD") or build()
    if not old:
        return Outcome("", None, "no older version: set WELMS_OLD to its program")
    problems = []
    shop = Shop(scale, coupons=200, has_stock_counts=True)
    shop.server.program = old
    with shop:
        new = Server(scale.server, shop.server.url, f"{shop.directory}/new.log", owner=shop.cluster.url)
        shop.servers.append(new)
        ports = [shop.server.port, new.port]
        with Guests(ports, scale.random, cancelling=0) as guests:
            guests.wait_for(scale.pick(300, 64))
            before = migrations(shop)
            ready = new.start()
            if migrations(shop) == before:
                return Outcome("", None, f"{old} has the same migrations")
            first = len(guests.acknowledged)
            guests.wait_for(scale.pick(1000, 128))
            steps = [step(shop, order, ports) for order in guests.acknowledged[first:first + scale.pick(20, 3)]]
            check_prune(shop.server, problems)
            shop.server.stop()
            check_refusal(shop.server, problems)
            guests.wait_for(scale.pick(300, 64))
            guests.finish()
        problems += guests.surprises + consistency.check(guests.acknowledged, shop.cluster.url, new.port)
        if guests.statuses[500]:
            problems.append(f"{guests.statuses[500]} × 500")
        if max(steps) > STEP_LIMIT:
            problems.append(f"a step took {max(steps):.1f} s")
        return outcome(
            problems,
            f"{len(guests.acknowledged)} orders consistent, the newer server was ready after {ready:.1f} s,"
            f" {guests.statuses[503]} × 503, steps reach both in {max(steps):.2f} s at most",
        )


def migrations(shop):
    return shop.cluster.sql("select count(*) from schema_migrations")


def step(shop, order, ports):
    """Accepts an order. Returns the seconds until both servers show it."""
    path = f"/v1/orders/{order.order['id']}"
    shop.cluster.sql(f"select advance_order('{order.order['number']}', 'accepted')")
    begin = time.monotonic()
    while any(b'"state":"accepted"' not in get(port, path)[2] for port in ports) and time.monotonic() < begin + 10:
        time.sleep(0.005)
    return time.monotonic() - begin


def check_prune(server, problems):
    done = subprocess.run([server.program, "prune", "--database-url", server.url], capture_output=True, text=True,
                          cwd=ROOT)
    if done.returncode:
        problems.append(f"the older program cannot prune: {done.stderr.strip()}")


def check_refusal(server, problems):
    """Starts a server of the older version again. It has to end by itself and say why."""
    try:
        server.start(within=30)
        problems.append("an older server starts on the newer database")
    except RuntimeError:
        if server.process.poll() is None:
            server.stop(signal.SIGKILL)
            problems.append("an older server neither starts nor ends")
        if "is applied but not part of this program" not in tail(server.log):
            problems.append(f"an older server ended with: {tail(server.log, 3)}")


def build():
    """Returns the release build of the commit that froze the schema; None if git does not know it."""
    log = subprocess.run(["git", "log", "--format=%H", "--diff-filter=A", "--", FROZEN], capture_output=True, text=True,
                         cwd=ROOT)
    if log.returncode or not log.stdout.strip() or not shutil.which("swift"):
        return None
    commit = log.stdout.split()[-1]
    tree = f"{ROOT}/.build/against/{commit[:7]}"
    program = f"{tree}/.build/release/welms"
    if not os.path.exists(program):
        # The limit of an experiment does not count the build.
        signal.alarm(BUILD_LIMIT)
        shutil.rmtree(tree, ignore_errors=True)
        os.makedirs(tree)
        archive = subprocess.run(["git", "archive", commit], check=True, capture_output=True, cwd=ROOT).stdout
        subprocess.run(["tar", "-x", "-C", tree], input=archive, check=True)
        subprocess.run(["swift", "build", "-c", "release", "--product", "welms", "--static-swift-stdlib"], check=True,
                       stdout=subprocess.DEVNULL, cwd=tree)
        signal.alarm(TIME_LIMIT)
    return program
