// A limit for each client of the server: who asks, and what is left to that one. Asked by RateLimits.swift for requests to a limited route, and by
// CouponGuesses.swift. Read next: RateLimiter.swift, TrustedProxies.swift.
import HTTPTypes
import Logging
import NIOCore
import Synchronization

/// Counts what each client does.
final class ClientLimit: Sendable {
    /// How many a minute.
    let limit: RateLimit
    private let limiter: RateLimiter
    private let proxies: TrustedProxies
    private let start = ContinuousClock.now
    private let hasWarned = Atomic(false)

    init(_ limit: RateLimit, behind proxies: TrustedProxies) {
        (self.limit, self.proxies) = (limit, proxies)
        limiter = RateLimiter(limit)
    }

    struct Attempt {
        fileprivate let client: NetworkAddress
        let verdict: RateLimiter.Verdict
    }

    /// Takes one from the client's bucket if there is one; nil for who has no address.
    func attempt(_ request: Request, _ context: WebContext) -> Attempt? {
        client(request, context).map { Attempt(client: $0, verdict: limiter.take($0, at: now)) }
    }

    /// What was taken costs nothing after all.
    func giveBack(_ attempt: Attempt) { if attempt.verdict.isAllowed { limiter.giveBack(attempt.client) } }

    /// In how many seconds the client may; nil: now.
    func wait(_ client: NetworkAddress) -> Int? { limiter.wait(client, at: now) }

    /// Takes one, whether it is there or not.
    func charge(_ client: NetworkAddress) { limiter.charge(client, at: now) }

    /// Who asks. Whoever has no address has reset the connection, and hears nothing of what is answered.
    func client(_ request: Request, _ context: WebContext) -> NetworkAddress? {
        let peer = context.channel.remoteAddress
        if request.headers.contains(.xForwardedFor), !proxies.areTrusted(peer), !hasWarned.exchange(true, ordering: .relaxed) {
            context.logger.warning(
                """
                Requests carry X-Forwarded-For, and --trusted-proxies does not name who sends it: \
                all guests of a proxy count as one client for the limits
                """)
        }
        return proxies.client(peer: peer, request.headers)
    }

    private var now: Int64 {
        let passed = (ContinuousClock.now - start).components
        return passed.seconds * 1_000_000_000 + passed.attoseconds / 1_000_000_000
    }
}
