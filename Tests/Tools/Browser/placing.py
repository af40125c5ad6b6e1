# Places orders as an API client. The tests in Chromium and in WebKit share it.

import json
import urllib.error
import urllib.request

TOKEN = "the-kitchen's-own-secret"


def place_order(shop, number, items=((2001, 1),), sales=(), language=None, **details):
    """Places an order as an API client. Returns its number."""
    return place_whole_order(shop, number, items, sales, language, **details)["number"]


def place_whole_order(shop, number, items=((2001, 1),), sales=(), language=None, **details):
    """Places an order and returns the checkout's answer, which has the order's access token."""
    def post(path, body=None, **headers):
        data = json.dumps(body).encode() if body is not None else b""
        request = urllib.request.Request(
            shop.url + path, data=data, method="POST", headers={"Content-Type": "application/json", **headers}
        )
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as problem:
            raise AssertionError(f"{problem.code} {problem.read().decode()}") from None

    basket = post("/v1/baskets")
    for item, quantity, *more in items:
        note, options = (*more, None, None)[:2]
        basket = post(
            f"/v1/baskets/{basket['id']}/items",
            {"menuItemId": item, "quantity": quantity, "note": note, "options": options},
        )
    for sale in sales:
        basket = post(f"/v1/baskets/{basket['id']}/sales", {"salesGroupId": sale})
    body = {
        "basketId": basket["id"],
        "name": "ann lee",
        "phone": f"55502{number:05}",
        "email": f"guest{number}@example.com",
        "address": "12 main street, springfield",
        "expectedTotal": basket["total"],
        **details,
    }
    return post(
        "/v1/checkout",
        body,
        **{"Idempotency-Key": f"staff-{number}", **({"Accept-Language": language} if language else {})},
    )
