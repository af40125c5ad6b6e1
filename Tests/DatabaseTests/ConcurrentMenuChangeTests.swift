// Concurrent changes of the menu wait for each other without a deadlock. Tests lock_menu_revision in sql/001_menu.sql.
import Logging
import Ordering
import Postgres
import Support
import Testing

@Suite("Concurrent changes of the menu")
struct ConcurrentMenuChangeTests {
    @Test(
        "A second transaction waits while the first changes several rows, and neither runs into a deadlock",
        arguments: [
            ("menu_items", "price = price + 1", "2001", "2002"), ("sales_groups", "title = title || '!'", "200", "400"),
            ("coupons", "title = title || '!'", "1", "2"), ("categories", "title = title || '!'", "100", "200"),
            ("option_groups", "title = title || '!'", "11", "12"), ("options", "price = price + 1", "1201", "1202"),
        ])
    func concurrentUpdates(_ table: String, _ change: String, _ first: String, _ second: String) async throws {
        try await TestDatabase.with(.seeded) { database in
            let ids = try await database.psql("select id from \(table) where id in (\(first), \(second)) order by id")
            #expect(ids == "\(first)\n\(second)")
            func update(_ id: String) -> String { "update \(table) set \(change) where id = \(id)" }
            let menu = try await PostgresConnection.connect(database.staffURL, logger: .silent)
            try await menu.run(script: "begin; \(update(first))")
            let competing = Task { try await database.psql(update(second)) }
            try await eventually("the second transaction waits") {
                try await database.psql(
                    """
                    select count(*) from pg_stat_activity
                    where datname = current_database() and wait_event_type = 'Lock'
                    """) == "1"
            }
            try await menu.run(script: "\(update(second)); commit")
            _ = try await competing.value
            await menu.close()
            #expect(try await database.psql("select revision > 2 from menu_revision") == "t")
        }
    }
}
