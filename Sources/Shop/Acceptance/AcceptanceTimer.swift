// Accepts or rejects orders automatically, which is called settling them here. Every server polls, and the row lock of
// the order lets only one server settle it. Sends no query while the shop leaves acceptance to staff.
import Database
import Logging
import Ordering
import ServiceLifecycle
import Synchronization

/// Settles orders that staff have not accepted in time.
package final class AcceptanceTimer: Service {
    /// How many changed orders are remembered between two polls.
    private static let moveLimit = 1_000

    private struct State {
        var search: UnacceptedOrderSearch?
        var moved: Set<OrderID> = []
        var hasGap = false
        /// How many polls in a row failed.
        var failures = 0
        var health = ComponentHealth.healthy
    }

    private let database: ShopDatabase
    private let menu: CurrentMenu
    private let locked: LockedRows
    private let lateness: Duration
    private let logger: Logger
    private let onHealthChange: @Sendable (ComponentHealth) -> Void
    private let state = Mutex(State())
    private let poller = Poller()

    /// - Parameter database: The staff pool. Waiting on it for the row of a coupon or an item delays no checkout.
    init(
        database: ShopDatabase, menu: CurrentMenu, locked: LockedRows, lateness: Duration, logger: Logger,
        onHealthChange: @escaping @Sendable (ComponentHealth) -> Void
    ) {
        (self.database, self.menu, self.locked, self.lateness) = (database, menu, locked, lateness)
        (self.logger, self.onHealthChange) = (logger, onHealthChange)
    }

    /// Polls once a second until the server shuts down.
    package func run() async throws { await poller.run { await self.settleOverdue() } }

    private func settleOverdue() async {
        guard let menu = menu.current?.menu else { return }
        let acceptance = menu.terms.acceptance
        guard acceptance != .byStaff else {
            state.withLock { ($0.search, $0.moved, $0.hasGap) = (nil, [], false) }
            return report(nil)
        }
        let (now, lateness) = (menu.moment, lateness)
        let range = state.withLock { state in
            var search =
                state.search.flatMap { $0.matches(acceptance) ? $0 : nil }
                ?? UnacceptedOrderSearch(acceptance, lateness: lateness)
            if state.hasGap { search.reset() }
            let range = search.begin(at: now, moved: state.moved)
            (state.search, state.moved, state.hasGap) = (search, [], false)
            return range
        }
        do throws(DatabaseFault) {
            let (waiting, failure) = try await settleAll(of: range, by: menu, at: now)
            state.withLock { $0.search?.end(at: now, waiting: waiting) }
            report(failure)
        } catch {
            // Reads the same range again with the next poll.
            state.withLock { $0.search?.reset() }
            report(error)
        }
    }

    /// Settles the orders page by page. Returns the orders that may have to be settled later, and the last failure. A
    /// failure of one order delays no other.
    private func settleAll(
        of range: WaitingRange, by menu: Menu, at now: Instant
    ) async throws(DatabaseFault) -> (waiting: [OrderID], failure: DatabaseFault?) {
        var waiting: [OrderID] = []
        var seen: Set<OrderID> = []
        var failure: DatabaseFault?
        var position: WaitingPosition? = .known(0)
        while let from = position, !Task.isCancelled {
            let page = try await database.loadWaitingOrders(range, from: from)
            let orders = page.orders.filter { !menu.terms.isAbandoned($0, at: now) && seen.insert($0.id).inserted }
            waiting += orders.map(\.id)
            if let failed = try await settle(orders, by: menu, at: now) { failure = failed }
            position = page.next
        }
        return (waiting, failure)
    }

    /// Settles each order in its own transaction. Returns the last failure, which delays no other order.
    private func settle(_ orders: [UnacceptedOrder], by menu: Menu, at now: Instant) async throws(DatabaseFault)
        -> DatabaseFault?
    {
        let verdicts = orders.map { ($0, menu.terms.acceptanceDecision(for: $0, at: now)) }
        let overdue = verdicts.compactMap { order, verdict in if case .reject = verdict { order.id } else { nil } }
        var failure: DatabaseFault?
        var rows: [OrderID: Set<ContestedRow>] = [:]
        for (order, verdict) in verdicts {
            if Task.isCancelled { return nil }
            do throws(DatabaseFault) {
                switch verdict {
                case .wait: continue
                case .accept:
                    _ = try await database.acceptOrReject(order.id, menu: menu.revision, deadline: nil, reason: nil)
                case .reject(let deadline):
                    if rows.isEmpty, !locked.isEmpty { rows = try await database.loadContestedRows(of: overdue) }
                    // LockedRows reports the locked row; the next poll tries again.
                    if let wanted = rows[order.id], locked.isLocked(anyOf: wanted) { continue }
                    let reason = order.rejectionReason
                    guard
                        try await database.acceptOrReject(
                            order.id, menu: menu.revision, deadline: deadline, reason: reason)
                    else { continue }
                    logger.notice(
                        "an order was rejected: nobody accepted it in time", metadata: ["order": "\(order.id)"])
                }
            } catch {
                if error.isConnectivityFailure { throw error }
                if try await findHolder(of: order, error) { continue }
                failure = error
            }
        }
        return failure
    }

    /// Whether the order failed because of a locked row. Records that row, so that other jobs do not try to lock it.
    private func findHolder(of order: UnacceptedOrder, _ fault: DatabaseFault) async throws(DatabaseFault) -> Bool {
        guard fault.kind == .locked else { return false }
        return try await !locked.findLocked(among: database.loadContestedRows(of: order.id)).isEmpty
    }

    /// Reports a failure when it occurs twice in a row: a single one may be a row that is locked for a moment.
    private func report(_ fault: DatabaseFault?) {
        switch fault?.kind {
        case .connectionLost, .unavailable, .overloaded, .cancelled, .restarting: return  // reported by the pool
        case nil, .timedOut, .invalidParameter, .undecodable, .rejectedValues, .conflict, .locked, .readOnly, .database:
            break
        }
        if let fault { logger.debug("waiting orders can't be settled", metadata: ["reason": "\(fault)"]) }
        state.withLock { state in
            state.failures = fault == nil ? 0 : state.failures + 1
            let health: ComponentHealth? =
                if let fault { state.failures > 1 ? .failing("\(fault)") : nil } else { .healthy }
            switch (state.health, health) {
            case (.healthy, .failing), (.failing, .healthy):
                state.health = health ?? .healthy
                onHealthChange(state.health)
            case (_, nil), (.healthy, .healthy), (.failing, .failing): return
            }
        }
    }
}

extension AcceptanceTimer: NotificationObserver {
    func listeningBegan() { state.withLock { $0.hasGap = true } }
    func listeningEnded() {}
    func received(_ announcement: DatabaseNotification) {
        guard case .orderMoved(let order, _) = announcement else { return }
        state.withLock { state in
            guard state.search != nil else { return }
            if state.moved.count < Self.moveLimit { state.moved.insert(order) } else { state.hasGap = true }
        }
    }
}
