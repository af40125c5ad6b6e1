// How often each client may do one thing: a token bucket for each, of which one number is kept (the generic cell rate algorithm,
// ITU-T I.371, annex A). Asked by ClientLimit.swift.
import Synchronization

/// So many a minute for each client; as many at once after a minute's rest.
package struct RateLimit: Sendable, Hashable {
    /// How many a minute.
    package let perMinute: Int

    /// From 1 to 1,000,000 a minute; nil otherwise.
    package init?(perMinute: Int) {
        guard (1...1_000_000).contains(perMinute) else { return nil }
        self.perMinute = perMinute
    }

    init(known perMinute: Int) { self.perMinute = perMinute }
}

/// Counts what the clients do against a limit. Knows 100,000 clients at most: when more come within a minute, those who were
/// not seen for longest are forgotten, which is to their advantage.
final class RateLimiter: Sendable {
    /// What a client may still do.
    struct Verdict: Sendable, Equatable {
        let isAllowed: Bool
        /// How many more at once.
        let remaining: Int
        /// Where it is allowed, until all of them are there again; where it is not, until the next is.
        let seconds: Int
    }

    let limit: RateLimit
    private let interval: Int64
    private let mostClients: Int
    private let state = Mutex(State())

    /// A bucket is the moment at which it will be full, in nanoseconds. A minute after its last use it is: whoever stood in `before`
    /// for that long is as good as unknown, so nobody has to look for those who can be forgotten.
    private struct State {
        var now: [NetworkAddress: Int64] = [:]
        var before: [NetworkAddress: Int64] = [:]
        var turned: Int64 = 0

        func full(_ client: NetworkAddress) -> Int64? { now[client] ?? before[client] }
    }

    private static let minute: Int64 = 60_000_000_000

    init(_ limit: RateLimit, mostClients: Int = 100_000) {
        (self.limit, self.mostClients) = (limit, mostClients)
        interval = Self.minute / Int64(limit.perMinute)
    }

    /// Takes one from the client's bucket if there is one, at this many nanoseconds of a clock that never goes back.
    func take(_ client: NetworkAddress, at now: Int64) -> Verdict {
        let client = client.client
        return state.withLock { state in
            turn(&state, at: now)
            let full = max(now, state.full(client) ?? now)
            let next = full + interval
            guard next - now <= capacity else {
                state.now[client] = full
                return Verdict(isAllowed: false, remaining: 0, seconds: Self.seconds(next - now - capacity))
            }
            state.now[client] = next
            return Verdict(isAllowed: true, remaining: Int((capacity - (next - now)) / interval), seconds: Self.seconds(next - now))
        }
    }

    /// In how many seconds there is one in the client's bucket; nil: there is one now. Takes nothing.
    func wait(_ client: NetworkAddress, at now: Int64) -> Int? {
        let next = state.withLock { max(now, $0.full(client.client) ?? now) } + interval
        return next - now <= capacity ? nil : Self.seconds(next - now - capacity)
    }

    /// Takes one whether it is there or not. What was not there is owed, up to an hour's wait: who asks for much at once gets no more in the end.
    func charge(_ client: NetworkAddress, at now: Int64) {
        let client = client.client
        state.withLock { state in
            turn(&state, at: now)
            state.now[client] = min(max(now, state.full(client) ?? now) + interval, now + 60 * Self.minute)
        }
    }

    private var capacity: Int64 { interval * Int64(limit.perMinute) }

    /// Forgets who was not seen for a minute, but for those who owe more than that.
    private func turn(_ state: inout State, at now: Int64) {
        guard now - state.turned > Self.minute || state.now.count >= mostClients / 2 else { return }
        let debtors = state.now.filter { $0.value - now > Self.minute }
        state.before = now - state.turned > 2 * Self.minute ? [:] : state.now
        state.now = debtors.count < mostClients / 4 ? debtors : [:]
        state.turned = now
    }

    /// Puts one back that was taken, for what turned out to cost nothing.
    func giveBack(_ client: NetworkAddress) {
        let client = client.client
        state.withLock { state in
            if let full = state.full(client) { state.now[client] = full - interval }
        }
    }

    /// How many clients are known; for tests.
    var clients: Int { state.withLock { Set($0.now.keys).union($0.before.keys).count } }

    /// Rounded up: who comes back then is not too early.
    private static func seconds(_ nanoseconds: Int64) -> Int { Int((nanoseconds + 999_999_999) / 1_000_000_000) }
}
