#!/usr/bin/python3
"""Runs the steps of `make test` and prints progress, the failures, the slowest tests and the totals.

    python3 Tests/Tools/Runner/steps.py [--list] [STEP ...]

The output of each step is in .build/test-logs. The last line is the result of all test runners together:
`1465 passed, 0 failed`. Exits with 1 if a step fails.
"""

import contextlib
import dataclasses
import os
import re
import signal
import subprocess
import sys
import time

import results

ROOT = os.path.abspath(f"{__file__}/../../../..")
LOGS = f"{ROOT}/.build/test-logs"
CORES = 2.0


@dataclasses.dataclass
class Step:
    """A make target that is part of `make test`."""

    target: str
    title: str
    needs: tuple = ()
    cores: float = 1.0  # the cores that it needs; steps that measure time need all
    runner: str = ""  # the format of its output: swift, python, javascript or chaos

    process = None
    status = None
    begin = seconds = 0.0

    @property
    def log(self):
        return f"{LOGS}/{self.target}.log"

    @property
    def events(self):
        return f"{LOGS}/{self.target}.jsonl"


STEPS = (
    Step("test-build", "compile the program and the tests"),
    Step("tools", "lint, and the Python packages of the tools"),
    Step("test-javascript", "modules of the pages, in Node.js", (), 1, "javascript"),
    Step("test-rules", "tests without PostgreSQL and a server", ("test-build",), 1, "swift"),
    Step("fuzz-short", "hostile input for the parsers", ("test-build",)),
    Step("docs", "documentation", ("test-build",)),
    Step("test-openapi", "the API against its description", ("test-build", "tools"), 1, "python"),
    Step("test-swift", "tests with PostgreSQL and a server", ("test-build",), 2, "swift"),
    Step("test-asan-short", "memory errors, under AddressSanitizer", ("test-build",), 2, "swift"),
    Step("test-compose", "compose.yaml", ("tools",), 1, "python"),
    Step("test-browser", "the pages in a browser", ("test-build", "tools"), 2, "python"),
    Step("test-webkit", "the pages in WebKit", ("test-build", "tools"), 2, "python"),
    Step("test-growth", "a shop with many orders", ("test-build",), 1, "python"),
    Step("chaos-short", "fault injection", ("test-build",), 2, "chaos"),
)


# The lines that explain the failure of a step.
FAILURE_LINE = re.compile(
    r"^(✘|↳|FAIL|[A-Za-z.]*(Error|Exception)\b|error:|.*: (error|warning): |.*Fatal error|make.*\*\*\*|.* FAIL "
    # The reasons below a failed experiment: Tests/Tools/Chaos/chaos.py.
    r"| {31}\S)")


class Run:
    def __init__(self, steps):
        self.steps, self.tests, self.begin = steps, [], time.monotonic()

    def number(self, step):
        return f"[{self.steps.index(step) + 1:2}/{len(self.steps)}]"

    def print_progress(self, step, what):
        print(f"{time.monotonic() - self.begin:7.1f} s {self.number(step)} {what}", flush=True)

    def start(self, step):
        step.begin = time.monotonic()
        for path in (step.events, f"{step.events}.starts"):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
        with open(step.log, "w") as log:
            step.process = subprocess.Popen(
                ["make", "--no-print-directory", step.target], cwd=ROOT, start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.print_progress(step, f"{step.target}: {step.title}")

    def finish(self, step):
        step.status, step.seconds = step.process.returncode, time.monotonic() - step.begin
        tests = results.read(step.target, step.runner, step.log, step.events) if step.runner else []
        if step.runner and not tests and step.status == 0:
            step.status = 1
            with open(step.log, "a") as log:
                print("error: the step succeeded, but its log lists no test", file=log)
        self.tests += tests
        remaining = sum(other.status is None for other in self.steps)
        result = "passed"
        if step.status != 0:
            result = f"FAILED with status {step.status}, see {os.path.relpath(step.log, ROOT)}"
        count = f"{len(tests)} tests, " if tests else ""
        self.print_progress(step, f"{step.target} {result}: {count}{step.seconds:.0f} s; {remaining} steps remain")
        if step.status != 0:
            self.show_failure(step)

    def show_failure(self, step):
        with open(step.log, errors="replace") as log:
            lines = log.read().splitlines()
        explaining = [line for line in lines if FAILURE_LINE.match(line)]
        print("\n".join(f"    {line[:600]}" for line in (explaining[-80:] or lines[-40:])), flush=True)

    def can_start(self, step):
        done = {other.target for other in self.steps if other.status == 0}
        not_selected = {need for need in step.needs if all(other.target != need for other in self.steps)}
        running = sum(other.cores for other in self.steps if other.process and other.status is None)
        return set(step.needs) <= done | not_selected and running + step.cores <= CORES

    def run(self):
        while any(step.status is None for step in self.steps):
            for step in self.steps:
                if step.process is None and step.status is None and self.can_start(step):
                    self.start(step)
            running = [step for step in self.steps if step.process and step.status is None]
            if not running:
                break  # The remaining steps need a step that failed.
            time.sleep(0.05)
            for step in running:
                if step.process.poll() is not None:
                    self.finish(step)
        return self.summary()

    def summary(self):
        failed = [test for test in self.tests if not test.has_passed]
        broken = [step for step in self.steps if step.status != 0]
        # A step that failed without a failed test counts as one failure.
        extra = [step for step in broken if all(test.step != step.target for test in failed)]
        print("\nThe slowest ten tests")
        for test in sorted(self.tests, key=lambda test: -test.seconds)[:10]:
            print(f"{test.seconds:8.1f} s  {test.suite}: {test.name[:150]}")
        if failed or broken:
            print("\nFailures")
            for test in failed:
                print(f"  {test.suite}: {test.name}")
            for step in extra:
                why = f"status {step.status}" if step.process else "not run, because a step that it needs failed"
                print(f"  {step.target}: {why}")
        self.write_durations()
        passed = len(self.tests) - len(failed)
        print(f"\nmake test took {(time.monotonic() - self.begin) / 60:.1f} minutes")
        print(f"{passed} passed, {len(failed) + len(extra)} failed", flush=True)
        return 1 if failed or broken else 0

    def write_durations(self):
        """Writes the duration of each step and test, to find the slow ones."""
        with open(f"{LOGS}/durations.tsv", "w") as file:
            for step in self.steps:
                print(step.target, "", "", f"{step.seconds:.2f}", sep="\t", file=file)
            for test in self.tests:
                print(test.step, test.suite, test.name.replace("\t", " "), f"{test.seconds:.2f}", sep="\t", file=file)

    def stop(self):
        for step in self.steps:
            if step.process and step.process.poll() is None:
                os.killpg(step.process.pid, signal.SIGTERM)


def main():
    names = sys.argv[1:]
    if names == ["--list"]:
        return print("\n".join(step.target for step in STEPS))
    steps = [step for step in STEPS if not names or step.target in names]
    os.makedirs(LOGS, exist_ok=True)
    run = Run(steps)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        return run.run()
    finally:
        run.stop()


if __name__ == "__main__":
    sys.exit(main())
