"""An independent implementation of the rules for totals, in exact fractions. Reads a shop with its orders (JSON) per
line and prints a judgement per order; --self-test checks the oracle. TotalsOracleTests.swift compares the totals of the
shop with it."""

import json
import sys
from fractions import Fraction
from math import ceil, floor


def half_up(exact):
    return floor(exact + Fraction(1, 2))


def shares(amount, weights):
    """Splits an amount into whole units by weight. Rounds up the largest remainders, of equal ones the first."""
    total_weight = sum(weights)
    if total_weight == 0:
        return [0] * len(weights)
    exact = [Fraction(amount * weight, total_weight) for weight in weights]
    parts = [floor(part) for part in exact]
    by_remainder = sorted(range(len(weights)), key=lambda index: parts[index] - exact[index])
    for index in by_remainder[: amount - sum(parts)]:
        parts[index] += 1
    return parts


# Basket


def options_price(item, options):
    """The price of a unit's options. The included units of each group are the cheapest ones with a price above 0."""
    chosen, price = dict(options), 0
    for group in item["groups"]:
        units = [option["price"] for option in group["options"] for _ in range(chosen.get(option["id"], 0))]
        priced_units = sorted(unit for unit in units if unit > 0)
        price += sum(unit for unit in units if unit < 0) + sum(priced_units[group["included"]:])
    return price


def priced(shop, dishes):
    """The lines of [item, options, quantity]. Equal lines are merged at the place of the first one."""
    items = {item["id"]: item for item in shop["items"]}
    merged = {}
    for id, options, quantity in dishes:
        dish = (id, tuple(sorted(map(tuple, options))))
        merged[dish] = merged.get(dish, 0) + quantity
    lines = []
    for (id, options), quantity in merged.items():
        item = items[id]
        own = half_up(Fraction(item["price"] * (100 - (item["salePercent"] or 0)), 100))
        unit = max(0, own + options_price(item, options))
        lines.append(
            {
                "item": id,
                "category": item["category"],
                "own": own,
                "unit": unit,
                "quantity": quantity,
                "total": unit * quantity,
            }
        )
    return lines


def lines_of(shop, order):
    """The lines, then the dishes of the sets: units with chosen options first, then those without."""
    lines = priced(shop, [(line["item"], line["options"], line["quantity"]) for line in order["lines"]])
    for chosen_set in order["sets"]:
        sale = next(sale for sale in shop["sales"] if sale["id"] == chosen_set["sale"])
        dishes = []
        for id, quantity in sale["items"]:
            units = [unit["options"] for unit in chosen_set["units"] if unit["item"] == id]
            dishes += [(id, options, 1) for options in units] + [(id, [], quantity - len(units))] * (
                quantity > len(units)
            )
        lines += priced(shop, dishes)
    return lines


# Discount


def discount_shares(coupon, lines):
    """The discount of each line, or None if no line qualifies for the coupon."""
    subtotal = sum(line["total"] for line in lines)
    if "freeItem" in coupon:
        fitting = [index for index, line in enumerate(lines) if line["category"] == coupon["freeItem"]]
        if not fitting:
            return None
        cheapest = min(fitting, key=lambda index: lines[index]["own"])
        free = min(lines[cheapest]["own"], lines[cheapest]["unit"])
        return [free if index == cheapest else 0 for index in range(len(lines))]
    if "percent" in coupon:
        amount = subtotal - half_up(Fraction(subtotal * (100 - coupon["percent"]), 100))
    else:
        amount = min(coupon["amount"], subtotal)
    return shares(amount, [line["total"] for line in lines])


# Delivery areas


def comparable(postcode):
    return "".join(sign for sign in postcode.upper() if sign not in " -")


def matches(pattern, postcode):
    pattern, postcode = comparable(pattern), comparable(postcode)
    return postcode.startswith(pattern[:-1]) if pattern.endswith("*") else postcode == pattern


def area_of(shop, postcode):
    active = sorted(
        (area for area in shop["areas"] if area["isActive"]), key=lambda area: (area["priority"], area["id"])
    )
    return next((area for area in active if any(matches(pattern, postcode) for pattern in area["postcodes"])), None)


def delivery_fee(area, subtotal):
    """The fee of the highest tier that the subtotal reaches, or of the first tier; 0 without tiers."""
    tiers = sorted(area["fees"])
    return next((fee for start, fee in reversed(tiers) if start <= subtotal), tiers[0][1] if tiers else 0)


# Taxes


