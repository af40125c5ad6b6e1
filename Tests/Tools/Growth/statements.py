"""The statements of a server: their durations by pg_stat_statements, and their plans by auto_explain."""

import contextlib
import functools
import glob
import json
import re

ROWS = 10_000  # a larger table must not be scanned sequentially
DISCARDED = 1_000  # a filter may discard so many rows, or as many as it returns
PLANS = {
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_analyze": "on",
    "auto_explain.log_timing": "off",
    "auto_explain.log_buffers": "on",
    "auto_explain.log_nested_statements": "on",
    "auto_explain.log_format": "json",
}


def normalised(text):
    """The text of a statement without literals and white space, to compare it with another form of it."""
    text = re.sub(r"'(?:[^']|'')*'|\$\d+|\b\d+\b|(?<=extract\()\w+", "?", text)
    return re.sub(r"\s+", "", text).lower()


class Names:
    """The names that the server gives to its statements, from its source."""

    def __init__(self, root):
        self.parts = []
        for path in glob.glob(f"{root}/Sources/Database/**/*.swift", recursive=True):
            with open(path) as file:
                source = file.read()
            for name, block, line in re.findall(
                r'Statement\(\s*"([^"]+)",\s*(?:"""\n(.*?)"""|"((?:[^"\\]|\\\()*)")', source, re.DOTALL
            ):
                # An interpolated part is unknown. The longest part without one identifies the statement.
                parts = [normalised(part) for part in re.split(r"\\\([^)]*\)+", block or line)]
                longest = max(parts, key=len)
                if len(longest) >= 12:
                    self.parts.append((longest, name))
        self.parts.sort(key=lambda pair: -len(pair[0]))

    @functools.lru_cache(None)
    def of(self, query):
        form = normalised(query)
        found = next((name for part, name in self.parts if part in form), None)
        return found or re.sub(r"\s+", " ", query).strip()[:44]


def reset(shop):
    shop.sql("select pg_stat_statements_reset()")


def statistics(shop):
    """Returns the statements of the server: calls, times in ms, and per call the rows and the blocks that were read.
    A statement inside a function has `nested`."""
    return json.loads(shop.sql("""
        select coalesce(json_agg(row_to_json(found)), '[]')
        from (select query, calls, mean_exec_time as mean, max_exec_time as max, rows::float / calls as rows,
                  (shared_blks_hit + shared_blks_read)::float / calls as blocks, not toplevel as nested,
                  total_exec_time as total
              from pg_stat_statements
              where dbid = (select oid from pg_database where datname = current_database())
                  and (toplevel and userid = 'welms_server'::regrole or not toplevel)
                  and query !~* '^(begin|commit|rollback|set|listen|deallocate|discard|show|explain)\\M'
              order by mean_exec_time desc) as found"""))


@contextlib.contextmanager
def logged_plans(shop):
    """Logs the plans of all statements of the block. Yields a list, which has the plans afterwards."""
    plans = []
    with open(shop.cluster.log, "rb") as log:
        log.seek(0, 2)
        shop.sql("".join(f"alter system set {name} = '{value}';" for name, value in PLANS.items())
                 + "select pg_reload_conf()")
        try:
            yield plans
        finally:
            shop.sql("".join(f"alter system reset {name};" for name in PLANS) + "select pg_reload_conf()")
        plans += parse(log.read().decode(errors="replace"))


def parse(log):
    """Reads (query, plan) from a log. The lines of a plan begin with a tab."""
    for match in re.finditer(r"LOG:  duration: [\d.]+ ms  plan:\n((?:\t.*\n)+)", log):
        with contextlib.suppress(ValueError):
            entry = json.loads(re.sub(r"^\t", "", match[1], flags=re.MULTILINE))
            yield entry["Query Text"], entry["Plan"]


def nodes(plan):
    yield plan
    for child in plan.get("Plans", ()):
        yield from nodes(child)


class PlanSummary:
    """The plans of one statement: the worst of each kind."""

    def __init__(self):
        self.count, self.blocks, self.read, self.scans, self.discards = 0, 0, 0, {}, {}

    def add(self, plan, sizes):
        self.count += 1
        self.blocks = max(self.blocks, plan.get("Shared Hit Blocks", 0) + plan.get("Shared Read Blocks", 0))
        read = 0
        for node in nodes(plan):
            loops, returned = node.get("Actual Loops", 0), node.get("Actual Rows", 0) * node.get("Actual Loops", 0)
            discarded = loops * (node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Join Filter", 0)
                                 + node.get("Rows Removed by Index Recheck", 0))
            table = node.get("Relation Name")
            if table:
                read += returned + discarded
            if loops and node["Node Type"] == "Seq Scan" and sizes.get(table, 0) > ROWS:
                self.scans[table] = max(self.scans.get(table, 0), returned + discarded)
            if discarded > DISCARDED and discarded > returned:
                place = " of ".join(filter(None, (node["Node Type"], table, node.get("Index Name"))))
                known = self.discards.get(place, (0, 0, ""))
                self.discards[place] = max(known, (discarded, returned, node.get("Filter", node.get("Join Filter",
                                                                                                    ""))))
        self.read = max(self.read, read)


def summaries(plans, sizes, names):
    """Returns the summary of each statement by its name and text."""
    found = {}
    for query, plan in plans:
        found.setdefault(names.of(query), PlanSummary()).add(plan, sizes)
    return found


def table_sizes(shop):
    rows = shop.sql("select relname, reltuples::bigint from pg_class where relkind = 'r' and reltuples > 0")
    return {name: int(count) for name, count in (row.split("|") for row in rows.splitlines())}
