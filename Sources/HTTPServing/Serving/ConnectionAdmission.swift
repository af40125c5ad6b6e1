// Limits the connections of a listener, in total and per client address, and keeps a reserve for health checks.
// Hummingbird limits only the total, and then accepts no connection, not even for a health check.
import NIOCore
import Synchronization

/// Admits the connections of one listener.
///
/// A connection beyond a limit uses the reserve and gets one response: a health check is answered, any other request
/// gets 503. If the reserve or the client's share of it is full, a new connection closes the oldest one. A health check
/// takes only milliseconds, so this rarely closes the connection of one.
final class ConnectionAdmission: Sendable {
    /// The connection limits.
    struct Limits: Sendable {
        let total: Int
        /// Per client address: an IPv4 address, or the /64 of an IPv6 address. Connections of trusted proxies are
        /// exempt.
        let perClient: Int
        let reserve: Int

        /// The part of the reserve that one client address may use.
        var reservePerClient: Int { max(1, reserve / 4) }
    }

    private struct Reserved {
        let number: Int64
        let client: NetworkAddress?
        let evict: @Sendable () -> Void
    }

    private struct State {
        var open = 0
        /// Has entries only for addresses with an open connection, so it has at most `total` entries.
        var perClient: [NetworkAddress: Int] = [:]
        /// The oldest first. A linear search is enough, because the list is short and is searched only beyond the
        /// limits.
        var reserved: [Reserved] = []
        var lastReserved: Int64 = 0
    }

    private let limits: Limits
    private let proxies: TrustedProxies
    private let state = Mutex(State())

    init(_ limits: Limits, trustedProxies proxies: TrustedProxies) { (self.limits, self.proxies) = (limits, proxies) }

    /// Decides what an accepted connection may request, and counts the connection until it closes.
    /// - Parameter evict: Closes the connection immediately, from any thread.
    func admit(_ channel: any Channel, evict: @escaping @Sendable () -> Void) -> ConnectionUse {
        let peer = NetworkAddress(channel.remoteAddress)
        let client = proxies.isTrusted(peer) ? nil : peer?.clientKey
        if enter(client) {
            channel.closeFuture.whenComplete { _ in self.leave(client) }
            return .requests
        }
        let (number, evicted) = reserve(client, evict)
        evicted?.evict()
        channel.closeFuture.whenComplete { _ in self.leaveReserve(number) }
        return .healthCheck
    }

    /// Counts a connection; false if a limit is reached.
    private func enter(_ client: NetworkAddress?) -> Bool {
        state.withLock { state in
            guard state.open < limits.total else { return false }
            if let client {
                guard state.perClient[client, default: 0] < limits.perClient else { return false }
                state.perClient[client, default: 0] += 1
            }
            state.open += 1
            return true
        }
    }

    private func leave(_ client: NetworkAddress?) {
        state.withLock { state in
            state.open -= 1
            guard let client, let count = state.perClient[client] else { return }
            state.perClient[client] = count > 1 ? count - 1 : nil
        }
    }

    /// Adds a connection to the reserve, and removes the connection that must be evicted, if any.
    private func reserve(
        _ client: NetworkAddress?, _ evict: @escaping @Sendable () -> Void
    ) -> (number: Int64, evicted: Reserved?) {
        state.withLock { state in
            var evicted: Reserved?
            if let client, state.reserved.count(where: { $0.client == client }) >= limits.reservePerClient {
                evicted = state.reserved.firstIndex { $0.client == client }.map { state.reserved.remove(at: $0) }
            } else if state.reserved.count >= limits.reserve, !state.reserved.isEmpty {
                evicted = state.reserved.removeFirst()
            }
            state.lastReserved += 1
            state.reserved.append(Reserved(number: state.lastReserved, client: client, evict: evict))
            return (state.lastReserved, evicted)
        }
    }

    private func leaveReserve(_ number: Int64) {
        state.withLock { state in
            if let index = state.reserved.firstIndex(where: { $0.number == number }) {
                state.reserved.remove(at: index)
            }
        }
    }
}
