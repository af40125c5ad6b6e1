# The short form of `make bench-growth`: a small shop is filled, and its rows are those that the server writes.
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, f"{os.path.dirname(HERE)}/Processes"]

import fill
import statements
from client import Client, check_out, fill_basket
from processes import ROOT, remove

PROGRAM = os.environ.get("WELMS", f"{ROOT}/.build/debug/welms")
ORDERS = 2_000
FINAL = ("delivered", "rejected", "cancelled")


class GrowthTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="growth-")
        os.chmod(cls.directory, 0o755)
        cls.addClassCleanup(remove, cls.directory)
        cls.shop = fill.Shop(PROGRAM, f"{cls.directory}/shop", ORDERS)
        fill.fill(cls.shop, ORDERS, lambda text: None)
        cls.shop.cluster.settings = list(fill.MEASURED)
        cls.shop.cluster.start()
        cls.addClassCleanup(cls.shop.stop)
        cls.server = cls.shop.server()
        cls.server.start()
        cls.addClassCleanup(cls.server.stop)

    def rows(self, query):
        return json.loads(self.shop.sql(f"select coalesce(json_agg(row_to_json(found)), '[]') from ({query}) as found"))

    def test_the_health_checks_pass_on_a_filled_shop(self):
        # A check may time out on a busy machine. A fault of the rows stays.
        end = time.monotonic() + 60
        while True:
            done = subprocess.run([PROGRAM, "doctor", "--database-url", self.shop.url], capture_output=True, text=True,
                                  cwd=ROOT)
            if done.returncode == 0 or time.monotonic() > end:
                break
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)

    def test_the_staff_api_reads_filled_orders_of_each_state(self):
        staff = Client(self.server.port, self.shop.tokens["Ann"])
        self.addCleanup(staff.close)
        numbers = self.rows("select number, state, total from orders where idempotency_key !~ '^(template|moved)'")
        self.assertEqual(ORDERS, len(numbers))
        sample = random.Random(1).sample(numbers, 20)
        sample += [next(row for row in numbers if row["state"] == state) for state in FINAL]
        for row in sample:
            status, order = staff.get(f"/v1/staff/orders/{row['number']}")
            self.assertEqual((200, row["state"], row["total"]), (status, order["state"], order["total"]))
            status, found = staff.get(f"/v1/staff/orders?q={order['customer']['phone'].replace('+', '%2B')}")
            self.assertIn(row["number"], [each["number"] for each in found["items"]])

    def test_a_filled_history_equals_that_of_an_order_which_the_server_moved(self):
        numbers = self.order_over_http()
        for state, number in numbers.items():
            real = self.history(f"number = '{number}'")
            filled = self.history(
                f"state = '{state}' and idempotency_key not like 'template%' and wanted_at is null"
                " and (promised_at is not null or state <> 'delivered') and placed_at < now() - interval '1 day'"
                " and coupon_key is null and comment is null and (options is not null) and address is not null"
                " and totals[3] is null")
            self.assertEqual(real, filled, state)

    def order_over_http(self):
        """Places three orders and moves them to each final state. Returns their numbers."""
        guest, staff = Client(self.server.port), Client(self.server.port, self.shop.tokens["Ann"])
        self.addCleanup(guest.close)
        self.addCleanup(staff.close)
        numbers = {}
        for n, state in enumerate(FINAL):
            form = {"name": "Ann Lee", "phone": f"+1313555900{n}", "email": f"moved.{n}@example.com",
                    "address": "12 Elm Street, Berlin", "postcode": "10117"}
            order = check_out(guest, fill_basket(guest, [(1001, 2)]), form, f"moved {n}")
            numbers[state] = order["number"]
            path = f"/v1/staff/orders/{order['number']}"
            if state == "cancelled":
                answers = [guest.request("cancel", "POST", f"/v1/orders/{order['id']}/cancel", None,
                                         [("Authorization", f"Bearer {order['accessToken']}")])]
            elif state == "rejected":
                answers = [staff.post(f"{path}/reject", {"reason": "No burgers."})]
            else:
                answers = [staff.post(f"{path}/accept", {"minutes": 30}),
                           staff.post(f"{path}/advance", {"state": "preparing"}),
                           staff.post(f"{path}/advance", {"state": "on_the_way"}), staff.post(f"{path}/deliver")]
            self.assertEqual({200}, {status for status, _ in answers}, answers)
        # Deliveries and rejections are executed ten seconds later.
        end = time.monotonic() + 60
        while len(self.rows("select from orders where idempotency_key like 'moved%' and state = any"
                            f" ('{{{','.join(FINAL)}}}')")) < len(FINAL):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.2)
        return numbers

    def history(self, condition):
        """The shape of an order: its columns that are not null, its steps and its audit."""
        order = self.rows(f"select * from orders where {condition} limit 1")[0]
        steps = self.rows(f"""
            select step, state, kind, reason is null as no_reason, promised_at is null as no_promise, is_by_deadline
            from order_steps where order_id = '{order["id"]}' order by step""")
        audit = self.rows(f"""
            select what, before, after, why is null as no_reason, role is null as no_role from audit
            where subject = '{order["number"]}' order by id""")
        basket = self.rows(f"select state from baskets where id = '{order['id']}'")
        return sorted(name for name, value in order.items() if value is not None), steps, audit, basket

    def test_the_counters_agree_with_the_filled_orders(self):
        live = "state not in ('cancelled', 'rejected')"
        self.assertEqual([], self.rows(f"""
            select * from coupon_redemptions where redeemed <> (
                select count(*) from orders where orders.coupon_id = coupon_redemptions.coupon_id and {live})"""))
        self.assertEqual([], self.rows(f"""
            select fulfilment, starts_at, order_count, item_count from slot_uses except
            select fulfilment, wanted_at, count(*) filter (where {live}),
                coalesce(sum(slot_items) filter (where {live}), 0)
            from orders where wanted_at is not null group by 1, 2"""))
        self.assertEqual([], self.rows("""
            select subject, id, day, sold from stock_days except
            select subject, id, day, -sum(change) from stock_movements where day is not null group by 1, 2, 3"""))
        self.assertEqual([], self.rows(f"""
            select id from orders where coupon_key in ('FRST', 'FOLLOW', 'HAPPY') and {live} and 2 <> (
                select count(*) from coupon_uses where order_id = orders.id)"""))
        self.assertEqual([], self.rows("select day_number, count(*) from orders where day_number is not null"
                                       " and idempotency_key not like 'template%'"
                                       " group by (coalesce(wanted_at, placed_at) at time zone 'America/New_York'"
                                       " - interval '4 hours')::date, day_number having count(*) > 1"))


