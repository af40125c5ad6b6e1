"""A proxy between the server and PostgreSQL that parses message boundaries and injects faults.

    with proxied(scale) as (shop, proxy):                     a shop whose server connects to proxy.url, on 127.0.0.1
        fault = proxy.add(Fault("cut", position=SYNC, n=3))   cuts the connection instead of forwarding the third Sync
        fault.occurred.wait(5)
        proxy.links[0].stall(TO_SERVER)                       forwards nothing in this direction until release()
        proxy.links[0].reset()                                sends an RST to both sides
        proxy.clear()                                         removes all faults and releases all stalled data

The proxy forwards data to PostgreSQL in groups. A group is all messages up to a Sync or a Query. It is one database
call, or several reads of different tasks that share a Sync. Answers are forwarded message by message. The proxy runs in
its own thread. The health check of ordering calls the same statements at any time in its own sessions. The proxy
injects no faults there. Message formats: https://www.postgresql.org/docs/current/protocol-message-formats.html
"""

import asyncio
import contextlib
import dataclasses
import socket
import struct
import threading

from shop import Shop

TO_SERVER, TO_CLIENT = "to server", "to client"
# The positions of a fault: before a group is forwarded to the server, or before a ReadyForQuery is forwarded to the
# client.
SYNC, READY = "sync", "ready"
SSL_REQUEST, GSS_REQUEST, CANCEL_REQUEST = 80877103, 80877104, 80877102


@dataclasses.dataclass(eq=False)
class Fault:
    """A kind of fault, and the position and the occurrence at which the proxy injects it.

    cut        closes both sides before the group is forwarded; at READY: after the answer without its ReadyForQuery
    cut after  forwards it, then closes both sides
    bytes      forwards `amount` bytes of it, then closes both sides
    reset      like cut, with an RST
    delay      forwards it `amount` seconds later
    stall      forwards nothing in this direction; if `amount` is 1, forwards the group without its Sync first
    swallow    forwards the group and drops its answer and all later ones; keeps the connection open (at READY: cuts it)
    refuse     does not forward the group; answers an error with the SQLSTATE `amount`
    """
    kind: str
    position: str = SYNC
    n: int = 1
    amount: object = 0
    matches: object = lambda group: True  # whether a group counts; for READY, the group that it answers

    def __post_init__(self):
        self.occurred, self.seen = threading.Event(), 0
        self.group = None  # the group that the fault hit

    def is_due(self, position, group):
        if position != self.position or self.occurred.is_set() or not self.matches(group):
            return False
        self.seen += 1
        return self.seen == self.n


class Group:
    """The messages up to a Sync or a Query."""

    def __init__(self, messages):
        self.messages, names = messages, []
        for kind, body in messages:
            parts = body[5:].split(b"\0", 2)
            if kind == b"B":
                names.append(parts[1].decode())
            elif kind == b"P":
                names.append("prepare " + parts[0].decode())
            elif kind == b"Q":
                names.append("script " + parts[0].decode()[:40])
        # The server names a statement after its purpose, and appends a number at each preparation.
        self.statements = [name.rpartition(".")[0] or name for name in names]
        self.is_dropped = False

    def __repr__(self):
        return ", ".join(self.statements)


class LinkClosed(Exception):
    """The link is closed."""


