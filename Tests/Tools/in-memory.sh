#!/bin/bash
# in-memory.sh COMMAND…: runs it with a TMPDIR in memory where that has room: the database of a test is a thousand small files which are gone a
# second later. PostgreSQL still syncs as it always does. Called by the Makefile.
room=$(df --output=avail --block-size=1M /dev/shm 2> /dev/null | tail -n 1)
if [ "${room:-0}" -ge 6000 ]; then
    TMPDIR=$(mktemp -d /dev/shm/welms.XXXXXX) && chmod 755 "$TMPDIR" || exit
    export TMPDIR
    trap 'rm -rf "$TMPDIR"' EXIT
fi
"$@"
