"""The clients of event streams, in a process of their own: a busy thread of the same process would delay them."""

import collections
import datetime
import json
import multiprocessing
import resource
import selectors
import socket
import time

Stream = collections.namedtuple("Stream", "kind path header")
Event = collections.namedtuple("Event", "kind stream order at received")  # times in seconds since 1970


class Follower:
    """Opens the streams. `statuses` has the number of answers by (kind, status)."""

    def __init__(self, port, streams):
        context = multiprocessing.get_context("fork")
        self.control, other = context.Pipe()
        self.process = context.Process(target=run, args=(other, port, streams), daemon=True)
        self.process.start()
        self.statuses = self.control.recv()

    def stop(self):
        """Closes the streams. Returns their events, and how many streams the server had closed."""
        self.control.send("stop")
        result = self.control.recv()
        self.process.join()
        return result


class Reader:
    def __init__(self):
        self.selector, self.rests = selectors.DefaultSelector(), {}
        self.statuses, self.events, self.closed = collections.Counter(), [], 0

    def open(self, port, stream):
        connection = socket.create_connection(("127.0.0.1", port), timeout=30)
        connection.sendall(f"GET {stream.path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{stream.header}\r\n".encode())
        data = b""
        while b"\r\n\r\n" not in data:
            part = connection.recv(65536)
            if not part:
                break
            data += part
        status = int(data.split(b" ")[1]) if data else 0
        self.statuses[stream.kind, status] += 1
        if status != 200:
            connection.close()
            return
        connection.setblocking(False)
        self.selector.register(connection, selectors.EVENT_READ, stream.kind)
        self.rests[connection] = data.partition(b"\r\n\r\n")[2]

    def read(self):
        """Reads what has arrived within a tenth of a second."""
        for key, _ in self.selector.select(0.1):
            received = time.time()
            try:
                data = key.fileobj.recv(1 << 18)
            except BlockingIOError:
                continue
            except OSError:
                data = b""
            if not data:
                self.closed += 1
                self.selector.unregister(key.fileobj)
                key.fileobj.close()
                continue
            lines = (self.rests[key.fileobj] + data).split(b"\n")
            self.rests[key.fileobj] = lines.pop()
            # Lines with the sizes of chunks come between the lines of events.
            for line in lines:
                if line.startswith(b"data: "):
                    self.keep(key, json.loads(line[6:]), received)

    def keep(self, key, body, received):
        if "orderId" in body:
            at = datetime.datetime.fromisoformat(body["at"]).timestamp()
            self.events.append(Event(key.data, key.fd, body["orderId"], at, received))


def run(control, port, streams):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 16384) if hard > 0 else 16384, hard))
    reader = Reader()
    for stream in streams:
        reader.open(port, stream)
    control.send(reader.statuses)
    while not control.poll():
        reader.read()
    control.recv()
    control.send((reader.events, reader.closed))
