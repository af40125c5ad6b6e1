#!/usr/bin/python3
"""Runs the unittest classes of a folder in several processes and prints one line per test.

    python3 Tests/Tools/Runner/python_tests.py FOLDER [--jobs N] [-k PATTERN]

Each process takes the next class when it is free, so that no process idles. A test module may keep expensive resources,
such as a browser, for the life of its process. Exits with 1 if a test fails.
"""

import argparse
import glob
import importlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
import traceback
import unittest

# The longest test classes, which start first.
LONGEST = ("OrderingTests", "TimesTests", "StaffTests", "PageTests", "BoardTests", "OptionTests")
FINISHED = "-- finished"


class LineResult(unittest.TestResult):
    """Prints one line per test: `ok`, `FAIL` or `skipped`, the seconds, and the test's id."""

    def __init__(self):
        super().__init__()
        self.begin, self.word = time.monotonic(), "ok"

    def startTest(self, test):
        super().startTest(test)
        self.begin, self.word = time.monotonic(), "ok"

    def stopTest(self, test):
        super().stopTest(test)
        self.print_line(test)

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error:
            self.fail(subtest, error)

    def addError(self, test, error):
        super().addError(test, error)
        self.fail(test, error)
        # unittest does not call startTest and stopTest for fixtures of a class or a module.
        if not isinstance(test, unittest.TestCase):
            self.print_line(test)

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.fail(test, error)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.word = "skipped"

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.word = "FAIL"

    def fail(self, test, error):
        self.word = "FAIL"
        print(f"FAILURE of {test.id()}\n" + "".join(traceback.format_exception(*error)))

    def print_line(self, test):
        print(f"{self.word} {time.monotonic() - self.begin:7.2f} s  {test.id()}", flush=True)


def test_names(test_class, pattern):
    loader = unittest.TestLoader()
    if pattern:
        loader.testNamePatterns = [f"*{word}*" for word in pattern.split(",")]
    return loader.getTestCaseNames(test_class)


def class_names(folder, pattern):
    """The test classes of the folder as `module.Class`, the longest first."""
    found = []
    for path in sorted(glob.glob(f"{folder}/test_*.py")):
        module = importlib.import_module(os.path.basename(path)[:-3])
        for name, value in vars(module).items():
            is_test = isinstance(value, type) and issubclass(value, unittest.TestCase)
            if is_test and value.__module__ == module.__name__ and test_names(value, pattern):
                found.append((name not in LONGEST, -len(test_names(value, pattern)), f"{module.__name__}.{name}"))
    return [name for _, _, name in sorted(found)]


def work(pattern):
    """A worker process: runs each class that a line of the standard input names."""
    for line in sys.stdin:
        module, name = line.strip().split(".")
        test_class = getattr(importlib.import_module(module), name)
        unittest.TestSuite(test_class(test) for test in test_names(test_class, pattern)).run(LineResult())
        print(FINISHED, flush=True)


class Workers:
    """The worker processes. A thread per process sends it the classes, one at a time."""

    def __init__(self, folder, pattern, names):
        self.command = [sys.executable, "-B", __file__, folder, "-k", pattern, "--worker"]
        self.waiting, self.processes = queue.Queue(), []
        self.counts, self.ended_early, self.lock = {"ok": 0, "FAIL": 0, "skipped": 0}, [], threading.Lock()
        for name in names:
            self.waiting.put(name)

    def run(self, jobs):
        threads = [threading.Thread(target=self.serve) for _ in range(jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def serve(self):
        process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1)
        self.processes.append(process)
        while True:
            try:
                name = self.waiting.get_nowait()
            except queue.Empty:
                break
            process.stdin.write(name + "\n")
            if not self.follow(process):
                with self.lock:
                    self.ended_early.append(name)
                break
        process.stdin.close()
        process.wait()

    def follow(self, process):
        """Prints the output of the worker until its class is finished. Returns False if the worker ended early."""
        for line in process.stdout:
            if line.strip() == FINISHED:
                return True
            with self.lock:
                print(line, end="", flush=True)
                word = line.split(" ", 1)[0]
                if word in self.counts and " s  " in line:
                    self.counts[word] += 1
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "-k", dest="pattern", default="", help="only tests with one of these words, separated by commas"
    )
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    folder = os.path.abspath(arguments.folder)
    # SIGTERM raises SystemExit, so that the cleanups run: servers and clusters must not outlive the run.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.path.insert(0, folder)
    if arguments.worker:
        os.chdir(folder)
        return work(arguments.pattern)
    workers, begin = Workers(folder, arguments.pattern, class_names(folder, arguments.pattern)), time.monotonic()
    try:
        workers.run(arguments.jobs)
    finally:
        for process in workers.processes:
            process.terminate()
    for name in workers.ended_early:
        print(f"FAIL {0:7.2f} s  {name}: its process ended early")
    passed, failed, skipped = (workers.counts[word] for word in ("ok", "FAIL", "skipped"))
    failed += len(workers.ended_early)
    print(f"Ran {passed + failed + skipped} tests in {time.monotonic() - begin:.0f} s")
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
