// What Prometheus scrapes: on a port of its own, or on the guests' for those on this machine. The metrics themselves are in
// Metrics/ShopMetrics.swift. Read next: OperationsListener.swift.
import HTTPTypes
import NIOCore

/// `GET /metrics`.
struct MetricsRoutes: Routes {
    /// Whether those on other machines find nothing there.
    let isForThisMachineOnly: Bool
    let text: @Sendable () -> String

    func add(to routes: inout RouteTable) {
        routes.get("/metrics", "The server's metrics as Prometheus reads them", isNeverShed: true) { request, context in
            guard !isForThisMachineOnly || request.isOfThisMachine(peer: context.channel.remoteAddress) else { throw Problem.notFound }
            return Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                body: .bytes(ByteBuffer(string: text())))
        }
    }
}

extension Request {
    /// Whether it comes from this machine and for nobody else: to a proxy on this machine every guest's request is one of its own, so that what
    /// a proxy adds, or a name that is not this machine's, speaks against it.
    func isOfThisMachine(peer: SocketAddress?) -> Bool {
        NetworkAddress(peer)?.isLoopback == true && head.authority.map(Self.isName(ofThisMachine:)) != false
            && !HTTPField.Name.proxied.contains(where: headers.contains)
    }
}

extension Request {
    /// Whether a Host says `localhost` or a loopback address.
    private static func isName(ofThisMachine text: String) -> Bool {
        guard let host = HostHeader(text)?.host else { return false }
        return host.lowercased() == "localhost" || NetworkAddress(host)?.isLoopback == true
    }
}

extension HTTPField.Name {
    /// What proxies say of those for whom they ask.
    fileprivate static let proxied: [HTTPField.Name] = ["Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP"].compactMap {
        HTTPField.Name($0)
    }
}
