"""Interrupts the first start of an embedded PostgreSQL at random moments by SIGTERM and SIGKILL. The next start in the
same directory must serve."""

import os
import signal
import time

from experiment import outcome
from processes import Server, get, remove, tail

NAME = "first-start"
EXPECTED = "the start after an interrupted one always serves"


def run(scale):
    tries, problems, longest = scale.pick(40, 4), [], 0
    for n in range(tries):
        directory = scale.new_directory()
        data, how = f"{directory}/data", (signal.SIGTERM, signal.SIGKILL)[n % 2]
        # initdb takes about a second. On a slower machine, most of these moments come before its end.
        moment = 0.05 + scale.random.random() * 0.95
        try:
            Server(scale.server, None, f"{directory}/first.log", ["--data-dir", data]).interrupted(how, moment)
            server = Server(scale.server, None, f"{directory}/server.log", ["--data-dir", data])
            begin = time.monotonic()
            try:
                server.start()
                longest = max(longest, time.monotonic() - begin)
                if (status := get(server.port, "/v1/baskets", method="POST")[0]) != 201:
                    problems.append(f"after {how.name} at {moment:.2f} s a new basket is answered {status}")
            except RuntimeError:
                problems.append(f"after {how.name} at {moment:.2f} s: {tail(server.log, 1)}")
            finally:
                server.stop()
            # An interrupted initdb may continue during the second start. The third start must remove what it left.
            server = Server(scale.server, None, server.log, ["--data-dir", data])
            if n < scale.pick(8, 1):
                server.start()
                server.stop()
                if left := [name for name in os.listdir(f"{data}/postgres") if name.startswith("unfinished")]:
                    problems.append(f"after {how.name} at {moment:.2f} s {left} is left")
        finally:
            remove(os.path.realpath(f"{data}/postgres"))
    return outcome(problems, f"{tries - len(problems)} of {tries} served, within {longest:.1f} s at most")
