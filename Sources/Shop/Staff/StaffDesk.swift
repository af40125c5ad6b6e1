// What staff do, over a connection of their own: a report over a busy day takes a second, and no checkout waits behind it.
// Made by RunningShop, called by Web's staff routes. Read next: Sources/Database/Staff, Replicas/ReadReplicas.swift.
import Database
import Ordering
import Photographs

/// What became of selling an item or an option out, of bringing it back, or of counting it.
package enum StockChange: Sendable {
    /// The menu has the item so, whether or not it was so before.
    case item(any MenuItem, in: Menu)
    /// The menu has the option so, whether or not it was so before.
    case option(GroupedOption)
    /// There is no such thing, or it is off the menu.
    case unknown
}

package struct StaffDesk: Sendable {
    let database: ShopDatabase
    let menu: CurrentMenu
    let replicas: ReadReplicas
    let moves: RecentMoves
    let locked: LockedRows
    let studio: PhotoStudio
    private let line = StaffQueue()

    init(
        database: ShopDatabase, menu: CurrentMenu, replicas: ReadReplicas, moves: RecentMoves, locked: LockedRows, studio: PhotoStudio
    ) {
        (self.database, self.menu, self.replicas) = (database, menu, replicas)
        (self.moves, self.locked, self.studio) = (moves, locked, studio)
    }

    /// For how many milliseconds a statement of the staff's connection waits for a row, which is as long as it keeps the other taps waiting;
    /// then they have their turn before it tries again.
    static let lockTimeout = 100

    /// A page of the orders in these states, the newest first, and where the next one begins; nil at the end. A page may be short, or
    /// empty, and yet not the last.
    package func orders(
        in states: [OrderState], matching search: OrderSearch? = nil, limit: Int, after position: OrderPosition?
    ) async throws(ShopFault) -> (orders: [Order], next: OrderPosition?) {
        try await ShopFault.of { () throws(DatabaseFault) in
            try await database.loadOrders(in: states, matching: search, limit: limit, after: position)
        }
    }

    package func order(number: String) async throws(ShopFault) -> Order? {
        try await ShopFault.of { () throws(DatabaseFault) in try await database.loadOrder(number: number) }
    }

    /// The mails of these orders that were given up, the oldest first.
    package func unsentMails(of orders: [OrderID]) async throws(ShopFault) -> [UnsentMail] {
        try await ShopFault.of { () throws(DatabaseFault) in try await database.loadUnsentMails(orders) }
    }

    /// The pending steps of these orders.
    package func pendingSteps(of orders: [OrderID]) async throws(ShopFault) -> [PendingStep] {
        try await ShopFault.of { () throws(DatabaseFault) in try await database.loadPendingSteps(of: orders) }
    }

    package func take(_ step: StaffStep, number: String, by member: StaffMember) async throws(ShopFault) -> OrderAdvance {
        // Only what is rejected gives something back.
        let givesBack = if case .advance(.rejected, _, _, _) = step { true } else { false }
        let rows = { () async throws(DatabaseFault) in
            try await database.loadContestedRows(ofOrder: number).filter { row in
                if case .order = row { true } else { givesBack }
            }
        }
        let advance = try await waitingForRow(rows) { () throws(DatabaseFault) in
            try await database.take(step, number: number, by: member)
        }
        if case .moved(let order) = advance { moves.note(order.id) }
        return advance
    }

    /// Says whether, or from when on, an item or an option can be had.
    package func setAvailability(of thing: StockedThing, to mark: StockMark, by member: StaffMember) async throws(ShopFault) -> StockChange
    {
        try await change(thing) { () throws(DatabaseFault) in try await database.setAvailability(of: thing, to: mark, by: member) }
    }

    /// Says how many there are of an item or an option, now or each day, or that nobody counts.
    package func setCounting(of thing: StockedThing, to counting: StockCounting, by member: StaffMember) async throws(ShopFault)
        -> StockChange
    {
        try await change(thing) { () throws(DatabaseFault) in try await database.setCounting(of: thing, to: counting, by: member) }
    }

    func change(_ thing: StockedThing, _ work: () async throws(DatabaseFault) -> Void) async throws(ShopFault) -> StockChange {
        try await waitingForRow({ [.count(thing)] }, work)
        let menu = try await ShopFault.of { () throws(DatabaseFault) -> Menu in
            try await self.menu.menu(asOf: database.loadMenuRevision())
        }
        switch thing {
        case .item(let id):
            guard let item = menu.item(id), !item.isRetired else { return .unknown }
            return .item(item, in: menu)
        case .option(let id): return menu.option(id).map(StockChange.option) ?? .unknown
        }
    }

    /// A page of what staff have changed before this entry, the newest first.
    package func audit(limit: Int, before id: Int64?) async throws(ShopFault) -> [AuditEntry] {
        try await ShopFault.of { () throws(DatabaseFault) in try await database.loadAudit(limit: limit, before: id) }
    }

    /// Today's figures so far, as the primary or a replica has them.
    package func today() async throws(ShopFault) -> DayFigures {
        let figures = await replicas.read(within: .seconds(5)) { replica throws(DatabaseFault) in try await replica.loadToday() }
        if let figures { return figures }
        return try await ShopFault.of { () throws(DatabaseFault) in try await database.loadToday() }
    }

    /// How many wait for a row that somebody holds.
    package var waitingCount: Int { line.waitingCount }

    /// Does `work` again and again while somebody holds a row that it needs, and lets the others pass meanwhile.
    /// - Parameter rows: Those that it may wait for besides the menu's: one that is known to be held is not tried.
    func waitingForRow<Value: Sendable>(
        _ rows: () async throws(DatabaseFault) -> Set<ContestedRow>, _ work: () async throws(DatabaseFault) -> Value
    ) async throws(ShopFault) -> Value {
        let end = ContinuousClock.now + LockedRows.patience
        let value = try await ShopFault.of { () throws(DatabaseFault) -> Value? in
            var wanted: Set<ContestedRow>?
            if let value = try await inTurn(until: end, &wanted, rows, work) { return value }
            return try await line.waiting { () throws(DatabaseFault) -> Value? in
                while .now < end {
                    try await Self.sleep(for: .milliseconds(100))
                    if let value = try await inTurn(until: end, &wanted, rows, work) { return value }
                }
                return nil
            }
        }
        guard let value else { throw .beingChanged }
        return value
    }

    /// Does it once, when those before have done theirs; nil where somebody holds what it needs, or it is not its turn by `end`.
    /// - Parameter wanted: The rows, once somebody holds one.
    private func inTurn<Value: Sendable>(
        until end: ContinuousClock.Instant, _ wanted: inout Set<ContestedRow>?,
        _ rows: () async throws(DatabaseFault) -> Set<ContestedRow>, _ work: () async throws(DatabaseFault) -> Value
    ) async throws(DatabaseFault) -> Value? {
        let ticket = line.join()
        defer { line.leave(ticket) }
        while true {
            if !locked.isEmpty {
                let known = if let wanted { wanted } else { try await rows() }
                wanted = known
                if locked.holds(anyOf: known) { return nil }
            }
            // Without a connection nobody is in anybody's way.
            if line.isFirst(ticket) || database.use.openConnections == 0 { break }
            guard .now < end else { return nil }
            try await Self.sleep(for: .milliseconds(10))
        }
        do throws(DatabaseFault) {
            return try await work()
        } catch {
            guard error.kind == .locked else { throw error }
            let known = if let wanted { wanted } else { try await rows() }
            _ = try await locked.find(among: known)
            return nil
        }
    }

    private static func sleep(for duration: Duration) async throws(DatabaseFault) {
        do { try await Task.sleep(for: duration) } catch { throw .cancelled }
    }
}
