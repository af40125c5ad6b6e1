"""What a benchmark measures beside durations: CPU time, WAL and stored rows."""

import glob
import os

TICK = os.sysconf("SC_CLK_TCK")
# SQL for the mean size of a row of orders. It names no column, because older versions have others.
ROW_BYTES = "round(avg(pg_column_size(orders.*)))"


def processor_seconds(pid):
    """The CPU seconds of a process and its descendants, including ended ones that it waited for."""
    children_of, own, reaped = {}, {}, {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path) as f:
                fields = f.read().rpartition(")")[2].split()
        except OSError:
            continue
        process_id = int(path.split("/")[2])
        children_of.setdefault(int(fields[1]), []).append(process_id)
        own[process_id] = int(fields[11]) + int(fields[12])
        reaped[process_id] = int(fields[13]) + int(fields[14])
    pending, total = [pid], 0
    while pending:
        process_id = pending.pop()
        total += own.get(process_id, 0) + reaped.get(process_id, 0)
        pending += children_of.get(process_id, [])
    return total / TICK


def percentiles(times):
    """Returns p50, p99, p99.9 and maximum in ms of durations in µs."""
    times = sorted(times)
    return [times[int(part * (len(times) - 1))] / 1000 for part in (0.5, 0.99, 0.999, 1)]


def with_wal(sql, run):
    """Adds to the result of a run the bytes of WAL that the cluster wrote. `sql` executes a query."""
    begin = sql("select pg_current_wal_lsn()")
    result = run()
    result["wal"] = int(sql(f"select pg_wal_lsn_diff(pg_current_wal_lsn(), '{begin}')"))
    return result


def microseconds(result, process):
    """The CPU time of a process for each placed order."""
    return result["used"][process] / result["placed"] * 1e6


def costs(result):
    """Returns what an order costs: CPU time of the server and of PostgreSQL in µs, WAL and its row in bytes."""
    return (
        microseconds(result, "server"),
        microseconds(result, "PostgreSQL"),
        result["wal"] / result["placed"],
        result["row"],
    )
