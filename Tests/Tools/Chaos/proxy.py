"""Stands between the server and PostgreSQL, understands where their messages begin and end, and does harm when it is told to.

    with proxied(scale) as (shop, proxy):               a shop whose server connects to proxy.url, on 127.0.0.1
        fault = proxy.add(Fault("cut", at=SYNC, n=3))   the third Sync from now on doesn't go out; its connection is closed
        fault.happened.wait(5)
        proxy.links[0].stall(TO_SERVER)                 nothing goes that way any more, until release()
        proxy.links[0].reset()                          both sides get an RST
        proxy.clear()                                   no fault waits any more, everything held goes on

What goes to the server goes group by group: what libpq sent up to and with a Sync (or a Query), which is one database call, and the
group's name is that of the statement it prepares or binds. What comes back goes message by message. All of it runs in a thread of its own.
The sessions in which the server looks whether orders are taken call the same statements whenever they like: no fault is meant for them.
Message formats: https://www.postgresql.org/docs/current/protocol-message-formats.html
"""

import asyncio
import contextlib
import dataclasses
import socket
import struct
import threading

from shop import Shop

TO_SERVER, TO_CLIENT = "to server", "to client"
SYNC, READY = "sync", "ready"  # places: a group is about to go to the server; a ReadyForQuery is about to come back
SSL_REQUEST, GSS_REQUEST, CANCEL_REQUEST = 80877103, 80877104, 80877102


@dataclasses.dataclass(eq=False)
class Fault:
    """What happens, where, the how-manieth time.

    cut        both sides are closed before the group goes out, or before the ReadyForQuery comes back (what stood before it has come)
    cut after  it goes first
    bytes      `amount` bytes of it go first
    reset      as cut, with an RST
    delay      it goes `amount` seconds later
    stall      nothing goes this way any more; of a group everything but its Sync has gone if `amount` is 1
    swallow    the group goes out; nothing of its answer comes back, nor anything after that, and the connection stays (at READY: it is cut)
    refuse     the group doesn't go out: the answer is an error with the SQLSTATE `amount`
    """
    kind: str
    at: str = SYNC
    n: int = 1
    amount: object = 0
    matches: object = lambda group: True  # which groups are counted; of a READY, the group that it answers

    def __post_init__(self):
        self.happened, self.seen = threading.Event(), 0
        self.group = None  # where it happened

    def is_due(self, place, group):
        if place != self.at or self.happened.is_set() or not self.matches(group):
            return False
        self.seen += 1
        return self.seen == self.n


class Group:
    """One call to the database."""

    def __init__(self, messages):
        self.messages, self.name, self.is_write = messages, "", False
        for kind, body in messages:
            parts = body[5:].split(b"\0", 2)
            if kind == b"B":
                self.name = parts[1].decode()
            elif kind == b"P":
                self.name = "prepare " + parts[0].decode()
            elif kind == b"Q":
                self.name = "script " + parts[0].decode()[:40]
        # The server names statements after what they do, with a number for each preparation.
        self.statement = self.name.rpartition(".")[0] or self.name
        self.is_dropped = False

    def __repr__(self):
        return self.name


class Gone(Exception):
    """The link is closed."""