def rate_of(shop, category, fulfilment):
    rows = {(row[0], row[1]): row[2] for row in shop["categoryTaxes"]}
    return rows.get((category, fulfilment), rows.get((category, None)))


def taxes(shop, fulfilment, lines, discounts, fees):
    """The exact tax of each rate, and the shares of the rounded tax. A fee is (amount, its rate or None)."""
    rates = [rate_of(shop, line["category"], fulfilment) for line in lines]
    after = [line["total"] - discount for line, discount in zip(lines, discounts)]
    weights = after if sum(after) else [line["total"] for line in lines]
    found = {}
    for rate in sorted(shop["rates"], key=lambda rate: rate["id"]):
        percent = Fraction(rate["percent"])
        factor = percent / (100 + percent) if shop["areIncluded"] else percent / 100
        goods = sum(amount for amount, line_rate in zip(after, rates) if line_rate == rate["id"])
        weight = sum(amount for amount, line_rate in zip(weights, rates) if line_rate == rate["id"])
        share = Fraction(weight, sum(weights) or 1)
        of_fees = [amount * (named == rate["id"] if named else share) for amount, named in fees]
        base = goods + sum(of_fees)
        tax = base * factor
        shared = Fraction(half_up(tax)) / base if base else Fraction(0)
        parts = [amount * shared if line_rate == rate["id"] else None for amount, line_rate in zip(after, rates)]
        found[rate["id"]] = {"parts": parts, "fees": [part * shared for part in of_fees], "exact": tax, "base": base}
    return found


def judge(shop, order):
    fulfilment, errors = order["fulfilment"], []
    terms, lines = shop["terms"][fulfilment], lines_of(shop, order)
    subtotal = sum(line["total"] for line in lines)
    discounts = discount_shares(order["coupon"], lines) if order["coupon"] else None
    if order["coupon"] and discounts is None:
        errors.append("coupon coupon_needs_item")
    discounts = discounts or [0] * len(lines)

    totals, fees, minimum = [["subtotal", None, subtotal, False, None]], [], None
    if sum(discounts):
        totals.append(["discount", order["coupon"]["key"], -sum(discounts), False, None])

    def fee(kind, name, amount, is_always_shown=False):
        fees.append((amount, shop["feeRates"][name]))
        if amount or is_always_shown:
            totals.append([kind, None, amount, False, None])

    if fulfilment == "delivery" and shop["areas"]:
        area = area_of(shop, order["postcode"]) if order["postcode"] else None
        if not order["postcode"]:
            errors.append("postcode postcode_required")
        elif area is None:
            errors.append("postcode out_of_delivery_area")
        else:
            fee("delivery_fee", "delivery", delivery_fee(area, subtotal), is_always_shown=True)
            if subtotal < area["minimum"]:
                minimum = f"basket order_minimum_not_reached missingAmount={area['minimum'] - subtotal}"
    if subtotal < terms["smallOrderBelow"]:
        fee("small_order_fee", "smallOrder", terms["smallOrderFee"])
    service = half_up(subtotal * Fraction(terms["servicePercent"] or 0) / 100)
    fee("service_charge", "service", service + (terms["serviceAmount"] or 0))

    found = taxes(shop, fulfilment, lines, discounts, fees)
    percents = {rate["id"]: rate["percent"] for rate in shop["rates"]}
    for id in sorted(found):
        if tax := half_up(found[id]["exact"]):
            totals.append(["tax", str(id), tax, shop["areIncluded"], percents[id]])

    highest = subtotal * shop["tipLimitPercent"] // 100
    if order["tip"] is not None and not 0 <= order["tip"] <= highest:
        errors.append(f"tip tip_out_of_range maximum={highest}")
    elif order["tip"]:
        totals.append(["tip", None, order["tip"], False, None])
    if minimum:
        errors.append(minimum)
    total = sum(amount for kind, _, amount, is_included, _ in totals if not is_included)
    totals.append(["total", None, total, False, None])
    rates = [exact(id, found[id], shop["areIncluded"]) for id in sorted(found)]
    return {"totals": totals, "errors": errors, "lines": line_rows(lines, discounts, found), "taxes": rates}


def line_rows(lines, discounts, found):
    """The lines: item, unit price, quantity, discount, rate, the bounds of the line's share of that tax, and a rank.

    The rank is that of the share's remainder within the rate: 0 for the smallest, equal ranks for equal remainders.
    """
    rows = []
    for index, (line, discount) in enumerate(zip(lines, discounts)):
        rate, low, high, rank = 0, 0, 0, 0
        for id, tax in found.items():
            part = tax["parts"][index]
            if part is not None:
                rate, low, high = id, floor(part), ceil(part)
                rank = len({other % 1 for other in tax["parts"] if other is not None and other % 1 < part % 1})
        rows.append([line["item"], line["unit"], line["quantity"], discount, rate, low, high, rank])
    return rows


