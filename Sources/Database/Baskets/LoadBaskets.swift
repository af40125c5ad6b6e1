// Loads baskets together with the menu revision, so that they are priced with a menu that is at least as new.
import FoundationEssentials
import Ordering
import Postgres

/// Baskets, and the menu revision at the time when they were read.
package struct BasketFacts: Sendable {
    /// The minimum revision of the menu that prices them.
    package let menuRevision: Int64
    /// When they were read, by the database's clock.
    package let now: Instant
    /// The baskets that exist.
    package let baskets: [BasketID: Basket]
    /// The baskets that could not be read, each with its fault.
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
    /// Loads the baskets with these ids.
    package func loadBaskets(_ ids: [BasketID]) async throws(DatabaseFault) -> BasketFacts {
        if isDistributed { return try await loadDistributedBaskets(ids) }
        let rows = try await query(Self.loadBasketsStatement, .reads, ids.map(\.uuid)) { row throws(PostgresError) in
            BasketRow(
                menuRevision: try row.next(), now: Instant(try row.next(Timestamp.self)),
                found: try row.nextFoundBasket())
        }
        guard let first = rows.first else { throw .undecodable("the menu has no revision") }
        return BasketFacts(menuRevision: first.menuRevision, now: first.now, rows.compactMap(\.found))
    }

    /// On Citus the menu revision is on another node, and a join would take three statements between nodes. So the
    /// revision is read after the baskets, which makes it at least as new as they are.
    private func loadDistributedBaskets(_ ids: [BasketID]) async throws(DatabaseFault) -> BasketFacts {
        // Without ids, Citus would ask all shards.
        let baskets =
            ids.isEmpty
            ? []
            : try await query(Self.loadDistributedBasketsStatement, .reads, ids.map(\.uuid)) {
                try $0.nextFoundBasket()
            }
        let menu = try await loadMenuRevision()
        return BasketFacts(menuRevision: menu.revision, now: menu.clock.databaseTime, baskets.compactMap(\.self))
    }

    private static let loadDistributedBasketsStatement = Statement(
        "load_distributed_baskets",
        "select baskets.id, \(Row.basketColumns), removed_items from baskets where id = any ($1)")

    // Every row contains the revision, even if none of the baskets exists.
    private static let loadBasketsStatement = Statement(
        "load_baskets",
        """
        select revision, now(), baskets.id, \(Row.basketColumns), removed_items
        from menu_revision left join baskets on id = any ($1)
        """)
}

extension Basket {
    /// The basket without the items that the guest removed from its sets.
    fileprivate func removing(_ items: [RemovedItem]?) -> Basket {
        guard let items, !items.isEmpty else { return self }
        var removed: [SalesGroupID: [MenuItemID]] = [:]
        for item in items {
            removed[SalesGroupID(rawValue: item.salesGroupID), default: []].append(
                MenuItemID(rawValue: item.menuItemID))
        }
        let sets = sets.map {
            BasketSet(salesGroupID: $0.salesGroupID, items: $0.items, removedItems: removed[$0.salesGroupID] ?? [])
        }
        return Basket(
            id: id, state: state, version: version, currency: currency, createdLineCount: createdLineCount,
            lines: lines, sets: sets)
    }
}

extension Row {
    /// Reads a basket or its fault; nil if the row contains no basket. The id comes first, so that a fault can name it.
    fileprivate mutating func nextFoundBasket() throws(PostgresError) -> FoundBasket? {
        guard let id = try next(UUID?.self) else { return nil }
        do throws(PostgresError) {
            let basket = try nextBasket()
            return FoundBasket(id: BasketID(id), basket: .success(try basket?.removing(next([RemovedItem]?.self))))
        } catch {
            return FoundBasket(id: BasketID(id), basket: .failure(DatabaseFault(error)))
        }
    }
}
