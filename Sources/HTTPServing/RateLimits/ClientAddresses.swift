// Determines the client address of a request: the address that a trusted proxy forwards, otherwise the connection's
// peer.
import HTTPTypes
import Logging
import Synchronization

/// Determines client addresses, and warns once if `--trusted-proxies` lacks a proxy.
final class ClientAddresses: Sendable {
    private let proxies: TrustedProxies
    private let hasWarned = Atomic(false)

    init(trustedProxies proxies: TrustedProxies) { self.proxies = proxies }

    /// Nil if the connection has no address: it was reset, and no client reads the response.
    func client(_ request: Request, _ context: RequestContext) -> NetworkAddress? {
        let peer = context.peer
        if request.headers.contains(.xForwardedFor), !proxies.isTrusted(peer),
            !hasWarned.exchange(true, ordering: .relaxed)
        {
            context.logger.warning(
                """
                Requests carry X-Forwarded-For, but --trusted-proxies does not list the proxy that sent it: \
                all clients behind that proxy count as one for the limits
                """)
        }
        return proxies.client(peer: peer, request.headers)
    }
}