def exact(id, tax, is_included):
    """A rate: its id, its tax, whether exactly a half was rounded up, the bounds of the fees' share, whether the base
    is whole, and the bounds of the net amount."""
    fees, is_half, amount = tax["fees"], tax["exact"] % 1 == Fraction(1, 2), half_up(tax["exact"])
    nets = [part(tax["base"]) - amount * is_included for part in (floor, ceil)]
    return [id, amount, is_half, sum(map(floor, fees)), sum(map(ceil, fees)), tax["base"] % 1 == 0, *nets]


def self_test():
    def shop(**other):
        nothing = {"smallOrderBelow": 0, "smallOrderFee": 0, "servicePercent": None, "serviceAmount": None}
        return {
            "areIncluded": False,
            "rates": [{"id": 1, "percent": "7"}, {"id": 2, "percent": "8.875"}],
            "categoryTaxes": [[200, None, 1], [400, "delivery", 2], [400, "pickup", 1]],
            "feeRates": {"delivery": 1, "smallOrder": None, "service": None},
            "tipLimitPercent": 100,
            "sales": [],
            "items": [item(2001, 805), item(4001, 285)],
            "terms": {"delivery": nothing, "pickup": nothing},
            "areas": [
                {
                    "id": 1,
                    "priority": 0,
                    "postcodes": ["1 01*"],
                    "minimum": 1896,
                    "isActive": True,
                    "fees": [[0, 300], [1895, 250]],
                }
            ],
            **other,
        }

    def item(id, price, **other):
        return {"id": id, "category": id // 1000 * 100, "price": price, "salePercent": None, "groups": [], **other}

    def order(*lines, **other):
        lines = [{"item": item, "quantity": quantity, "options": []} for item, quantity in lines]
        return {
            "lines": lines,
            "sets": [],
            "coupon": None,
            "fulfilment": "delivery",
            "postcode": "101-17",
            "tip": None,
            **other,
        }

    def amounts(judged):
        return [total[2] for total in judged["totals"]]

    terms = {"smallOrderBelow": 5000, "smallOrderFee": 100, "servicePercent": "2.5", "serviceAmount": None}
    tenth = {"key": "A", "percent": 10}
    judged = judge(shop(terms={"delivery": terms}), order((2001, 2), (4001, 1), coupon=tenth, tip=200))
    assert amounts(judged) == [1895, -189, 250, 100, 47, 128, 25, 200, 2456], judged
    assert judged["errors"] == ["basket order_minimum_not_reached missingAmount=1"], judged
    vat = shop(areIncluded=True, rates=[{"id": 1, "percent": "20"}], items=[item(2001, 300)], areas=[])
    assert [delivery_fee({"fees": [[1895, 250], [500, 300]]}, subtotal) for subtotal in (0, 1894, 1895)] == [
        300,
        300,
        250,
    ]
    assert delivery_fee({"fees": []}, 1) == 0
    both = {"delivery": {**terms, "smallOrderFee": 0, "serviceAmount": 30}}
    assert amounts(judge(shop(terms=both, rates=[], areas=[]), order((2001, 2), coupon=tenth))) == [
        1610,
        -161,
        70,
        1519,
    ]
    assert judge(vat, order((2001, 1)))["totals"][1] == ["tax", "1", 50, True, "20"]
    assert judge(vat, order((2001, 1)))["taxes"][0][-2:] == [250, 250]
    assert amounts(judge(shop(), order((2001, 2), (4001, 1), fulfilment="pickup"))) == [1895, 133, 2028]
    assert shares(1, [1, 1, 1]) == [1, 0, 0] and shares(189, [1610, 285]) == [161, 28] and half_up(Fraction(-1, 2)) == 0
    options = [{"id": 1, "price": 100}, {"id": 2, "price": 50}, {"id": 3, "price": -30}]
    assert options_price({"groups": [{"included": 2, "options": options}]}, [[1, 2], [2, 1], [3, 1]]) == 70


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    for line in sys.stdin:
        shop = json.loads(line)
        for order in shop["orders"]:
            print(json.dumps(judge(shop, order), separators=(",", ":")))


if __name__ == "__main__":
    main()
