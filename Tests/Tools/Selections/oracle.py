"""Judges selections of options from the written rules alone: a case (JSON) a line in, a judgement a line out; --self-test checks itself.
Called by cases.py for SelectionOracleTests.swift, which compares the shop's own judgement of a selection with this one."""

import json
import sys

LEVELS = 3  # the item's groups are level 1
LARGEST = 2**63 - 1  # a sum of quantities is told as a 64-bit number: one beyond stays here


# What is there to choose from


def place(thing):
    return thing["position"], thing["id"]


def living_groups(parent, level):
    """The groups that count for a parent (the item, or an option), in their order."""
    if level > LEVELS:
        return []
    return sorted((group for group in parent["optionGroups"] if not group["isRetired"]), key=place)


def living_options(group):
    return sorted((option for option in group["options"] if not option["isRetired"]), key=place)


def options_by_id(groups):
    return {option["id"]: option for group in groups for option in living_options(group)}


def can_be_met(parent, level=1):
    """Whether each of the parent's groups can reach its minimum with what is not sold out."""
    return all(capacity(group, level) >= group["minimum"] for group in living_groups(parent, level))


def capacity(group, level):
    return sum(
        option["maximum"]
        for option in living_options(group)
        if option["isAvailable"] and can_be_met(option, level + 1)
    )


# What was chosen


def entries_of(sent, groups):
    """The entries of one level: those sent, or the defaults where nothing was sent."""
    if sent is not None:
        return sent
    return [{"optionId": option["id"]} for group in groups for option in living_options(group) if option["isDefault"]]


def quantity_of(entry):
    return entry.get("quantity", 1)


def units_of(entries):
    """Entries below 1 count no units."""
    return min(sum(max(0, quantity_of(entry)) for entry in entries), LARGEST)


# What is wrong with it


def violations(parent, sent, path="options", level=1):
    """Yields (path, code, params) for one parent and all below it, in their order; the same one may come again."""
    groups = living_groups(parent, level)
    entries = entries_of(sent, groups)
    known = options_by_id(groups)
    for entry in entries:
        if entry["optionId"] not in known:
            yield path if level == 1 else path + "/options", "option_unknown", {"optionId": entry["optionId"]}
    for group in groups:
        yield from group_violations(group, entries, f"{path}/{group['id']}", level)


def group_violations(group, entries, path, level):
    options = living_options(group)
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


def told_once(found):
    told = []
    for path, code, params in found:
        violation = {"path": path, "code": code, "params": params}
        if violation not in told:
            told.append(violation)
    return told


# What it costs (an accepted selection only)


def normalised(parent, sent, level=1):
    """The selection as sorted tuples (option id, what is below, quantity): equal entries are one."""
    groups = living_groups(parent, level)
    known = options_by_id(groups)
    quantities = {}
    for entry in entries_of(sent, groups):
        below = normalised(known[entry["optionId"]], entry.get("options"), level + 1)
        key = (entry["optionId"], below)
        quantities[key] = quantities.get(key, 0) + quantity_of(entry)
    return tuple(sorted((*key, quantity) for key, quantity in quantities.items()))


def shown(parent, selection, level=1, units=1):
    """The options as a line shows them; units: how many of the parent are in one unit of the dish."""
    rows = []
    for group in living_groups(parent, level):
        options = options_by_id([group])
        entries = [entry for entry in selection if entry[0] in options]
        free = free_units(group, options, entries)
        # Sorting keeps the order of equals, here and below: the one of the normalised entries.
        for entry in sorted(entries, key=lambda entry: place(options[entry[0]])):
            option, (_, below, quantity) = options[entry[0]], entry
            rows_below = shown(option, below, level + 1, units * quantity)
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
    """How many units of each entry cost nothing: the cheapest of those that cost something."""
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
    found = told_once(violations(item, sent))
    rows = [] if found else shown(item, normalised(item, sent))
    extra = sum(row["total"] for row in rows)
    return {
        "accepted": not found,
        "unitPrice": None if found else max(0, current_price(item) + extra),
        "regularUnitPrice": None if found else max(0, item["price"] + extra),
        "options": rows,
        "violations": found,
        "isAvailable": can_be_met(item),
    }


# The self-test: each case is worked out by hand from the written rules


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
    """Rows as (option, quantity, total, what is below)."""
    return [(row["optionId"], row["quantity"], row["total"], brief(row["options"])) for row in rows]


