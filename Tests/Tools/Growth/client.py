"""A guest and a member of staff as HTTP clients of the server, each on one persistent connection."""

import http.client
import json
import time


class Client:
    """Sends requests one after the other. `durations` has the milliseconds of each request by its kind."""

    def __init__(self, port, token=None):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.durations, self.failures = {}, {}

    def request(self, kind, method, path, body=None, headers=()):
        """Returns the status and the decoded body. A body that is not JSON is returned as bytes."""
        begin = time.monotonic()
        data = None if body is None else json.dumps(body)
        types = {"Content-Type": "application/json"} if body is not None else {}
        try:
            self.connection.request(method, path, data, self.headers | types | dict(headers))
            answer = self.connection.getresponse()
            status, data = answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            status, data = 0, b""
        self.durations.setdefault(kind, []).append((time.monotonic() - begin) * 1000)
        if status // 100 != 2:
            self.failures[kind, status] = self.failures.get((kind, status), 0) + 1
        try:
            return status, json.loads(data) if data else None
        except ValueError:
            return status, data

    def get(self, path, kind=None):
        return self.request(kind or path.partition("?")[0], "GET", path)

    def post(self, path, body=None, kind=None, **headers):
        return self.request(kind or path, "POST", path, body, headers.items())

    def close(self):
        self.connection.close()


def fill_basket(client, items):
    """Fills a new basket with (item, quantity) pairs; a negative item is the set of a sale. Returns the basket."""
    status, basket = client.post("/v1/baskets", kind="new basket")
    assert status == 201, (status, basket)
    for item, quantity in items:
        path = f"/v1/baskets/{basket['id']}"
        if item < 0:
            status, basket = client.post(f"{path}/sales", {"salesGroupId": -item}, kind="add sale")
        else:
            status, basket = client.post(
                f"{path}/items", {"menuItemId": item, "quantity": quantity}, kind="add item")
        assert status == 200, (status, basket)
    return basket


def check_out(client, basket, form, key):
    """Quotes the form and sends the checkout. Returns the order; None if it was rejected."""
    form = {"basketId": basket["id"], "expectedTotal": basket["total"]} | form
    _, answer = client.post("/v1/checkout/validate", form, kind="validate")
    if not answer or not answer.get("quote"):
        return None
    form["expectedTotal"] = answer["quote"]["total"]
    status, order = client.request("checkout", "POST", "/v1/checkout", form, [("Idempotency-Key", key)])
    return order if status == 201 else None
