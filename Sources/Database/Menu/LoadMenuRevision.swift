// Loads the menu revision and the stock that is left. The server polls both every second.
import Ordering
import Postgres

/// A menu revision, and the database's clock when it was read. The clock is right even if the statement waited for a
/// table lock.
package struct LoadedMenuRevision: Sendable {
    /// Every change of the menu increments it. So does starting or stopping to count an item.
    package let revision: Int64
    /// When this revision was current.
    package let clock: DatabaseClock
    /// The stock left at that time.
    package let stock: StockLevels
    /// When the poll began: it sees everything that was committed before.
    package let startedAt: ContinuousClock.Instant
}

extension ShopDatabase {
    /// Loads the menu revision, a row of two numbers that is cheap to poll every second, and the stock counts, if there
    /// are any.
    package func loadMenuRevision() async throws(DatabaseFault) -> LoadedMenuRevision {
        let began = ContinuousClock.now
        let revisions = try await query(Self.loadRevisionStatement, .reads) { row throws(PostgresError) in
            LoadedMenuRevision(
                revision: try row.next(), clock: DatabaseClock(databaseTime: Instant(try row.next(Timestamp.self))),
                stock: try row.nextStock() ?? .untracked, startedAt: began)
        }
        guard let revision = revisions.first else { throw .undecodable("menu_revision has no row") }
        return revision
    }

    private static let loadRevisionStatement = Statement(
        "load_menu_revision",
        """
        select revision, clock_timestamp(), case when exists (select from item_stock)
            or exists (select from option_stock) then stock_left(null, null, array[now()]) end
        from menu_revision
        """)
}
