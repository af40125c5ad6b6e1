"""Kills the servers and the mail server at random moments while guests order and staff accept, deliver and reject
orders."""

import collections
import json
import signal
import subprocess
import time

import consistency
from experiment import outcome
from guests import Guests
from processes import ROOT, free_port
from shop import Shop

NAME = "mail-killed"
EXPECTED = "each step of each order is mailed at least once, with one Message-ID"
STEPS = (("accepted", "null"), ("preparing", "null"), ("on_the_way", "null"))


class MailServer:
    """The mail server, Tests/Tools/Mail/smtp.py."""

    def __init__(self, directory):
        """Stores the received mails in a file of the directory."""
        self.port, self.file = free_port(), f"{directory}/mails"

    def start(self):
        self.process = subprocess.Popen(
            ["/usr/bin/python3", "-B", f"{ROOT}/Tests/Tools/Mail/smtp.py", str(self.port), self.file],
            stdout=subprocess.PIPE,
        )
        self.process.stdout.readline()

    def stop(self):
        self.process.kill()
        self.process.wait()

    def message_counts(self):
        """How often each mail arrived, by Message-ID. Skips a line that a kill cut off."""
        counts = collections.Counter()
        with open(self.file) as lines:
            for line in lines:
                try:
                    counts[json.loads(line)["headers"]["Message-ID"]] += 1
                except ValueError:
                    pass
        return counts


def run(scale):
    kills, problems, steps = scale.pick(20, 3), [], 0
    mail_server = MailServer(scale.new_directory())
    mail_server.start()
    mail = (
        "--smtp-url",
        f"smtp://127.0.0.1:{mail_server.port}",
        "--mail-from",
        "Welm's Delivery <orders@shop.example>",
        "--rate-limit-checkouts",
        "off",
    )
    with Shop(scale, servers=2, arguments=mail) as shop:
        try:
            while not shop.cluster.sql("select since from mailing"):
                time.sleep(0.05)
            with Guests(
                [server.port for server in shop.servers], scale.random, count=4, pause=0.3, are_overtaken=True
            ) as guests:
                for _ in range(kills):
                    guests.wait_for(1 + scale.random.randrange(20))
                    steps += advance(shop.cluster, scale.random)
                    if scale.random.random() < 0.3:
                        mail_server.stop()
                        mail_server.start()
                    else:
                        victim = scale.random.choice(shop.servers)
                        victim.stop(signal.SIGKILL)
                        victim.start()
                guests.wait_for(4)
                guests.finish()
            steps += advance(shop.cluster, scale.random)
            problems += guests.surprises + consistency.check(guests.acknowledged, shop.cluster.url, shop.server.port)
            problems += wait_until_sent(shop.cluster)
            received = mail_server.message_counts()
        finally:
            mail_server.stop()
        expected = set(
            shop.cluster.sql(
                """select '<' || id || '.placed@shop.example>' from orders union all select '<' || order_id || '.' ||
                state || '@shop.example>' from order_steps where state in ('accepted', 'on_the_way', 'rejected',
                'cancelled')"""
            ).split()
        )
        problems += [f"mail not sent: {id}" for id in expected - received.keys()] + [
            f"unexpected mail: {id}" for id in received.keys() - expected
        ]
    duplicates = sum(count - 1 for count in received.values())
    return outcome(
        problems,
        f"{kills} kills, {len(guests.acknowledged)} orders and {steps} steps in {len(received)} mails, {duplicates}"
        " duplicates",
    )


def advance(cluster, chance):
    """Advances some of the placed orders. Returns the number of steps."""
    numbers = cluster.sql("select number from orders where state = 'placed' order by number").split()
    sql, steps = [], 0
    for number in chance.sample(numbers, min(len(numbers), 8)):
        chosen = [("rejected", "'out of burgers'")] if chance.random() < 0.3 else STEPS
        sql += [f"select advance_order('{number}', '{state}', {reason});" for state, reason in chosen]
        steps += len(chosen)
    # A guest may cancel an order first: then the step is ignored.
    for statement in sql:
        cluster.sql(f"do $$ begin perform {statement[7:]} exception when check_violation then null; end $$")
    return steps


def wait_until_sent(cluster, within=60):
    """Waits until all mails are sent. Moves retries forward, because the next attempt comes after a minute."""
    end = time.monotonic() + within
    while True:
        missing = cluster.sql("""
            select (select count(*) from orders) + (
                select count(*) from order_steps
                where state in ('accepted', 'on_the_way', 'rejected', 'cancelled'))
                 - (select count(*) from order_mails where sent_at is not null)""")
        if missing == "0":
            return []
        if time.monotonic() > end:
            return [f"{missing} mails are not sent after {within} s"]
        cluster.sql(
            "update order_mails set due_at = now() where sent_at is null and failed_at is null and due_at > now()"
        )
        time.sleep(0.1)
