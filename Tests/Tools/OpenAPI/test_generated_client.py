# Tests a client that openapi-python-client generates from the document: it has all operations, and a guest orders a
# combo with it.

import importlib
import json
import os
import re
import subprocess
import sys
import tempfile

from live import LiveTest

# The generator supports JSON only, and skips routes with other answers.
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
        # The generator formats its output with ruff, from the same folder.
        environment = os.environ | {"PATH": f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"}
        done = subprocess.run(
            [
                os.path.join(os.path.dirname(sys.executable), "openapi-python-client"),
                "generate",
                "--path",
                path,
                "--meta",
                "none",
                "--output-path",
                os.path.join(directory.name, "generated_welms"),
            ],
            capture_output=True,
            text=True,
            timeout=300,
            env=environment,
        )
        cls.output = done.stdout + done.stderr
        cls.returncode = done.returncode
        sys.path.insert(0, directory.name)
        cls.addClassCleanup(sys.path.remove, directory.name)

    def test_all_operations(self):
        """The generator skips only the pictures, and generates a call for each operation"""
        self.assertEqual(self.returncode, 0, self.output)
        self.assertEqual(sorted(re.findall(r"^WARNING parsing (.+?) within", self.output, re.M)), PICTURES, self.output)
        self.assertNotIn("Unable to process", self.output)
        for path, item in self.document["paths"].items():
            for operation in (item[method] for method in item if method in ("get", "post", "put", "patch", "delete")):
                call(operation)

    def test_combo(self):
        """Typed values add a combo with nested options, change a line and choose a set, and the guest orders them"""
        models, types = (importlib.import_module(f"generated_welms.{name}") for name in ("models", "types"))
        client = importlib.import_module("generated_welms").Client(self.shop.url, raise_on_unexpected_status=True)
        self.addCleanup(lambda: client.get_httpx_client().close())

        def ask(operation, *path, **more):
            answer = call(self.operation(operation)).sync_detailed(*path, client=client, **more)
            self.assertLess(answer.status_code, 300, answer.content)
            return json.loads(answer.content)

        def body(operation, value):
            """Returns an instance of the model of an operation's body."""
            name = operation[0].upper() + operation[1:] + "Body"
            return getattr(models, name).from_dict(value)

        basket = ask("createBasket")["id"]
        # The size Medium, French fries, and a large cola in a cup to keep.
        selection = [
            models.ChosenOption(1102),
            models.ChosenOption(2501),
            models.ChosenOption(2101, options=[models.ChosenOption(2302, options=[models.ChosenOption(2402)])]),
        ]
        combo = body("addItem", {"menuItemId": 1001, "quantity": 1, "note": "no onions"})
        combo.options = selection
        answer = ask("addItem", basket, body=combo)
        self.assertEqual(
            [each["title"] for each in flatten(answer["lines"][0]["options"])],
            ["Medium", "French Fries", "Cola Soda", "Large", "Cup to keep"],
        )
        edit = body("changeLine", {"quantity": 2})
        edit.options = selection[:2] + [models.ChosenOption(2105)]
        answer = ask("changeLine", basket, 1, body=edit)
        self.assertEqual(
            [each["title"] for each in flatten(answer["lines"][0]["options"])], ["Medium", "French Fries", "Beer"]
        )
        unit = models.ChosenUnit(2002, options=[models.ChosenOption(1103)])
        for operation, path, value in (
            ("addSale", (basket,), {"salesGroupId": 200}),
            ("changeSale", (basket, 200), {}),
        ):
            chosen_set = body(operation, value)
            chosen_set.items = [unit]
            answer = ask(operation, *path, body=chosen_set)
        self.assertEqual(
            [each["title"] for item in answer["sales"][0]["items"] for each in flatten(item["options"])].count(
                "Well done"
            ),
            1,
        )
        order = ask(
            "checkout",
            idempotency_key=basket,
            body=models.CheckoutForm.from_dict(
                {
                    "basketId": basket,
                    "name": "Ann Lee",
                    "phone": "(212) 555-0101",
                    "email": "ann@example.com",
                    "address": "12 Elm Street, Springfield",
                    "expectedTotal": answer["total"],
                }
            ),
        )
        self.assertEqual(order["total"], answer["total"])

    def operation(self, name):
        return next(
            each
            for item in self.document["paths"].values()
            for each in item.values()
            if isinstance(each, dict) and each.get("operationId") == name
        )


def call(operation):
    """Returns the generated module of an operation."""
    name = re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", operation["operationId"]).lower()
    return importlib.import_module(f"generated_welms.api.{operation['tags'][0]}.{name}")


def flatten(options):
    return [each for option in options for each in (option, *flatten(option["options"]))]
