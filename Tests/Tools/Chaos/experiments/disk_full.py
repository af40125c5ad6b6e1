"""Fills the disk of the tables, then the disk of the write-ahead log. A full log makes PostgreSQL panic, and it cannot
restart until there is space. Both disks are small file systems in memory. Only root can mount them, so this
experiment needs root."""

import contextlib
import os
import pwd
import subprocess
import time

import consistency
from experiment import Outcome, outcome
from experiments.writes_fail import REPORT_LIMIT, ordering_events, wait_for_event
from guests import Guests
from event_listener import EventListener
from processes import get
from shop import Shop

NAME = "disk-full"
EXPECTED = (
    "503; one fault within 5 s and one recovery; no acknowledged order lost; the menu is served; orders succeed 3 s"
    " after there is space"
)
RECOVERY_LIMIT = 3


def run(scale):
    directory = scale.new_directory()
    with contextlib.ExitStack() as disks:
        try:
            tables = disks.enter_context(disk(f"{directory}/tables", 160))
            log = disks.enter_context(disk(f"{directory}/log", 64))
        except (PermissionError, subprocess.CalledProcessError):
            return Outcome("", None, "needs root to mount file systems")
        return fill(scale, tables, log)


def fill(scale, tables, log):
    batch, problems, unavailable, recovery_times = scale.pick(64, 16), [], {}, {}
    settings = ["max_wal_size=32MB", "min_wal_size=32MB", "shared_buffers=16MB"]
    with Shop(scale, settings=settings, data=f"{tables}/data", wal=log) as shop, Guests(
        [shop.server.port], scale.random
    ) as guests, EventListener(shop.server.port, "/v1/errors/events") as errors:
        for what, path in (("tables", tables), ("log", log)):
            guests.wait_for(batch)
            ballast = f"{path}/ballast"
            before, earlier, first = guests.statuses[503], ordering_events(errors), None
            fill_up(ballast)
            end = time.monotonic() + 60
            while guests.statuses[503] < before + 64:
                first = first or guests.statuses[503] > before and time.monotonic()
                if time.monotonic() > end:
                    raise RuntimeError(
                        f"no guest was answered 503 though the disk of the {what} is full: {guests.statuses}"
                    )
                if path == log:
                    # Starts a new segment, because the rest of the current one would suffice for a while.
                    with contextlib.suppress(RuntimeError):
                        shop.cluster.sql("select pg_switch_wal()")
                else:
                    # PostgreSQL releases space that it does not need. Fills that space too.
                    fill_up(ballast)
                time.sleep(0.05)
            time.sleep(scale.pick(5, 1))
            unavailable[what] = guests.statuses[503] - before
            # A full log ends PostgreSQL, and the error channel reports the database instead of ordering.
            if path == tables:
                reported_at = wait_for_event(errors, "fault", earlier, 30)
                if reported_at is None or first and reported_at > first + REPORT_LIMIT:
                    problems.append(
                        f"the full disk of the {what} was reported"
                        f" {f'{reported_at - first:.1f} s after the first 503' if reported_at else 'never'}"
                    )
            if (status := get(shop.server.port, "/v1/menu")[0]) != 200:
                problems.append(f"the menu is answered {status} while the disk of the {what} is full")
            os.unlink(ballast)
            if shop.cluster.process.poll() is not None:
                shop.cluster.start()
            begin = time.monotonic()
            guests.wait_for(1)
            recovery_times[what] = time.monotonic() - begin
            if path == tables:
                wait_for_event(errors, "recovery", earlier, 30)
                if (
                    events := [event.name for event in errors.events if event.data.get("subject") == "ordering"][
                        earlier:
                    ]
                ) != ["fault", "recovery"]:
                    problems.append(f"the disk of the {what}: the error channel reported {events}")
        guests.wait_for(batch)
        guests.finish()
        problems += guests.surprises + consistency.check(guests.acknowledged, shop.cluster.url, shop.server.port)
        if shop.server.process.poll() is not None:
            problems.append("the server process ended")
        with open(shop.cluster.log) as f:
            if "PANIC" not in f.read():
                problems.append("PostgreSQL did not panic: its log was not full")
    problems += [
        f"the first order came {took:.1f} s after the disk of the {what} had space"
        for what, took in recovery_times.items()
        if took > RECOVERY_LIMIT
    ]
    figures = "; ".join(
        f"{what} full: {unavailable[what]} × 503, orders succeed after {recovery_times[what]:.2f} s"
        for what in recovery_times
    )
    return outcome(problems, f"{figures}; {len(guests.acknowledged)} orders consistent")


@contextlib.contextmanager
def disk(path, megabytes):
    if os.geteuid() != 0:
        raise PermissionError
    os.mkdir(path)
    user = pwd.getpwnam("postgres")
    subprocess.run(
        [
            "mount",
            "-t",
            "tmpfs",
            "-o",
            f"size={megabytes}m,mode=0700,uid={user.pw_uid},gid={user.pw_gid}",
            "tmpfs",
            path,
        ],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield path
    finally:
        subprocess.run(["umount", "-l", path], check=True)


def fill_up(path):
    """Fills the file system to the last byte."""
    with open(path, "ab", buffering=0) as f, contextlib.suppress(OSError):
        while f.write(bytes(1 << 16)) == 1 << 16:
            pass
