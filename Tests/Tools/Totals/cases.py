"""Prints generated cases for oracle.py, a shop with its orders per JSON line: cases.py --seed N --shops M [--orders 20]
[--judged]. The same seed prints the same cases. TotalsOracleTests.swift compares the totals of the shop with those of
the oracle."""

import argparse
import json
import random
import sys

from oracle import area_of, judge, lines_of

CATEGORIES = [100, 200, 300, 400]
# The range of usual prices by currency, in minor units. The currencies have 2, 0 and 3 decimals.
CURRENCIES = {"EUR": (50, 3000), "JPY": (1, 4000), "KWD": (100, 9000)}
PERCENTS = ["0", "5", "7", "8.1", "8.875", "10", "12.5", "19", "20", "20", "25", "50", "100", "0.0001", "33.3333"]
POSTCODES = ["10115", "10117", "1 01 17", " 101-99", "20095", "sw1a 1aa", "SW1A2AA", "99", "9", "1a-2b-3c-4d-5e-6f"]
PATTERNS = ["10115", "10117", "101*", "10*", "1*", "*", "SW1A 1AA", "sw1a*", "2-00*", "9999", "9", "1A2B3C4D5E6F"]


def maybe(rng, chance, value):
    return value() if rng.random() < chance else None


def price(rng, currency):
    return rng.choice([0, 1, 10**8]) if rng.random() < 0.03 else rng.randint(*CURRENCIES[currency])


