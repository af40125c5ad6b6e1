"""Kills servers at random moments while rejections and deliveries are pending and staff withdraw some of them."""

import concurrent.futures
import http.client
import json
import signal
import time

import consistency
from experiment import outcome
from guests import Guests
from shop import Shop

NAME = "pending-killed"
EXPECTED = "a pending step is executed once and not before its time, or withdrawn; each has its audit row"
TOKEN = "the-staff-token-of-this-run"
# The staff member who requests each step. The token is the name in lower case.
MEMBERS = {"rejected": "Ann", "delivered": "Bob"}
SETUP = """
    insert into staff_members (name, role, token_digest)
    values ('Ann', 'counter', sha256('ann')), ('Bob', 'kitchen', sha256('bob'));
    create schema experiment;
    create table experiment.requested (
        number text primary key, state text, member text, until timestamptz, is_withdrawn boolean default false)
"""
# Moves the time of some steps forward, so that many of them are due at the moment of a kill.
HASTEN = """
    with moved as (
        update pending_order_steps set execute_at = clock_timestamp() + random() * interval '1.5 seconds'
        from orders where order_id = id and number = any ('{%s}')
        returning number, execute_at)
    update experiment.requested set until = execute_at from moved where requested.number = moved.number
"""
PENDING = "select count(*) from pending_order_steps"
# The audit entries of each requested step.
AUDITED = """
    (select requested.*, requests, executions, withdrawals
     from experiment.requested cross join lateral (
        select count(*) filter (where after ->> 'pending_step' = requested.state and who = member) as requests,
               count(*) filter (where after ->> 'state' = requested.state and who = member) as executions,
               count(*) filter (where before ->> 'pending_step' = requested.state) as withdrawals
        from audit where what = 'orders' and subject = number) as entries) as audited
"""
# Each query counts violations, and must return 0.
RULES = {
    "requests without their one audit row": f"select count(*) from {AUDITED} where requests <> 1",
    "steps that were neither executed once nor withdrawn once by the audit":
        f"select count(*) from {AUDITED} where executions + withdrawals <> 1",
    "withdrawn steps that were executed": f"select count(*) from {AUDITED} where is_withdrawn and executions > 0",
    "orders whose state differs from the audit": f"""
        select count(*) from {AUDITED} join orders using (number)
        where (orders.state = audited.state) <> (executions = 1)""",
    "steps that were executed twice, or that the audit does not record": f"""
        select count(*) from {AUDITED} join orders using (number)
        where executions <> (
            select count(*) from order_steps where order_id = id and order_steps.state = audited.state)""",
    "steps that were executed before their time": """
        select count(*) from experiment.requested join orders using (number)
        join order_steps on order_id = id and order_steps.state = requested.state where at < until""",
    "final steps without a request": """
        select count(*) from order_steps join orders on order_id = id
        where order_steps.state in ('rejected', 'delivered')
            and not exists (select from experiment.requested where requested.number = orders.number)""",
}


def run(scale):
    kills, problems = scale.pick(20, 3), []
    with Shop(scale, servers=2, coupons=100000, has_stock_counts=True, arguments=("--staff-token", TOKEN)) as shop:
        shop.cluster.sql(SETUP)
        staff = Staff(shop, scale.random, problems)
        ports = [server.port for server in shop.servers]
        with (Guests(ports, scale.random, count=8, pause=0.3, cancelling=0) as guests,
              concurrent.futures.ThreadPoolExecutor(1) as killer):
            for _ in range(kills):
                guests.wait_for(6 + scale.random.randrange(10))
                # During a request, a withdrawal or an execution, or between them.
                kill = killer.submit(replace, scale.random.choice(shop.servers), scale.random.random() * 2.5)
                numbers = staff.request(guests, 8)
                shop.cluster.sql(HASTEN % ",".join(numbers[::2]))
                time.sleep(scale.random.random() * 0.8)
                staff.withdraw(numbers)
                kill.result()
            # All servers are killed while these steps still have ten seconds.
            guests.wait_for(8)
            staff.request(guests, 8)
            for server in shop.servers:
                server.stop(signal.SIGKILL)
            pending = int(shop.cluster.sql(PENDING))
            for server in shop.servers:
                server.start()
            guests.finish()
        if pending == 0:
            problems.append("no step was pending while no server ran")
        end = time.monotonic() + 60
        while (count := shop.cluster.sql(PENDING)) != "0":
            if time.monotonic() > end:
                problems.append(f"{count} steps are pending after 60 s")
                break
            time.sleep(0.1)
        problems += guests.surprises + consistency.check(guests.acknowledged, shop.cluster.url, shop.server.port)
        for name, rule in RULES.items():
            if (count := shop.cluster.sql(rule)) != "0":
                problems.append(f"{count} {name}")
        counts = f"select count(*), coalesce(sum(executions), 0), coalesce(sum(withdrawals), 0) from {AUDITED}"
        requested, executed, withdrawn = shop.cluster.sql(counts).split("|")
        if "0" in (executed, withdrawn):
            problems.append("no step was executed or none was withdrawn, so the run tested nothing")
    return outcome(problems, f"{kills + 2} kills, {len(guests.acknowledged)} orders, {requested} requested steps: "
                          f"{executed} executed, {withdrawn} withdrawn")


