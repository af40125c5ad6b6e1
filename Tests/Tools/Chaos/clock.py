"""Sets the clock of running processes, such as the postmaster or the server. clock.c replaces the clock functions of
libc.

    clock = Clock(scale)
    cluster.environment = clock.environment
    clock.freeze_at("2026-02-28T23:59:59.999999-05:00")      to the microsecond
"""

import datetime
import struct

from preload import PreloadedLibrary

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


class Clock(PreloadedLibrary):
    """The clock of all processes that are started with its environment."""

    def __init__(self, scale):
        super().__init__(scale, "clock", 16)

    def add(self, seconds):
        self.memory[:] = struct.pack("qq", 1, int(seconds * 1_000_000))

    def freeze_at(self, moment):
        self.memory[:] = struct.pack(
            "qq", 2, (datetime.datetime.fromisoformat(moment) - EPOCH) // datetime.timedelta(microseconds=1)
        )
