#!/usr/bin/python3
"""Runs the tests of the targets that call C, with these targets compiled for AddressSanitizer: `make test-asan-short`.

Only TARGETS are compiled anew, with the arguments that SwiftPM used for the debug build. Everything else is linked from
the debug build, because a sanitized build of all packages takes as long as the debug build itself. AddressSanitizer
replaces malloc for the whole program, and checks each memory access of TARGETS.
"""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.abspath(f"{__file__}/../../../..")
DEBUG = os.path.realpath(f"{ROOT}/.build/debug")
OUT = f"{ROOT}/.build/asan-short"
TARGETS = ("Digests", "Postgres", "Mail", "Photographs", "PostgresTests", "MailTests")
# The suites that exercise TARGETS.
TESTS = (
    "^(PostgresTests|MailTests|ShopTests.(SHA256DigestTests|OrderMailTests)"
    "|WebTests.(PhotoStudioTests|HostilePhotographTests))[./]")
# This suite measures durations, which are not meaningful with the sanitizer. `make test-swift` runs it.
TIMED = "^PostgresTests.ReconnectTests[./]"
# Options of SwiftPM's command that would overwrite files of the debug build, with their number of values.
DROPPED = {
    "-emit-dependencies": 0, "-emit-module": 0, "-emit-module-path": 1, "-output-file-map": 1, "-incremental": 0,
    "-index-store-path": 1, "-emit-objc-header": 0, "-emit-objc-header-path": 1, "-parseable-output": 0,
    "-enable-batch-mode": 0, "-serialize-diagnostics": 0,
}


def commands():
    """Returns the arguments of the compiler by module, and of the test program, from SwiftPM's build description."""
    found = {}
    with open(f"{ROOT}/.build/debug.yaml") as manifest:
        for line in manifest:
            if line.startswith("    args: [") and '"-module-name",' in line:
                arguments = json.loads(line.partition("args: ")[2])
                kind = "link" if "-emit-executable" in arguments else "compile"
                found[kind, arguments[arguments.index("-module-name") + 1]] = arguments
    return found


def without(arguments, dropped):
    kept, skip = [], 0
    for argument in arguments:
        if skip:
            skip -= 1
        elif argument in dropped:
            skip = dropped[argument]
        else:
            kept.append(argument)
    return kept


def is_newer(target, path):
    """Whether a source of the target has changed since the file was written."""
    if not os.path.exists(path):
        return True
    with open(f"{DEBUG}/{target}.build/sources") as sources:
        return any(os.path.getmtime(source.strip()) > os.path.getmtime(path) for source in sources)


def compile_target(target, arguments):
    path = f"{OUT}/{target}.o"
    if is_newer(target, path):
        options = ["-sanitize=address", "-whole-module-optimization", "-o", f"{path}.new"]
        subprocess.run(without(arguments, DROPPED) + options, check=True, cwd=ROOT)
        os.rename(f"{path}.new", path)
    return path


def link(arguments, objects):
    with open(f"{DEBUG}/welmsPackageTests.product/Objects.LinkFileList") as file:
        others = [line.strip() for line in file]
    replaced = tuple(f"{DEBUG}/{target}.build/" for target in TARGETS)
    kept = [path for path in others if not path.strip("'\"").startswith(replaced)]
    if len(others) == len(kept):
        sys.exit(f"error: the debug build lists no object of {TARGETS}")
    with open(f"{OUT}/objects", "w") as file:
        file.write("\n".join(kept + objects) + "\n")
    program = f"{DEBUG}/asan-short.xctest"  # next to the resources and programs that the tests use
    # The sanitizer brings its own allocator.
    options = [argument for argument in without(arguments, {"-o": 1}) if argument != "-ljemalloc"]
    options = [f"@{OUT}/objects" if argument.endswith("Objects.LinkFileList") else argument for argument in options]
    done = subprocess.run(
        options + ["-sanitize=address", "-o", program], cwd=ROOT, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    # gold warns about each local symbol of the sanitizer's runtime.
    print("\n".join(line for line in done.stdout.splitlines() if "Cannot export local symbol" not in line))
    if done.returncode:
        sys.exit("error: the tests could not be linked")
    return program


def main():
    os.makedirs(OUT, exist_ok=True)
    known = commands()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(lambda target: compile_target(target, known["compile", target]), TARGETS))
    program = link(known["link", "welmsPackageTests"], objects)
    # Leak detection is off, because Swift never frees metadata and lazy globals. Symbolisation is off, because it hangs
    # after a trap with Swift 6.3.
    environment = os.environ | {
        "ASAN_OPTIONS": "detect_leaks=0:symbolize=0", "SWIFT_BACKTRACE": "enable=no",
        "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "4",
    }
    command = [program, "--testing-library", "swift-testing", "--filter", TESTS, "--skip", TIMED, *sys.argv[1:]]
    return subprocess.run(command, env=environment, cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main())
