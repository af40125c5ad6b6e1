// Limits the connections of a listener, in total and per client address, and keeps a reserve in which health checks are
// answered when all others are taken.
import NIOCore
import Synchronization

/// Admits the connections of one listener.
///
/// A connection beyond a limit is accepted all the same, into the reserve. There it gets one answer: a health check is
/// answered, every other request is refused. The reserve cannot be filled: if it is full, or the client address has its
/// share of it, a new connection closes the oldest one. A health check needs its connection for milliseconds.
final class ConnectionAdmission: Sendable {
    /// How many connections there may be.
    struct Limits: Sendable {
        let total: Int
        /// Per client address: an IPv4 address, or the /64 of an IPv6 address. Connections of trusted proxies are
        /// exempt.
        let perClient: Int
        let reserve: Int

        /// How much of the reserve one client address may have.
        var share: Int { max(1, reserve / 4) }
    }

    private struct Reserved {
        let number: Int64
        let client: NetworkAddress?
        let evict: @Sendable () -> Void
    }

    private struct State {
        var open = 0
        /// Has an entry only for addresses with a connection, so that `total` bounds it.
        var perClient: [NetworkAddress: Int] = [:]
        /// The oldest first. Searched from the beginning: it is short, and used only beyond the limits.
        var reserved: [Reserved] = []
        var lastReserved: Int64 = 0
    }

    private let limits: Limits
    private let proxies: TrustedProxies
    private let state = Mutex(State())

    init(_ limits: Limits, behind proxies: TrustedProxies) { (self.limits, self.proxies) = (limits, proxies) }

    /// Admits a connection that was just accepted, until it closes.
    /// - Parameter evict: Closes it at once, from any thread.
    func admit(_ channel: any Channel, evict: @escaping @Sendable () -> Void) -> ConnectionUse {
        let peer = channel.remoteAddress
        let client = proxies.areTrusted(peer) ? nil : NetworkAddress(peer)?.client
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

    /// Adds a connection to the reserve, and removes the one that has to make room.
    private func reserve(
        _ client: NetworkAddress?, _ evict: @escaping @Sendable () -> Void
    ) -> (number: Int64, evicted: Reserved?) {
        state.withLock { state in
            var evicted: Reserved?
            if let client, state.reserved.count(where: { $0.client == client }) >= limits.share {
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
