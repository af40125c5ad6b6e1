// Which trace a request belongs to, and which span of it (W3C Trace Context, section 3.2). The caller's stands in the log beside the request's id,
// so that a line of ours is found from the trace of a storefront; where requests are traced, it is their own. Read by Responder and by tracers.

/// A `traceparent` header that is valid; any other is as good as none. Kept as numbers: most are never written.
package struct TraceParent: Sendable, Hashable {
    private let high: UInt64
    private let low: UInt64
    private let span: UInt64
    /// Whether who calls keeps what it records of this trace, and wants others to.
    package let isSampled: Bool

    /// 32 hex digits in lower case, not all zero.
    package var traceID: String { high.hexDigits + low.hexDigits }
    /// The span that calls: 16 hex digits in lower case, not all zero.
    package var spanID: String { span.hexDigits }

    /// Versions after 00 may have more fields; `ff` is none.
    package init?(_ header: String) {
        let bytes = Array(header.utf8.prefix(56))
        guard bytes.count >= 55, bytes.count == 55 || bytes[55] == UInt8(ascii: "-") else { return nil }
        guard [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }) else { return nil }
        guard let version = UInt64(hexDigits: bytes[0..<2]), let high = UInt64(hexDigits: bytes[3..<19]),
            let low = UInt64(hexDigits: bytes[19..<35]), let span = UInt64(hexDigits: bytes[36..<52]),
            let flags = UInt64(hexDigits: bytes[53..<55])
        else { return nil }
        guard version != 0xFF, version != 0 || header.utf8.count == 55, high | low != 0, span != 0 else { return nil }
        // Of the flags only the lowest bit has a meaning yet (section 3.2.2.5).
        (self.high, self.low, self.span, isSampled) = (high, low, span, flags & 1 == 1)
    }

    /// The first span of a new trace.
    /// - Parameter sampled: Decides by the trace's id, which looks random.
    package init(newTraceSampled sampled: (UInt64) -> Bool) {
        (high, low, span) = (Self.newID(), Self.newID(), Self.newID())
        isSampled = sampled(low)
    }

    /// Another span of the same trace.
    package init(childOf parent: TraceParent) {
        (high, low, span, isSampled) = (parent.high, parent.low, Self.newID(), parent.isSampled)
    }

    /// As it is written in a request to others, version 00.
    package var header: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

    /// Made as the ids of requests are, without a call of the system. Zero is none.
    private static func newID() -> UInt64 { max(1, RequestID().bits) }
}

extension UInt64 {
    /// Up to 16 hex digits in lower case; nil for anything else.
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
