#!/bin/bash
# Tests the first steps of a new user: `make run`, the README's tour, which ends with an order, and SIGTERM.
set -euo pipefail
cd "$(dirname "$0")/../.."
# Uses another port and data directory than a shop that may run on this machine.
DATA_DIR=$(mktemp -d) PORT=$((20000 + RANDOM % 12000)) BASE=http://127.0.0.1:$PORT
export DATA_DIR PORT BASE
make=
# For root, the directory of the cluster is a symbolic link.
cleanup() {
    [ -z "$make" ] || { kill $make; wait $make; } || true
    rm -rf "$(readlink -f "$DATA_DIR/postgres")" "$DATA_DIR"
}
trap cleanup EXIT

make run &
make=$!
until curl -sf "$BASE/readyz" > /dev/null; do
    kill -0 $make 2> /dev/null || { echo 'make run has ended'; exit 1; }
    sleep 0.2
done
tour=$(sed -n '/^<!-- tour:/,/^```$/p' README.md | sed '1,2d; $d' | sh -eu | tee /dev/stderr)
[[ $tour = *'sent twice, ordered once'* ]] || { echo 'the tour ended without an order'; exit 1; }

kill -TERM $make
wait $make || true
make=
! curl -s "$BASE/livez" || { echo 'the server still answers after SIGTERM'; exit 1; }
echo 'The first order was placed, and the server ended.'
