#!/bin/sh
# Builds one libFuzzer program from the rooms' own sources and runs it for so many seconds: fuzz.sh SECONDS [-Onone]. What it finds lies
# in .build/fuzz/found and makes it fail; Tests/Data/Fuzz/corpus is what it starts from. Called by `make fuzz` and, for seconds, by
# `make test`.
# Only the parsers are compiled, with their rooms as modules: a sanitized build of everything by SwiftPM takes ten times as long.
set -eu
cd "$(dirname "$0")/../../.."
seconds=$1 optimization=${2:--O}
out=.build/fuzz/$optimization
learned=.build/fuzz/learned
mkdir -p "$out" "$learned" .build/fuzz/found

compile() {
    swiftc "$optimization" -enable-testing -wmo -parse-as-library -package-name welms -swift-version 6 -sanitize=fuzzer,address -I "$out" "$@"
}
room() {
    name=$1
    shift
    compile -module-name "$name" -emit-module -emit-module-path "$out/$name.swiftmodule" -c -o "$out/$name.o" "$@"
}
if [ -n "$(find Sources Tests/Tools/Fuzz -name '*.swift' -newer "$out/fuzz" 2>&1 | head -n 1)" ]; then
    room Ordering $(find Sources/Ordering -name '*.swift') & ordering=$!
    room Wire $(find Sources/Wire -name '*.swift') & wire=$!
    room Digests Sources/Digests/Base64URL.swift
    room ErrorChannel Sources/ErrorChannel/*.swift
    room Postgres $(find Sources/Postgres/Values -name '*.swift' ! -name Row.swift ! -name Parameters.swift)
    wait $ordering
    wait $wire
    room Web Sources/Web/Headers/EntityTagList.swift Sources/Web/Headers/BearerToken.swift Sources/Web/Headers/HostHeader.swift \
        Sources/Web/Headers/TraceParent.swift Sources/Web/Headers/RequestID.swift Sources/Web/Requests/QueryParameters.swift \
        Sources/Web/Requests/Cursor.swift Sources/Web/Requests/ListWindow.swift Sources/Web/Menu/MenuListing.swift
    # It has its name once it is whole.
    compile -o "$out/fuzz.new" Tests/Tools/Fuzz/*.swift "$out"/*.o 2>&1 | { grep -v 'Cannot export local symbol' || true; }
    mv "$out/fuzz.new" "$out/fuzz"
fi
# Neither the runtime nor the sanitizer looks for symbols after a trap: with Swift 6.3 that does not come back. The input says more.
export ASAN_OPTIONS=symbolize=0 SWIFT_BACKTRACE=enable=no
seed=${SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
echo "SEED=$seed repeats this search"
if ! "$out/fuzz" -seed="$seed" -max_total_time="$seconds" -max_len=4096 -timeout=10 -verbosity=0 -print_final_stats=1 -dict=Tests/Data/Fuzz/words.dict \
    -artifact_prefix=.build/fuzz/found/ "$learned" Tests/Data/Fuzz/corpus < /dev/null > .build/fuzz/log 2>&1; then
    tail -n 40 .build/fuzz/log
    echo "an input that breaks a parser is in .build/fuzz/found; try it alone with: $out/fuzz FILE"
    exit 1
fi
grep '^stat::' .build/fuzz/log
