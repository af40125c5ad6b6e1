#!/usr/bin/python3
"""`make chaos`: what must hold when something breaks, tried on the real server and a real PostgreSQL.

Runs every experiment of experiments/ and prints a table; ends with 1 if one fails. Each of them is a module with
    NAME       how it is chosen by --only
    MUST_HOLD  what must hold, in a few words
    run(scale) -> Outcome      see experiment.py
    IS_LONG    optional: not in the short form, unless it is named
    IS_TIMED   optional: it measures how long something takes, so it runs alone

    python3 Tests/Tools/Chaos/chaos.py [--scale full|short] [--server PATH] [--seed N] [--jobs N] [--only NAME ...]

The short form is part of `make test`: fewer kills, the debug build, and two experiments at a time. The seed chooses the
moments; with it a run is repeated as far as the processes allow.
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

LONGEST = 900  # seconds that an experiment may take before it is called stuck


def stuck(*_):
    raise TimeoutError(f"not done after {LONGEST} s")


def all_experiments():
    names = sorted(m.name for m in pkgutil.iter_modules([f"{HERE}/experiments"]))
    return [importlib.import_module(f"experiments.{name}") for name in names]


def main():
    experiments = all_experiments()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", choices=("full", "short"), default="full")
    parser.add_argument("--server", help="the program; the release build, and in the short form the debug build, unless said otherwise")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--jobs", type=int, help="how many experiments run at a time; 1, and in the short form 2")
    parser.add_argument("--only", action="append", choices=[e.NAME for e in experiments])
    arguments = parser.parse_args()
    is_full = arguments.scale == "full"
    server = os.path.abspath(arguments.server or f"{processes.ROOT}/.build/{'release' if is_full else 'debug'}/welms")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 16384) if hard > 0 else 16384, hard))
    signal.signal(signal.SIGALRM, stuck)
    # Ended from outside, it still ends what it has started.
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
                # One after the other where it counts how long something takes.
                results = map(run_one, group) if is_timed else pool.imap_unordered(run_one, group)
                for name, outcome, seconds in results:
                    outcomes.append((next(e for e in chosen if e.NAME == name), outcome, seconds))
                    print(row(*outcomes[-1]), flush=True)
    finally:
        processes.remove(directory)
    passed, failed, left_out = ([outcome.held for _, outcome, _ in outcomes].count(held) for held in (True, False, None))
    if len(outcomes) > 1:
        print("\n" + "\n".join([f"{'experiment':18} {'seconds':>7}       figure | must hold"] + [row(*o) for o in outcomes]))
    print(f"\n{passed} passed, {failed} failed" + (f", {left_out} not run" if left_out else ""))
    sys.exit(1 if failed else 0)


def is_chosen(experiment, only, is_full):
    return experiment.NAME in only if only else is_full or not getattr(experiment, "IS_LONG", False)


def run_one(job):
    """Runs one experiment: its name, its outcome and its seconds."""
    name, is_full, server, seed, directory = job
    experiment = next(e for e in all_experiments() if e.NAME == name)
    begin = time.monotonic()
    # A seed for each, so that one alone repeats what it did among all.
    scale = Scale(is_full, server, seed, directory)
    signal.alarm(LONGEST)
    try:
        outcome = experiment.run(scale)
    except Exception as error:
        traceback.print_exc()
        outcome = Outcome("", False, f"{type(error).__name__}: {error}")
    signal.alarm(0)
    return name, outcome, time.monotonic() - begin


def row(experiment, outcome, seconds):
    verdict = {True: "pass", False: "FAIL", None: "not run"}[outcome.held]
    first = f"{experiment.NAME:18} {seconds:7.1f}  {verdict} {outcome.figures} | {experiment.MUST_HOLD}"
    return f"{first}\n{'':28}{outcome.why}" if outcome.why else first


if __name__ == "__main__":
    main()
