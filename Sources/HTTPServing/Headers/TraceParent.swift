// Parses and creates `traceparent` (W3C Trace Context, section 3.2). Log lines contain the request id and the caller's
// trace id. If requests are traced, they contain the server's own trace and span ids instead. swift-distributed-tracing
// has no parser for this header.

/// A valid `traceparent` header. Stored as numbers, because most are never formatted.
package struct TraceParent: Sendable, Hashable {
    private let high: UInt64
    private let low: UInt64
    private let span: UInt64
    /// Whether the caller records this trace and asks others to.
    package let isSampled: Bool

    /// 32 lowercase hex digits, not all zero.
    package var traceID: String { high.hexDigits + low.hexDigits }
    /// The calling span: 16 lowercase hex digits, not all zero.
    package var spanID: String { span.hexDigits }

    /// Parses a header; nil if it is invalid. Versions after 00 may have more fields, and version `ff` is invalid.
    package init?(_ header: String) {
        let bytes = Array(header.utf8.prefix(56))
        guard bytes.count >= 55, bytes.count == 55 || bytes[55] == UInt8(ascii: "-") else { return nil }
        guard [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }) else { return nil }
        guard let version = UInt64(hexDigits: bytes[0..<2]), let high = UInt64(hexDigits: bytes[3..<19]),
            let low = UInt64(hexDigits: bytes[19..<35]), let span = UInt64(hexDigits: bytes[36..<52]),
            let flags = UInt64(hexDigits: bytes[53..<55])
        else { return nil }
        guard version != 0xFF, version != 0 || header.utf8.count == 55, high | low != 0, span != 0 else { return nil }
        // Only the lowest flag bit is defined so far (section 3.2.2.5).
        (self.high, self.low, self.span, isSampled) = (high, low, span, flags & 1 == 1)
    }

    /// Creates the first span of a new trace.
    /// - Parameter sampled: Decides by the trace's random-looking id whether it is sampled.
    package init(newTraceSampled sampled: (UInt64) -> Bool) {
        (high, low, span) = (Self.newID(), Self.newID(), Self.newID())
        isSampled = sampled(low)
    }

    /// Creates another span of the same trace.
    package init(childOf parent: TraceParent) {
        (high, low, span, isSampled) = (parent.high, parent.low, Self.newID(), parent.isSampled)
    }

    /// The header value for outgoing requests, version 00.
    package var header: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

    /// Generated like request ids, without a system call. Zero is not a valid id.
    private static func newID() -> UInt64 { max(1, RequestID().bits) }
}

extension UInt64 {
    /// Parses up to 16 lowercase hex digits; nil if invalid.
    fileprivate init?(hexDigits: ArraySlice<UInt8>) {
        self = 0
        for digit in hexDigits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): self = self << 4 | UInt64(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): self = self << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
    }
}
