// pg_dump holds ACCESS SHARE on every table while it runs.
// The experiment `backup` in Tests/Tools/Chaos measures a real dump under load.
import Database
import Ordering
import Postgres
import Shop
import Support
import Testing

@Suite("Locks of a backup", .timeLimit(.minutes(5)))
struct BackupLockTests {
    /// Locks every table as pg_dump does. The transaction stays open.
    private static let lockAll = """
        begin isolation level repeatable read;
        do $$
        declare
            relation regclass;
        begin
            for relation in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
                execute format('lock table %s in access share mode', relation);
            end loop;
        end $$
        """

    @Test("The ordering probe writes while a backup locks every table, and leaves no table behind")
    func probe() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            let tables = "select count(*) from pg_class where relnamespace = 'public'::regnamespace"
            let before = try await database.psql(tables)
            let backup = try await PostgresConnection.connect(database.url, logger: .silent)
            try await backup.run(script: Self.lockAll)
            let probe = OrderingProbe(DatabaseConfiguration(url: database.serverURL), logger: .silent)
            // On a busy machine the probe may not get a session in time.
            try await eventually("the probe finds a session") {
                let finding = await probe.run(writes: true)
                if case .unknown = finding { return false }
                #expect(finding == .succeeded)
                return true
            }
            try await backup.run(script: "commit")
            await backup.close()
            #expect(try await database.psql(tables) == before)
        }
    }

    @Test("Two ordering probes that write at the same time both succeed")
    func twoProbes() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            let first = try await PostgresConnection.connect(database.serverURL, logger: .silent)
            let second = try await PostgresConnection.connect(database.serverURL, logger: .silent)
            // The first transaction is still open when the second one writes.
            try await first.run(script: "begin; select try_writing()")
            try await second.run(script: "set lock_timeout = '10s'; select try_writing()")
            try await first.run(script: "commit")
            for connection in [first, second] { await connection.close() }
        }
    }

    @Test("Orders, staff steps, a migration and pruning succeed while a backup locks every table")
    func server() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await database.psqlAsStaff("insert into item_stock (menu_item_id, per_day) values (2001, 500)")
            let backup = try await PostgresConnection.connect(database.url, logger: .silent)
            try await backup.run(script: Self.lockAll)
            try await Migrator(url: database.url, migrations: Migration.shipped(), logger: .silent).migrate()
            try await ShopFixture.with(on: database) { fixture async throws in
                let order = try #require(try await fixture.placeOrder(by: Guest(1), coupon: "FRST").order)
                #expect(try await fixture.shop.orders.cancel(order.id) == .cancelled)
                let next = try #require(try await fixture.placeOrder(by: Guest(2)).order)
                let staff = fixture.shop.staff
                let step = try await staff.perform(.advance(to: .accepted), number: next.number, by: .settingsToken)
                guard case .moved = step else {
                    Issue.record("the step was not taken")
                    return
                }
                let burger = StockKey.item(MenuItemID(rawValue: 2001))
                _ = try await staff.setStockPolicy(of: burger, to: .uncounted, by: .settingsToken)
            }
            try await database.psql("select prune_basket_batch(gen_random_uuid(), now() - interval '2 hours', 100)")
            try await backup.run(script: "commit")
            await backup.close()
        }
    }
}
