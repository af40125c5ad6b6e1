#!/bin/bash
# in-memory.sh COMMAND…: runs the command with a TMPDIR in memory, if there is enough space. Each test creates a
# database of a thousand small files and deletes it after about a second. PostgreSQL syncs as usual.
free_space=$(df --output=avail --block-size=1M /dev/shm 2> /dev/null | tail -n 1)
if [ "${free_space:-0}" -ge 6000 ]; then
    TMPDIR=$(mktemp -d /dev/shm/welms.XXXXXX) && chmod 755 "$TMPDIR" || exit
    export TMPDIR
    trap 'rm -rf "$TMPDIR"' EXIT
fi
"$@"
