"""Kills the postmaster of the embedded PostgreSQL with SIGKILL under 64 guests. The server must restart it."""

import os
import signal
import subprocess
import time

import consistency
from experiment import outcome
from guests import COUPONS, Guests
from event_listener import EventListener
from outage import RECOVERY_LIMIT
from processes import Server, psql, remove, tail

NAME = "embedded-killed"
EXPECTED = "consistent; the server restarts PostgreSQL and serves 3 s later; one fault and one recovery each"


def run(scale):
    directory, kills, problems, recovery_times = scale.new_directory(), scale.pick(3, 1), [], []
    data = f"{directory}/data"
    server = Server(scale.server, None, f"{directory}/server.log", ["--data-dir", data])
    try:
        server.start()
        url = subprocess.run(
            [scale.server, "url", "--data-dir", data], check=True, capture_output=True, text=True
        ).stdout.strip()
        psql(url, COUPONS % 100)
        with Guests([server.port], scale.random) as guests, EventListener(server.port, "/v1/errors/events") as errors:
            for n in range(kills):
                guests.wait_for(1 + scale.random.randrange(120))
                os.kill(postmaster(data), signal.SIGKILL)
                if not errors.wait_for(lambda event: event.name == "recovery", 30, after=2 * n):
                    raise RuntimeError("no recovery is reported within 30 s\n" + tail(server.log))
                begin = time.monotonic()
                guests.wait_for(1)
                recovery_times.append(time.monotonic() - begin)
            guests.wait_for(64)
            guests.finish()
        if list(map(str, errors.events)) != ["fault of database", "recovery of database"] * kills:
            problems.append(f"the error channel reported {', '.join(map(str, errors.events))} in {kills} outages")
        if max(recovery_times) > RECOVERY_LIMIT:
            problems.append(f"the next order came {max(recovery_times):.1f} s after the recovery was reported")
        problems += guests.surprises + consistency.check(guests.acknowledged, url, server.port)
        longest = max(
            recovery.received_at - fault.received_at for fault, recovery in zip(errors.events[::2], errors.events[1::2])
        )
        return outcome(
            problems,
            f"{kills} kills, {len(guests.acknowledged)} orders consistent, {guests.statuses[503]} × 503, from fault to"
            f" recovery {longest:.1f} s at most",
        )
    finally:
        server.stop()
        # For root, the directory of the cluster is a symbolic link.
        remove(os.path.realpath(f"{data}/postgres"))


def postmaster(data):
    with open(f"{data}/postgres/data/postmaster.pid") as f:
        return int(f.readline())
