// A token bucket per client that stores one number each: the generic cell rate algorithm (ITU-T I.371, annex A). The
// packages for rate limits, Gatekeeper and Checkpoint, need Vapor.
import Synchronization

/// A limit per client and minute. A client that has rested for a minute may use the whole limit at once.
package struct RateLimit: Sendable, Hashable {
    /// The limit per minute.
    package let perMinute: Int

    /// From 1 to 1,000,000 a minute; nil otherwise.
    package init?(perMinute: Int) {
        guard (1...1_000_000).contains(perMinute) else { return nil }
        self.perMinute = perMinute
    }

    /// - Parameter perMinute: A number from 1 to 1,000,000.
    package init(unchecked perMinute: Int) { self.perMinute = perMinute }
}

/// Counts the clients' actions against a limit. Stores at most 100,000 clients. If more appear within a minute, the
/// limiter forgets the least recent clients, and their buckets are full again.
package final class RateLimiter: Sendable {
    /// The result of taking a token.
    package struct Verdict: Sendable, Equatable {
        package let isAllowed: Bool
        /// How many more tokens remain.
        package let remaining: Int
        /// If allowed: until the bucket is full again. Otherwise: until the next token.
        package let seconds: Int
    }

    let limit: RateLimit
    private let interval: Int64
    private let maximumClients: Int
    private let state = Mutex(State())

    /// Stores each bucket as the time, in nanoseconds, at which it is full again. Without a debt, this is at most a
    /// minute after the bucket's last use. After a minute, `previous` can therefore be dropped without a search.
    private struct State {
        var current: [NetworkAddress: Int64] = [:]
        var previous: [NetworkAddress: Int64] = [:]
        var rotatedAt: Int64 = 0

        func timeWhenFull(_ client: NetworkAddress) -> Int64? { current[client] ?? previous[client] }
    }

    private static let minute: Int64 = 60_000_000_000

    package init(_ limit: RateLimit, maximumClients: Int = 100_000) {
        (self.limit, self.maximumClients) = (limit, maximumClients)
        interval = Self.minute / Int64(limit.perMinute)
    }

    /// Takes a token from the client's bucket if it has one. `now` is in nanoseconds of a monotonic clock.
    package func take(_ client: NetworkAddress, at now: Int64) -> Verdict {
        let client = client.clientKey
        return state.withLock { state in
            rotate(&state, at: now)
            let full = max(now, state.timeWhenFull(client) ?? now)
            let next = full + interval
            guard next - now <= capacity else {
                state.current[client] = full
                return Verdict(isAllowed: false, remaining: 0, seconds: Self.seconds(next - now - capacity))
            }
            state.current[client] = next
            return Verdict(
                isAllowed: true, remaining: Int((capacity - (next - now)) / interval), seconds: Self.seconds(next - now)
            )
        }
    }

    /// The seconds until the client's bucket has a token; nil if it has one now. Takes nothing.
    func retryAfter(_ client: NetworkAddress, at now: Int64) -> Int? {
        let next = state.withLock { max(now, $0.timeWhenFull(client.clientKey) ?? now) } + interval
        return next - now <= capacity ? nil : Self.seconds(next - now - capacity)
    }

    /// Takes a token even if the bucket is empty, so that concurrent requests gain nothing in total. The debt is at
    /// most an hour's wait.
    func charge(_ client: NetworkAddress, at now: Int64) {
        let client = client.clientKey
        state.withLock { state in
            rotate(&state, at: now)
            state.current[client] = min(max(now, state.timeWhenFull(client) ?? now) + interval, now + 60 * Self.minute)
        }
    }

    private var capacity: Int64 { interval * Int64(limit.perMinute) }

    /// Forgets clients that were not seen for a minute, except clients with a debt of more than a minute.
    private func rotate(_ state: inout State, at now: Int64) {
        guard now - state.rotatedAt > Self.minute || state.current.count >= maximumClients / 2 else { return }
        let debtors = state.current.filter { $0.value - now > Self.minute }
        state.previous = now - state.rotatedAt > 2 * Self.minute ? [:] : state.current
        state.current = debtors.count < maximumClients / 4 ? debtors : [:]
        state.rotatedAt = now
    }

    /// Returns a token that was taken for an action that turned out to cost nothing.
    func refund(_ client: NetworkAddress) {
        let client = client.clientKey
        state.withLock { state in
            if let full = state.timeWhenFull(client) { state.current[client] = full - interval }
        }
    }

    /// The number of stored clients; for tests.
    var clients: Int { state.withLock { Set($0.current.keys).union($0.previous.keys).count } }

    /// Rounded up, so that a client that returns then is not too early.
    private static func seconds(_ nanoseconds: Int64) -> Int { Int((nanoseconds + 999_999_999) / 1_000_000_000) }
}
