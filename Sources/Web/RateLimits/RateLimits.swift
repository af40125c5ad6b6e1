// Wraps the rate-limited routes and adds the RateLimit headers. Routes without a limit stay unchanged.
import HTTPTypes

/// The rate limits per client, and the trusted proxies.
package struct RateLimits: Sendable {
    /// For new baskets; nil: unlimited.
    package var baskets: RateLimit?
    /// For checkouts, including rejected ones but not replays of a placed order; nil: unlimited.
    package var checkouts: RateLimit?
    /// For unknown coupon codes; nil: unlimited.
    package var coupons: RateLimit? = .couponGuesses
    /// For wrong staff tokens; nil: unlimited.
    package var staffTokens: RateLimit? = .wrongStaffTokens
    /// The proxies whose X-Forwarded-For is trusted.
    package var trustedProxies = TrustedProxies.none

    /// No limits except those of coupons and staff tokens.
    package init() {}

    func apply(to table: inout RouteTable) {
        for (path, name, limit) in [("/v1/baskets", "baskets", baskets), ("/v1/checkout", "checkouts", checkouts)] {
            guard let limit else { continue }
            let clients = ClientLimit(limit, trustedProxies: trustedProxies)
            table.wrap(.post, path) { route in Self.limited(route, name, clients) }
        }
    }

    private static func limited(_ route: Route, _ name: String, _ clients: ClientLimit) -> Handler {
        let limit = clients.limit
        let policy = "\"\(name)\";q=\(limit.perMinute);w=60"
        return { request, context in
            guard let attempt = clients.attempt(request, context) else {
                throw Problem.rateLimited(policy: policy, state: "\"\(name)\";r=0;t=1", after: 1)
            }
            let verdict = attempt.verdict
            // https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
            let state = "\"\(name)\";r=\(verdict.remaining);t=\(verdict.seconds)"
            if !verdict.isAllowed {
                guard let isExempt = route.isRateLimitExempt, try await isExempt(request) else {
                    throw Problem.rateLimited(policy: policy, state: state, after: verdict.seconds)
                }
            }
            do {
                var response = try await route.handler(request, context)
                // A replay changed nothing.
                if response.headers[.idempotencyReplayed] != nil { clients.refund(attempt) }
                response.headers[.rateLimitPolicy] = policy
                response.headers[.rateLimit] = state
                return response
            } catch {
                if Problem.isServerFault(error) { clients.refund(attempt) }
                throw error
            }
        }
    }
}

extension RateLimit {
    /// A guest who mistypes a coupon triggers five or six validations, one per pause in typing. One address can try
    /// 43,200 codes a day.
    static let couponGuesses = RateLimit(unchecked: 30)
    /// A person who mistypes a token needs three or four attempts. A token of 20 random letters withstands ten a
    /// minute by far.
    static let wrongStaffTokens = RateLimit(unchecked: 10)

    /// The default for checkouts of a shop that sends mails. A guest who resubmits a rejected form sends about four.
    package static let mailedCheckouts = RateLimit(unchecked: 10)
}

extension Problem {
    /// For a limit that is not per minute, so that no RateLimit header describes it.
    static func rateLimited(after seconds: Int) -> Problem {
        Problem(
            .tooManyRequests, "rate_limited", Self.rateLimitedDetail(seconds), headers: [.retryAfter: "\(seconds)"])
    }

    private static func rateLimitedDetail(_ seconds: Int) -> String {
        "You tried this too often, so nothing was changed. Please try again in \(seconds) seconds."
    }

    static func rateLimited(policy: String, state: String, after seconds: Int) -> Problem {
        Problem(
            .tooManyRequests, "rate_limited", Self.rateLimitedDetail(seconds),
            headers: [.retryAfter: "\(seconds)", .rateLimitPolicy: policy, .rateLimit: state])
    }
}
