// Reads baskets with the revision of the menu at the same moment, so that they are priced by a menu no older than that.
// Called by Shop's BasketQueue, for a batch of changes and for a single read.
import FoundationEssentials
import Ordering
import Postgres

/// Baskets as they are now, and which menu they have to be priced by.
package struct BasketFacts: Sendable {
    /// The menu's, at least.
    package let menuRevision: Int64
    /// When that was, by the database's clock.
    package let now: Instant
    /// Those that there are.
    package let baskets: [BasketID: Basket]
    /// Why others can't be read, each of them alone.
    package let faults: [BasketID: DatabaseFault]

    fileprivate init(menuRevision: Int64, now: Instant, _ found: [FoundBasket]) {
        (self.menuRevision, self.now) = (menuRevision, now)
        var baskets: [BasketID: Basket] = [:]
        var faults: [BasketID: DatabaseFault] = [:]
        for found in found {
            switch found.basket {
            case .success(let basket): baskets[found.id] = basket
            case .failure(let fault): faults[found.id] = fault
            }
        }
        (self.baskets, self.faults) = (baskets, faults)
    }
}

private struct FoundBasket: Sendable {
    let id: BasketID
    let basket: Result<Basket?, DatabaseFault>
}

private struct BasketRow: Sendable {
    let menuRevision: Int64
    let now: Instant
    let found: FoundBasket?
}

extension ShopDatabase {
    /// The baskets with these ids.
    package func loadBaskets(_ ids: [BasketID]) async throws(DatabaseFault) -> BasketFacts {
        if isDistributed { return try await loadDistributedBaskets(ids) }
        let rows = try await query(Self.loadBasketsStatement, .reads, ids.map(\.uuid)) { row throws(PostgresError) in
            BasketRow(menuRevision: try row.next(), now: Instant(try row.next(Timestamp.self)), found: try row.nextFoundBasket())
        }
        guard let first = rows.first else { throw .undecodable("the menu has no revision") }
        return BasketFacts(menuRevision: first.menuRevision, now: first.now, rows.compactMap(\.found))
    }

    /// The revision lies on another machine than the baskets, and joined with them it takes three statements between machines. Read after them,
    /// it is no older than they are.
    private func loadDistributedBaskets(_ ids: [BasketID]) async throws(DatabaseFault) -> BasketFacts {
        // Nobody's baskets would be asked of all shards.
        let baskets =
            ids.isEmpty
            ? []
            : try await query(Self.loadDistributedBasketsStatement, .reads, ids.map(\.uuid)) { row throws(PostgresError) in
                try row.nextFoundBasket()
            }
        let menu = try await loadMenuRevision()
        return BasketFacts(menuRevision: menu.revision, now: menu.clock.moment, baskets.compactMap(\.self))
    }

    private static let loadDistributedBasketsStatement = Statement(
        "load_distributed_baskets",
        "select baskets.id, \(Row.basketColumns), removed_items from baskets where id = any ($1)")

    // The revision stands in every row, also in the one row of a batch whose baskets are all unknown.
    private static let loadBasketsStatement = Statement(
        "load_baskets",
        """
        select revision, now(), baskets.id, \(Row.basketColumns), removed_items
        from menu_revision left join baskets on id = any ($1)
        """)
}

extension Basket {
    /// The basket with the items that the guest removed from its sets.
    /// - Parameter pairs: Sale, item, sale, item, as the row has them.
    fileprivate func removing(pairs: [Int64]?) throws(PostgresError) -> Basket {
        guard let pairs, !pairs.isEmpty else { return self }
        guard pairs.count.isMultiple(of: 2) else {
            throw .undecodable("the removed items of basket \(id) are not whole")
        }
        var removed: [SalesGroupID: [MenuItemID]] = [:]
        for index in stride(from: 0, to: pairs.count, by: 2) {
            removed[SalesGroupID(rawValue: pairs[index]), default: []].append(MenuItemID(rawValue: pairs[index + 1]))
        }
        let sets = sets.map {
            BasketSet(salesGroupID: $0.salesGroupID, items: $0.items, removedItems: removed[$0.salesGroupID] ?? [])
        }
        return Basket(
            id: id, state: state, version: version, currency: currency, linesMade: linesMade, lines: lines, sets: sets)
    }
}

extension Row {
    /// The basket's id once more before its columns, so that it is known whose they are where they can't be read.
    fileprivate mutating func nextFoundBasket() throws(PostgresError) -> FoundBasket? {
        guard let id = try next(UUID?.self) else { return nil }
        do throws(PostgresError) {
            let basket = try nextBasket()
            return FoundBasket(id: BasketID(id), basket: .success(try basket?.removing(pairs: next([Int64]?.self))))
        } catch {
            return FoundBasket(id: BasketID(id), basket: .failure(DatabaseFault(error)))
        }
    }
}
