// The routes that a client may use only so often, and what the answers say about it. Put around the handlers by Application.swift where a
// limit is set; where none is, the handlers are as they were. Read next: RateLimiter.swift, TrustedProxies.swift.

import HTTPTypes

/// Which routes are limited, and who is behind a proxy.
public struct RateLimits: Sendable {
    /// For new baskets; nil: as many as one likes.
    public var baskets: RateLimit?
    /// For checkouts, also those that are refused or repeat a key; nil: as many as one likes.
    public var checkouts: RateLimit?
    /// Whose X-Forwarded-For is believed.
    public var trustedProxies = TrustedProxies.none

    /// No limits.
    public init() {}

    func apply(to table: inout RouteTable) {
        if let baskets { table.wrap(.post, "/v1/baskets", limited("baskets", baskets)) }
        if let checkouts { table.wrap(.post, "/v1/checkout", limited("checkouts", checkouts)) }
    }

    private func limited(_ name: String, _ limit: RateLimit) -> (@escaping Handler) -> Handler {
        let limiter = RateLimiter(limit)
        let start = ContinuousClock.now
        let policy = "\"\(name)\";q=\(limit.perMinute);w=60"
        return { handler in
            { [trustedProxies] request, context in
                // Whoever has no address is on this machine, at a unix socket.
                guard let client = trustedProxies.client(peer: context.channel.remoteAddress, request.headers) else {
                    return try await handler(request, context)
                }
                let passed = (ContinuousClock.now - start).components
                let verdict = limiter.take(client, at: passed.seconds * 1_000_000_000 + passed.attoseconds / 1_000_000_000)
                // https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
                let state = "\"\(name)\";r=\(verdict.remaining);t=\(verdict.seconds)"
                guard verdict.isAllowed else { throw Problem.rateLimited(limit, policy: policy, state: state, after: verdict.seconds) }
                var response = try await handler(request, context)
                response.headers[.rateLimitPolicy] = policy
                response.headers[.rateLimit] = state
                return response
            }
        }
    }
}

extension Problem {
    fileprivate static func rateLimited(_ limit: RateLimit, policy: String, state: String, after seconds: Int) -> Problem {
        Problem(
            .tooManyRequests, "rate_limited",
            "That was too often: \(limit.perMinute) a minute. Nothing was done; try again in \(seconds) seconds.",
            headers: [.retryAfter: "\(seconds)", .rateLimitPolicy: policy, .rateLimit: state])
    }
}
