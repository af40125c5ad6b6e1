#!/usr/bin/python3
"""A mail server that stores each received mail as a line of JSON in a file, as Python's email package parses it.

    /usr/bin/python3 Tests/Tools/Mail/smtp.py PORT FILE [ADDRESS]

The prefix of an address selects the behaviour:
    later-    deferred once (451)
    never-    rejected (550)
    twice-    accepted, but the first answer is not sent
    cut-      the connection is closed once, before the data
    hang-     never answered
    blocked-  rejected three times, as if the shop's account was blocked (550 5.7.1)
    quota-    always rejected after the data, as if the quota was used up (552 5.4.5)
Each user may log in, except with the password "wrong".
"""

import asyncio
import collections
import email
import email.policy
import json
import sys

from aiosmtpd.smtp import SMTP, AuthResult


class MailStore:
    def __init__(self, file):
        self.file, self.seen, self.blocked = file, set(), collections.Counter()

    def is_first(self, address, kind):
        is_first = address.startswith(kind) and address not in self.seen
        self.seen |= {address} if is_first else set()
        return is_first

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("never-"):
            return "550 5.1.1 unknown recipient " + address
        if address.startswith("blocked-"):
            self.blocked[address] += 1
            if self.blocked[address] <= 3:
                return "550 5.7.1 the sender is blocked"
        if address.startswith("hang-"):
            await asyncio.sleep(3600)
        if self.is_first(address, "later-"):
            return "451 4.7.1 try again later"
        if self.is_first(address, "cut-"):
            server.transport.abort()
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 recipient accepted"

    async def handle_DATA(self, server, session, envelope):
        if envelope.rcpt_tos[0].startswith("quota-"):
            return "552 5.4.5 the quota of the account is used up"
        self.store_mail(envelope)
        if self.is_first(envelope.rcpt_tos[0], "twice-"):
            server.transport.abort()
        return "250 2.0.0 message stored"

    def store_mail(self, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        parts = {part.get_content_type(): part.get_content() for part in message.walk() if not part.is_multipart()}
        raw = email.message_from_bytes(envelope.content, policy=email.policy.compat32)
        record = {
            "sender": envelope.mail_from,
            "recipients": envelope.rcpt_tos,
            "names": message.keys(),
            "headers": {k: str(v) for k, v in message.items()},
            "types": [part.get_content_type() for part in message.walk()],
            "plain": parts.get("text/plain"),
            "html": parts.get("text/html"),
            "longest": max(len(line) for line in envelope.content.split(b"\r\n")),
            "isASCII": envelope.content.isascii(),
            "defects": [str(d) for d in message.defects],
            "rawSubject": str(raw["Subject"]),
        }
        self.file.write(json.dumps(record) + "\n")
        self.file.flush()


def authenticate(server, session, envelope, mechanism, data):
    return AuthResult(success=data.password != b"wrong", handled=False)


async def main():
    port, path = int(sys.argv[1]), sys.argv[2]
    with open(path, "a") as file:
        store = MailStore(file)
        server = await asyncio.get_running_loop().create_server(
            lambda: SMTP(store, hostname="mail.example", authenticator=authenticate, auth_require_tls=False),
            sys.argv[3] if len(sys.argv) > 3 else "127.0.0.1", port)
        print("listening", flush=True)
        async with server:
            await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
