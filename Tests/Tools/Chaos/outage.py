"""Checks the behaviour of the server during and after an outage of the database.

    with Outages(server) as outages:
        cluster.stop(signal.SIGKILL)
        outages.wait_for_detection()
        cluster.start()
        outages.wait_for_recovery()
    problems += outages.problems
"""

import re
import threading
import time

from event_listener import EventListener
from processes import get

RECOVERY_LIMIT = 3  # seconds from the start of the database until the server serves
CONNECTIONS = 4  # the database connections that a server opens for guests
DETECTION_LIMIT = 5  # seconds until the server answers 503 and marks the menu as stale


class Outages:
    def __init__(self, server, allows_other_faults=False):
        """`allows_other_faults`: other faults may be reported too. Each fault of the database must still have its
        recovery."""
        self.allows_other_faults = allows_other_faults
        self.server, self.problems, self.count, self.recovery_times, self.detection_times = server, [], 0, [], []
        self.menus, self.is_over = [], threading.Event()

    def __enter__(self):
        self.errors = EventListener(self.server.port, "/v1/errors/events")
        self.reader = threading.Thread(target=self.read_menu, daemon=True)
        self.reader.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.reader.join(10)
        self.errors.__exit__()
        if failed := [menu for menu in self.menus if menu[1] != 200]:
            self.problems.append(f"{len(failed)} of {len(self.menus)} requests for the menu failed: {failed[0][1]}")

    def read_menu(self):
        while not self.is_over.wait(0.02):
            try:
                status, headers, _ = get(self.server.port, "/v1/menu")
                self.menus.append((time.monotonic(), status, headers.get("menu-stale")))
            except OSError as error:
                self.menus.append((time.monotonic(), repr(error), None))

    def wait_for_detection(self):
        """Call it right after the database stops. Returns when the server has detected the outage."""
        begin, self.count = time.monotonic(), self.count + 1
        while True:
            status, headers, body = get(self.server.port, "/v1/baskets", method="POST", timeout=10)
            if status == 503:
                break
            if time.monotonic() > begin + DETECTION_LIMIT:
                self.problems.append(f"without a database, a new basket is answered {status} {body[:100]!r}")
                break
        if status == 503 and "retry-after" not in headers:
            self.problems.append("503 without Retry-After")
        while not self.menus[-1][2]:
            if time.monotonic() > begin + DETECTION_LIMIT:
                self.problems.append(f"the menu is not marked stale after {DETECTION_LIMIT} s without a database")
                break
            time.sleep(0.005)
        self.detection_times.append(time.monotonic() - begin)

    def wait_for_recovery(self):
        """Call it right after the database starts. Returns when the server has recovered."""
        begin = time.monotonic()
        while (status := get(self.server.port, "/v1/baskets", method="POST", timeout=10)[0]) != 201:
            if time.monotonic() > begin + 30:
                self.problems.append(f"30 s after the database started, a new basket is answered {status}")
                return
            time.sleep(0.005)
        self.recovery_times.append(time.monotonic() - begin)
        if self.recovery_times[-1] > RECOVERY_LIMIT:
            self.problems.append(f"the server serves {self.recovery_times[-1]:.1f} s after the database started")
        while self.menus[-1][1] != 200 or self.menus[-1][2]:
            if time.monotonic() > begin + 10:
                self.problems.append("the menu is still stale 10 s after the database started")
                break
            time.sleep(0.005)
        # The error channel must report one fault and one recovery for each outage, and nothing else.
        end = time.monotonic() + 5
        while (events := self.reported_events()).count("recovery of database") < self.count and time.monotonic() < end:
            time.sleep(0.002)
        pairs = len(events) // 2
        if (
            events != ["fault of database", "recovery of database"] * pairs
            or pairs < self.count
            or pairs > self.count
            and not self.allows_other_faults
        ):
            self.problems.append(
                f"the error channel reported {', '.join(map(str, self.errors.events))} in {self.count} outages"
            )
        if self.server.process.poll() is not None:
            self.problems.append("the server process ended")
            return
        # A connection that opens when the next outage begins would cause an additional recovery and fault.
        while self.connections() < CONNECTIONS:
            if time.monotonic() > begin + 10:
                self.problems.append(f"{self.connections()} connections are open 10 s after the database started")
                break
            time.sleep(0.005)

    def reported_events(self):
        """The events of the error channel; only those of the database if other faults are allowed."""
        return [
            str(event)
            for event in self.errors.events
            if not self.allows_other_faults or event.data.get("subject") == "database"
        ]

    def connections(self):
        text = get(self.server.port, "/metrics")[2].decode()
        return int(re.search(r"^welms_database_connections_open (\d+)", text, re.M)[1])

    @property
    def figures(self):
        return (
            f"serves at most {max(self.recovery_times, default=0):.2f} s after the database, menu marked stale within"
            f" {max(self.detection_times, default=0):.1f} s"
        )
