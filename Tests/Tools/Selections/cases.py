"""Prints generated cases for oracle.py, one JSON line each: cases.py --seed N --count M [--judged]. The same seed
prints the same cases. SelectionOracleTests.swift compares the result of the shop with that of the oracle."""

import argparse
import copy
import json
import random
import sys

from oracle import (
    LEVELS, can_be_met, capacity, entries_of, judge, active_groups, active_options, options_by_id, units_of, violations,
)

LARGEST, SMALLEST = 2**63 - 1, -(2**63)
MAX_ENTRIES = 100  # the limit of option entries in a basket
MAX_OPTIONS = 200  # keeps a tree readable
NOTHING = {"optionGroups": []}
# The default values, which the output omits.
DEFAULTS = {
    "salePercent": None,
    "minimum": 0,
    "included": 0,
    "isRetired": False,
    "isDefault": False,
    "isAvailable": True,
    "optionGroups": [],
}
WORDS = ["Small", "Large", "Käse", "Crème fraîche", "Chili", "Oat milk", "Extra shot", "No onions", "“House” sauce"]


class Tree:
    """A menu item with its option groups. The same group may occur at several places."""

    def __init__(self, rng):
        self.rng = rng
        self.groups = []
        self.used = {"group": set(), "option": set()}
        price = rng.choice([0, 10**8, rng.randint(0, 10**8), *(rng.randint(100, 3000) for _ in range(7))])
        sale = rng.choice([None, None, rng.randint(1, 99)])
        groups = self.groups_for(1, rng.choice([0, 1, 1, 2, 2, 2, 3, 3, 4]))
        self.item = {"price": price, "salePercent": sale, "optionGroups": groups}

    def new_id(self, kind):
        """Returns a new id. Groups and options have separate ids, so a group may have the id of an option."""
        while (id := self.rng.randint(1, 9999)) in self.used[kind]:
            pass
        self.used[kind].add(id)
        return id

    def groups_for(self, level, count):
        groups = []
        for _ in range(count):
            fitting = [group for group in self.groups if height(group) <= LEVELS + 1 - level and group not in groups]
            reuses = fitting and self.rng.random() < 0.12
            groups.append(self.rng.choice(fitting) if reuses else self.group(level))
        return groups

    def group(self, level):
        rng = self.rng
        count = rng.choice([0, 1, 2, 2, 3, 3, 4, 4, 5, 6])
        group = {
            "id": self.new_id("group"),
            "minimum": rng.choice([0, 0, 0, 0, 1, 1, 1, 2, 3]),
            "maximum": None,
            "included": rng.choice([0, 0, 0, 1, 1, 2, 4]),
            "isRetired": rng.random() < 0.07,
            "position": rng.randint(0, 4),
            "options": [self.option(level) for _ in range(count)],
        }
        reachable = capacity(group, level)
        if rng.random() < 0.75:  # in the other cases the minimum may be out of reach
            group["minimum"] = min(group["minimum"], reachable)
        if rng.random() < 0.6:
            group["maximum"] = max(1, group["minimum"] + rng.randint(0, 3))
        self.set_defaults(group, level)
        self.groups.append(group)
        return group

    def option(self, level):
        rng = self.rng
        below = []
        if level < LEVELS and rng.random() < 0.3:
            below = self.groups_for(level + 1, rng.choice([1, 1, 1, 2, 2, 3, 4]))
        return {
            "id": self.new_id("option"),
            "title": title(rng),
            "price": rng.choice(
                [0, 0, 50, 50, 50, 80, 100, 100, -50, -30, rng.randint(-2000, 2000), rng.randint(0, 10**6)]
            ),
            "maximum": rng.choice([1, 1, 1, 1, 2, 2, 3, 5, 99] if not below else [1, 2, 2, 3, 5]),
            "isDefault": False,
            "isAvailable": rng.random() < 0.88,
            "isRetired": rng.random() < 0.08,
            "position": rng.randint(0, 3),
            "optionGroups": below,
        }

    def set_defaults(self, group, level):
        """Sets defaults: mostly valid ones, otherwise random ones."""
        fitting = [
            option for option in active_options(group) if option["isAvailable"] and fits(option, None, level + 1)
        ]
        limit = min(len(fitting), group["minimum"] + 2, group["maximum"] or len(fitting))
        if self.rng.random() < 0.85 and limit >= group["minimum"]:
            defaults = self.rng.sample(fitting, self.rng.randint(group["minimum"], limit))
        else:
            defaults = [option for option in group["options"] if self.rng.random() < 0.3]
        for option in defaults:
            option["isDefault"] = True


