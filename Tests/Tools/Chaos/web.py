"""A minimal HTTP/1.1 client for asyncio: one connection, one request at a time."""

import asyncio
import json


class ConnectionLost(Exception):
    """No complete answer arrived: the connection was refused, broken or timed out."""


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        return self.json.get("code") if self.body else None

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


class Connection:
    """Connects at the first request, and reconnects after a failure."""

    def __init__(self, port, timeout=10):
        self.port, self.timeout, self.reader, self.writer = port, timeout, None, None

    async def send(self, method, path, body=None, headers=()):
        """Returns the answer. Raises ConnectionLost if none arrives; the server may have executed the request."""
        try:
            async with asyncio.timeout(self.timeout):
                if self.writer is None:
                    self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
                self.writer.write(request(method, path, body, headers))
                return await self.answer()
        except asyncio.CancelledError:
            self.close()
            raise
        except (OSError, EOFError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
            self.close()
            raise ConnectionLost(repr(error)) from None

    async def answer(self):
        status, headers = await self.head()
        if headers.get("transfer-encoding") == "chunked":
            body = b""
            while size := int(await self.reader.readline(), 16):
                body += (await self.reader.readexactly(size + 2))[:-2]
            await self.reader.readline()
        else:
            body = await self.reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("connection") == "close":
            self.close()
        return Answer(status, headers, body)

    async def head(self):
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        lines = head.split("\r\n")
        headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines[1:-2])}
        return int(lines[0].split(" ")[1]), headers

    def close(self):
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None


def request(method, path, body=None, headers=()):
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *(f"{name}: {value}" for name, value in headers)]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join(lines + ["", ""]).encode() + (body or b"")
