"""Delays each flush of PostgreSQL's write-ahead log, and thereby each commit. flush.c replaces fsync and fdatasync.

    flushes = SlowFlushes(scale)
    cluster.environment = flushes.environment
    flushes.delay(0.15)      seconds; 0 ends the delay
"""

import struct

from preload import PreloadedLibrary


class SlowFlushes(PreloadedLibrary):
    """The delay of all processes that are started with its environment."""

    # These flush only with fsync and fdatasync. With open_datasync PostgreSQL would call neither.
    settings = ["wal_sync_method=fdatasync"]

    def __init__(self, scale):
        super().__init__(scale, "flush", 8)

    def delay(self, seconds):
        self.memory[:] = struct.pack("q", int(seconds * 1_000_000))
