#!/bin/bash
# What a stranger does first: `make run`, the README's tour, which ends in an order, and SIGTERM. Called by `make test-first-order`.
set -euo pipefail
cd "$(dirname "$0")/../.."
# Beside the shop that may run here, and without touching its data.
DATA_DIR=$(mktemp -d) PORT=$((20000 + RANDOM % 12000)) BASE=http://127.0.0.1:$PORT
export DATA_DIR PORT BASE
make=
# Root's cluster lies elsewhere, behind a link.
trap '[ -z "$make" ] || { kill $make; wait $make; } || true; rm -rf "$(readlink -f "$DATA_DIR/postgres")" "$DATA_DIR"' EXIT

make run &
make=$!
until curl -sf "$BASE/readyz" > /dev/null; do
    kill -0 $make 2> /dev/null || { echo 'make run has ended'; exit 1; }
    sleep 0.2
done
tour=$(sed -n '/^<!-- tour:/,/^```$/p' README.md | sed '1,2d; $d' | sh -eu | tee /dev/stderr)
[[ $tour = *'sent twice, ordered once'* ]] || { echo 'the tour ends without an order'; exit 1; }

kill -TERM $make
wait $make || true
make=
! curl -s "$BASE/livez" || { echo 'the server is still there'; exit 1; }
echo 'From nothing to an order, and ended.'