def replace(server, after):
    """Kills a server after some seconds, and starts it again."""
    time.sleep(after)
    server.stop(signal.SIGKILL)
    server.start()


class Staff:
    """Staff members who retry unanswered requests at any server."""

    def __init__(self, shop, chance, problems):
        self.shop, self.chance, self.problems, self.used = shop, chance, problems, set()

    def request(self, guests, most):
        """Requests a step for some placed orders. Returns their numbers."""
        fresh = sorted({order.order["number"] for order in list(guests.acknowledged)} - self.used)[:most]
        self.used.update(fresh)
        for n, number in enumerate(fresh):
            state = "delivered" if n % 3 == 2 else "rejected"
            way, body = ("deliver", None) if state == "delivered" else ("reject", {"reason": "no gas"})
            for step in ("accepted", "preparing", "on_the_way") if state == "delivered" else ():
                self.shop.cluster.sql(f"select advance_order('{number}', '{step}')")
            status, answer = self.send(MEMBERS[state], number, way, body)
            pending = answer.get("pendingStep")
            if status != 200 or not pending or (pending["state"], pending["by"]) != (state, MEMBERS[state]):
                self.problems.append(f"{way} of order {number}: {status} {answer}")
                continue
            self.shop.cluster.sql(
                f"insert into experiment.requested (number, state, member, until) "
                f"values ('{number}', '{state}', '{MEMBERS[state]}', '{pending['until']}')")
        return fresh

    def withdraw(self, numbers):
        """Withdraws some of the steps, by the other member or by another step in SQL. Some are executed by then."""
        for n, number in enumerate(numbers):
            state = "delivered" if n % 3 == 2 else "rejected"
            if n % 3 == 1 and self.chance.random() < 0.5:
                is_first = self.shop.cluster.sql(f"""
                    do $$ begin
                        perform advance_order('{number}', 'accepted');
                    exception when check_violation then null;
                    end $$;
                    select count(*) from orders where number = '{number}' and state = 'accepted'""").endswith("1")
            elif self.chance.random() < 0.5:
                member = MEMBERS["delivered" if state == "rejected" else "rejected"]
                status, answer = self.send(member, number, "back", {"state": state})
                # 409: the step was executed, or an earlier request without an answer has withdrawn it.
                if status not in (200, 409):
                    self.problems.append(f"back of order {number}: {status} {answer}")
                is_first = status == 200
            else:
                continue
            if is_first:
                self.shop.cluster.sql(f"update experiment.requested set is_withdrawn = true where number = '{number}'")

    def send(self, member, number, way, body):
        """Returns the status and the body of the answer. Retries until there is one, as the page and staff would."""
        headers = {"Authorization": f"Bearer {member.lower()}", "Content-Type": "application/json"}
        end = time.monotonic() + 8
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", self.chance.choice(self.shop.servers).port, timeout=5)
            try:
                data = json.dumps(body) if body else None
                connection.request("POST", f"/v1/staff/orders/{number}/{way}", data, headers)
                answer = connection.getresponse()
                status, text = answer.status, answer.read()
                # A server learns of new members by a notification, and knows none at its start.
                if status not in (401, 429, 503) or time.monotonic() > end:
                    return status, json.loads(text)
            except (OSError, http.client.HTTPException):
                if time.monotonic() > end:
                    raise
            finally:
                connection.close()
            time.sleep(0.05)
