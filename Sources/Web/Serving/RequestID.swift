// The name of one request: in the answer's X-Request-Id, in problem bodies, and in the log, so that a guest's complaint leads to its lines.
// Made by WebContext; Hummingbird's own is a counter and tells everyone how busy we are.

/// 64 random bits, written as 16 hex digits. It names a request; it is no secret and guards nothing.
public struct RequestID: Hashable, Sendable, CustomStringConvertible {
    /// The bits.
    public let bits: UInt64

    /// A new one.
    public init() {
        bits = .random(in: .min ... .max)
    }

    /// 16 hex digits, lower case.
    public var description: String {
        String(unsafeUninitializedCapacity: 16) { text in
            for index in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: bits >> UInt64(60 - index * 4)) & 15
                text[index] = digit < 10 ? 0x30 + digit : 0x61 + digit - 10
            }
            return 16
        }
    }
}
