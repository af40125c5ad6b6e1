"""Servers that mail, and the mail server they hand mails to, are killed at random moments while guests order and staff accept, deliver and reject."""

import collections
import json
import signal
import subprocess
import time

import exactness
from experiment import outcome
from guests import Guests
from processes import ROOT, free_port
from shop import Shop

NAME = "mail-killed"
MUST_HOLD = "each step of each order is mailed at least once, by one Message-ID"
STEPS = (("accepted", "null"), ("preparing", "null"), ("on_the_way", "null"))


class Post:
    """The mail server, Tests/Tools/Mail/smtp.py."""

    def __init__(self, directory):
        """Keeps what it takes in a file of the directory."""
        self.port, self.file = free_port(), f"{directory}/mails"

    def start(self):
        self.process = subprocess.Popen(["/usr/bin/python3", "-B", f"{ROOT}/Tests/Tools/Mail/smtp.py", str(self.port), self.file], stdout=subprocess.PIPE)
        self.process.stdout.readline()

    def stop(self):
        self.process.kill()
        self.process.wait()

    def ids(self):
        """How often each mail came. One that was being written when it was killed did not."""
        counts = collections.Counter()
        with open(self.file) as lines:
            for line in lines:
                try:
                    counts[json.loads(line)["headers"]["Message-ID"]] += 1
                except ValueError:
                    pass
        return counts


def run(scale):
    kills, wrong, steps = scale.pick(20, 3), [], 0
    post = Post(scale.new_directory())
    post.start()
    mail = ("--smtp-url", f"smtp://127.0.0.1:{post.port}", "--mail-from", "Welm's Delivery <orders@shop.example>",
            "--rate-limit-checkouts", "off")
    with Shop(scale, servers=2, arguments=mail) as shop:
        try:
            while not shop.cluster.sql("select since from mailing"):
                time.sleep(0.05)
            with Guests([server.port for server in shop.servers], scale.random, count=4, pause=0.3, are_overtaken=True) as guests:
                for _ in range(kills):
                    guests.wait_for(1 + scale.random.randrange(20))
                    steps += advance(shop.cluster, scale.random)
                    if scale.random.random() < 0.3:
                        post.stop()
                        post.start()
                    else:
                        victim = scale.random.choice(shop.servers)
                        victim.stop(signal.SIGKILL)
                        victim.start()
                guests.wait_for(4)
                guests.finish()
            steps += advance(shop.cluster, scale.random)
            wrong += guests.surprises + exactness.check(guests.told, shop.cluster.url, shop.server.port)
            wrong += waited(shop.cluster)
            came = post.ids()
        finally:
            post.stop()
        meant = set(shop.cluster.sql("""
            select '<' || id || '.placed@shop.example>' from orders union all
            select '<' || order_id || '.' || state || '@shop.example>' from order_steps where state in ('accepted', 'on_the_way', 'rejected', 'cancelled')""").split())
        wrong += [f"never mailed: {id}" for id in meant - came.keys()] + [f"mailed and not meant: {id}" for id in came.keys() - meant]
    again = sum(count - 1 for count in came.values())
    return outcome(wrong, f"{kills} kills, {len(guests.told)} orders and {steps} steps told in {len(came)} mails, {again} of them again")


def advance(cluster, chance):
    """Moves some of the orders that have not moved yet; answers how many steps that were."""
    numbers = cluster.sql("select number from orders where state = 'placed' order by number").split()
    sql, steps = [], 0
    for number in chance.sample(numbers, min(len(numbers), 8)):
        ways = [("rejected", "'out of burgers'")] if chance.random() < 0.3 else STEPS
        sql += [f"select advance_order('{number}', '{state}', {reason});" for state, reason in ways]
        steps += len(ways)
    # A guest may cancel one of them first.
    for statement in sql:
        cluster.sql(f"do $$ begin perform {statement[7:]} exception when check_violation then null; end $$")
    return steps


def waited(cluster, within=60):
    """Until nothing waits; a mail that was cut off waits a minute for its next try, which is put forward."""
    end = time.monotonic() + within
    while True:
        missing = cluster.sql("""
            select (select count(*) from orders) + (select count(*) from order_steps where state in ('accepted', 'on_the_way', 'rejected', 'cancelled'))
                 - (select count(*) from order_mails where sent_at is not null)""")
        if missing == "0":
            return []
        if time.monotonic() > end:
            return [f"{missing} mails are not sent after {within} s"]
        cluster.sql("update order_mails set due_at = now() where sent_at is null and failed_at is null and due_at > now()")
        time.sleep(0.1)
