"""kill -9 of the embedded PostgreSQL's postmaster under 64 guests: the server starts it again by itself."""

import os
import signal
import subprocess
import time

import exactness
from experiment import outcome
from guests import COUPONS, Guests
from listening import Listener
from outage import BACK
from processes import Server, psql, remove, tail

NAME = "embedded-killed"
MUST_HOLD = "exact; the server starts it again, serves in 3 s more; fault and recovery told once each"


def run(scale):
    directory, kills, wrong, back = scale.new_directory(), scale.pick(3, 1), [], []
    data = f"{directory}/data"
    server = Server(scale.server, None, f"{directory}/server.log", ["--data-dir", data])
    try:
        server.start()
        url = subprocess.run([scale.server, "url", "--data-dir", data], check=True, capture_output=True, text=True).stdout.strip()
        psql(url, COUPONS % 100)
        with Guests([server.port], scale.random) as guests, Listener(server.port, "/v1/errors/events") as errors:
            for n in range(kills):
                guests.wait_for(1 + scale.random.randrange(120))
                os.kill(postmaster(data), signal.SIGKILL)
                if not errors.wait_for(lambda heard: heard.name == "recovery", 30, after=2 * n):
                    raise RuntimeError("no recovery is told within 30 s\n" + tail(server.log))
                begin = time.monotonic()
                guests.wait_for(1)
                back.append(time.monotonic() - begin)
            guests.wait_for(64)
            guests.finish()
        if list(map(str, errors.heard)) != ["fault of database", "recovery of database"] * kills:
            wrong.append(f"the error channel said {', '.join(map(str, errors.heard))} in {kills} outages")
        if max(back) > BACK:
            wrong.append(f"the next order came {max(back):.1f} s after the recovery was told")
        wrong += guests.surprises + exactness.check(guests.told, url, server.port)
        away = max(b.at - a.at for a, b in zip(errors.heard[::2], errors.heard[1::2]))
        return outcome(wrong, f"{kills} kills, {len(guests.told)} orders exact, {guests.statuses[503]} × 503, from fault to recovery {away:.1f} s at worst")
    finally:
        server.stop()
        # Root's clusters lie elsewhere, behind a link.
        remove(os.path.realpath(f"{data}/postgres"))


def postmaster(data):
    with open(f"{data}/postgres/data/postmaster.pid") as f:
        return int(f.readline())
