#!/bin/sh
# fuzz.sh SECONDS [-Onone]: builds a libFuzzer program from the sources and runs it for this time. It starts from
# Tests/Data/Fuzz/corpus. An input that breaks a parser is stored in .build/fuzz/found and fails the run. Only the
# parsers are compiled, each target as a module: a sanitized SwiftPM build of everything takes ten times as long.
set -eu
cd "$(dirname "$0")/../../.."
seconds=$1 optimization=${2:--O}
out=.build/fuzz/$optimization
learned=.build/fuzz/learned
mkdir -p "$out" "$learned" .build/fuzz/found

compile() {
    swiftc "$optimization" -enable-testing -wmo -parse-as-library -package-name welms -swift-version 6 \
        -sanitize=fuzzer,address -I "$out" "$@"
}
module() {
    name=$1
    shift
    compile -module-name "$name" -emit-module -emit-module-path "$out/$name.swiftmodule" -c -o "$out/$name.o" "$@"
}
if [ -n "$(find Sources Tests/Tools/Fuzz -name '*.swift' -newer "$out/fuzz" 2>&1 | head -n 1)" ]; then
    module Ordering $(find Sources/Ordering -name '*.swift') & ordering=$!
    module Wire $(find Sources/Wire -name '*.swift') & wire=$!
    module Digests Sources/Digests/Base64URL.swift
    module ErrorChannel Sources/ErrorChannel/*.swift
    module HTTPServing Sources/HTTPServing/Headers/EntityTagList.swift Sources/HTTPServing/Headers/BearerToken.swift \
        Sources/HTTPServing/Headers/HostHeader.swift Sources/HTTPServing/Headers/TraceParent.swift \
        Sources/HTTPServing/Headers/RequestID.swift Sources/HTTPServing/Requests/QueryParameters.swift
    module Postgres $(find Sources/Postgres/Values -name '*.swift' ! -name Row.swift ! -name Parameters.swift)
    wait $ordering
    wait $wire
    module Web Sources/Web/Paging/Cursor.swift Sources/Web/Paging/ListWindow.swift \
        Sources/Web/Paging/QueryParameters+Paging.swift Sources/Web/Menu/MenuListing.swift
    # Renamed when it is complete, so that an interrupted build is repeated.
    compile -o "$out/fuzz.new" Tests/Tools/Fuzz/*.swift "$out"/*.o 2>&1 |
        { grep -v 'Cannot export local symbol' || true; }
    mv "$out/fuzz.new" "$out/fuzz"
fi
# Symbolisation is off: with Swift 6.3 it hangs after a trap. The input is enough to debug.
export ASAN_OPTIONS=symbolize=0 SWIFT_BACKTRACE=enable=no
seed=${SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
echo "SEED=$seed repeats this search"
if ! "$out/fuzz" -seed="$seed" -max_total_time="$seconds" -max_len=4096 -timeout=10 -verbosity=0 -print_final_stats=1 \
    -dict=Tests/Data/Fuzz/words.dict -artifact_prefix=.build/fuzz/found/ "$learned" Tests/Data/Fuzz/corpus \
    < /dev/null > .build/fuzz/log 2>&1; then
    tail -n 40 .build/fuzz/log
    echo "An input that breaks a parser is in .build/fuzz/found. Run it alone with: $out/fuzz FILE"
    exit 1
fi
grep '^stat::' .build/fuzz/log
