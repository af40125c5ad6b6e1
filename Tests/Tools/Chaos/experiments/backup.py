"""`pg_dump --jobs 2` under load. The dump is stopped while it holds its locks, so that health checks that write,
`welms doctor` and guests all meet these locks. No dump may fail, and no fault may be reported."""

import os
import signal
import subprocess
import time

import consistency
from experiment import outcome
from guests import Guests
from lock_holder import LockHolder
from event_listener import EventListener
from processes import BINARIES, ROOT
from shop import Shop

NAME = "backup"
EXPECTED = "every dump succeeds; no fault is reported; doctor finds no problem; orders continue; consistent"
IS_TIMED = True  # if another experiment delays a health check, the server correctly reports a fault
LOCKS = "select count(*) from pg_locks join pg_stat_activity using (pid) where application_name = 'pg_dump'"
# After the loss of a connection during a statement, the server runs a health check that writes.
LOSE = """select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'welms' and state = 'active' limit 1"""


def run(scale):
    dumps, seconds, problems = scale.pick(5, 1), scale.pick(10, 4), []
    with Shop(scale) as shop, Guests([shop.server.port], scale.random, count=16) as guests, \
            EventListener(shop.server.port, "/v1/errors/events") as errors:
        guests.wait_for(scale.pick(500, 32))
        lost = sum(dump(shop, guests, f"{scale.new_directory()}/dump", seconds, problems) for _ in range(dumps))
        guests.wait_for(scale.pick(64, 16))
        guests.finish()
        problems += guests.surprises + consistency.check(guests.acknowledged, shop.cluster.url, shop.server.port)
        problems += [f"the error channel reported {event}: {event.data}" for event in errors.events]
    figures = (
        f"{dumps} dumps held for {seconds} s each, {lost} connections lost, {len(guests.acknowledged)} orders"
        " consistent"
    )
    return outcome(problems, figures)


def dump(shop, guests, path, seconds, problems):
    """Dumps while guests order. Returns how many connections of the server were terminated meanwhile."""
    # pg_dump waits for this table with all its other locks, so it can be stopped before its workers lock a table.
    holder = LockHolder(shop.cluster.url, "lock table schema_migrations in access exclusive mode")
    command = [f"{BINARIES}/pg_dump", "--format=directory", "--jobs=2", f"--file={path}", shop.cluster.url]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd="/")
    try:
        wait(shop, f"{LOCKS} and not granted", "pg_dump does not lock the tables")
        process.send_signal(signal.SIGSTOP)
        holder.release()
        wait(shop, f"{LOCKS} and granted and relation = 'schema_migrations'::regclass", "pg_dump has no locks")
        lost, end = 0, time.monotonic() + seconds
        check_doctor(shop, problems)
        while time.monotonic() < end:
            lost += bool(shop.cluster.sql(LOSE))
            time.sleep(0.5)
        guests.wait_for(16)
    finally:
        holder.release()
        process.send_signal(signal.SIGCONT)
    _, errors = process.communicate(timeout=120)
    if process.returncode:
        problems.append(f"pg_dump ended with {process.returncode}: {errors.strip()}")
    return lost


def check_doctor(shop, problems):
    # The developer's environment may name another database.
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    urls = ["--database-url", shop.server.url, "--owner-url", shop.cluster.url]
    doctor = subprocess.run([shop.server.program, "doctor", "--port", "0", *urls], capture_output=True, text=True,
                            cwd=ROOT, env=environment)
    if doctor.returncode:
        problems = [line for line in doctor.stdout.splitlines() if "PROBLEM" in line]
        problems.append(f"doctor ended with {doctor.returncode}: {'; '.join(problems)} {doctor.stderr}")


def wait(shop, count, what, within=30):
    end = time.monotonic() + within
    while shop.cluster.sql(count) == "0":
        if time.monotonic() > end:
            raise RuntimeError(f"{what} within {within} s")
        time.sleep(0.01)