class StatementTests(unittest.TestCase):
    def test_a_plan_is_parsed_from_the_log_and_its_scan_and_filter_are_reported(self):
        plan = {"Node Type": "Limit", "Actual Rows": 2, "Actual Loops": 1, "Shared Hit Blocks": 700, "Plans": [
            {"Node Type": "Seq Scan", "Relation Name": "orders", "Actual Rows": 2, "Actual Loops": 1,
             "Rows Removed by Filter": 19_998, "Filter": "(state = 'placed')"}]}
        text = json.dumps({"Query Text": "select id\nfrom orders", "Plan": plan}, indent=2).replace("\n", "\n\t")
        log = f"2026-01-01 UTC [1] LOG:  checkpoint\n2026-01-01 UTC [1] LOG:  duration: 1.5 ms  plan:\n\t{text}\nend\n"
        found = statements.summaries(statements.parse(log), {"orders": 20_000}, statements.Names(ROOT))
        summary, = found.values()
        self.assertEqual({"orders": 20_000}, summary.scans)
        self.assertEqual({"Seq Scan of orders": (19_998, 2, "(state = 'placed')")}, summary.discards)
        self.assertEqual((20_000, 700), (summary.read, summary.blocks))

    def test_statements_have_the_names_of_the_source(self):
        names = statements.Names(ROOT)
        self.assertEqual("find_order", names.of("select id from orders where number = $1"))
        self.assertEqual("list_orders", names.of(
            "select placed_at, id from (\n    select placed_at, id, state from orders where (placed_at, id) < ($1, $2)"
            " order by placed_at desc, id desc\n        limit $5\n) as newest\nwhere state = any ($3)"
            " order by placed_at desc, id desc limit $4"))


if __name__ == "__main__":
    unittest.main()
