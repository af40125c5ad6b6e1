// Accepts or rejects orders automatically, which is called settling them here. Every server polls, and the row lock of
// the order lets only one server settle it. Each poll reads the waiting orders of the last day, so it needs no
// notifications. AcceptanceBacklog has the older ones. Sends no query while the shop leaves acceptance to staff.
import Database
import Logging
import Ordering
import ServiceLifecycle
import Synchronization

/// Settles orders that staff have not accepted in time.
package final class AcceptanceTimer: Service {
    private struct State {
        /// How many polls in a row failed.
        var failures = 0
        var health = ComponentHealth.healthy
        /// Nil until the first poll after the shop began to settle orders.
        var backlog: AcceptanceBacklog?
    }

    let database: ShopDatabase
    private let menu: CurrentMenu
    private let locked: LockedRows
    private let logger: Logger
    private let onHealthChange: @Sendable (ComponentHealth) -> Void
    private let state = Mutex(State())
    private let poller = Poller()

    /// - Parameter database: A pool of its own. Waiting on it for the row of a coupon or an item delays neither
    ///   checkouts nor staff.
    init(
        database: ShopDatabase, menu: CurrentMenu, locked: LockedRows, logger: Logger,
        onHealthChange: @escaping @Sendable (ComponentHealth) -> Void
    ) {
        (self.database, self.menu, self.locked) = (database, menu, locked)
        (self.logger, self.onHealthChange) = (logger, onHealthChange)
    }

    /// Polls once a second until the server shuts down.
    package func run() async throws { await poller.run { await self.settleOverdue() } }

    private func settleOverdue() async {
        guard let menu = menu.current?.menu else { return }
        guard menu.terms.acceptance != .byStaff else {
            state.withLock { $0.backlog = nil }
            return report(nil)
        }
        do throws(DatabaseFault) { report(try await settleAll(by: menu, at: menu.moment)) } catch { report(error) }
    }

    /// Settles the newer orders before the backlog, which may be long. Returns a failure, which delays no other order.
    func settleAll(by menu: Menu, at now: Instant) async throws(DatabaseFault) -> DatabaseFault? {
        var backlog = state.withLock { $0.backlog } ?? AcceptanceBacklog(at: now)
        defer { state.withLock { $0.backlog = backlog } }
        backlog.startPass(at: now)
        let failure = try await settleOrders(placedAfter: backlog.end, by: menu, at: now)
        try await readPages(of: &backlog, by: menu.terms, at: now)
        let older = try await settle(Array(backlog.orders), by: menu, at: now)
        backlog.remove(older.settled)
        return older.failure ?? failure
    }

    /// Settles the waiting orders after `begin` page by page. Returns the last failure.
    private func settleOrders(placedAfter begin: Instant, by menu: Menu, at now: Instant) async throws(DatabaseFault)
        -> DatabaseFault?
    {
        var failure: DatabaseFault?
        var last: UnacceptedOrder?
        while !Task.isCancelled {
            let page = try await database.loadWaitingOrders(placedAfter: begin, after: last)
            if let failed = try await settle(page, by: menu, at: now).failure { failure = failed }
            last = page.last
            if page.count < ShopDatabase.waitingOrdersPerPage { break }
        }
        return failure
    }

    /// Reads the next pages of the pass, if one is in progress.
    private func readPages(
        of backlog: inout AcceptanceBacklog, by terms: ShopTerms, at now: Instant
    ) async throws(DatabaseFault) {
        for _ in 0..<AcceptanceBacklog.pagesPerPoll {
            guard !Task.isCancelled, let pass = backlog.pass else { return }
            let page = try await database.loadWaitingOrders(placedAfter: pass.begin, after: pass.last)
            backlog.record(page, isLast: page.count < ShopDatabase.waitingOrdersPerPage) { order in
                terms.acceptanceDecision(for: order, at: now) != .leaveToStaff
            }
        }
    }

    /// Settles each order in its own transaction. Returns the last failure, which delays no other order.
    private func settle(_ orders: [UnacceptedOrder], by menu: Menu, at now: Instant) async throws(DatabaseFault)
        -> (failure: DatabaseFault?, settled: Set<UnacceptedOrder>)
    {
        let verdicts = orders.map { ($0, menu.terms.acceptanceDecision(for: $0, at: now)) }
        let overdue = verdicts.compactMap { order, verdict in if case .reject = verdict { order.id } else { nil } }
        var failure: DatabaseFault?
        var settled: Set<UnacceptedOrder> = []
        var rows: [OrderID: Set<ContestedRow>] = [:]
        for (order, verdict) in verdicts {
            if Task.isCancelled { return (nil, settled) }
            do throws(DatabaseFault) {
                switch verdict {
                case .wait, .leaveToStaff: continue
                case .accept:
                    guard
                        try await database.acceptOrReject(order.id, menu: menu.revision, deadline: nil, reason: nil)
                    else { continue }
                    settled.insert(order)
                case .reject(let deadline):
                    if rows.isEmpty, !locked.isEmpty { rows = try await database.loadContestedRows(of: overdue) }
                    // LockedRows reports the locked row; the next poll tries again.
                    if let wanted = rows[order.id], locked.isLocked(anyOf: wanted) { continue }
                    let reason = order.rejectionReason
                    let isRejected = try await locked.waitingForCommits(on: database) { () throws(DatabaseFault) in
                        try await database.loadContestedRows(of: order.id)
                    } _: { database throws(DatabaseFault) in
                        try await database.acceptOrReject(
                            order.id, menu: menu.revision, deadline: deadline, reason: reason)
                    }
                    guard isRejected else { continue }
                    settled.insert(order)
                    logger.notice(
                        "an order was rejected: nobody accepted it in time", metadata: ["order": "\(order.id)"])
                }
            } catch {
                if error.isConnectivityFailure { throw error }
                if try await findHolder(of: order, error) { continue }
                failure = error
            }
        }
        return (failure, settled)
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
