// The Prometheus metrics: on a separate port, or on the main port for clients on this machine.
import HTTPTypes

/// `GET /metrics`.
package struct MetricsRoutes: Routes {
    /// Whether clients on other machines get 404.
    private let isLocalOnly: Bool
    private let text: @Sendable () -> String

    /// - Parameter text: Returns all metrics at the time of a request.
    package init(isLocalOnly: Bool, text: @escaping @Sendable () -> String) {
        (self.isLocalOnly, self.text) = (isLocalOnly, text)
    }

    package func add(to routes: inout RouteTable) {
        routes.get("/metrics", "The server's metrics in Prometheus' text format", bypassesLoadShedding: true) {
            request, context in
            guard !isLocalOnly || request.isLocal(peer: context.peer) else { throw Problem.notFound }
            return Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                bytes: Array(text().utf8))
        }
    }
}

extension Request {
    /// Whether the request comes from this machine and was not forwarded. A local proxy makes every request look
    /// local, so proxy headers or a foreign host name rule it out.
    func isLocal(peer: NetworkAddress?) -> Bool {
        peer?.isLoopback == true && head.authority.map(Self.isLocalName(_:)) != false
            && !HTTPField.Name.proxied.contains(where: headers.contains)
    }
}

extension Request {
    /// Whether a Host header is `localhost` or a loopback address.
    private static func isLocalName(_ text: String) -> Bool {
        guard let host = HostHeader(text)?.host else { return false }
        return host.lowercased() == "localhost" || NetworkAddress(host)?.isLoopback == true
    }
}

extension HTTPField.Name {
    /// Headers that proxies add to forwarded requests.
    fileprivate static let proxied: [HTTPField.Name] = [
        "Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP",
    ].compactMap {
        HTTPField.Name($0)
    }
}
