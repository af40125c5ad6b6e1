"""Reads an event stream in a separate thread.

    with EventListener(port, "/v1/errors/events") as errors:
        errors.wait_for(lambda event: event.name == "recovery", 5)
"""

import dataclasses
import json
import socket
import threading
import time


@dataclasses.dataclass
class Event:
    received_at: float  # time.monotonic()
    name: str
    data: dict

    def __str__(self):
        return f"{self.name} of {self.data.get('subject')}" if "subject" in self.data else self.name


class EventListener:
    def __init__(self, port, path, header=""):
        """Opens the stream. Returns after the status line of the answer."""
        self.events, self.is_over, self.status = [], False, None
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{header}\r\n".encode())
        self.lines = self.socket.makefile("rb")
        self.status = int(self.lines.readline().split(b" ")[1])
        self.socket.settimeout(None)
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.thread.join(5)
        self.socket.close()

    def listen(self):
        # Lines with chunk sizes come between the lines of events. They have no colon.
        name = "message"
        try:
            for line in self.lines:
                field, colon, value = line.decode().rstrip("\r\n").partition(": ")
                if colon and field == "event":
                    name = value
                elif colon and field == "data":
                    self.events.append(Event(time.monotonic(), name, json.loads(value)))
                    name = "message"
        except OSError:
            pass
        self.is_over = True

    def wait_for(self, is_wanted, within, after=0):
        """Returns the first wanted event after the first `after` events, or None if none comes in time."""
        end = time.monotonic() + within
        while True:
            for event in self.events[after:]:
                if is_wanted(event):
                    return event
            if time.monotonic() > end or self.is_over:
                return None
            time.sleep(0.002)
