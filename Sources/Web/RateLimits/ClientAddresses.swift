// Which client address a request counts for: the one that a trusted proxy forwards, otherwise the other end of the
// connection.
import HTTPTypes
import Logging
import Synchronization

/// Finds the client addresses of requests, and warns once if a proxy is missing in `--trusted-proxies`.
final class ClientAddresses: Sendable {
    private let proxies: TrustedProxies
    private let hasWarned = Atomic(false)

    init(behind proxies: TrustedProxies) { self.proxies = proxies }

    /// Nil if the connection has no address: it was reset, and nobody reads its answer.
    func client(_ request: Request, _ context: WebContext) -> NetworkAddress? {
        let peer = context.channel.remoteAddress
        if request.headers.contains(.xForwardedFor), !proxies.areTrusted(peer),
            !hasWarned.exchange(true, ordering: .relaxed)
        {
            context.logger.warning(
                """
                Requests carry X-Forwarded-For, and --trusted-proxies does not name who sends it: \
                all guests of a proxy count as one client for the limits
                """)
        }
        return proxies.client(peer: peer, request.headers)
    }
}
