# A client that openapi-python-client makes of the document: nothing of the document is lost on it, and a guest orders a combo with it.
# Run by `make test-openapi`. Read next: test_openapi.py.

import importlib
import json
import os
import re
import subprocess
import sys
import tempfile

from live import LiveTest

# A generator knows JSON, and leaves out what answers with something else.
PICTURES = ["GET /photographs/{digest}/{width}", "GET /pictures/{file}"]


class GeneratedClientTests(LiveTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.document = json.loads(cls.get("/openapi.json"))
        path = os.path.join(directory.name, "openapi.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(cls.document, file)
        # The generator tidies what it has made with ruff, which lies beside it.
        environment = os.environ | {"PATH": f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"}
        done = subprocess.run([os.path.join(os.path.dirname(sys.executable), "openapi-python-client"), "generate", "--path", path, "--meta", "none",
                               "--output-path", os.path.join(directory.name, "generated_welms")], capture_output=True, text=True, timeout=300, env=environment)
        cls.said = done.stdout + done.stderr
        cls.returncode = done.returncode
        sys.path.insert(0, directory.name)
        cls.addClassCleanup(sys.path.remove, directory.name)

    def test_whole(self):
        """The generator leaves nothing out but the pictures, and has a call for every operation"""
        self.assertEqual(self.returncode, 0, self.said)
        self.assertEqual(sorted(re.findall(r"^WARNING parsing (.+?) within", self.said, re.M)), PICTURES, self.said)
        self.assertNotIn("Unable to process", self.said)
        for path, item in self.document["paths"].items():
            for operation in (item[method] for method in item if method in ("get", "post", "put", "patch", "delete")):
                call(operation)

    def test_combo(self):
        """A combo with a nested choice, a line's edit and a set that is chosen are sent as typed values, and ordered"""
        models, types = (importlib.import_module(f"generated_welms.{name}") for name in ("models", "types"))
        client = importlib.import_module("generated_welms").Client(self.shop.url, raise_on_unexpected_status=True)
        self.addCleanup(lambda: client.get_httpx_client().close())

        def ask(operation, *path, **more):
            answer = call(self.operation(operation)).sync_detailed(*path, client=client, **more)
            self.assertLess(answer.status_code, 300, answer.content)
            return json.loads(answer.content)

        def body(operation, value):
            """The model of an operation's body."""
            name = operation[0].upper() + operation[1:] + "Body"
            return getattr(models, name).from_dict(value)

        basket = ask("createBasket")["id"]
        # Medium, and a large cola in a cup to keep.
        chosen = [models.ChosenOption(1102), models.ChosenOption(2501), models.ChosenOption(2101, options=[models.ChosenOption(2302, options=[models.ChosenOption(2402)])])]
        combo = body("addItem", {"menuItemId": 1001, "quantity": 1, "note": "no onions"})
        combo.options = chosen
        now = ask("addItem", basket, body=combo)
        self.assertEqual([one["title"] for one in flat(now["lines"][0]["options"])], ["Medium", "French Fries", "Cola Soda", "Large", "Cup to keep"])
        edit = body("changeLine", {"quantity": 2})
        edit.options = chosen[:2] + [models.ChosenOption(2105)]
        now = ask("changeLine", basket, 1, body=edit)
        self.assertEqual([one["title"] for one in flat(now["lines"][0]["options"])], ["Medium", "French Fries", "Beer"])
        unit = models.ChosenUnit(2002, options=[models.ChosenOption(1103)])
        for operation, place, value in (("addSale", (basket,), {"salesGroupId": 200}), ("changeSale", (basket, 200), {})):
            chosen_set = body(operation, value)
            chosen_set.items = [unit]
            now = ask(operation, *place, body=chosen_set)
        self.assertEqual([one["title"] for item in now["sales"][0]["items"] for one in flat(item["options"])].count("Well done"), 1)
        order = ask("checkout", idempotency_key=basket, body=models.CheckoutForm.from_dict({
            "basketId": basket, "name": "Ann Lee", "phone": "(212) 555-0101", "email": "ann@example.com", "address": "12 Elm Street, Springfield", "expectedTotal": now["total"]}))
        self.assertEqual(order["total"], now["total"])

    def operation(self, name):
        return next(one for item in self.document["paths"].values() for one in item.values() if isinstance(one, dict) and one.get("operationId") == name)


def call(operation):
    """The generated module of an operation."""
    name = re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", operation["operationId"]).lower()
    return importlib.import_module(f"generated_welms.api.{operation['tags'][0]}.{name}")


def flat(options):
    return [one for option in options for one in (option, *flat(option["options"]))]
