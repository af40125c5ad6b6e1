// Wraps the rate-limited routes and adds the RateLimit headers.
import HTTPTypes

extension RouteTable {
    /// Limits the requests of each client to a route.
    ///
    /// A server fault costs nothing, and neither does a response with Idempotency-Replayed, which changed nothing.
    /// - Parameter name: The name of the limit in the headers.
    package mutating func limit(
        _ method: HTTPRequest.Method, _ path: String, to limit: RateLimit, named name: String,
        trustedProxies: TrustedProxies
    ) {
        let clients = ClientLimit(limit, trustedProxies: trustedProxies)
        wrap(method, path) { route in Self.limited(route, name, clients) }
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
