// The name of one request: in the answer's X-Request-Id, in problem bodies, and in the log, so that a guest's complaint leads to its lines.
// Made by WebContext; Hummingbird's own is a counter and tells everyone how busy we are.
import Ordering
import Synchronization

/// 64 bits that look random, written as 16 hex digits. It names a request; it is no secret and guards nothing.
package struct RequestID: Hashable, Sendable, CustomStringConvertible {
    package let bits: UInt64

    private static let start = UInt64.random(in: .min ... .max)
    private static let count = Atomic<UInt64>(0)

    /// A new one: a count from a random start, mixed so that neighbours look nothing alike. The system's generator would be a system call for
    /// each request.
    package init() {
        bits = (Self.start &+ Self.count.wrappingAdd(1, ordering: .relaxed).newValue).mixed
    }

    /// 16 hex digits, lower case.
    package var description: String { bits.hexDigits }
}

extension UInt64 {
    /// 16 hex digits, lower case.
    var hexDigits: String {
        String(unsafeUninitializedCapacity: 16) { text in
            for index in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: self >> UInt64(60 - index * 4)) & 15
                text[index] = digit < 10 ? 0x30 + digit : 0x61 + digit - 10
            }
            return 16
        }
    }
}