def group(rng, number, currency):
    highest = CURRENCIES[currency][1] // 4
    prices = [
        rng.choice([0, highest // 2, rng.randint(1, highest + 1), -rng.randint(0, highest)])
        for _ in range(rng.randint(1, 4))
    ]
    options = [{"id": 100 * number + index, "price": price} for index, price in enumerate(prices)]
    return {"id": number, "included": rng.choice([0, 0, 1, 2]), "options": options}


def item(rng, id, category, groups, currency):
    return {
        "id": id,
        "category": category,
        "price": price(rng, currency),
        "salePercent": maybe(rng, 0.4, lambda: rng.randint(1, 99)),
        "groups": [group for group in groups if rng.random() < 0.4],
    }


def shop_with_menu(rng):
    """Returns a shop with its menu. `case` adds fees, taxes and areas, which depend on the orders."""
    currency = rng.choice(list(CURRENCIES))
    groups = [group(rng, number, currency) for number in range(1, 4)]
    items = [item(rng, 10 * category + number, category, groups, currency) for category in CATEGORIES
             for number in range(rng.randint(1, 3))]
    sales = [
        {"id": id, "items": [[each["id"], rng.randint(1, 4)] for each in rng.sample(items, rng.randint(1, 3))]}
        for id in (1, 2)
    ]
    return {"currency": currency, "items": items, "sales": sales}


def options(rng, item):
    """Returns a valid selection: each option at most three times."""
    chosen = [
        [option["id"], rng.randint(1, 3)]
        for group in item["groups"]
        for option in group["options"]
        if rng.random() < 0.35
    ]
    rng.shuffle(chosen)
    return chosen


def order(rng, shop):
    items = {item["id"]: item for item in shop["items"]}
    lines = [{"item": id, "quantity": rng.choice([1, 1, 1, 2, 3, 9]), "options": options(rng, items[id])}
             for id in rng.choices(list(items), k=rng.choice([0, 1, 1, 2, 2, 3, 4, 6]))]
    sets = []
    for sale in shop["sales"]:
        if rng.random() < 0.25 or not lines and not sets and sale["id"] == 2:
            ids = [id for id, quantity in sale["items"] for _ in range(rng.randint(0, quantity))]
            units = [{"item": id, "options": options(rng, items[id])} for id in ids]
            sets.append({"sale": sale["id"], "units": units})
    return {"lines": lines, "sets": sets, "fulfilment": rng.choice(["delivery", "delivery", "pickup"])}


def threshold(rng, subtotals):
    """Returns a threshold: the subtotal of an order, one less, one more, or a random amount."""
    subtotal = rng.choice(subtotals)
    return max(0, rng.choice([subtotal, subtotal, subtotal - 1, subtotal + 1, rng.randint(0, 2 * subtotal)]))


def fee(rng, shop):
    return rng.choice(
        [
            0,
            1,
            rng.randint(1, CURRENCIES[shop["currency"]][1] // 3 + 1),
            rng.randint(1, CURRENCIES[shop["currency"]][1]),
        ]
    )


def area(rng, shop, id, subtotals):
    starts = {rng.choice([0, threshold(rng, subtotals), threshold(rng, subtotals)]) for _ in range(rng.randint(0, 4))}
    return {
        "id": id,
        "priority": rng.randint(-1, 1),
        "postcodes": rng.sample(PATTERNS, rng.randint(1, 3)),
        "isActive": rng.random() < 0.9,
        "minimum": rng.choice([0, 0, 0, threshold(rng, subtotals) // rng.choice([1, 3])]),
        "fees": rng.sample(fees := [[start, fee(rng, shop)] for start in sorted(starts)], len(fees)),
    }


def terms(rng, shop, subtotals):
    service = rng.choice([(), (), ("percent",), ("amount",), ("percent", "amount")])
    return {
        "smallOrderBelow": rng.choice([0, *(threshold(rng, subtotals) for _ in range(3))]),
        "smallOrderFee": fee(rng, shop),
        "servicePercent": percent(rng) if "percent" in service else None,
        "serviceAmount": fee(rng, shop) if "amount" in service else None,
    }


def percent(rng):
    if rng.random() < 0.7:
        return rng.choice(PERCENTS)
    number = rng.randint(0, 300000)
    return f"{number // 10000}.{number % 10000:04}".rstrip("0").rstrip(".")


def add_taxes(rng, shop):
    rates = [{"id": id, "percent": percent(rng)} for id in rng.sample(range(1, 13), rng.choice([0, 1, 2, 3, 3, 4]))]
    ids = [rate["id"] for rate in rates]
    rows = [[category, fulfilment, rng.choice(ids)]
            for category in CATEGORIES for fulfilment in (None, "delivery", "pickup") if ids and rng.random() < 0.55]
    shop["areIncluded"] = rng.random() < 0.5
    shop["rates"], shop["categoryTaxes"] = rates, rng.sample(rows, len(rows))
    shop["feeRates"] = {fee: rng.choice([None, None, *ids]) for fee in ("delivery", "smallOrder", "service")}


def coupon(rng, subtotal):
    kind = rng.choice([None, None, "percent", "amount", "freeItem"])
    values = {
        "percent": rng.choice([100, rng.randint(1, 99), rng.randint(1, 99)]),
        "freeItem": rng.choice(CATEGORIES),
        "amount": (
            rng.choice([subtotal, subtotal + 1, 1, rng.randint(1, subtotal + 1), rng.randint(1, subtotal + 1)]) or 1
        ),
    }
    return kind and {"key": rng.choice(["FRST", "ABC"]), kind: values[kind]}


def case(rng, count):
    shop = shop_with_menu(rng)
    orders = [order(rng, shop) for _ in range(count)]
    subtotals = [sum(line["total"] for line in lines_of(shop, order)) for order in orders]
    shop["areas"] = [area(rng, shop, id, subtotals) for id in rng.sample(range(1, 20), rng.choice([0, 1, 2, 4, 4]))]
    shop["terms"] = {fulfilment: terms(rng, shop, subtotals) for fulfilment in ("delivery", "pickup")}
    shop["tipLimitPercent"] = rng.choice([100, 100, 15, 1000, 0])
    add_taxes(rng, shop)
    for each, subtotal in zip(orders, subtotals):
        highest = subtotal * shop["tipLimitPercent"] // 100
        each["coupon"] = coupon(rng, subtotal)
        each["tip"] = maybe(
            rng, 0.4, lambda: rng.choice([0, highest, rng.randint(0, highest), rng.randint(0, highest)])
        )
        if rng.random() < 0.03:
            each["tip"] = rng.choice([-1, highest + 1])
        # Mostly a postcode of a delivery area.
        postcodes = [code for code in POSTCODES if area_of(shop, code)]
        each["postcode"] = rng.choice(rng.choice([postcodes or POSTCODES] * 7 + [POSTCODES, [None]]))
    return {**shop, "orders": orders}


def main():
    parser = argparse.ArgumentParser(description="Prints cases for oracle.py, a shop with its orders per line.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--shops", type=int, required=True)
    parser.add_argument("--orders", type=int, default=20, help="orders per shop")
    parser.add_argument(
        "--judged", action="store_true", help='add the result of the oracle to each order, as "judgement"'
    )
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    for _ in range(arguments.shops):
        shop = case(rng, arguments.orders)
        if arguments.judged:
            shop["orders"] = [{**order, "judgement": judge(shop, order)} for order in shop["orders"]]
        print(json.dumps(shop, separators=(",", ":")))


if __name__ == "__main__":
    main()
