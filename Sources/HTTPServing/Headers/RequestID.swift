// The id of a request in X-Request-Id, problem bodies and the log, so that a complaint leads to its log lines.
// Hummingbird's own id is a counter and would reveal the load.
import Synchronization

/// 64 random-looking bits, written as 16 hex digits. An identifier, not a secret.
package struct RequestID: Hashable, Sendable, CustomStringConvertible {
    package let bits: UInt64

    private static let start = UInt64.random(in: .min ... .max)
    private static let count = Atomic<UInt64>(0)

    /// Creates an id: a counter with a random start, mixed so that consecutive ids look unrelated. The system's
    /// generator would cost a system call per request.
    package init() {
        bits = Self.mixed(Self.start &+ Self.count.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    /// The output function of SplitMix64, which maps different numbers to different numbers.
    /// Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = number &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
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