def title(rng):
    return f"{rng.choice(WORDS)} {rng.randint(1, 99)}"


def height(group):
    return 1 + max((height(below) for option in group["options"] for below in option["optionGroups"]), default=0)


def size(parent):
    return sum(1 + size(option) for group in parent["optionGroups"] for option in group["options"])


def fits(parent, sent, level):
    return not any(violations(parent, sent, level=level))


def count_entries(parent, sent, level=1):
    """Counts the entries of a selection, including its defaults and unknown options."""
    groups = active_groups(parent, level)
    known = options_by_id(groups)
    return sum(
        1 + count_entries(known.get(entry["optionId"], NOTHING), entry.get("options"), level + 1)
        for entry in entries_of(sent, groups)
    )


# Valid selections, unless the item is unavailable


def valid(rng, parent, level=1):
    entries = []
    for group in active_groups(parent, level):
        usable = [option for option in active_options(group) if option["isAvailable"] and can_be_met(option, level + 1)]
        left = {option["id"]: option["maximum"] for option in usable}
        units = group["minimum"] + rng.choice([0, 0, 1, 1, 2, 5])
        if group["maximum"] is not None:
            units = min(units, group["maximum"])
        while units > 0 and (free := [option for option in usable if left[option["id"]] > 0]):
            option = rng.choice(free)
            quantity = rng.randint(1, min(units, left[option["id"]]))
            entries.append(entry_for(rng, option, quantity, level))
            left[option["id"]] -= quantity
            units -= quantity
    rng.shuffle(entries)
    return entries


def entry_for(rng, option, quantity, level):
    """Returns an entry with a valid selection below. Sometimes omits optional members."""
    entry = {"optionId": option["id"]}
    if quantity != 1 or rng.random() < 0.5:
        entry["quantity"] = quantity
    if fits(option, None, level + 1) and rng.random() < 0.4:
        if rng.random() < 0.1:
            entry["options"] = None
    else:
        entry["options"] = valid(rng, option, level + 1)
    return entry


def defaults(parent, level=1):
    """Returns the defaults as an explicit selection."""
    groups = active_groups(parent, level)
    known = options_by_id(groups)
    return [{"optionId": entry["optionId"], "quantity": 1, "options": defaults(known[entry["optionId"]], level + 1)}
            for entry in entries_of(None, groups)]


# Mutations that make a selection invalid. Each changes one place, and returns whether it found a suitable one.


def places(parent, entries, level=1):
    """Yields each list of entries in the selection, with its parent and its level."""
    yield parent, entries, level
    known = options_by_id(active_groups(parent, level))
    for entry in entries:
        if entry.get("options") is not None and entry["optionId"] in known:
            yield from places(known[entry["optionId"]], entry["options"], level + 1)


def too_few(rng, item, parent, entries, level):
    groups = [group for group in active_groups(parent, level) if group["minimum"] > 0]
    if not groups:
        return False
    ids = options_by_id([rng.choice(groups)])
    entries[:] = [entry for entry in entries if entry["optionId"] not in ids]
    return True


def too_many(rng, item, parent, entries, level):
    groups = [group for group in active_groups(parent, level) if group["maximum"] is not None and active_options(group)]
    if not groups:
        return False
    group = rng.choice(groups)
    options = options_by_id([group])
    chosen = units_of(entry for entry in entries if entry["optionId"] in options)
    roomy = [option for option in options.values() if option["maximum"] > group["maximum"]]
    option = rng.choice(roomy or list(options.values()))
    entries.append(entry_for(rng, option, max(1, group["maximum"] + 1 - chosen), level))
    return True


def above_option_maximum(rng, item, parent, entries, level):
    known = options_by_id(active_groups(parent, level))
    if not known:
        return False
    option = rng.choice(list(known.values()))
    entries.extend(entry_for(rng, option, quantity, level)
                   for quantity in rng.choice([[option["maximum"] + 1], [option["maximum"], 1]]))
    return True


def below_one(rng, item, parent, entries, level):
    if not entries:
        return False
    rng.choice(entries)["quantity"] = rng.choice([0, 0, -1, -2, -(2**31), SMALLEST])
    return True


