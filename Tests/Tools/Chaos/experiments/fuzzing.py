"""Runs libFuzzer on the parsers for minutes, under AddressSanitizer. `make test` runs it for seconds. See
Tests/Tools/Fuzz."""

import os
import re
import subprocess

from experiment import outcome
from processes import ROOT

NAME = "fuzzing"
EXPECTED = "no input traps, reads out of bounds, takes 10 s, or breaks a property of a parser"
IS_LONG = True
SECONDS = 180


def run(scale):
    done = subprocess.run(
        [f"{ROOT}/Tests/Tools/Fuzz/fuzz.sh", str(SECONDS)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    stats = dict(re.findall(r"^stat::(\w+):\s+(\d+)", done.stdout, re.M))
    problems = [] if done.returncode == 0 else [done.stdout[-500:]]
    if int(stats.get("number_of_executed_units", 0)) < 10000:
        problems.append("fewer than 10,000 inputs were tried")
    corpus_size = len(os.listdir(f"{ROOT}/Tests/Data/Fuzz/corpus"))
    return outcome(
        problems,
        f"{SECONDS} s from {corpus_size} inputs: {int(stats.get('number_of_executed_units', 0)):,} more,"
        f" {stats.get('peak_rss_mb', '?')} MB at most",
    )