class Link:
    """One connection of the server, and the proxy's own to PostgreSQL."""

    def __init__(self, proxy, client, server):
        self.proxy, self.client, self.server = proxy, client, server
        self.open = {TO_SERVER: asyncio.Event(), TO_CLIENT: asyncio.Event()}
        for way in self.open.values():
            way.set()
        self.in_flight, self.drained = [], asyncio.Event()  # groups that PostgreSQL has and has not answered
        self.drained.set()
        self.is_started = False  # past authentication
        self.is_look = False  # what it calls is not for a guest
        self.backend = None  # the process id of PostgreSQL's session
        self.limits = {}  # way: bytes that may still go

    # Commands, from any thread.

    def stall(self, way):
        self.proxy.call(self.open[way].clear)

    def reset(self):
        self.proxy.call(self.end, True)

    def cut(self):
        self.proxy.call(self.end)

    def cut_at(self, way, count):
        """After so many more bytes that way it is cut."""
        self.proxy.call(self.limits.__setitem__, way, count)

    # In the proxy's thread.

    def release(self):
        for way in self.open.values():
            way.set()

    def end(self, with_reset=False):
        if self.backend:
            self.proxy.ended.add(self.backend)
        for _, writer in (self.client, self.server):
            if with_reset:
                with contextlib.suppress(OSError):  # closed already
                    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                writer.transport.abort()
            else:
                writer.close()
        self.release()

    async def send(self, way, data):
        await self.open[way].wait()
        if self.proxy.delay:
            await asyncio.sleep(self.proxy.delay)
        writer = (self.server if way is TO_SERVER else self.client)[1]
        limit = self.limits.get(way)
        if limit is not None and len(data) >= limit:
            await self.send_part(writer, data[:limit])
            self.end()
            raise Gone
        if limit is not None:
            self.limits[way] = limit - len(data)
        writer.write(data)
        await writer.drain()

    async def send_part(self, writer, data):
        writer.write(data)
        try:
            await asyncio.wait_for(writer.drain(), 1)
        except (OSError, TimeoutError):
            pass

    async def run(self):
        tasks = [asyncio.create_task(self.to_server()), asyncio.create_task(self.to_client())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            # A side that has gone is not known to the other one while that way is stalled, as with a cable that was pulled.
            for task in tasks:
                if not task.done():
                    await asyncio.gather(*(way.wait() for way in self.open.values()))
        finally:
            self.end()
            for task in tasks:
                task.cancel()
            for error in await asyncio.gather(*tasks, return_exceptions=True):
                if not isinstance(error, (OSError, EOFError, Gone, asyncio.CancelledError, type(None))):
                    self.proxy.wrong.append(f"the proxy: {error!r}")  # a mistake of its own must not look like a fault of the server's

    async def to_server(self):
        reader = self.client[0]
        while True:  # the untyped messages of the beginning
            length = await reader.readexactly(4)
            rest = await reader.readexactly(struct.unpack("!i", length)[0] - 4)
            code = struct.unpack("!i", rest[:4])[0]
            if code not in (SSL_REQUEST, GSS_REQUEST):
                break
            self.client[1].write(b"N")
        await self.send(TO_SERVER, length + rest)
        if code == CANCEL_REQUEST:
            await self.server[0].read()
            return
        messages = []
        while True:
            kind, whole = await message(reader)
            messages.append((kind, whole))
            if kind == b"H":
                raise RuntimeError("a Flush: the proxy would have to send half a group")
            if kind in b"SQ":
                await self.group(Group(messages))
                messages = []
            elif kind not in b"PBDEC":  # a password, the end
                await self.send(TO_SERVER, whole)
                messages = []

    async def group(self, group):
        data = b"".join(whole for _, whole in group.messages)
        self.is_look = self.is_look or b"welms look" in data
        await self.open[TO_SERVER].wait()
        fault = None if self.is_look else self.proxy.due(SYNC, group)
        kind = fault and fault.kind
        if kind == "refuse":
            await self.drained.wait()
            await self.send(TO_CLIENT, refusal(fault.amount))
            return
        if kind in ("cut", "reset"):
            self.end(kind == "reset")
            raise Gone
        if kind == "bytes":
            await self.send_part(self.server[1], data[:min(fault.amount, len(data) - 1)])
            self.end()
            raise Gone
        if kind == "delay":
            await asyncio.sleep(fault.amount)
        if kind == "stall":
            if fault.amount:
                await self.send(TO_SERVER, data[:-len(group.messages[-1][1])])
                data = group.messages[-1][1]
            self.open[TO_SERVER].clear()
        group.is_dropped = kind == "swallow"
        self.in_flight.append(group)
        self.drained.clear()
        await self.send(TO_SERVER, data)
        if kind == "cut after":
            self.end()
            raise Gone

    async def to_client(self):
        reader = self.server[0]
        while True:
            kind, whole = await message(reader)
            if kind == b"K":
                self.backend = struct.unpack("!i", whole[5:9])[0]
            if kind == b"Z" and not self.is_started:
                self.is_started = True
                await self.send(TO_CLIENT, whole)
                continue
            group = self.in_flight[0] if self.in_flight else None
            if kind == b"Z" and group:
                await self.open[TO_CLIENT].wait()
                await self.answered(group, whole)
            elif not self.is_mute(group):
                await self.send(TO_CLIENT, whole)

    async def answered(self, group, whole):
        if self.is_mute(group):
            return
        self.in_flight.pop(0)
        fault = None if self.is_look else self.proxy.due(READY, group)
        kind = fault and fault.kind
        if kind == "bytes":
            await self.send_part(self.client[1], whole[:min(fault.amount, len(whole) - 1)])
        if kind in ("cut", "reset", "swallow", "bytes"):
            self.end(kind == "reset")
            raise Gone
        if kind == "delay":
            await asyncio.sleep(fault.amount)
        if kind == "stall":
            self.open[TO_CLIENT].clear()
        await self.send(TO_CLIENT, whole)
        if kind == "cut after":
            self.end()
            raise Gone
        if not self.in_flight:
            self.drained.set()

    @staticmethod
    def is_mute(group):
        """A stream has no gaps: behind an answer that is swallowed comes nothing. Its group stays the first in flight."""
        return group is not None and group.is_dropped


@contextlib.contextmanager
def proxied(scale, **arguments):
    """A shop whose servers reach their database through a proxy; the arguments are Shop's."""
    proxy = Proxy()
    shop = Shop(scale, url=proxy.url, **arguments)
    proxy.path = f"{shop.cluster.data}/.s.PGSQL.{shop.cluster.port}"
    with proxy, shop:
        try:
            yield shop, proxy
        finally:
            proxy.clear()


class Proxy:
    def __init__(self):
        self.path = None  # PostgreSQL's socket
        self.links, self.faults, self.delay = [], [], 0  # seconds that every message takes longer
        self.groups = []  # the names of the calls that went out or would have, while it is recorded
        self.is_recording, self.wrong = False, []
        self.ended = set()  # process ids of the sessions whose connection was ended; they may still do what they have received
        # Open from here on, so that the URL is known before anything runs.
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/welms?sslmode=disable&gssencmode=disable"
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.call(self.stopping.set)
        self.thread.join(5)

    # Commands, from any thread.

    def call(self, function, *arguments):
        self.loop.call_soon_threadsafe(function, *arguments)

    def add(self, fault):
        self.call(self.faults.append, fault)
        return fault

    def clear(self):
        done = threading.Event()

        def clear():
            self.faults.clear()
            self.delay = 0
            for link in self.links:
                link.release()
            done.set()
        self.call(clear)
        done.wait(5)

    def record(self):
        """Forgets the calls recorded so far, and goes on recording."""
        self.is_recording, self.groups = True, []

    # In its thread.

    def due(self, place, group):
        if place is SYNC and self.is_recording:
            self.groups.append(group)
        due = None
        for fault in self.faults:
            if fault.is_due(place, group) and due is None:
                due = fault
        if due:
            self.faults.remove(due)
            due.group = group
            due.happened.set()
        return due

    def run(self):
        asyncio.set_event_loop(self.loop)
        self.stopping = asyncio.Event()
        self.loop.run_until_complete(self.serve())

    async def serve(self):
        server = await asyncio.start_server(self.accept, sock=self.listener)
        await self.stopping.wait()
        server.close()
        for link in self.links:
            link.end()
        await asyncio.sleep(0.05)

    async def accept(self, reader, writer):
        link = None
        try:
            writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            link = Link(self, (reader, writer), await asyncio.open_unix_connection(self.path))
            self.links.append(link)
            await link.run()
        except (OSError, EOFError, Gone):
            writer.close()
        finally:
            if link in self.links:
                self.links.remove(link)


async def message(reader):
    head = await reader.readexactly(5)
    return head[:1], head + await reader.readexactly(struct.unpack("!i", head[1:])[0] - 4)


def refusal(state):
    """An ErrorResponse and the ReadyForQuery of a transaction that has ended."""
    fields = b"".join(code + text.encode() + b"\0" for code, text in ((b"S", "ERROR"), (b"V", "ERROR"), (b"C", state), (b"M", "refused by the proxy")))
    return b"E" + struct.pack("!i", len(fields) + 5) + fields + b"\0" + b"Z" + struct.pack("!i", 5) + b"I"
