// What NIO's HTTP codec lets through and RFC 9112 does not: a head that does not say, once and clearly, for whom it is, or whose body comes in a
// coding that we don't know. Two servers on its way could read it differently. Asked by Persistence. Read next: Headers/HostHeader.swift.
import NIOHTTP1

/// Why a request is refused by its head alone, and its connection closed: where its body ends is not sure.
enum RequestHeadFault: Error {
    /// No Host, more than one, or one that is none (RFC 9112, section 3.2).
    case host
    /// Transfer-Encoding that does not end with chunked, or names it twice, or is of HTTP/1.0, which has none (sections 6.1 and 6.3).
    case framing
    /// A transfer coding beside chunked, which a server need not know (section 6.1).
    case transferCoding
}

extension HTTPRequestHead {
    var fault: RequestHeadFault? {
        let hosts = headers["host"]
        // HTTP/1.0 knows no Host, and health checks of load balancers may come by it.
        guard hosts.count == 1 || hosts.isEmpty && version == .http1_0 else { return .host }
        if let host = hosts.first, HostHeader(host) == nil { return .host }
        let codings = headers["transfer-encoding"]
        if codings.isEmpty { return nil }
        let names = codings.flatMap { $0.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() } }
        // Without chunked at its end nobody knows how long the body is (RFC 9112, section 6.3).
        guard version != .http1_0, names.last == "chunked", names.count(where: { $0 == "chunked" }) == 1 else { return .framing }
        if names.count > 1 { return .transferCoding }
        return codings.count == 1 ? nil : .framing
    }
}
