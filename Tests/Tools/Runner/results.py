"""Parses the output of the test runners: the result and the duration of each test."""

import dataclasses
import json
import os
import re


@dataclasses.dataclass
class Test:
    step: str
    suite: str
    name: str
    seconds: float
    has_passed: bool


def read(step, runner, log, events):
    """The tests of a step, from the log of the runner or, for Swift Testing, from its event stream."""
    if runner == "swift":
        return swift_tests(step, events) if os.path.exists(events) else []
    with open(log, errors="replace") as file:
        found = [test for line in file if (test := PARSERS[runner](step, line))]
    # Chaos prints its table twice: during the run, and at the end.
    return list({test.name: test for test in found}.values()) if runner == "chaos" else found


def python_test(step, line):
    """A line of python_tests.py: `ok 1.23 s  module.Class.test`."""
    if match := re.match(r"(ok|FAIL|skipped) +([\d.]+) s  (\S+)", line):
        suite, _, name = match[3].rpartition(".")
        return Test(step, suite, name, float(match[2]), match[1] == "ok")


def javascript_test(step, line):
    """A line of Tests/Tools/JavaScript/reporter.mjs: `ok 0.01 s  file: sentence`."""
    if match := re.match(r"(ok|FAIL) ([\d.]+) s  (\S+): (.+)", line):
        return Test(step, match[3], match[4], float(match[2]), match[1] == "ok")


def chaos_test(step, line):
    """A row of chaos.py's table."""
    if match := re.match(r"(\S+) +([\d.]+)  (pass|FAIL|not run) ", line):
        return Test(step, "chaos", match[1], float(match[2]), match[3] == "pass")


PARSERS = {"python": python_test, "javascript": javascript_test, "chaos": chaos_test}


def swift_tests(step, path):
    """The test functions of Swift Testing's event stream (version 0).

    A function that started and did not end has failed, because the process ended before it. The stream has the time at
    which a function was queued, not its start. Tests/TestBasics/TestStart.swift records the start of tests with a
    database or a seed.
    """
    names, queued, cases, ended, failed = {}, {}, {}, {}, set()
    with open(path, errors="replace") as file:
        for line in file:
            try:
                record = json.loads(line)
            except ValueError:
                continue  # the last line of a process that crashed
            payload = record["payload"]
            kind, test = payload["kind"], payload.get("testID")
            if record["kind"] == "test":
                if kind == "function":
                    names[payload["id"]] = payload.get("displayName") or payload["name"]
                continue
            now, case = payload["instant"]["since1970"], (test, payload.get("_testCase", {}).get("id"))
            if kind == "testStarted":
                queued[test] = now
            elif kind == "testCaseStarted":
                cases[case] = [now, now]
            elif kind == "testCaseEnded" and case in cases:
                cases[case][1] = now
            elif kind == "issueRecorded" and not payload.get("issue", {}).get("isKnown"):
                failed.add(test)
            elif kind == "testEnded":
                ended[test] = now
    seconds = {}
    for (test, _), (begin, end) in cases.items():
        seconds[test] = seconds.get(test, 0) + end - begin
    for test, begin in starts(path + ".starts").items():
        seconds.setdefault(test, max(ended.get(test, begin) - begin, 0))
    return [
        Test(step, test.partition("/")[0], names[test], seconds.get(test, 0), test in ended and test not in failed)
        for test in queued if test in names
    ]


def starts(path):
    if not os.path.exists(path):
        return {}
    with open(path) as file:
        return {test: float(when) for test, when in (line.rstrip("\n").split("\t") for line in file)}
