# Tests the running server against its document. schemathesis sends valid and invalid requests to each route, once
# without and once with valid ids and tokens. An answer of 500, or one that the document does not describe, is an error.
# Event streams never end, so they have a separate test.

import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.request

from live import HERE, LiveTest
from pictures import png

STAFF_TOKEN = "the-staff-token-of-this-run"
STREAMS = ["/v1/orders/{orderId}/events", "/v1/staff/orders/events", "/v1/staff/events", "/v1/errors/events"]

# Hostile input for all text fields, in addition to the values of schemathesis.
HOSTILE = [
    "' or 1=1 --",
    "'; drop table orders; --",
    "$1",
    "%00",
    "\\u0000",
    "\u2028\r\n\x1b[31m",
    "\ufeff\u202e",
    "{{7*7}}",
    "${jndi:ldap://x/}",
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "\U0001f354" * 300,
    "9" * 400,
    "1e400",
    "-0",
    "NaN",
    "W/\"\"",
    "*",
    "null",
]


class OpenAPITests(LiveTest):
    # Requests with invalid and valid tokens come from the same address, so the rate limit is off.
    arguments = ("--staff-token", STAFF_TOKEN, "--rate-limit-staff-tokens", "off")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.document = json.loads(cls.get("/openapi.json"))
        cls.orders = [cls.order(guest) for guest in range(12)]
        # More baskets than one run empties, so that lines can be deleted until the end.
        cls.baskets = [cls.basket(full=True)["id"] for _ in range(260)]
        # schemathesis cannot generate photographs or guess their digests.
        request = urllib.request.Request(
            cls.shop.url + "/v1/staff/menu/5001/photograph",
            png(),
            {"Authorization": f"Bearer {STAFF_TOKEN}"},
            method="PUT",
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            cls.size = json.load(answer)["photograph"]["sizes"][0]
        cls.get(cls.size["url"])

    def schemathesis(self, examples, extra=""):
        """Runs all phases of schemathesis on all routes except the streams. Fails with its report."""
        with tempfile.TemporaryDirectory() as directory:
            settings = os.path.join(directory, "schemathesis.toml")
            with open(os.path.join(HERE, "schemathesis.toml")) as shared, open(settings, "w", encoding="utf-8") as file:
                file.write(extra + "\n" + shared.read())
            excluded = [option for path in STREAMS for option in ("--exclude-path", path)]
            # From a file, because schemathesis skips the route that it loads the document from.
            document = os.path.join(directory, "openapi.json")
            with open(document, "w", encoding="utf-8") as file:
                json.dump(self.document, file)
            # Each run has the same cases: a seed, no database of earlier runs, and a number of examples instead of a
            # time.
            done = subprocess.run(
                [
                    sys.executable,
                    "-m",
                    "schemathesis.cli",
                    "--config-file",
                    settings,
                    "run",
                    document,
                    "--url",
                    self.shop.url,
                    "--no-color",
                    "--seed",
                    os.environ.get("SEED", "1"),
                    "--generation-database",
                    "none",
                    "--max-examples",
                    str(examples),
                    "--warnings",
                    "off",
                    "--request-timeout",
                    "10",
                    *excluded,
                ],
                cwd=directory,
                capture_output=True,
                text=True,
                timeout=300,
            )
        self.assertEqual(done.returncode, 0, done.stdout[-12000:] + done.stderr[-3000:])
        self.assertIn(f"Tested: {len(self.operations()) - len(STREAMS)}", done.stdout)
        self.assertIn("No issues found", done.stdout)

    def staff(self, number, step, **body):
        request = urllib.request.Request(
            f"{self.shop.url}/v1/staff/orders/{number}/{step}",
            method="POST",
            data=json.dumps(body).encode() if body else None,
            headers={
                "Authorization": f"Bearer {STAFF_TOKEN}",
                **({"Content-Type": "application/json"} if body else {}),
            },
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            self.assertEqual(answer.status, 200)

    def operations(self):
        return [
            (method, path)
            for path, item in self.document["paths"].items()
            for method in item
            if method in ("get", "post", "put", "patch", "delete")
        ]

    def test_without_valid_ids(self):
        """Without valid ids and tokens, each answer is one that the document describes"""
        self.schemathesis(10)

    def test_with_valid_ids(self):
        """With valid baskets, orders and tokens, each answer is one that the document describes, and each route
        succeeds"""
        # Only accepted orders can be delayed, and schemathesis rarely accepts an order first. It prefers the first
        # value of a list.
        accepted, placed = self.orders[1::3] + self.orders[2::3], self.orders[::3]
        on_the_way, accepted = accepted[-3:], accepted[:-3]
        for order in accepted + placed[:1] + on_the_way:
            self.staff(order["number"], "accept")
        for order in on_the_way:
            for state in ("preparing", "on_the_way"):
                self.staff(order["number"], "advance", state=state)
        # Within the ten seconds of a step, before schemathesis starts.
        self.staff(placed[0]["number"], "back")
        # These values match each other: the baskets contain the sale and the items, and the sale contains the items.
        values = {
            "baskets": self.baskets[20:],
            "whole": self.baskets[:20],
            "orders": [order["id"] for order in self.orders],
            "own": [self.orders[0]["id"]],
            "numbers": [order["number"] for order in accepted + placed],
            "on_the_way": [order["number"] for order in on_the_way],
            "items": [1002, 1003],
            "lines": [1, 2, 3],
            "sales": [400],
            # Ids of menu items, sales and options. One of these items becomes sold out.
            "ids": [2004, 3001, 200, 400, 1201, 1206],
            "states": ["accepted", "preparing"],
            "hostile": HOSTILE,
            # Half of the reasons are valid, so that steps with a reason succeed often enough.
            "reasons": HOSTILE + [f"the fryer broke {times} times" for times in range(2, 2 + len(HOSTILE))],
            "edges": [0, -1, 2**63 - 1, -(2**63), 2**63, 10**400],
            # Future dates, past and invalid times, and postcodes.
            "days": ["2031-12-24", "2031-12-25"],
            "moments": ["2020-01-01T00:00:00Z", "2031-12-24T18:00:00+01:00", "2031-12-24T18:00:61Z"],
            "digests": [self.size["url"].split("/")[2]],
            "widths": [self.size["width"], 800, 0],
            "postcodes": ["10117", "EC1A 1BB", "1-2", "9", "*"],
            "minutes": [1, 10, 60],
            # A generated tag never matches that of the basket.
            "tags": ["*"],
        }
        bound = {
            "path.basketId": "baskets",
            "path.orderId": "orders",
            "path.number": "numbers",
            "path.menuItemId": "items",
            "path.id": "ids",
            "path.lineId": "lines",
            "header.If-Match": "tags",
            "path.salesGroupId": "sales",
            "body.basketId": "baskets",
            "body.menuItemId": "items",
            "body.salesGroupId": "sales",
            "body.state": "states",
            "body.quantity": "edges",
            "body.expectedTotal": "edges",
            "body.tip": "edges",
            "path.digest": "digests",
            "path.width": "widths",
            "path.date": "days",
            "query.date": "days",
            "query.basketId": "baskets",
            "query.postcode": "postcodes",
            "body.postcode": "postcodes",
            "body.wantedAt": "moments",
            "body.until": "moments",
            "body.minutes": "minutes",
            "body.forMinutes": "minutes",
            "body.reason": "reasons",
        }
        texts = ["name", "phone", "email", "address", "comment", "note", "coupon", "birthday"]
        bound |= {f"body.{name}": "hostile" for name in texts} | {
            f"query.{name}": "hostile" for name in ("q", "tag", "seed", "cursor")
        }
        lines = [f"[auth.openapi]\nstaffToken = {{ bearer = {json.dumps(STAFF_TOKEN)} }}"]
        lines += [f"accessToken = {{ bearer = {json.dumps(self.orders[0]['accessToken'])} }}", "[parameters]"]
        lines += [f'"{name}" = {{ dictionary = "{words}", probability = 0.9 }}' for name, words in bound.items()]
        lines += [
            f"[dictionaries.{name}]\nvalues = {json.dumps(words, ensure_ascii=False)}" for name, words in values.items()
        ]
        # This route gets few requests and would find empty baskets, because other routes empty theirs. It has separate
        # baskets.
        lines += [
            '[[operations]]\ninclude-name = "DELETE'
            ' /v1/baskets/{basketId}/lines/{lineId}"\n[operations.parameters]\n"path.basketId" = { dictionary ='
            ' "whole", probability = 0.9 }'
        ]
        # The access token belongs to one order.
        lines += [
            '[[operations]]\ninclude-name = "GET /v1/orders/{orderId}/receipt"\n[operations.parameters]\n"path.orderId"'
            ' = { dictionary = "own", probability = 0.9 }'
        ]
        # Only an order that is on the way can be delivered.
        lines += [
            '[[operations]]\ninclude-name = "POST'
            ' /v1/staff/orders/{number}/deliver"\n[operations.parameters]\n"path.number" = { dictionary = "on_the_way",'
            ' probability = 0.9 }'
        ]
        self.schemathesis(50, "\n".join(lines))
        # Each route must have succeeded at least once, which proves that the ids and tokens were accepted.
        metrics = self.get("/metrics").decode()
        done = set(
            re.findall(
                r'^welms_http_requests_total\{method="(\w+)",route="([^"]*)",status="2\d\d"\}', metrics, re.MULTILINE
            )
        )
        described = {(method.upper(), path) for method, path in self.operations() if path not in STREAMS}
        self.assertEqual(described - done, set())

    def test_streams(self):
        """An event stream begins as the document says, with any Last-Event-ID"""
        seen = [
            None,
            "",
            "0",
            "1",
            "-1",
            "999999",
            "9" * 400,
            "7-1",
            "x-y",
            "-",
            "--",
            "\"",
            "a" * 4000,
            "\xff\xfe",
            "1\t2",
            "1, 2",
        ]
        for path in STREAMS:
            described = self.document["paths"][path]["get"]["responses"]
            for address in {path.replace("{orderId}", self.orders[3]["id"]), path.replace("{orderId}", "x")}:
                for value in seen:
                    connection = http.client.HTTPConnection("127.0.0.1", self.shop.port, timeout=10)
                    headers = {"Authorization": f"Bearer {STAFF_TOKEN}"} if "staff" in path else {}
                    connection.request(
                        "GET", address, headers=headers if value is None else {**headers, "Last-Event-ID": value}
                    )
                    answer = connection.getresponse()
                    kind = answer.getheader("Content-Type", "").split(";")[0]
                    with self.subTest(address=address, value=value):
                        self.assertIn(str(answer.status), described)
                        self.assertNotEqual(answer.status, 500)
                        if answer.status == 200:
                            self.assertEqual(kind, "text/event-stream")
                            self.assertRegex(answer.readline(), rb"^retry: [1-5][0-9]{3}\n$")
                    connection.close()


if __name__ == "__main__":
    unittest.main()