class Link:
    """A connection of the server to the proxy, with the proxy's connection to PostgreSQL."""

    def __init__(self, proxy, client, server):
        self.proxy, self.client, self.server = proxy, client, server
        self.gates = {TO_SERVER: asyncio.Event(), TO_CLIENT: asyncio.Event()}
        for gate in self.gates.values():
            gate.set()
        self.in_flight, self.is_idle = [], asyncio.Event()  # groups that PostgreSQL has not answered yet
        self.is_idle.set()
        self.is_started = False  # whether authentication is complete
        self.is_health_check = False  # whether it belongs to the health check of ordering
        self.backend = None  # the process id of the PostgreSQL session
        self.limits = {}  # by direction: the bytes that may still pass

    # These methods may be called from any thread.

    def stall(self, direction):
        self.proxy.call(self.gates[direction].clear)

    def reset(self):
        self.proxy.call(self.end, True)

    def cut(self):
        self.proxy.call(self.end)

    def cut_at(self, direction, count):
        """Cuts the link after so many more bytes in this direction."""
        self.proxy.call(self.limits.__setitem__, direction, count)

    # The methods below run in the proxy's thread.

    def release(self):
        for gate in self.gates.values():
            gate.set()

    def end(self, with_reset=False):
        if self.backend:
            self.proxy.ended.add(self.backend)
        for _, writer in (self.client, self.server):
            if with_reset:
                with contextlib.suppress(OSError):  # the socket is closed already
                    writer.get_extra_info("socket").setsockopt(
                        socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
                    )
                writer.transport.abort()
            else:
                writer.close()
        self.release()

    async def send(self, direction, data):
        await self.gates[direction].wait()
        if self.proxy.delay:
            await asyncio.sleep(self.proxy.delay)
        writer = (self.server if direction is TO_SERVER else self.client)[1]
        limit = self.limits.get(direction)
        if limit is not None and len(data) >= limit:
            await self.send_part(writer, data[:limit])
            self.end()
            raise LinkClosed
        if limit is not None:
            self.limits[direction] = limit - len(data)
        writer.write(data)
        await writer.drain()

    async def send_part(self, writer, data):
        writer.write(data)
        try:
            await asyncio.wait_for(writer.drain(), 1)
        except (OSError, TimeoutError):
            pass

    async def run(self):
        tasks = [asyncio.create_task(self.forward_to_server()), asyncio.create_task(self.forward_to_client())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            # While a direction is stalled, neither side learns that the other one closed, as with an unplugged cable.
            for task in tasks:
                if not task.done():
                    await asyncio.gather(*(gate.wait() for gate in self.gates.values()))
        finally:
            self.end()
            for task in tasks:
                task.cancel()
            for error in await asyncio.gather(*tasks, return_exceptions=True):
                if not isinstance(error, (OSError, EOFError, LinkClosed, asyncio.CancelledError, type(None))):
                    self.proxy.problems.append(
                        f"the proxy: {error!r}"
                    )  # an error of the proxy must not be taken for one of the server

    async def forward_to_server(self):
        reader = self.client[0]
        while True:  # the start-up messages, which have no type
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
                raise RuntimeError("a Flush: the proxy can forward whole groups only")
            if kind in b"SQ":
                await self.forward_group(Group(messages))
                messages = []
            elif kind not in b"PBDEC":  # PasswordMessage and Terminate
                await self.send(TO_SERVER, whole)
                messages = []

    async def forward_group(self, group):
        data = b"".join(whole for _, whole in group.messages)
        self.is_health_check = self.is_health_check or b"welms look" in data
        await self.gates[TO_SERVER].wait()
        fault = None if self.is_health_check else self.proxy.take_fault(SYNC, group)
        kind = fault and fault.kind
        if kind == "refuse":
            await self.is_idle.wait()
            await self.send(TO_CLIENT, error_response(fault.amount))
            return
        if kind in ("cut", "reset"):
            self.end(kind == "reset")
            raise LinkClosed
        if kind == "bytes":
            await self.send_part(self.server[1], data[:min(fault.amount, len(data) - 1)])
            self.end()
            raise LinkClosed
        if kind == "delay":
            await asyncio.sleep(fault.amount)
        if kind == "stall":
            if fault.amount:
                await self.send(TO_SERVER, data[:-len(group.messages[-1][1])])
                data = group.messages[-1][1]
            self.gates[TO_SERVER].clear()
        group.is_dropped = kind == "swallow"
        self.in_flight.append(group)
        self.is_idle.clear()
        await self.send(TO_SERVER, data)
        if kind == "cut after":
            self.end()
            raise LinkClosed

    async def forward_to_client(self):
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
                await self.gates[TO_CLIENT].wait()
                await self.forward_ready(group, whole)
            elif not self.is_swallowed(group):
                await self.send(TO_CLIENT, whole)

    async def forward_ready(self, group, whole):
        if self.is_swallowed(group):
            return
        self.in_flight.pop(0)
        fault = None if self.is_health_check else self.proxy.take_fault(READY, group)
        kind = fault and fault.kind
        if kind == "bytes":
            await self.send_part(self.client[1], whole[:min(fault.amount, len(whole) - 1)])
        if kind in ("cut", "reset", "swallow", "bytes"):
            self.end(kind == "reset")
            raise LinkClosed
        if kind == "delay":
            await asyncio.sleep(fault.amount)
        if kind == "stall":
            self.gates[TO_CLIENT].clear()
        await self.send(TO_CLIENT, whole)
        if kind == "cut after":
            self.end()
            raise LinkClosed
        if not self.in_flight:
            self.is_idle.set()

    @staticmethod
    def is_swallowed(group):
        """Whether the answer is swallowed. The group stays first in flight, so all later answers are swallowed too."""
        return group is not None and group.is_dropped


@contextlib.contextmanager
def proxied(scale, **arguments):
    """A shop whose servers connect to their database through a proxy. The arguments are those of Shop."""
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
        self.links, self.faults, self.delay = [], [], 0  # delay: extra seconds for each message
        self.groups = []  # the recorded groups, including those that a fault stopped
        self.is_recording, self.problems = False, []
        self.ended = (
            set()
        )  # process ids of sessions whose connection was cut; they may still execute what they received
        # Listens from the start, so that the URL is known before the shop starts.
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

    # These methods may be called from any thread.

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
        """Clears the recorded groups, and continues to record."""
        self.is_recording, self.groups = True, []

    # The methods below run in the proxy's thread.

    def take_fault(self, position, group):
        if position is SYNC and self.is_recording:
            self.groups.append(group)
        due = None
        for fault in self.faults:
            if fault.is_due(position, group) and due is None:
                due = fault
        if due:
            self.faults.remove(due)
            due.group = group
            due.occurred.set()
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
        except (OSError, EOFError, LinkClosed):
            writer.close()
        finally:
            if link in self.links:
                self.links.remove(link)


async def message(reader):
    head = await reader.readexactly(5)
    return head[:1], head + await reader.readexactly(struct.unpack("!i", head[1:])[0] - 4)


def error_response(state):
    """Returns an ErrorResponse and a ReadyForQuery with the state idle."""
    fields = b"".join(
        code + text.encode() + b"\0"
        for code, text in ((b"S", "ERROR"), (b"V", "ERROR"), (b"C", state), (b"M", "rejected by the proxy"))
    )
    return b"E" + struct.pack("!i", len(fields) + 5) + fields + b"\0" + b"Z" + struct.pack("!i", 5) + b"I"
