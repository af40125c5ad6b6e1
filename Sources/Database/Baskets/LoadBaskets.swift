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
}

private struct BasketRow: Sendable {
    let menuRevision: Int64
    let now: Instant
    let basket: Basket?
}

extension ShopDatabase {
    /// The baskets with these ids.
    package func loadBaskets(_ ids: [BasketID]) async throws(DatabaseFault) -> BasketFacts {
        if isDistributed { return try await loadDistributedBaskets(ids) }
        let rows = try await query(Self.loadBasketsStatement, .reads, ids.map(\.uuid)) { row throws(PostgresError) in
            BasketRow(menuRevision: try row.next(), now: Instant(try row.next(Timestamp.self)), basket: try row.nextBasket())
        }
        guard let first = rows.first else { throw .undecodable("the menu has no revision") }
        let baskets = rows.compactMap(\.basket)
        return BasketFacts(
            menuRevision: first.menuRevision, now: first.now,
            baskets: Dictionary(baskets.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }))
    }

    /// The revision lies on another machine than the baskets, and joined with them it takes three statements between machines. Read after them,
    /// it is no older than they are.
    private func loadDistributedBaskets(_ ids: [BasketID]) async throws(DatabaseFault) -> BasketFacts {
        // Nobody's baskets would be asked of all shards.
        let baskets =
            ids.isEmpty
            ? []
            : try await query(Self.loadDistributedBasketsStatement, .reads, ids.map(\.uuid)) { row throws(PostgresError) in
                try row.nextBasket()
            }
        let menu = try await loadMenuRevision()
        return BasketFacts(
            menuRevision: menu.revision, now: menu.now,
            baskets: Dictionary(baskets.compactMap(\.self).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }))
    }

    private static let loadDistributedBasketsStatement = Statement(
        "load_distributed_baskets",
        "select \(Row.basketColumns) from baskets where id = any ($1)")

    // The revision stands in every row, also in the one row of a batch whose baskets are all unknown.
    private static let loadBasketsStatement = Statement(
        "load_baskets",
        """
        select revision, now(), \(Row.basketColumns)
        from menu_revision left join baskets on id = any ($1)
        """)
}
