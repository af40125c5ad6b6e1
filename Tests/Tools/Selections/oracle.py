"""An independent implementation of the rules for option selections. Reads a case (JSON) per line and prints a judgement
per line; --self-test checks the oracle. SelectionOracleTests.swift compares the result of the shop with it."""

import json
import sys

LEVELS = 3  # the item's groups are level 1
LARGEST = 2**63 - 1  # the limit of sums of quantities, which are 64-bit numbers


# The available options


def sort_key(thing):
    return thing["position"], thing["id"]


def active_groups(parent, level):
    """The active groups of a parent (the item or an option), in order."""
    if level > LEVELS:
        return []
    return sorted((group for group in parent["optionGroups"] if not group["isRetired"]), key=sort_key)


def active_options(group):
    return sorted((option for option in group["options"] if not option["isRetired"]), key=sort_key)


def options_by_id(groups):
    return {option["id"]: option for group in groups for option in active_options(group)}


def can_be_met(parent, level=1):
    """Whether each group of the parent can reach its minimum with available options."""
    return all(capacity(group, level) >= group["minimum"] for group in active_groups(parent, level))


def capacity(group, level):
    return sum(
        option["maximum"]
        for option in active_options(group)
        if option["isAvailable"] and can_be_met(option, level + 1)
    )


# The selection


def entries_of(sent, groups):
    """The entries of one level, or the defaults if nothing was sent."""
    if sent is not None:
        return sent
    return [{"optionId": option["id"]} for group in groups for option in active_options(group) if option["isDefault"]]


def quantity_of(entry):
    return entry.get("quantity", 1)


def units_of(entries):
    """The sum of the quantities. Quantities below 1 do not count."""
    return min(sum(max(0, quantity_of(entry)) for entry in entries), LARGEST)


# Violations of the rules


def violations(parent, sent, path="options", level=1):
    """Yields (path, code, params) for a parent and all levels below, in order. May yield duplicates."""
    groups = active_groups(parent, level)
    entries = entries_of(sent, groups)
    known = options_by_id(groups)
    for entry in entries:
        if entry["optionId"] not in known:
            yield path if level == 1 else path + "/options", "option_unknown", {"optionId": entry["optionId"]}
    for group in groups:
        yield from group_violations(group, entries, f"{path}/{group['id']}", level)


def group_violations(group, entries, path, level):
    options = active_options(group)
    chosen = {option["id"]: [entry for entry in entries if entry["optionId"] == option["id"]] for option in options}
    units = units_of(entry for own in chosen.values() for entry in own)
    if units < group["minimum"]:
        yield path, "option_group_minimum", {"minimum": group["minimum"], "chosen": units}
    if group["maximum"] is not None and units > group["maximum"]:
        yield path, "option_group_maximum", {"maximum": group["maximum"], "chosen": units}
    for option in options:
        own = chosen[option["id"]]
        units = units_of(own)
        if units > option["maximum"] or any(quantity_of(entry) < 1 for entry in own):
            params = {"optionId": option["id"], "maximum": option["maximum"], "chosen": units}
            yield path, "option_quantity_out_of_range", params
        if units > 0 and not option["isAvailable"]:
            yield path, "option_sold_out", {"optionId": option["id"]}
        for entry in own:
            yield from violations(option, entry.get("options"), f"{path}/{option['id']}", level + 1)


def without_duplicates(found):
    unique = []
    for path, code, params in found:
        violation = {"path": path, "code": code, "params": params}
        if violation not in unique:
            unique.append(violation)
    return unique


# Prices of a valid selection


def normalised(parent, sent, level=1):
    """The selection as sorted tuples (option id, selection below, quantity). Equal entries are merged."""
    groups = active_groups(parent, level)
    known = options_by_id(groups)
    quantities = {}
    for entry in entries_of(sent, groups):
        below = normalised(known[entry["optionId"]], entry.get("options"), level + 1)
        key = (entry["optionId"], below)
        quantities[key] = quantities.get(key, 0) + quantity_of(entry)
    return tuple(sorted((*key, quantity) for key, quantity in quantities.items()))


def option_rows(parent, selection, level=1, units=1):
    """The options as a line shows them. `units`: the number of the parent in one unit of the dish."""
    rows = []
    for group in active_groups(parent, level):
        options = options_by_id([group])
        entries = [entry for entry in selection if entry[0] in options]
        free = free_units(group, options, entries)
        # The sort is stable here and below, so equal keys keep the order of the normalised entries.
        for entry in sorted(entries, key=lambda entry: sort_key(options[entry[0]])):
            option, (_, below, quantity) = options[entry[0]], entry
            rows_below = option_rows(option, below, level + 1, units * quantity)
            paid = (quantity - free.get(entry, 0)) * units * option["price"]
            rows.append({
                "optionId": option["id"],
                "groupId": group["id"],
                "title": option["title"],
                "quantity": quantity,
                "price": option["price"],
                "total": paid + sum(row["total"] for row in rows_below),
                "options": rows_below,
            })
    return rows