def huge(rng, item, parent, entries, level):
    if not entries:
        return False
    entry = rng.choice(entries)
    entry["quantity"] = rng.choice([100, 2**31, 2**32 + 1, 2**53 + 1, 2**62, LARGEST - 1, LARGEST])
    if rng.random() < 0.5:
        second = copy.deepcopy(entry)
        second["quantity"] = rng.choice([1, 2**62, LARGEST, SMALLEST])
        entries.append(second)
    return True


def sold_out(rng, item, parent, entries, level):
    options = [option for option in options_by_id(active_groups(parent, level)).values() if not option["isAvailable"]]
    if not options:
        return False
    entries.append(entry_for(rng, rng.choice(options), 1, level))
    return True


def unknown(rng, item, parent, entries, level):
    entries.insert(rng.randint(0, len(entries)), unknown_entry(rng, item, parent, level))
    return True


def unknown_entry(rng, item, parent, level):
    known = options_by_id(active_groups(parent, level))
    elsewhere = [id for id in all_option_ids(item) if id not in known]
    retired_or_below = [id for id in all_option_ids(parent) if id not in known]
    entry = {"optionId": rng.choice(rng.choice([[0, -1, 10001, LARGEST], elsewhere, retired_or_below]) or [10002])}
    if rng.random() < 0.5:
        entry["quantity"] = rng.choice([1, 1, 2, 0, -1, LARGEST])
    if rng.random() < 0.3:
        entry["options"] = [{"optionId": rng.choice(all_option_ids(item) or [10003])}]
    return entry


def all_option_ids(parent):
    ids = []
    for group in parent["optionGroups"]:
        for option in group["options"]:
            ids += [option["id"], *all_option_ids(option)]
    return ids


def too_deep(rng, item, parent, entries, level):
    known = options_by_id(active_groups(parent, level))
    leaves = [entry for entry in entries if entry["optionId"] in known and not known[entry["optionId"]]["optionGroups"]]
    if not leaves:
        return False
    entry = rng.choice(leaves)
    for _ in range(rng.randint(1, 4)):
        entry["options"] = [{"optionId": rng.choice(all_option_ids(item))}]
        entry = entry["options"][0]
    return True


MUTATIONS = [too_few, too_many, above_option_maximum, below_one, huge, sold_out, unknown, too_deep]


def invalid(rng, item, times=1):
    entries = valid(rng, item)
    for _ in range(times):
        kinds = rng.sample(MUTATIONS, len(MUTATIONS))
        all_places = list(places(item, entries))
        rng.shuffle(all_places)
        if rng.random() < 0.5:
            all_places.sort(key=lambda place: -place[2])  # the deepest first
        # `unknown` always finds a place.
        next(kind for kind in kinds if any(kind(rng, item, *place) for place in all_places))
    return entries


# A case


def selection(rng, item):
    kind = rng.choices(["absent", "empty", "defaults", "valid", "wrong", "wild"], [10, 6, 6, 36, 32, 10])[0]
    if kind == "absent":
        return None
    if kind == "empty":
        return []
    if kind == "defaults":
        return rng.choice([defaults, lambda item: [{"optionId": entry["optionId"]} for entry in defaults(item)]])(item)
    if kind == "valid":
        return valid(rng, item)
    return invalid(rng, item, 1 if kind == "wrong" else rng.randint(2, 6))


def case(rng):
    while True:
        item = Tree(rng).item
        if size(item) > MAX_OPTIONS:
            continue
        sent = selection(rng, item)
        if count_entries(item, sent) <= MAX_ENTRIES:
            return {"item": item, "options": sent}


def without_defaults(value):
    """Returns the value without members that have default values, which are most of the output."""
    if isinstance(value, dict):
        return {
            key: without_defaults(each) for key, each in value.items() if key not in DEFAULTS or each != DEFAULTS[key]
        }
    return [without_defaults(each) for each in value] if isinstance(value, list) else value


def main():
    parser = argparse.ArgumentParser(description="Prints cases for oracle.py, one JSON line each.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument(
        "--judged", action="store_true", help='{"case", "judgement"} per line, with the result of the oracle'
    )
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", file=sys.stderr)
    rng = random.Random(arguments.seed)
    for _ in range(arguments.count):
        generated = case(rng)
        line = {"case": without_defaults(generated), "judgement": judge(generated)} if arguments.judged else generated
        print(json.dumps(line, separators=(",", ":")))


if __name__ == "__main__":
    main()
