"""What must hold while the database is away and when it is back, whatever took it away. Used by the experiments that do.

    with Outages(server) as outages:
        cluster.stop(signal.SIGKILL)
        outages.begun()
        cluster.start()
        outages.ended()
    wrong += outages.wrong
"""

import re
import threading
import time

from listening import Listener
from processes import get

BACK = 3  # seconds until the server serves after the database does
CONNECTIONS = 4  # that a server opens for its guests
STALE = 5  # seconds until it says 503, and that the menu is stale


class Outages:
    def __init__(self, server, others=False):
        """`others`: there may be faults besides, as when nobody can commit for a while; those of the database are told in pairs too."""
        self.others = others
        self.server, self.wrong, self.count, self.back, self.stale = server, [], 0, [], []
        self.menus, self.is_over = [], threading.Event()

    def __enter__(self):
        self.errors = Listener(self.server.port, "/v1/errors/events")
        self.reader = threading.Thread(target=self.read_menu, daemon=True)
        self.reader.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.reader.join(10)
        self.errors.__exit__()
        if bad := [menu for menu in self.menus if menu[1] != 200]:
            self.wrong.append(f"{len(bad)} of {len(self.menus)} readings of the menu failed: {bad[0][1]}")

    def read_menu(self):
        while not self.is_over.wait(0.02):
            try:
                status, headers, _ = get(self.server.port, "/v1/menu")
                self.menus.append((time.monotonic(), status, headers.get("menu-stale")))
            except OSError as error:
                self.menus.append((time.monotonic(), repr(error), None))

    def begun(self):
        """Called when the database has just gone; returns when the server has noticed."""
        begin, self.count = time.monotonic(), self.count + 1
        while True:
            status, headers, body = get(self.server.port, "/v1/baskets", method="POST", timeout=10)
            if status == 503:
                break
            if time.monotonic() > begin + STALE:
                self.wrong.append(f"no database, and a new basket is answered {status} {body[:100]!r}")
                break
        if status == 503 and "retry-after" not in headers:
            self.wrong.append("503 without Retry-After")
        while not self.menus[-1][2]:
            if time.monotonic() > begin + STALE:
                self.wrong.append(f"the menu is not marked stale after {STALE} s without a database")
                break
            time.sleep(0.005)
        self.stale.append(time.monotonic() - begin)

    def ended(self):
        """Called when the database has just come back; returns when all is well."""
        begin = time.monotonic()
        while (status := get(self.server.port, "/v1/baskets", method="POST", timeout=10)[0]) != 201:
            if time.monotonic() > begin + 30:
                self.wrong.append(f"the database is back for 30 s, and a new basket is answered {status}")
                return
            time.sleep(0.005)
        self.back.append(time.monotonic() - begin)
        if self.back[-1] > BACK:
            self.wrong.append(f"serves {self.back[-1]:.1f} s after the database does")
        while self.menus[-1][1] != 200 or self.menus[-1][2]:
            if time.monotonic() > begin + 10:
                self.wrong.append("the menu is still stale 10 s after the database is back")
                break
            time.sleep(0.005)
        # One fault and one recovery for each outage, in turn, and nothing else.
        end = time.monotonic() + 5
        while (heard := self.heard()).count("recovery of database") < self.count and time.monotonic() < end:
            time.sleep(0.002)
        pairs = len(heard) // 2
        if heard != ["fault of database", "recovery of database"] * pairs or pairs < self.count or pairs > self.count and not self.others:
            self.wrong.append(f"the error channel said {', '.join(map(str, self.errors.heard))} in {self.count} outages")
        if self.server.process.poll() is not None:
            self.wrong.append("the server ended")
            return
        # One that is still being opened when the next outage begins would come and go with it, and rightly be told as a recovery and a fault.
        while self.connections() < CONNECTIONS:
            if time.monotonic() > begin + 10:
                self.wrong.append(f"{self.connections()} connections are open 10 s after the database is back")
                break
            time.sleep(0.005)

    def heard(self):
        """What the error channel said, where there may be other faults only of the database."""
        return [str(heard) for heard in self.errors.heard if not self.others or heard.data.get("subject") == "database"]

    def connections(self):
        text = get(self.server.port, "/metrics")[2].decode()
        return int(re.search(r"^welms_database_connections_open (\d+)", text, re.M)[1])

    @property
    def figures(self):
        return f"serves {max(self.back, default=0):.2f} s after the database at worst, menu marked stale within {max(self.stale, default=0):.1f} s"