def free_units(group, options, entries):
    """The free units of each entry: the included units are the cheapest ones with a price above 0."""
    free, left = {}, group["included"]
    for entry in sorted(entries, key=lambda entry: options[entry[0]]["price"]):
        if options[entry[0]]["price"] > 0:
            free[entry] = min(left, entry[2])
            left -= free[entry]
    return free


def current_price(item):
    percent = item["salePercent"] or 0
    return (item["price"] * (100 - percent) + 50) // 100


def judge(case):
    item, sent = case["item"], case["options"]
    found = without_duplicates(violations(item, sent))
    rows = [] if found else option_rows(item, normalised(item, sent))
    extra = sum(row["total"] for row in rows)
    return {
        "accepted": not found,
        "unitPrice": None if found else max(0, current_price(item) + extra),
        "regularUnitPrice": None if found else max(0, item["price"] + extra),
        "options": rows,
        "violations": found,
        "isAvailable": can_be_met(item),
    }


# The self-test: the expected values were calculated by hand from the rules


def an_item(price, *groups, sale=None):
    return {"price": price, "salePercent": sale, "optionGroups": list(groups)}


def a_group(id, *options, minimum=0, maximum=None, included=0, retired=False, position=0):
    return {"id": id, "title": f"Group {id}", "minimum": minimum, "maximum": maximum, "included": included,
            "isRetired": retired, "position": position, "options": list(options)}


def an_option(id, price, *groups, maximum=1, default=False, available=True, retired=False, position=0):
    return {"id": id, "title": f"Option {id}", "price": price, "maximum": maximum, "isDefault": default,
            "isAvailable": available, "isRetired": retired, "position": position, "optionGroups": list(groups)}


def an_entry(id, quantity=None, options=None):
    entry = {"optionId": id}
    if quantity is not None:
        entry["quantity"] = quantity
    if options is not None:
        entry["options"] = options
    return entry


def brief(rows):
    """Rows as (option, quantity, total, rows below)."""
    return [(row["optionId"], row["quantity"], row["total"], brief(row["options"])) for row in rows]


