// The rate limit on wrong staff tokens, per client address. Without it, WELMS_STAFF_TOKEN could be guessed.
import HTTPServing
import HTTPTypes
import Logging
import Synchronization

/// Counts wrong staff tokens per client address, and logs them once per address and minute. Bounded, with constant
/// time per request, like RateLimiter.
final class StaffTokenGuessLimit: Sendable {
    /// The result of counting a token that may be wrong.
    enum Verdict {
        /// The token is counted as wrong, and the count is within the limit.
        case counted(ClientLimit.Attempt?)
        /// The limit is reached; the address may try again in this many seconds.
        case limited(seconds: Int)
    }

    private let limit: ClientLimit?
    private let logLimiter: RateLimiter
    private let proxies: TrustedProxies
    private let start = ContinuousClock.now

    init(_ limit: RateLimit?, trustedProxies: TrustedProxies) {
        self.limit = limit.map { ClientLimit($0, trustedProxies: trustedProxies) }
        logLimiter = RateLimiter(RateLimit(unchecked: 1))
        proxies = trustedProxies
    }

    /// The seconds until the address may use the token of the settings again; nil if it may now.
    func retryAfter(_ headers: HTTPFields, from peer: NetworkAddress?) -> Int? {
        limit?.retryAfter(headers, from: peer)
    }

    /// Counts a token as wrong before it is looked up. Otherwise concurrent requests could all pass before the first of
    /// them is counted.
    func count(_ headers: HTTPFields, from peer: NetworkAddress?) -> Verdict {
        guard let limit else { return .counted(nil) }
        guard let attempt = limit.attempt(headers, from: peer) else { return .limited(seconds: 1) }
        return attempt.verdict.isAllowed ? .counted(attempt) : .limited(seconds: attempt.verdict.seconds)
    }

    /// Takes back a count, because the token was valid or no token exists that could be guessed.
    func refund(_ verdict: Verdict) {
        if case .counted(let attempt?) = verdict { limit?.refund(attempt) }
    }

    /// The problem for a wrong token.
    func problem(_ verdict: Verdict) -> Problem {
        guard case .limited(let seconds) = verdict, let limit else { return .invalidStaffToken }
        let name = "staff-tokens"
        return .rateLimited(
            policy: "\"\(name)\";q=\(limit.limit.perMinute);w=60", state: "\"\(name)\";r=0;t=\(seconds)", after: seconds
        )
    }

    /// Logs one line per address and minute, without the token.
    func log(_ request: Request, _ context: RequestContext) {
        guard let client = proxies.client(peer: context.peer, request.headers)?.clientKey else { return }
        let passed = (ContinuousClock.now - start).components
        let now = passed.seconds * 1_000_000_000 + passed.attoseconds / 1_000_000_000
        guard logLimiter.take(client, at: now).isAllowed else { return }
        context.logger.warning("Wrong staff token", metadata: ["client": "\(client)"])
    }
}