def self_test():
    failures = []

    def expect(name, item, options, price=None, regular=None, rows=None, wrong=(), available=True):
        judged = judge({"item": item, "options": options})
        got = (judged["accepted"], judged["unitPrice"], judged["regularUnitPrice"], judged["isAvailable"],
               [(each["path"], each["code"], each["params"]) for each in judged["violations"]])
        want = (not wrong, price, price if regular is None else regular, available, list(wrong))
        if got != want:
            failures.append(f"{name}: {got}, not {want}")
        if rows is not None and brief(judged["options"]) != rows:
            failures.append(f"{name}: {brief(judged['options'])}, not {rows}")

    expect("half of 1005 is 502.5, up to 503", an_item(1005, sale=50), None, 503, 1005, [])

    sauces = a_group(1, an_option(11, 100, maximum=3), an_option(12, 50), an_option(13, 0), included=2)
    expect("the cheapest that cost something are free: 50 and one of two 100",
           an_item(500, sauces), [an_entry(11, 2), an_entry(12), an_entry(13)], 600,
           rows=[(11, 2, 100, []), (12, 1, 0, []), (13, 1, 0, [])])

    ties = a_group(1, an_option(10, 80, position=2), an_option(9, 80, position=3), an_option(11, 80, position=1), included=1)
    expect("of equal prices the lowest id is free; shown by position",
           an_item(0, ties), [an_entry(10), an_entry(11), an_entry(9)], 160,
           rows=[(11, 1, 80, []), (10, 1, 80, []), (9, 1, 0, [])])

    dip = a_group(2, an_option(21, 30), an_option(22, 40), included=1)
    wings = a_group(1, an_option(11, 200, dip, maximum=3), included=1)
    expect("each of two units, the free one too, costs what is below it: 200 + 2 x 40",
           an_item(1000, wings), [an_entry(11, 2, [an_entry(22), an_entry(21)])], 1280,
           rows=[(11, 2, 280, [(21, 1, 0, []), (22, 1, 80, [])])])
    expect("equal entries are one, and of one option the entry with the lower one below is free first",
           an_item(0, wings), [an_entry(11, 1, [an_entry(22)]), an_entry(11, 1, [an_entry(21)]), an_entry(11, 1, [an_entry(22)])],
           400, rows=[(11, 1, 0, [(21, 1, 0, [])]), (11, 2, 400, [(22, 1, 0, [])])])

    less = a_group(1, an_option(11, -300), an_option(12, 20), included=1)
    expect("a negative price counts as it is, takes no included unit, and the whole is at least 0",
           an_item(400, less, sale=50), [an_entry(11), an_entry(12)], 0, 100, [(11, 1, -300, []), (12, 1, 0, [])])

    milk = a_group(2, an_option(21, 10), an_option(22, 20))
    coffee = a_group(1, an_option(11, 0, milk, maximum=2), maximum=2)
    expect("the sum of one option's entries is above its maximum, and its group's",
           an_item(100, coffee), [an_entry(11, 2, [an_entry(21)]), an_entry(11, 1, [an_entry(22)])],
           wrong=[("options/1", "option_group_maximum", {"maximum": 2, "chosen": 3}),
                  ("options/1", "option_quantity_out_of_range", {"optionId": 11, "maximum": 2, "chosen": 3})])
    expect("a sum beyond 64 bits stays at the largest number",
           an_item(100, a_group(1, an_option(11, 0))), [an_entry(11, LARGEST), an_entry(11, LARGEST)],
           wrong=[("options/1", "option_quantity_out_of_range", {"optionId": 11, "maximum": 1, "chosen": LARGEST})])

    size = a_group(92, an_option(9201, 0, default=True), minimum=1)
    drink = a_group(91, an_option(9101, 0, size, maximum=2))
    expect("a minimum not met below two entries is told once",
           an_item(100, drink), [an_entry(9101, 1, []), an_entry(9101, 1, [])],
           wrong=[("options/91/9101/92", "option_group_minimum", {"minimum": 1, "chosen": 0})])
    expect("nothing sent below an entry means its defaults", an_item(100, drink), [an_entry(9101)], 100,
           rows=[(9101, 1, 0, [(9201, 1, 0, [])])])

    fourth = a_group(5, an_option(1, 0, default=True), minimum=1)
    third = a_group(3, an_option(31, 7, fourth, default=True), an_option(32, 7, default=True, retired=True))
    second = a_group(2, an_option(21, 5, third, default=True))
    first = a_group(1, an_option(11, 3, second, default=True), an_option(12, 1))
    gone = a_group(4, an_option(41, 1000, default=True), minimum=1, retired=True)
    expect("defaults at every level, three at most; nothing of a retired group, no retired option", an_item(100, first, gone), None, 115,
           rows=[(11, 1, 15, [(21, 1, 12, [(31, 1, 7, [])])])])
    expect("an empty list is none", an_item(100, first), [], 100, rows=[])
    expect("unknown: retired, of a retired group, of another level, below the third level",
           an_item(100, first, gone),
           [an_entry(11, 1, [an_entry(21, 1, [an_entry(32), an_entry(31, 1, [an_entry(1)])]), an_entry(31)]),
            an_entry(41), an_entry(99, 0, [an_entry(98)]), an_entry(41, 5)],
           wrong=[("options", "option_unknown", {"optionId": 41}),
                  ("options", "option_unknown", {"optionId": 99}),
                  ("options/1/11/options", "option_unknown", {"optionId": 31}),
                  ("options/1/11/2/21/options", "option_unknown", {"optionId": 32}),
                  ("options/1/11/2/21/3/31/options", "option_unknown", {"optionId": 1})])

    spare = a_group(1, an_option(11, 0, size, available=False), an_option(12, 0, available=False),
                    an_option(13, 0, maximum=2), minimum=2, maximum=3, position=9)
    expect("a quantity below 1 counts no unit, but is judged below; sold-out units count",
           an_item(100, drink, spare), [an_entry(11, 0, []), an_entry(11, -5), an_entry(12)],
           wrong=[("options/1", "option_group_minimum", {"minimum": 2, "chosen": 1}),
                  ("options/1", "option_quantity_out_of_range", {"optionId": 11, "maximum": 1, "chosen": 0}),
                  ("options/1/11/92", "option_group_minimum", {"minimum": 1, "chosen": 0}),
                  ("options/1", "option_sold_out", {"optionId": 12})])

    empty = a_group(2, an_option(21, 0, available=False), minimum=1)
    needs = a_group(1, an_option(11, 0, empty, maximum=5), an_option(12, 0), minimum=2)
    expect("no way to two units: all but one need what is sold out", an_item(100, needs), [an_entry(12)], available=False,
           wrong=[("options/1", "option_group_minimum", {"minimum": 2, "chosen": 1})])

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