def self_test():
    failures = []

    def expect(name, item, options, price=None, regular=None, rows=None, expected_violations=(), available=True):
        judged = judge({"item": item, "options": options})
        actual = (judged["accepted"], judged["unitPrice"], judged["regularUnitPrice"], judged["isAvailable"],
               [(each["path"], each["code"], each["params"]) for each in judged["violations"]])
        expected = (
            not expected_violations,
            price,
            price if regular is None else regular,
            available,
            list(expected_violations),
        )
        if actual != expected:
            failures.append(f"{name}: {actual}, expected {expected}")
        if rows is not None and brief(judged["options"]) != rows:
            failures.append(f"{name}: {brief(judged['options'])}, expected {rows}")

    expect("half of 1005 is 502.5, rounded up to 503", an_item(1005, sale=50), None, 503, 1005, [])

    sauces = a_group(1, an_option(11, 100, maximum=3), an_option(12, 50), an_option(13, 0), included=2)
    expect("the cheapest units with a price are free: 50 and one of two 100",
           an_item(500, sauces), [an_entry(11, 2), an_entry(12), an_entry(13)], 600,
           rows=[(11, 2, 100, []), (12, 1, 0, []), (13, 1, 0, [])])

    ties = a_group(
        1, an_option(10, 80, position=2), an_option(9, 80, position=3), an_option(11, 80, position=1), included=1
    )
    expect("of equal prices the lowest id is free; the order is by position",
           an_item(0, ties), [an_entry(10), an_entry(11), an_entry(9)], 160,
           rows=[(11, 1, 80, []), (10, 1, 80, []), (9, 1, 0, [])])

    dip = a_group(2, an_option(21, 30), an_option(22, 40), included=1)
    wings = a_group(1, an_option(11, 200, dip, maximum=3), included=1)
    expect("options below a unit are charged for each unit, also for a free one: 200 + 2 x 40",
           an_item(1000, wings), [an_entry(11, 2, [an_entry(22), an_entry(21)])], 1280,
           rows=[(11, 2, 280, [(21, 1, 0, []), (22, 1, 80, [])])])
    expect(
        "equal entries are merged; of one option the entry with the lower option below is free first",
        an_item(0, wings),
        [an_entry(11, 1, [an_entry(22)]), an_entry(11, 1, [an_entry(21)]), an_entry(11, 1, [an_entry(22)])],
        400,
        rows=[(11, 1, 0, [(21, 1, 0, [])]), (11, 2, 400, [(22, 1, 0, [])])],
    )

    less = a_group(1, an_option(11, -300), an_option(12, 20), included=1)
    expect("a negative price uses no included unit, and the unit price is at least 0",
           an_item(400, less, sale=50), [an_entry(11), an_entry(12)], 0, 100, [(11, 1, -300, []), (12, 1, 0, [])])

    milk = a_group(2, an_option(21, 10), an_option(22, 20))
    coffee = a_group(1, an_option(11, 0, milk, maximum=2), maximum=2)
    expect("the sum of an option's entries exceeds its maximum and that of its group",
           an_item(100, coffee), [an_entry(11, 2, [an_entry(21)]), an_entry(11, 1, [an_entry(22)])],
           expected_violations=[("options/1", "option_group_maximum", {"maximum": 2, "chosen": 3}),
                  ("options/1", "option_quantity_out_of_range", {"optionId": 11, "maximum": 2, "chosen": 3})])
    expect(
        "a sum beyond 64 bits is the largest number",
        an_item(100, a_group(1, an_option(11, 0))),
        [an_entry(11, LARGEST), an_entry(11, LARGEST)],
        expected_violations=[
            ("options/1", "option_quantity_out_of_range", {"optionId": 11, "maximum": 1, "chosen": LARGEST})
        ],
    )

    size = a_group(92, an_option(9201, 0, default=True), minimum=1)
    drink = a_group(91, an_option(9101, 0, size, maximum=2))
    expect("a minimum missed below two equal entries is reported once",
           an_item(100, drink), [an_entry(9101, 1, []), an_entry(9101, 1, [])],
           expected_violations=[("options/91/9101/92", "option_group_minimum", {"minimum": 1, "chosen": 0})])
    expect("an entry without a selection below gets the defaults", an_item(100, drink), [an_entry(9101)], 100,
           rows=[(9101, 1, 0, [(9201, 1, 0, [])])])

    fourth = a_group(5, an_option(1, 0, default=True), minimum=1)
    third = a_group(3, an_option(31, 7, fourth, default=True), an_option(32, 7, default=True, retired=True))
    second = a_group(2, an_option(21, 5, third, default=True))
    first = a_group(1, an_option(11, 3, second, default=True), an_option(12, 1))
    gone = a_group(4, an_option(41, 1000, default=True), minimum=1, retired=True)
    expect(
        "defaults apply at each of three levels, without retired groups and options",
        an_item(100, first, gone),
        None,
        115,
        rows=[(11, 1, 15, [(21, 1, 12, [(31, 1, 7, [])])])],
    )
    expect("an empty list selects nothing", an_item(100, first), [], 100, rows=[])
    expect("unknown options: retired, in a retired group, of another level, below the third level",
           an_item(100, first, gone),
           [an_entry(11, 1, [an_entry(21, 1, [an_entry(32), an_entry(31, 1, [an_entry(1)])]), an_entry(31)]),
            an_entry(41), an_entry(99, 0, [an_entry(98)]), an_entry(41, 5)],
           expected_violations=[("options", "option_unknown", {"optionId": 41}),
                  ("options", "option_unknown", {"optionId": 99}),
                  ("options/1/11/options", "option_unknown", {"optionId": 31}),
                  ("options/1/11/2/21/options", "option_unknown", {"optionId": 32}),
                  ("options/1/11/2/21/3/31/options", "option_unknown", {"optionId": 1})])

    spare = a_group(1, an_option(11, 0, size, available=False), an_option(12, 0, available=False),
                    an_option(13, 0, maximum=2), minimum=2, maximum=3, position=9)
    expect("a quantity below 1 adds no unit, but its selection is checked; sold-out units count",
           an_item(100, drink, spare), [an_entry(11, 0, []), an_entry(11, -5), an_entry(12)],
           expected_violations=[("options/1", "option_group_minimum", {"minimum": 2, "chosen": 1}),
                  ("options/1", "option_quantity_out_of_range", {"optionId": 11, "maximum": 1, "chosen": 0}),
                  ("options/1/11/92", "option_group_minimum", {"minimum": 1, "chosen": 0}),
                  ("options/1", "option_sold_out", {"optionId": 12})])

    empty = a_group(2, an_option(21, 0, available=False), minimum=1)
    needs = a_group(1, an_option(11, 0, empty, maximum=5), an_option(12, 0), minimum=2)
    expect(
        "an item is unavailable if only one of two required units is available",
        an_item(100, needs),
        [an_entry(12)],
        available=False,
        expected_violations=[("options/1", "option_group_minimum", {"minimum": 2, "chosen": 1})],
    )

    for failure in failures:
        print(failure, file=sys.stderr)
    print("self-test: " + (f"{len(failures)} failed" if failures else "all as expected"))
    return 1 if failures else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    for line in sys.stdin:
        if line.strip():
            print(json.dumps(judge(json.loads(line))))
