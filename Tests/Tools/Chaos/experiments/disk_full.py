"""The disk is full: first where the tables are, then where the write-ahead log is, which makes PostgreSQL panic and, while there is no
room, not start again. Both are small file systems in memory, which only root can mount; elsewhere this is not run."""

import contextlib
import os
import pwd
import subprocess
import time

import exactness
from experiment import Outcome, outcome
from experiments.writes_fail import TOLD, ordering, wait
from guests import Guests
from listening import Listener
from processes import get
from shop import Shop

NAME = "disk-full"
MUST_HOLD = "503, told once within 5 s and its end too; nothing acknowledged that is not there, the menu is readable, orders again 3 s after there is room"
AGAIN = 3


def run(scale):
    directory = scale.new_directory()
    with contextlib.ExitStack() as disks:
        try:
            tables = disks.enter_context(disk(f"{directory}/tables", 160))
            log = disks.enter_context(disk(f"{directory}/log", 64))
        except (PermissionError, subprocess.CalledProcessError):
            return Outcome("", None, "needs root, who may mount file systems")
        return fill(scale, tables, log)


def fill(scale, tables, log):
    some, wrong, refused, again = scale.pick(64, 16), [], {}, {}
    settings = ["max_wal_size=32MB", "min_wal_size=32MB", "shared_buffers=16MB"]
    with Shop(scale, settings=settings, data=f"{tables}/data", wal=log) as shop, Guests([shop.server.port], scale.random) as guests, \
            Listener(shop.server.port, "/v1/errors/events") as errors:
        for what, path in (("tables", tables), ("log", log)):
            guests.wait_for(some)
            ballast = f"{path}/ballast"
            before, heard, first = guests.statuses[503], ordering(errors), None
            fill_up(ballast)
            end = time.monotonic() + 60
            while guests.statuses[503] < before + 64:
                first = first or guests.statuses[503] > before and time.monotonic()
                if time.monotonic() > end:
                    raise RuntimeError(f"nobody notices that the disk of the {what} is full: {guests.statuses}")
                if path == log:
                    # What is left of the log's newest file would last for a while.
                    with contextlib.suppress(RuntimeError):
                        shop.cluster.sql("select pg_switch_wal()")
                else:
                    # PostgreSQL gives back what it had no use for.
                    fill_up(ballast)
                time.sleep(0.05)
            time.sleep(scale.pick(5, 1))
            refused[what] = guests.statuses[503] - before
            # A log that is full ends PostgreSQL, and then it is the database that is told to be away.
            if path == tables:
                told = wait(errors, "fault", heard, 30)
                if told is None or first and told > first + TOLD:
                    wrong.append(f"that the disk of the {what} is full was told {f'{told - first:.1f} s after the first 503' if told else 'nobody'}")
            if (status := get(shop.server.port, "/v1/menu")[0]) != 200:
                wrong.append(f"the menu is answered {status} while the disk of the {what} is full")
            os.unlink(ballast)
            if shop.cluster.process.poll() is not None:
                shop.cluster.start()
            begin = time.monotonic()
            guests.wait_for(1)
            again[what] = time.monotonic() - begin
            if path == tables:
                wait(errors, "recovery", heard, 30)
                if (said := [event.name for event in errors.heard if event.data.get("subject") == "ordering"][heard:]) != ["fault", "recovery"]:
                    wrong.append(f"the disk of the {what}: the error channel said {said}")
        guests.wait_for(some)
        guests.finish()
        wrong += guests.surprises + exactness.check(guests.told, shop.cluster.url, shop.server.port)
        if shop.server.process.poll() is not None:
            wrong.append("the server ended")
        with open(shop.cluster.log) as f:
            if "PANIC" not in f.read():
                wrong.append("PostgreSQL did not panic: its log was not full")
    wrong += [f"the first order came {took:.1f} s after the disk of the {what} had room" for what, took in again.items() if took > AGAIN]
    figures = "; ".join(f"{what} full: {refused[what]} × 503, orders again after {again[what]:.2f} s" for what in again)
    return outcome(wrong, f"{figures}; {len(guests.told)} orders exact")


@contextlib.contextmanager
def disk(path, megabytes):
    if os.geteuid() != 0:
        raise PermissionError
    os.mkdir(path)
    user = pwd.getpwnam("postgres")
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0700,uid={user.pw_uid},gid={user.pw_gid}", "tmpfs", path],
                   check=True, stderr=subprocess.DEVNULL)
    try:
        yield path
    finally:
        subprocess.run(["umount", "-l", path], check=True)


def fill_up(path):
    """To the last byte."""
    with open(path, "ab", buffering=0) as f, contextlib.suppress(OSError):
        while f.write(bytes(1 << 16)) == 1 << 16:
            pass
