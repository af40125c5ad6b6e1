// A rate limit per client address.
import HTTPTypes

/// Determines the address of a request and counts against its limit.
package final class ClientLimit: Sendable {
    /// The limit per minute.
    package let limit: RateLimit
    private let limiter: RateLimiter
    private let proxies: TrustedProxies
    private let addresses: ClientAddresses
    private let start = ContinuousClock.now

    package init(_ limit: RateLimit, trustedProxies proxies: TrustedProxies) {
        (self.limit, self.proxies) = (limit, proxies)
        addresses = ClientAddresses(trustedProxies: proxies)
        limiter = RateLimiter(limit)
    }

    /// A token that was requested for a client.
    package struct Attempt: Sendable {
        package let client: NetworkAddress
        package let verdict: RateLimiter.Verdict
    }

    /// Takes a token from the client's bucket if the bucket has one. Returns nil for a connection without an address.
    package func attempt(_ request: Request, _ context: RequestContext) -> Attempt? {
        client(request, context).map { Attempt(client: $0, verdict: limiter.take($0, at: now)) }
    }

    /// The same for a request whose body has not arrived yet.
    package func attempt(_ headers: HTTPFields, from peer: NetworkAddress?) -> Attempt? {
        proxies.client(peer: peer, headers).map { Attempt(client: $0, verdict: limiter.take($0, at: now)) }
    }

    /// The seconds until the client of these headers may try again; nil if it may now.
    package func retryAfter(_ headers: HTTPFields, from peer: NetworkAddress?) -> Int? {
        // A connection without an address has been reset: no client reads the response.
        guard let client = proxies.client(peer: peer, headers) else { return 1 }
        return retryAfter(client)
    }

    /// Returns a token that was taken.
    package func refund(_ attempt: Attempt) { if attempt.verdict.isAllowed { limiter.refund(attempt.client) } }

    /// The seconds until the client may try again; nil if it may now.
    package func retryAfter(_ client: NetworkAddress) -> Int? { limiter.retryAfter(client, at: now) }

    /// Takes a token even if the bucket is empty.
    package func charge(_ client: NetworkAddress) { limiter.charge(client, at: now) }

    /// The client's address; nil if the connection was reset, so that no client reads the response.
    package func client(_ request: Request, _ context: RequestContext) -> NetworkAddress? {
        addresses.client(request, context)
    }

    private var now: Int64 {
        let passed = (ContinuousClock.now - start).components
        return passed.seconds * 1_000_000_000 + passed.attoseconds / 1_000_000_000
    }
}
