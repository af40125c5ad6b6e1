"""Minutes of libFuzzer on the parsers of our own, under AddressSanitizer: Tests/Tools/Fuzz. `make test` runs seconds of it by itself."""

import os
import re
import subprocess

from experiment import outcome
from processes import ROOT

NAME = "fuzzing"
MUST_HOLD = "no input traps, reads where it may not, takes 10 s, or breaks what a parser promises"
IS_LONG = True
SECONDS = 180


def run(scale):
    end = subprocess.run([f"{ROOT}/Tests/Tools/Fuzz/fuzz.sh", str(SECONDS)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    stats = dict(re.findall(r"^stat::(\w+):\s+(\d+)", end.stdout, re.M))
    wrong = [] if end.returncode == 0 else [end.stdout[-500:]]
    if int(stats.get("number_of_executed_units", 0)) < 10000:
        wrong.append("next to nothing was tried")
    begun = len(os.listdir(f"{ROOT}/Tests/Data/Fuzz/corpus"))
    return outcome(wrong, f"{SECONDS} s from {begun} inputs: {int(stats.get('number_of_executed_units', 0)):,} more, {stats.get('peak_rss_mb', '?')} MB at most")
