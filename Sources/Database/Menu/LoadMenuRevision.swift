// What a server looks at each second of the menu that it holds: whether it is still the newest, and what is left of what staff count.
// Called by Shop's CurrentMenu and StaffDesk. Read next: LoadMenu.swift, and Stock/StoredStock.swift for what is left.
import Ordering
import Postgres

/// The menu's revision as it was read, and when that was by the database's clock, however long it had waited for a table of the menu.
package struct RevisionReading: Sendable {
    /// Higher with each change, also of what is counted.
    package let revision: Int64
    /// When it was this one.
    package let clock: DatabaseClock
    /// What was left then of all that is counted.
    package let stock: StockLeft
    /// When the reading began: one that began later knows all that was committed before.
    package let began: ContinuousClock.Instant
}

extension ShopDatabase {
    /// The revision of the menu now: a row of two numbers, cheap enough to look at every second, and the counts where there are some.
    package func loadMenuRevision() async throws(DatabaseFault) -> RevisionReading {
        let began = ContinuousClock.now
        let revisions = try await query(Self.loadRevisionStatement, .reads) { row throws(PostgresError) in
            RevisionReading(
                revision: try row.next(), clock: DatabaseClock(moment: Instant(try row.next(Timestamp.self))),
                stock: try row.nextStock() ?? .untracked, began: began)
        }
        guard let revision = revisions.first else { throw .undecodable("menu_revision has no row") }
        return revision
    }

    private static let loadRevisionStatement = Statement(
        "load_menu_revision",
        """
        select revision, clock_timestamp(), case when exists (select from item_stock) or exists (select from option_stock) then stock_left(null, null, array[now()]) end
        from menu_revision
        """)
}
