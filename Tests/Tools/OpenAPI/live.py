# A base class for tests with a real server and an embedded PostgreSQL, and the requests of a storefront.

import json
import os
import sys
import unittest
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), folder) for folder in ("Browser", "Processes")]

from server import PROGRAM, ROOT, Shop


class LiveTest(unittest.TestCase):
    """A test case whose tests share one shop."""

    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.shop = Shop(*cls.arguments)
        cls.addClassCleanup(cls.shop.close)

    @classmethod
    def get(cls, path):
        with urllib.request.urlopen(cls.shop.url + path, timeout=10) as answer:
            return answer.read()

    @classmethod
    def post(cls, path, body, **headers):
        request = urllib.request.Request(
            cls.shop.url + path,
            json.dumps(body).encode(),
            {"Content-Type": "application/json", **headers},
            method="POST",
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.loads(answer.read())

    @classmethod
    def basket(cls, full=False):
        basket = cls.post("/v1/baskets", {})["id"]
        if full:
            for item in (1002, 1003, 4005):
                cls.post(f"/v1/baskets/{basket}/items", {"menuItemId": item})
            for sale in (200, 400):
                cls.post(f"/v1/baskets/{basket}/sales", {"salesGroupId": sale})
        return cls.post(f"/v1/baskets/{basket}/items", {"menuItemId": 2001, "quantity": 2})

    @classmethod
    def order(cls, guest):
        basket = cls.basket()
        form = {
            "basketId": basket["id"],
            "name": "Ann Lee",
            "phone": f"(212) 555-{guest:04}",
            "email": f"ann{guest}@example.com",
            "address": "12 Elm Street, Springfield",
            "expectedTotal": basket["total"],
        }
        return cls.post("/v1/checkout", form, **{"Idempotency-Key": basket["id"]})
