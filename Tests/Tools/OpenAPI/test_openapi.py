# The live server against its own document: schemathesis sends what the document allows and what it forbids to every route, once as a
# stranger and once with ids and tokens that are real, and no answer may be a 500 or one that the document does not describe.
# Run by `make test-openapi`. The streams of events never end, so schemathesis leaves them out and they have a test of their own here.

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

# What was typed into forms to break other shops. It goes into every text, beside what schemathesis thinks of itself.
HOSTILE = [
    "' or 1=1 --", "'; drop table orders; --", "$1", "%00", "\\u0000", "\u2028\r\n\x1b[31m", "\ufeff\u202e", "{{7*7}}", "${jndi:ldap://x/}",
    "<script>alert(1)</script>", "../../etc/passwd", "\U0001F354" * 300, "9" * 400, "1e400", "-0", "NaN", "W/\"\"", "*", "null",
]


class OpenAPITests(LiveTest):
    # The cases with wrong tokens come from the same address as those with the right one.
    arguments = ("--staff-token", STAFF_TOKEN, "--rate-limit-staff-tokens", "off")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.document = json.loads(cls.get("/openapi.json"))
        cls.orders = [cls.order(guest) for guest in range(12)]
        # More than one run empties, so that there is always one with something to take out.
        cls.baskets = [cls.basket(full=True)["id"] for _ in range(260)]
        # What schemathesis would make up is no photograph, and nobody guesses where one lies.
        request = urllib.request.Request(
            cls.shop.url + "/v1/staff/menu/5001/photograph", png(), {"Authorization": f"Bearer {STAFF_TOKEN}"}, method="PUT")
        with urllib.request.urlopen(request, timeout=30) as answer:
            cls.size = json.load(answer)["photograph"]["sizes"][0]
        cls.get(cls.size["url"])

    def schemathesis(self, examples, extra=""):
        """Every phase of schemathesis over every route but the streams; its report where it found something."""
        with tempfile.TemporaryDirectory() as directory:
            settings = os.path.join(directory, "schemathesis.toml")
            with open(os.path.join(HERE, "schemathesis.toml")) as shared, open(settings, "w", encoding="utf-8") as file:
                file.write(extra + "\n" + shared.read())
            excluded = [option for path in STREAMS for option in ("--exclude-path", path)]
            # From a file, because schemathesis leaves out the route that it has the document from.
            document = os.path.join(directory, "openapi.json")
            with open(document, "w", encoding="utf-8") as file:
                json.dump(self.document, file)
            # The same cases in each run: a seed, no memory of earlier runs, and a number of examples instead of a time.
            done = subprocess.run(
                [sys.executable, "-m", "schemathesis.cli", "--config-file", settings, "run", document, "--url", self.shop.url, "--no-color",
                 "--seed", os.environ.get("SEED", "1"), "--generation-database", "none", "--max-examples", str(examples), "--warnings", "off",
                 "--request-timeout", "10", *excluded],
                cwd=directory, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout[-12000:] + done.stderr[-3000:])
        self.assertIn(f"Tested: {len(self.operations()) - len(STREAMS)}", done.stdout)
        self.assertIn("No issues found", done.stdout)

    def staff(self, number, step, **body):
        request = urllib.request.Request(
            f"{self.shop.url}/v1/staff/orders/{number}/{step}", method="POST",
            data=json.dumps(body).encode() if body else None,
            headers={"Authorization": f"Bearer {STAFF_TOKEN}", **({"Content-Type": "application/json"} if body else {})})
        with urllib.request.urlopen(request, timeout=30) as answer:
            self.assertEqual(answer.status, 200)

    def operations(self):
        return [(method, path) for path, item in self.document["paths"].items() for method in item if method in ("get", "post", "put", "patch", "delete")]

    def test_stranger(self):
        """Whoever knows nothing gets no answer that the document does not describe"""
        self.schemathesis(10)

    def test_insider(self):
        """With real baskets, orders and tokens neither"""
        # Only what is accepted can be delayed, and schemathesis hardly ever thinks of that step first. It likes the first
        # of a list best.
        accepted, placed = self.orders[1::3] + self.orders[2::3], self.orders[::3]
        on_the_way, accepted = accepted[-3:], accepted[:-3]
        for order in accepted + placed[:1] + on_the_way:
            self.staff(order["number"], "accept")
        for order in on_the_way:
            for state in ("preparing", "on_the_way"):
                self.staff(order["number"], "advance", state=state)
        # Within ten seconds, which is sooner than schemathesis is there.
        self.staff(placed[0]["number"], "back")
        # Each of these fits the others: the sale is in the baskets, and the items are in the sale and in the baskets, too.
        values = {
            "baskets": self.baskets[20:], "whole": self.baskets[:20], "orders": [order["id"] for order in self.orders], "own": [self.orders[0]["id"]],
            "numbers": [order["number"] for order in accepted + placed], "on_the_way": [order["number"] for order in on_the_way],
            "items": [1002, 1003], "lines": [1, 2, 3], "sales": [400],
            # Of the menu, of sales and of options; one of these items is sold out in the end.
            "ids": [2004, 3001, 200, 400, 1201, 1206],
            "states": ["accepted", "preparing"], "hostile": HOSTILE,
            # Half of them may be said, or a step that needs a reason is hardly ever taken.
            "reasons": HOSTILE + [f"the fryer broke {times} times" for times in range(2, 2 + len(HOSTILE))], "edges": [0, -1, 2**63 - 1, -(2**63), 2**63, 10**400],
            # Days on which nobody orders here, moments that are over or that no hour has, and postcodes.
            "days": ["2031-12-24", "2031-12-25"], "moments": ["2020-01-01T00:00:00Z", "2031-12-24T18:00:00+01:00", "2031-12-24T18:00:61Z"],
            "digests": [self.size["url"].split("/")[2]], "widths": [self.size["width"], 800, 0],
            "postcodes": ["10117", "EC1A 1BB", "1-2", "9", "*"], "minutes": [1, 10, 60],
            # A made-up tag is never the basket's.
            "tags": ["*"],
        }
        bound = {
            "path.basketId": "baskets", "path.orderId": "orders", "path.number": "numbers", "path.menuItemId": "items", "path.id": "ids",
            "path.lineId": "lines", "header.If-Match": "tags", "path.salesGroupId": "sales", "body.basketId": "baskets", "body.menuItemId": "items", "body.salesGroupId": "sales",
            "body.state": "states", "body.quantity": "edges", "body.expectedTotal": "edges", "body.tip": "edges",
            "path.digest": "digests", "path.width": "widths", "path.date": "days", "query.date": "days", "query.basketId": "baskets", "query.postcode": "postcodes", "body.postcode": "postcodes",
            "body.wantedAt": "moments", "body.until": "moments", "body.minutes": "minutes", "body.forMinutes": "minutes",
            "body.reason": "reasons",
        }
        texts = ["name", "phone", "email", "address", "comment", "note", "coupon", "birthday"]
        bound |= {f"body.{name}": "hostile" for name in texts} | {f"query.{name}": "hostile" for name in ("q", "tag", "seed", "cursor")}
        lines = [f"[auth.openapi]\nstaffToken = {{ bearer = {json.dumps(STAFF_TOKEN)} }}"]
        lines += [f"accessToken = {{ bearer = {json.dumps(self.orders[0]['accessToken'])} }}", "[parameters]"]
        lines += [f'"{name}" = {{ dictionary = "{words}", probability = 0.9 }}' for name, words in bound.items()]
        lines += [f"[dictionaries.{name}]\nvalues = {json.dumps(words, ensure_ascii=False)}" for name, words in values.items()]
        # It is asked a few times only, and would come to baskets that the others have emptied: it has its own.
        lines += ['[[operations]]\ninclude-name = "DELETE /v1/baskets/{basketId}/lines/{lineId}"\n[operations.parameters]\n"path.basketId" = { dictionary = "whole", probability = 0.9 }']
        # The token is that of one order.
        lines += ['[[operations]]\ninclude-name = "GET /v1/orders/{orderId}/receipt"\n[operations.parameters]\n"path.orderId" = { dictionary = "own", probability = 0.9 }']
        # Only an order that is on its way can be delivered.
        lines += ['[[operations]]\ninclude-name = "POST /v1/staff/orders/{number}/deliver"\n[operations.parameters]\n"path.number" = { dictionary = "on_the_way", probability = 0.9 }']
        self.schemathesis(50, "\n".join(lines))
        # Proves that the ids and tokens were let in: each route did what it is for, at least once.
        metrics = self.get("/metrics").decode()
        done = set(re.findall(r'^welms_http_requests_total\{method="(\w+)",route="([^"]*)",status="2\d\d"\}', metrics, re.MULTILINE))
        described = {(method.upper(), path) for method, path in self.operations() if path not in STREAMS}
        self.assertEqual(described - done, set())

    def test_streams(self):
        """A stream of events begins as the document says, whatever the client claims to have seen"""
        seen = [None, "", "0", "1", "-1", "999999", "9" * 400, "7-1", "x-y", "-", "--", "\"", "a" * 4000, "\xff\xfe", "1\t2", "1, 2"]
        for path in STREAMS:
            described = self.document["paths"][path]["get"]["responses"]
            for address in {path.replace("{orderId}", self.orders[3]["id"]), path.replace("{orderId}", "x")}:
                for value in seen:
                    connection = http.client.HTTPConnection("127.0.0.1", self.shop.port, timeout=10)
                    headers = {"Authorization": f"Bearer {STAFF_TOKEN}"} if "staff" in path else {}
                    connection.request("GET", address, headers=headers if value is None else {**headers, "Last-Event-ID": value})
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
