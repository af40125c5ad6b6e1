// A libFuzzer program for all parsers. The first byte selects the parser, the rest is its input. A violated property
// traps, and libFuzzer stores the input. fuzz.sh builds and runs it. Each input found before has a test in Tests/.

import Ordering
import Wire

/// Checks one input of libFuzzer.
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
        // Repeats a short text, which reveals work that is not linear.
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

/// Traps with a message if the property is violated.
func require(_ condition: @autoclosure () -> Bool, _ property: StaticString, line: UInt = #line) {
    if !condition() { fatalError("\(property), line \(line)") }
}

/// Checks that the work on `count` bytes takes at most two seconds of CPU time. Quadratic work on 64 KiB takes longer.
func requireLinear(_ count: Int, _ what: StaticString, _ work: () -> Void) {
    let start = cpuTime()
    work()
    if cpuTime() - start > 2 { fatalError("\(what) took \(cpuTime() - start) s of \(count) bytes") }
}
