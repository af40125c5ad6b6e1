// A rate limit per client address: finds the address of a request and counts against its limit.
import HTTPTypes
import NIOCore

/// Counts what each client does.
final class ClientLimit: Sendable {
    /// How many a minute.
    let limit: RateLimit
    private let limiter: RateLimiter
    private let proxies: TrustedProxies
    private let addresses: ClientAddresses
    private let start = ContinuousClock.now

    init(_ limit: RateLimit, behind proxies: TrustedProxies) {
        (self.limit, self.proxies) = (limit, proxies)
        addresses = ClientAddresses(behind: proxies)
        limiter = RateLimiter(limit)
    }

    struct Attempt {
        let client: NetworkAddress
        let verdict: RateLimiter.Verdict
    }

    /// Takes one from the client's bucket if there is one; nil for who has no address.
    func attempt(_ request: Request, _ context: WebContext) -> Attempt? {
        client(request, context).map { Attempt(client: $0, verdict: limiter.take($0, at: now)) }
    }

    /// The same for a request whose body has not come yet.
    func attempt(_ headers: HTTPFields, from peer: SocketAddress?) -> Attempt? {
        proxies.client(peer: peer, headers).map { Attempt(client: $0, verdict: limiter.take($0, at: now)) }
    }

    /// In how many seconds the client of these headers may; nil: now.
    func wait(_ headers: HTTPFields, from peer: SocketAddress?) -> Int? {
        // A connection without an address has been reset: nobody reads its answer.
        guard let client = proxies.client(peer: peer, headers) else { return 1 }
        return wait(client)
    }

    /// What was taken costs nothing after all.
    func giveBack(_ attempt: Attempt) { if attempt.verdict.isAllowed { limiter.giveBack(attempt.client) } }

    /// In how many seconds the client may; nil: now.
    func wait(_ client: NetworkAddress) -> Int? { limiter.wait(client, at: now) }

    /// Takes one, whether it is there or not.
    func charge(_ client: NetworkAddress) { limiter.charge(client, at: now) }

    /// Who asks. Whoever has no address has reset the connection, and hears nothing of what is answered.
    func client(_ request: Request, _ context: WebContext) -> NetworkAddress? { addresses.client(request, context) }

    private var now: Int64 {
        let passed = (ContinuousClock.now - start).components
        return passed.seconds * 1_000_000_000 + passed.attoseconds / 1_000_000_000
    }
}
