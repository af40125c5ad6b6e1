// Which trace a request belongs to, as its caller says (W3C Trace Context, section 3.2): it stands in the log beside the request's id,
// so that a line of ours is found from the trace of a storefront. Read by Responder.

/// A `traceparent` header that is valid; any other is as good as none.
struct TraceParent: Sendable, Hashable {
    /// 32 hex digits in lower case, not all zero.
    let traceID: String

    /// Versions after 00 may have more fields; `ff` is none.
    init?(_ header: String) {
        let bytes = Array(header.utf8.prefix(56))
        guard bytes.count >= 55, bytes.count == 55 || bytes[55] == UInt8(ascii: "-") else { return nil }
        guard [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }) else { return nil }
        let fields = [bytes[0..<2], bytes[3..<35], bytes[36..<52], bytes[53..<55]]
        guard fields.joined().allSatisfy(\.isLowercaseHexDigit) else { return nil }
        let version = String(decoding: fields[0], as: UTF8.self)
        guard version != "ff", version != "00" || header.utf8.count == 55 else { return nil }
        guard fields[1...2].allSatisfy({ $0.contains { $0 != UInt8(ascii: "0") } }) else { return nil }
        traceID = String(decoding: fields[1], as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isLowercaseHexDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
    }
}
