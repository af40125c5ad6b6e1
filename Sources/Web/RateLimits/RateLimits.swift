// The routes that a client may use only so often, and what the answers say about it. Put around the handlers by Application.swift where a
// limit is set; where none is, the handlers are as they were. Read next: ClientLimit.swift, CouponGuesses.swift.
import HTTPTypes

/// What a client may do only so often, and who is behind a proxy.
package struct RateLimits: Sendable {
    /// For new baskets; nil: as many as one likes.
    package var baskets: RateLimit?
    /// For checkouts, also those that are refused, but for repetitions of one that has placed its order; nil: as many as one likes.
    package var checkouts: RateLimit?
    /// For key words of coupons that don't exist; nil: as many as one likes.
    package var coupons: RateLimit? = .couponGuesses
    /// For wrong staff tokens; nil: unlimited.
    package var staffTokens: RateLimit? = .wrongStaffTokens
    /// Whose X-Forwarded-For is believed.
    package var trustedProxies = TrustedProxies.none

    /// No limits but those of coupons and staff tokens.
    package init() {}

    func apply(to table: inout RouteTable) {
        for (path, name, limit) in [("/v1/baskets", "baskets", baskets), ("/v1/checkout", "checkouts", checkouts)] {
            guard let limit else { continue }
            let clients = ClientLimit(limit, behind: trustedProxies)
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
                guard let isFree = route.isFree, try await isFree(request) else {
                    throw Problem.rateLimited(policy: policy, state: state, after: verdict.seconds)
                }
            }
            do {
                var response = try await route.handler(request, context)
                // It did nothing but say again what was said.
                if response.headers[.idempotencyReplayed] != nil { clients.giveBack(attempt) }
                response.headers[.rateLimitPolicy] = policy
                response.headers[.rateLimit] = state
                return response
            } catch {
                if ProblemResponse.isOurs(error) { clients.giveBack(attempt) }
                throw error
            }
        }
    }
}

extension RateLimit {
    /// A guest who types one coupon wrong comes to five or six, for each pause is a question. One address gets through 43,200 words in a day.
    static let couponGuesses = RateLimit(known: 30)
    /// A person who mistypes a token needs three or four. A token of 20 random letters outlasts ten a minute by far.
    static let wrongStaffTokens = RateLimit(known: 10)

    /// For checkouts of a shop that mails, unless it is set otherwise. A guest who repeats a refused form sends four.
    package static let mailedCheckouts = RateLimit(known: 10)
}

extension Problem {
    /// For a limit that is not per minute, so that no header describes it.
    static func rateLimited(after seconds: Int) -> Problem {
        Problem(
            .tooManyRequests, "rate_limited", Self.rateLimitedDetail(seconds), headers: [.retryAfter: "\(seconds)"])
    }

    private static func rateLimitedDetail(_ seconds: Int) -> String {
        "That was too often, and nothing was changed. Please try again in \(seconds) seconds."
    }

    static func rateLimited(policy: String, state: String, after seconds: Int) -> Problem {
        Problem(
            .tooManyRequests, "rate_limited", Self.rateLimitedDetail(seconds),
            headers: [.retryAfter: "\(seconds)", .rateLimitPolicy: policy, .rateLimit: state])
    }
}
