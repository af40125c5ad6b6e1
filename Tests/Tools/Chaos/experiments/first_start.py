"""The first start of an embedded PostgreSQL is interrupted, at any moment and in either way; the next one, at once, in the same directory, serves."""

import os
import signal
import time

from experiment import outcome
from processes import Server, get, remove, tail

NAME = "first-start"
MUST_HOLD = "the start after an interrupted one serves, always"


def run(scale):
    tries, wrong, longest = scale.pick(40, 4), [], 0
    for n in range(tries):
        directory = scale.new_directory()
        data, how = f"{directory}/data", (signal.SIGTERM, signal.SIGKILL)[n % 2]
        # A cluster is made in about a second; where the machine is slower, most of these are early.
        moment = 0.05 + scale.random.random() * 0.95
        try:
            Server(scale.server, None, f"{directory}/first.log", ["--data-dir", data]).interrupted(how, moment)
            server = Server(scale.server, None, f"{directory}/server.log", ["--data-dir", data])
            begin = time.monotonic()
            try:
                server.start()
                longest = max(longest, time.monotonic() - begin)
                if (status := get(server.port, "/v1/baskets", method="POST")[0]) != 201:
                    wrong.append(f"after {how.name} at {moment:.2f} s a new basket is answered {status}")
            except RuntimeError:
                wrong.append(f"after {how.name} at {moment:.2f} s: {tail(server.log, 1)}")
            finally:
                server.stop()
            # What an initdb left that went on beside the second start is gone after the third.
            server = Server(scale.server, None, server.log, ["--data-dir", data])
            if n < scale.pick(8, 1):
                server.start()
                server.stop()
                if left := [name for name in os.listdir(f"{data}/postgres") if name.startswith("unfinished")]:
                    wrong.append(f"after {how.name} at {moment:.2f} s {left} is left")
        finally:
            remove(os.path.realpath(f"{data}/postgres"))
    return outcome(wrong, f"{tries - len(wrong)} of {tries} served, within {longest:.1f} s at worst")
