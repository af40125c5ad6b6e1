"""Sets the clock of running processes, such as the postmaster or the server. clock.c replaces the clock functions of
libc.

    clock = Clock(scale)
    cluster.environment = clock.environment
    clock.freeze_at("2026-02-28T23:59:59.999999-05:00")      to the microsecond
"""

import datetime
import mmap
import os
import shutil
import struct
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


class Clock:
    """The clock of all processes that are started with its environment."""

    def __init__(self, scale):
        library = f"{scale.directory}/clock.so"
        if not os.path.exists(library):
            compiler = next(name for name in ("clang", "cc", "gcc") if shutil.which(name))  # clang comes with Swift
            subprocess.run(
                [compiler, "-Wall", "-Werror", "-O2", "-fPIC", "-shared", "-o", library, f"{HERE}/clock.c", "-ldl"],
                check=True,
            )
        path = f"{scale.new_directory()}/clock"
        with open(path, "wb") as f:
            f.write(bytes(16))
        os.chmod(path, 0o644)
        with open(path, "r+b") as f:
            self.memory = mmap.mmap(f.fileno(), 16)
        self.environment = {"LD_PRELOAD": library, "CLOCK_FILE": path}

    def add(self, seconds):
        self.memory[:] = struct.pack("qq", 1, int(seconds * 1_000_000))

    def freeze_at(self, moment):
        self.memory[:] = struct.pack(
            "qq", 2, (datetime.datetime.fromisoformat(moment) - EPOCH) // datetime.timedelta(microseconds=1)
        )
