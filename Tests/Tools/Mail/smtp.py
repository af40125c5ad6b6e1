#!/usr/bin/python3
"""A mail server that keeps what it takes: a line of JSON for each mail, as Python's email package reads it, in a file.

    /usr/bin/python3 Tests/Tools/Mail/smtp.py PORT FILE [ADDRESS]

What an address begins with says how its mail is met: later- is put off once (451), never- is refused (550), twice- is
taken and not answered the first time, cut- ends the conversation in its middle once, hang- is never answered. blocked-
is refused three times as if the shop's account was blocked (550 5.7.1), quota- always as if its quota was used up (552
5.4.5, after the text). Every user may log in, but not with the password "wrong".

Used by Tests/Support/MailServer.swift, by the chaos experiment mail_killed and by Tests/Tools/OpenAPI/test_metrics.py.
"""

import asyncio
import collections
import email
import email.policy
import json
import sys

from aiosmtpd.smtp import SMTP, AuthResult


class Keeper:
    def __init__(self, file):
        self.file, self.met, self.blocked = file, set(), collections.Counter()

    def is_first(self, address, kind):
        is_first = address.startswith(kind) and address not in self.met
        self.met |= {address} if is_first else set()
        return is_first

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("never-"):
            return "550 5.1.1 nobody here is called " + address
        if address.startswith("blocked-"):
            self.blocked[address] += 1
            if self.blocked[address] <= 3:
                return "550 5.7.1 the sender is blocked"
        if address.startswith("hang-"):
            await asyncio.sleep(3600)
        if self.is_first(address, "later-"):
            return "451 4.7.1 come again"
        if self.is_first(address, "cut-"):
            server.transport.abort()
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 well"

    async def handle_DATA(self, server, session, envelope):
        if envelope.rcpt_tos[0].startswith("quota-"):
            return "552 5.4.5 the quota of the account is used up"
        self.keep(envelope)
        if self.is_first(envelope.rcpt_tos[0], "twice-"):
            server.transport.abort()
        return "250 2.0.0 kept"

    def keep(self, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        parts = {part.get_content_type(): part.get_content() for part in message.walk() if not part.is_multipart()}
        raw = email.message_from_bytes(envelope.content, policy=email.policy.compat32)
        kept = {"sender": envelope.mail_from, "recipients": envelope.rcpt_tos, "names": message.keys(), "headers": {k: str(v) for k, v in message.items()},
                "types": [part.get_content_type() for part in message.walk()], "plain": parts.get("text/plain"), "html": parts.get("text/html"),
                "longest": max(len(line) for line in envelope.content.split(b"\r\n")), "isASCII": envelope.content.isascii(),
                "defects": [str(d) for d in message.defects], "rawSubject": str(raw["Subject"])}
        self.file.write(json.dumps(kept) + "\n")
        self.file.flush()


def authenticate(server, session, envelope, mechanism, data):
    return AuthResult(success=data.password != b"wrong", handled=False)


async def main():
    port, path = int(sys.argv[1]), sys.argv[2]
    with open(path, "a") as file:
        keeper = Keeper(file)
        server = await asyncio.get_running_loop().create_server(
            lambda: SMTP(keeper, hostname="mail.example", authenticator=authenticate, auth_require_tls=False),
            sys.argv[3] if len(sys.argv) > 3 else "127.0.0.1", port)
        print("listening", flush=True)
        async with server:
            await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
