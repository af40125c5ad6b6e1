// What staff do, over a connection of their own: a report over a busy day takes a second, and no checkout waits behind it.
// Made by RunningShop, called by Web's staff routes. Read next: Sources/Database/Staff, Replicas/ReadReplicas.swift.
import Database
import Ordering

/// What became of selling an item or an option out, of bringing it back, or of counting it.
package enum StockChange: Sendable {
    /// The menu has the item so, whether or not it was so before.
    case item(any MenuItem, in: Menu)
    /// The menu has the option so, whether or not it was so before.
    case option(GroupedOption)
    /// There is no such thing, or it is off the menu.
    case unknown
    /// Somebody is changing the menu in SQL and has not ended it.
    case menuIsLocked
}

package struct StaffDesk: Sendable {
    let database: ShopDatabase
    let menu: CurrentMenu
    let replicas: ReadReplicas
    let moves: RecentMoves

    /// For how many milliseconds a statement of the staff's connection waits for a row, which is as long as it keeps the other taps waiting;
    /// then they have their turn before it tries again.
    static let lockTimeout = 100
    /// For how long it tries again.
    private static let patience = Duration.seconds(3)

    /// A page of the orders in these states, the newest first, and where the next one begins; nil at the end. A page may be short, or
    /// empty, and yet not the last.
    package func orders(
        in states: [OrderState], limit: Int, after position: OrderPosition?
    ) async throws(ShopFault) -> (orders: [Order], next: OrderPosition?) {
        try await ShopFault.of { () throws(DatabaseFault) in try await database.loadOrders(in: states, limit: limit, after: position) }
    }

    package func order(number: String) async throws(ShopFault) -> Order? {
        try await ShopFault.of { () throws(DatabaseFault) in try await database.loadOrder(number: number) }
    }

    package func advanceOrder(number: String, to state: OrderState, reason: String?) async throws(ShopFault) -> OrderAdvance {
        let advance = try await waitingForRow { () throws(DatabaseFault) in
            try await database.advanceOrder(number: number, to: state, reason: reason)
        }
        guard let advance else { return .isLocked }
        if case .moved(let order) = advance { moves.note(order.id) }
        return advance
    }

    /// Says whether, or from when on, an item or an option can be had.
    package func setAvailability(of thing: StockedThing, to mark: StockMark) async throws(ShopFault) -> StockChange {
        try await change(thing) { () throws(DatabaseFault) in try await database.setAvailability(of: thing, to: mark) }
    }

    /// Says how many there are of an item or an option, now or each day, or that nobody counts.
    package func setCounting(of thing: StockedThing, to counting: StockCounting) async throws(ShopFault) -> StockChange {
        try await change(thing) { () throws(DatabaseFault) in try await database.setCounting(of: thing, to: counting) }
    }

    private func change(_ thing: StockedThing, _ work: () async throws(DatabaseFault) -> Void) async throws(ShopFault) -> StockChange {
        let isDone: Void? = try await waitingForRow(work)
        guard isDone != nil else { return .menuIsLocked }
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

    /// Today's figures so far, as the primary or a replica has them.
    package func today() async throws(ShopFault) -> DayFigures {
        let figures = await replicas.read(within: .seconds(5)) { replica throws(DatabaseFault) in try await replica.loadToday() }
        if let figures { return figures }
        return try await ShopFault.of { () throws(DatabaseFault) in try await database.loadToday() }
    }

    /// Does `work` again and again while a row that it needs is locked by somebody else, and lets the others pass meanwhile; nil where it still is.
    private func waitingForRow<Value: Sendable>(
        _ work: () async throws(DatabaseFault) -> Value
    ) async throws(ShopFault) -> Value? {
        let end = ContinuousClock.now + Self.patience
        repeat {
            do {
                return try await work()
            } catch {
                guard error.kind == .locked else { throw ShopFault(error) }
            }
            do { try await Task.sleep(for: .milliseconds(100)) } catch { throw ShopFault(.cancelled) }
        } while .now < end
        return nil
    }
}
