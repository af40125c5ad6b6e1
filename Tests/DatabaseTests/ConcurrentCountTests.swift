// Counts that staff insert while an order takes its stock: the order takes them exactly or not at all.
// Tests take_stock (sql/015_stock.sql). Open transactions stop the orders between two statements of the function.
import Database
import Ordering
import Postgres
import Support
import Testing

@Suite("Counts that staff insert during an order", .timeLimit(.minutes(5)))
struct ConcurrentCountTests {
    /// Raises the lock timeout from 100 ms to 60 s, so that the orders wait for the open transactions.
    private static let waitLonger = """
        do $$ begin
            execute replace(pg_get_functiondef('limit_lock_wait'::regproc), '100ms', '60s');
        end $$
        """

    /// Decides an order of one 3001 and one other item while both are counted. Staff stop counting 3001 afterwards.
    private static func decide(
        _ items: [Int64], in fixture: ShopFixture, counts: String
    ) async throws -> [OrderDraft] {
        try await fixture.database.psql(waitLonger)
        try await fixture.database.psqlAsStaff(
            "insert into item_stock (menu_item_id, remaining) values \(counts), (3001, 9)")
        let (menu, stock) = (
            try await fixture.storage.loadMenu().menu, try await fixture.storage.loadMenuRevision().stock
        )
        var drafts: [OrderDraft] = []
        for (index, item) in items.enumerated() {
            let basket = try await fixture.makeBasket([item: 1, 3001: 1]).basket
            drafts.append(try OrderDraft.accepted(basket, menu, by: Guest(index + 1), stock: stock))
        }
        try await fixture.database.psqlAsStaff("delete from item_stock where menu_item_id = 3001")
        return drafts
    }

    /// Waits until so many orders wait for a lock that another session holds now.
    private static func waitForBlockedOrders(_ count: Int, _ database: TestDatabase) async throws {
        try await eventually("\(count) orders wait for a lock") {
            try await database.psql(
                """
                select count(*) from pg_stat_activity
                where datname = current_database() and query like '%place_orders%'
                    and cardinality(pg_blocking_pids(pid)) > 0
                """) == "\(count)"
        }
    }

    @Test(
        "Two orders that wait for other counts while staff insert a count of 1 for both sell it once",
        arguments: [("remaining", "item_stock"), ("per_day", "stock_days")])
    func insertedWhileWaiting(column: String, table: String) async throws {
        try await ShopFixture.withTwoServers { serverA, serverB in
            let database = serverA.database
            let drafts = try await Self.decide([2001, 4001], in: serverA, counts: "(2001, 50), (4001, 50)")
            let staff = try await PostgresConnection.connect(database.staffURL, logger: .silent)
            try await staff.run(
                script: """
                    begin;
                    update item_stock set remaining = 40;
                    insert into item_stock (menu_item_id, \(column)) values (3001, 1)
                    """)
            // No order can write the table of the new count before both have read the count.
            let holder = try await PostgresConnection.connect(database.url, logger: .silent)
            let held = Task { try await holder.run(script: "begin; lock table \(table) in share mode") }
            try await eventually("the lock of the table is held, or is next in the queue") {
                try await database.psql(
                    """
                    select count(*) from pg_locks
                    where relation = '\(table)'::regclass and mode = 'ShareLock'
                        and database = (select oid from pg_database where datname = current_database())
                    """) == "1"
            }
            let first = Task { try await serverA.storage.placeOrders([drafts[0]]) }
            let second = Task { try await serverB.storage.placeOrders([drafts[1]]) }
            try await Self.waitForBlockedOrders(2, database)
            try await staff.run(script: "commit")
            try await held.value
            // The first order waits for the table, and the second one for the row of the first.
            try await Self.waitForBlockedOrders(2, database)
            try await holder.run(script: "commit")
            for connection in [staff, holder] { await connection.close() }
            let placed = [try await first.value.count, try await second.value.count]
            #expect(placed.sorted() == [0, 1])
            let sold = """
                select coalesce(remaining, per_day - (select sum(sold) from stock_days)),
                    (select sum(change) from stock_movements
                     where subject = 'menu_items' and id = 3001 and reason = 'sold' and order_id is not null),
                    (select sum(remaining) from item_stock where menu_item_id in (2001, 4001))
                from item_stock where menu_item_id = 3001
                """
            #expect(try await database.psql(sold) == "0|-1|79")
        }
    }

    @Test(
        "An order that has read the counts takes nothing of a count that staff insert before it writes them",
        arguments: [("remaining", 5), ("remaining", 0), ("per_day", 5)])
    func insertedAfterReading(column: String, count: Int) async throws {
        try await ShopFixture.with { fixture async throws in
            let database = fixture.database
            let drafts = try await Self.decide([2001], in: fixture, counts: "(2001, 50)")
            // The lock permits row locks and reads. The order waits for it when it writes the count of 2001.
            let staff = try await PostgresConnection.connect(database.staffURL, logger: .silent)
            try await staff.run(script: "begin; lock table item_stock in share mode")
            let order = Task { try await fixture.storage.placeOrders([drafts[0]]) }
            try await Self.waitForBlockedOrders(1, database)
            try await staff.run(
                script: "insert into item_stock (menu_item_id, \(column)) values (3001, \(count)); commit")
            await staff.close()
            let placed = try await order.value
            #expect(placed.count == 1)
            let rows = """
                select menu_item_id, coalesce(remaining, per_day), sold from item_stock order by 1;
                select id, change from stock_movements where order_id = '\(drafts[0].id)';
                select count(*) from stock_days
                """
            #expect(try await database.psql(rows) == "2001|49|1\n3001|\(count)|0\n2001|-1\n0")
        }
    }
}
