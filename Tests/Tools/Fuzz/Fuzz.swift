// One libFuzzer program for every parser of ours: the first byte says which, the rest is its input. A property that does not hold traps,
// and libFuzzer keeps the input. Built and run by fuzz.sh beside this file; what it found before has a test by name in Tests/.

import Ordering
import Wire

/// Called by libFuzzer for each input.
@_cdecl("LLVMFuzzerTestOneInput")
package func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = [UInt8](UnsafeBufferPointer(start: start, count: count))
    guard let first = input.first else { return 0 }
    let rest = Array(input.dropFirst())
    switch first {
    case UInt8(ascii: "b"): Bodies.check(rest)
    case UInt8(ascii: "c"): Headers.checkCursors(rest)
    case UInt8(ascii: "e"): Headers.checkEntityTags(rest)
    case UInt8(ascii: "f"): Fields.check(rest)
    case UInt8(ascii: "l"):
        // A short text again and again: what is not linear shows.
        guard (1...64).contains(rest.count) else { break }
        Bodies.checkTime(rest)
        Fields.checkTime(rest)
        Headers.checkTime(rest)
    case UInt8(ascii: "k"): Headers.checkKeys(rest)
    case UInt8(ascii: "q"): Headers.checkQuery(rest)
    case UInt8(ascii: "r"): Rows.check(rest)
    case UInt8(ascii: "s"): Headers.checkIDs(rest)
    case UInt8(ascii: "t"): Headers.checkTraceParent(rest)
    case UInt8(ascii: "w"): Bodies.checkWriter(rest)
    default: break
    }
    return 0
}

/// Traps with a sentence where the property does not hold.
func require(_ holds: @autoclosure () -> Bool, _ property: StaticString, line: UInt = #line) {
    if !holds() { fatalError("\(property), line \(line)") }
}

/// Checks that the work on `count` bytes stays far below a second of this thread: what is not linear is not done with 64 KiB by then.
func requireLinear(_ count: Int, _ what: StaticString, _ work: () -> Void) {
    let start = cpuTime()
    work()
    if cpuTime() - start > 2 { fatalError("\(what) took \(cpuTime() - start) s of \(count) bytes") }
}
