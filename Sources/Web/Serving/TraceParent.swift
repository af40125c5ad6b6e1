// Which trace a request belongs to, and which span of it (W3C Trace Context, section 3.2). The caller's stands in the log beside the request's id,
// so that a line of ours is found from the trace of a storefront; where requests are traced, it is their own. Read by Responder and by tracers.

/// A `traceparent` header that is valid; any other is as good as none.
public struct TraceParent: Sendable, Hashable {
    /// 32 hex digits in lower case, not all zero.
    public let traceID: String
    /// The span that calls: 16 hex digits in lower case, not all zero.
    public let spanID: String
    /// Whether who calls keeps what it records of this trace, and wants others to.
    public let isSampled: Bool

    /// Versions after 00 may have more fields; `ff` is none.
    public init?(_ header: String) {
        let bytes = Array(header.utf8.prefix(56))
        guard bytes.count >= 55, bytes.count == 55 || bytes[55] == UInt8(ascii: "-") else { return nil }
        guard [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }) else { return nil }
        let fields = [bytes[0..<2], bytes[3..<35], bytes[36..<52], bytes[53..<55]]
        guard fields.joined().allSatisfy(\.isLowercaseHexDigit) else { return nil }
        let version = String(decoding: fields[0], as: UTF8.self)
        guard version != "ff", version != "00" || header.utf8.count == 55 else { return nil }
        guard fields[1...2].allSatisfy({ $0.contains { $0 != UInt8(ascii: "0") } }) else { return nil }
        traceID = String(decoding: fields[1], as: UTF8.self)
        spanID = String(decoding: fields[2], as: UTF8.self)
        // The lowest bit; the others mean nothing yet (section 3.2.2.5).
        isSampled = UInt8(String(decoding: fields[3], as: UTF8.self), radix: 16).map { $0 & 1 == 1 } ?? false
    }

    /// The first span of a new trace.
    /// - Parameter sampled: Decides by the trace's id, which is random.
    public init(newTraceSampled sampled: (UInt64) -> Bool) {
        let low = UInt64.random(in: 1 ... .max)
        traceID = Self.hex(.random(in: .min ... .max)) + Self.hex(low)
        spanID = Self.hex(.random(in: 1 ... .max))
        isSampled = sampled(low)
    }

    /// Another span of the same trace.
    public init(childOf parent: TraceParent) {
        (traceID, isSampled) = (parent.traceID, parent.isSampled)
        spanID = Self.hex(.random(in: 1 ... .max))
    }

    /// As it is written in a request to others, version 00.
    public var header: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

    private static func hex(_ bits: UInt64) -> String {
        let digits = String(bits, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}

extension UInt8 {
    fileprivate var isLowercaseHexDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
    }
}
