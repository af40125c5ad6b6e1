// The actions of staff. They use a connection of their own, so that no checkout waits for a report, which takes a
// second on a busy day.
import Database
import Ordering
import Photographs

/// The result of changing the availability or the stock of an item or an option.
package enum StockChange: Sendable {
    /// The item in the requested state, whether or not it changed.
    case item(any MenuItem, in: Menu)
    /// The option in the requested state, whether or not it changed.
    case option(GroupedOption)
    /// The item or option does not exist, or is not on the menu any more.
    case notFound
}

/// The actions of staff.
package struct StaffOperations: Sendable {
    let database: ShopDatabase
    let menu: CurrentMenu
    let replicas: ReadReplicas
    let moves: RecentlyChangedOrders
    let locked: LockedRows
    let photoProcessor: PhotoProcessor
    private let queue = StaffQueue()

    init(
        database: ShopDatabase, menu: CurrentMenu, replicas: ReadReplicas, moves: RecentlyChangedOrders,
        locked: LockedRows, photoProcessor: PhotoProcessor
    ) {
        (self.database, self.menu, self.replicas) = (database, menu, replicas)
        (self.moves, self.locked, self.photoProcessor) = (moves, locked, photoProcessor)
    }

    /// How many milliseconds a staff statement waits for a locked row. Staff share one connection, so other actions run
    /// between two attempts.
    static let lockTimeout = 100

    /// A page of the orders in these states, newest first, and the position of the next page; nil at the end. A page
    /// before the last one may be short or empty, unless all states are open and there is no search.
    package func orders(
        in states: [OrderState], matching search: OrderSearch? = nil, limit: Int, after position: OrderPosition?
    ) async throws(ShopFault) -> (orders: [Order], next: OrderPosition?) {
        try await ShopFault.wrapping { () throws(DatabaseFault) in
            try await database.loadOrders(in: states, matching: search, limit: limit, after: position)
        }
    }

    /// The order with this number; nil if it does not exist.
    package func order(number: String) async throws(ShopFault) -> Order? {
        try await ShopFault.wrapping { () throws(DatabaseFault) in try await database.loadOrder(number: number) }
    }

    /// The mails of these orders that failed permanently, oldest first.
    package func unsentMails(of orders: [OrderID]) async throws(ShopFault) -> [UnsentMail] {
        try await ShopFault.wrapping { () throws(DatabaseFault) in try await database.loadUnsentMails(orders) }
    }

    /// The pending steps of these orders.
    package func pendingSteps(of orders: [OrderID]) async throws(ShopFault) -> [PendingStep] {
        try await ShopFault.wrapping { () throws(DatabaseFault) in try await database.loadPendingSteps(of: orders) }
    }

    /// Executes a step of the order with this number.
    package func perform(_ step: StaffStep, number: String, by member: StaffMember) async throws(ShopFault)
        -> StaffStepResult
    {
        // Only a rejection returns stock and coupon uses.
        let returnsStock = if case .advance(.rejected, _, _, _) = step { true } else { false }
        let rows = { () async throws(DatabaseFault) in
            try await database.loadContestedRows(ofOrder: number).filter { row in
                if case .order = row { true } else { returnsStock }
            }
        }
        let advance = try await retryingWhileLocked(rows) { database throws(DatabaseFault) in
            try await database.takeStep(step, number: number, by: member)
        }
        if case .moved(let order) = advance { moves.record(order.id) }
        return advance
    }

    /// Sets whether, or from when, an item or an option is available.
    package func setAvailability(of thing: StockKey, to mark: AvailabilityChange, by member: StaffMember)
        async throws(ShopFault) -> StockChange
    {
        try await change(thing) { database throws(DatabaseFault) in
            try await database.setAvailability(of: thing, to: mark, by: member)
        }
    }

    /// Sets the stock count of an item or an option, now or per day, or ends the counting.
    package func setStockPolicy(of thing: StockKey, to counting: StockPolicy, by member: StaffMember)
        async throws(ShopFault)
        -> StockChange
    {
        try await change(thing) { database throws(DatabaseFault) in
            try await database.setStockPolicy(of: thing, to: counting, by: member)
        }
    }

    func change(_ thing: StockKey, _ work: (ShopDatabase) async throws(DatabaseFault) -> Void) async throws(ShopFault)
        -> StockChange
    {
        try await retryingWhileLocked({ [.stock(thing)] }, work)
        let menu = try await ShopFault.wrapping { () throws(DatabaseFault) -> Menu in
            try await self.menu.menu(asOf: database.loadMenuRevision())
        }
        switch thing {
        case .item(let id):
            guard let item = menu.item(id), !item.isRetired else { return .notFound }
            return .item(item, in: menu)
        case .option(let id): return menu.option(id).map(StockChange.option) ?? .notFound
        }
    }

    /// A page of the audit before this entry, newest first.
    package func audit(limit: Int, before id: Int64?) async throws(ShopFault) -> [AuditEntry] {
        try await ShopFault.wrapping { () throws(DatabaseFault) in
            try await database.loadAudit(limit: limit, before: id)
        }
    }

    /// Today's figures so far, from a replica or the primary.
    package func today() async throws(ShopFault) -> DayFigures {
        let figures = await replicas.read(within: .seconds(5)) { replica throws(DatabaseFault) in
            try await replica.loadDayFigures()
        }
        if let figures { return figures }
        return try await ShopFault.wrapping { () throws(DatabaseFault) in try await database.loadDayFigures() }
    }

    /// How many actions wait for a locked row.
    package var waitingCount: Int { queue.waitingCount }

    /// Repeats `work` while a row that it needs is locked, and lets other actions run between the attempts.
    /// - Parameter rows: The rows that `work` may wait for, except those of the menu. If one is known to be locked,
    ///   `work` is not run.
    func retryingWhileLocked<Value: Sendable>(
        _ rows: () async throws(DatabaseFault) -> Set<ContestedRow>,
        _ work: (ShopDatabase) async throws(DatabaseFault) -> Value
    ) async throws(ShopFault) -> Value {
        let begin = ContinuousClock.now
        let value = try await ShopFault.wrapping { () throws(DatabaseFault) -> Value? in
            var wanted: Set<ContestedRow>?
            if let value = try await attemptInOrder(&wanted, rows, work) { return value }
            // Slow actions before this one leave it the time for some more attempts.
            let end = max(begin + LockedRows.waitLimit, .now + LockedRows.waitLimit / 2)
            return try await queue.countingAsWaiting { () throws(DatabaseFault) -> Value? in
                while .now < end {
                    try await Self.sleep(for: .milliseconds(100))
                    if let value = try await attemptInOrder(&wanted, rows, work) { return value }
                }
                return nil
            }
        }
        guard let value else { throw .rowLocked }
        return value
    }

    /// Runs `work` once, after the actions that joined the queue earlier. Nil if a row is locked or if those actions do
    /// not finish in time.
    /// - Parameter wanted: The result of `rows`, which is loaded only when some row is locked.
    private func attemptInOrder<Value: Sendable>(
        _ wanted: inout Set<ContestedRow>?, _ rows: () async throws(DatabaseFault) -> Set<ContestedRow>,
        _ work: (ShopDatabase) async throws(DatabaseFault) -> Value
    ) async throws(DatabaseFault) -> Value? {
        let ticket = queue.join()
        defer { queue.leave(ticket) }
        let endOfLine = ContinuousClock.now + StaffQueue.lineLimit
        while true {
            if !locked.isEmpty {
                let known = if let wanted { wanted } else { try await rows() }
                wanted = known
                if locked.isLocked(anyOf: known) { return nil }
            }
            // Without a connection the order of actions does not matter.
            if queue.isFirst(ticket) || database.poolUsage.openConnections == 0 { break }
            guard .now < endOfLine else { return nil }
            try await Self.sleep(for: .milliseconds(10))
        }
        do throws(DatabaseFault) {
            return try await locked.waitingForCommits(on: database, of: rows, work)
        } catch {
            guard error.kind == .locked else { throw error }
            let known = if let wanted { wanted } else { try await rows() }
            _ = try await locked.findLocked(among: known)
            return nil
        }
    }

    private static func sleep(for duration: Duration) async throws(DatabaseFault) {
        do { try await Task.sleep(for: duration) } catch { throw .cancelled }
    }
}
