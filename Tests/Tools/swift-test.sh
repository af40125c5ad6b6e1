#!/bin/bash
# `swift test`, whose failures stand among thousands of lines: at the end they are said once more. Called by the Makefile.
mkdir -p .build
swift test "$@" 2>&1 | tee .build/swift-test.log
status=${PIPESTATUS[0]}
[ "$status" = 0 ] || { echo 'What failed:'; grep -aE '^(✘|↳|error:|warning: .*signal|.*Fatal error)' .build/swift-test.log | tail -n 100; }
exit "$status"
