// Rejects heads that NIO accepts but RFC 9112 forbids: a missing, repeated or invalid Host, or an unknown transfer
// coding. Two servers on the path could interpret them differently.
import NIOHTTP1

/// The reason to reject a head. The connection then closes, because the end of the request's body is uncertain.
enum RequestHeadError: Error {
    /// Host is missing, repeated or invalid (RFC 9112, section 3.2).
    case host
    /// Transfer-Encoding does not end with chunked, repeats it, or appears in HTTP/1.0, which lacks it (sections 6.1
    /// and 6.3).
    case framing
    /// A transfer coding besides chunked, which servers need not support (section 6.1).
    case transferCoding
}

extension HTTPRequestHead {
    var headError: RequestHeadError? {
        let hosts = headers["host"]
        // HTTP/1.0 has no Host header, and load balancers' health checks may use it.
        guard hosts.count == 1 || hosts.isEmpty && version == .http1_0 else { return .host }
        if let host = hosts.first, HostHeader(host) == nil { return .host }
        let codings = headers["transfer-encoding"]
        if codings.isEmpty { return nil }
        let names = codings.flatMap {
            $0.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        }
        // Unless chunked is last, the length of the body is unknown (RFC 9112, section 6.3).
        guard version != .http1_0, names.last == "chunked", names.count(where: { $0 == "chunked" }) == 1 else {
            return .framing
        }
        if names.count > 1 { return .transferCoding }
        return codings.count == 1 ? nil : .framing
    }
}
