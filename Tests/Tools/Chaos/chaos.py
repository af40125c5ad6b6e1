#!/usr/bin/python3
"""`make chaos`: breaks the real server and a real PostgreSQL, and checks what they guarantee while it does.

Runs each experiment in experiments/ and prints a table. Exits with 1 if an experiment fails. Each is a module with
    NAME       the name for --only
    EXPECTED   the expected behaviour, in a few words
    run(scale) -> Outcome      see experiment.py
    IS_LONG    optional: the short form leaves it out, unless --only names it
    IS_TIMED   optional: it measures durations, so it runs alone

    python3 Tests/Tools/Chaos/chaos.py [--scale full|short] [--server PATH] [--seed N] [--jobs N] [--only NAME ...]

The short form is part of `make test`: fewer kills, the debug build, and two experiments at a time. The seed chooses the
moments of the faults. The same seed repeats a run, except for the scheduling of the processes.
"""

import argparse
import importlib
import multiprocessing
import os
import pkgutil
import random
import resource
import signal
import sys
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, f"{os.path.dirname(HERE)}/Processes"]

import processes
from experiment import Outcome, Scale

TIME_LIMIT = 900  # seconds for one experiment


def raise_timeout(*_):
    raise TimeoutError(f"not finished after {TIME_LIMIT} s")


def all_experiments():
    names = sorted(m.name for m in pkgutil.iter_modules([f"{HERE}/experiments"]))
    return [importlib.import_module(f"experiments.{name}") for name in names]


def main():
    experiments = all_experiments()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", choices=("full", "short"), default="full")
    parser.add_argument(
        "--server", help="path of the program; by default the release build, in the short form the debug build"
    )
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument(
        "--jobs", type=int, help="number of experiments that run at a time; by default 1, in the short form 2"
    )
    parser.add_argument("--only", action="append", choices=[e.NAME for e in experiments])
    arguments = parser.parse_args()
    is_full = arguments.scale == "full"
    server = os.path.abspath(arguments.server or f"{processes.ROOT}/.build/{'release' if is_full else 'debug'}/welms")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 16384) if hard > 0 else 16384, hard))
    signal.signal(signal.SIGALRM, raise_timeout)
    # SIGTERM raises SystemExit, so that the finally blocks stop all child processes.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    print(f"{arguments.scale} form of {server}, --seed {arguments.seed}\n", flush=True)
    chosen = [e for e in experiments if is_chosen(e, arguments.only, is_full)]
    outcomes = []
    directory = processes.new_directory("welms-chaos-")
    jobs = [(e.NAME, is_full, server, f"{arguments.seed} {e.NAME}", directory) for e in chosen]
    try:
        with multiprocessing.get_context("fork").Pool(arguments.jobs or (1 if is_full else 2)) as pool:
            for is_timed in (False, True):
                group = [job for job, e in zip(jobs, chosen) if getattr(e, "IS_TIMED", False) == is_timed]
                # Timed experiments run one at a time.
                results = map(run_one, group) if is_timed else pool.imap_unordered(run_one, group)
                for name, outcome, seconds in results:
                    outcomes.append((next(e for e in chosen if e.NAME == name), outcome, seconds))
                    print(row(*outcomes[-1]), flush=True)
            # The end of the `with` block sends SIGTERM, and a worker that is just starting to wait would miss it.
            pool.close()
            pool.join()
    finally:
        processes.remove(directory)
    passed, failed, not_run = (
        [outcome.has_passed for _, outcome, _ in outcomes].count(result) for result in (True, False, None)
    )
    if len(outcomes) > 1:
        print(
            "\n"
            + "\n".join([f"{'experiment':21} {'seconds':>7}       figure | expected"] + [row(*o) for o in outcomes])
        )
    print(f"\n{passed} passed, {failed} failed" + (f", {not_run} not run" if not_run else ""))
    sys.exit(1 if failed else 0)


def is_chosen(experiment, only, is_full):
    return experiment.NAME in only if only else is_full or not getattr(experiment, "IS_LONG", False)


def run_one(job):
    """Runs one experiment. Returns its name, its outcome and its duration in seconds."""
    name, is_full, server, seed, directory = job
    experiment = next(e for e in all_experiments() if e.NAME == name)
    begin = time.monotonic()
    # Each experiment has its own seed, so that it repeats the same faults when it runs alone.
    scale = Scale(is_full, server, seed, directory)
    signal.alarm(TIME_LIMIT)
    try:
        outcome = experiment.run(scale)
    except Exception as error:
        traceback.print_exc()
        outcome = Outcome("", False, f"{type(error).__name__}: {error}")
    signal.alarm(0)
    return name, outcome, time.monotonic() - begin


def row(experiment, outcome, seconds):
    verdict = {True: "pass", False: "FAIL", None: "not run"}[outcome.has_passed]
    first = f"{experiment.NAME:21} {seconds:7.1f}  {verdict} {outcome.figures} | {experiment.EXPECTED}"
    return f"{first}\n{'':31}{outcome.details}" if outcome.details else first


if __name__ == "__main__":
    main()
