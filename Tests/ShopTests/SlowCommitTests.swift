// Commits that take longer than a checkout waits for a row, such as those that wait for a distant standby: requests
// become slower, and none fails. Covers Sources/Shop/Locks and Sources/Shop/Queue.
import Database
import Foundation
import Ordering
import Postgres
import Support
import Synchronization
import Testing

@testable import Shop

@Suite("Slow commits", .timeLimit(.minutes(5)))
struct SlowCommitTests {
    /// Delays the commit of each transaction that writes an order by 150 ms. It keeps its locks meanwhile.
    private static let slowCommits = """
        create function delay_commit() returns trigger language plpgsql as $$
        begin
            if current_setting('tests.delayed', true) is distinct from pg_current_xact_id()::text then
                perform set_config('tests.delayed', pg_current_xact_id()::text, true);
                perform pg_sleep(0.15);
            end if;
            return null;
        end $$;
        create constraint trigger delay_commit after insert or update on orders deferrable initially deferred
            for each row execute function delay_commit();
        """

    private static let soda = ContestedRow.stock(.item(MenuItemID(rawValue: 4001)))

    @Test("Two servers place all orders of one dish and coupon while commits take 150 ms, and report no locked row")
    func checkouts() async throws {
        let reports = Mutex<[ComponentHealth]>([])
        let note: @Sendable (ComponentHealth) -> Void = { health in reports.withLock { $0.append(health) } }
        try await TestDatabase.with(.seeded) { database async throws in
            try await ShopFixture.with(on: database, onLockedRows: note) { first async throws in
                try await ShopFixture.with(on: database, onLockedRows: note) { second async throws in
                    try await database.psqlAsStaff(
                        "insert into item_stock (menu_item_id, remaining) values (4001, 500)")
                    let drafts = try await runConcurrently(Array(0..<80)) {
                        try await first.makeDraft(
                            first.makeBasket([2001: 1, 4001: 1]), by: Guest($0), coupon: $0 % 2 == 0 ? "FOLLOW" : nil)
                    }
                    try await database.psql(Self.slowCommits)
                    // The guests order during some two seconds, so that a batch always waits for another one.
                    let placed = try await runConcurrently(Array(drafts.indices)) { guest in
                        try await Task.sleep(for: .milliseconds(25 * guest))
                        let server = guest % 2 == 0 ? first : second
                        return try await server.shop.checkouts.submit(drafts[guest]).isPlaced
                    }
                    #expect(placed.allSatisfy { $0 })
                    #expect(try await database.psql("select remaining, sold from item_stock") == "420|80")
                    #expect(try await database.psql(LastPortionTests.discrepancies) == "")
                }
            }
        }
        #expect(reports.withLock { $0.isEmpty })
    }

    @Test("Cancellations of orders of one dish on two servers succeed while commits take 150 ms")
    func cancellations() async throws {
        try await ShopFixture.withTwoServers { first, second in
            try await first.database.psqlAsStaff("insert into item_stock (menu_item_id, remaining) values (4001, 500)")
            let orders = try await runConcurrently(Array(0..<8)) { guest in
                try #require(
                    try await first.shop.checkouts.submit(
                        first.makeDraft(first.makeBasket([4001: 1]), by: Guest(guest))
                    ).order)
            }
            try await first.database.psql(Self.slowCommits)
            let states = try await runConcurrently(Array(orders.indices)) { number in
                let server = number % 2 == 0 ? first : second
                return try await server.shop.orders.cancel(orders[number].id)
            }
            #expect(states.allSatisfy { $0 == .cancelled })
            #expect(try await first.database.psql("select remaining, sold from item_stock") == "500|0")
        }
    }

    @Test("Eight steps of staff that share a connection succeed while commits take 150 ms")
    func steps() async throws {
        try await ShopFixture.with { open async throws in
            let orders = try await runConcurrently(Array(0..<8)) {
                try #require(try await open.placeOrder(by: Guest($0)).order)
            }
            try await open.database.psql(Self.slowCommits)
            let moved = try await runConcurrently(orders) { order in
                let step = StaffStep.advance(to: .accepted)
                let result = try await open.shop.staff.perform(step, number: order.number, by: .settingsToken)
                return if case .moved = result { true } else { false }
            }
            #expect(moved.allSatisfy { $0 })
        }
    }

    @Test("Only rows that a running statement of a server keeps are held by servers")
    func holders() async throws {
        try await ShopFixture.with { open async throws in
            try await open.database.psqlAsStaff("insert into item_stock (menu_item_id, remaining) values (4001, 500)")
            let order = try #require(try await open.placeOrder(by: Guest(1)).order)
            let (server, staff) = (open.database.serverURL, open.database.staffURL)
            let select = "select from item_stock where menu_item_id = 4001 for update"
            let cancel = "select cancel_order('\(order.id)')"
            for row in [Self.soda, .order(order.id)] {
                #expect(try await open.storage.areHeldByServers([row]) == nil, "a free row: \(row)")
            }
            for (row, url, script, answer) in [
                (Self.soda, server, "begin; \(select)", false),
                (Self.soda, staff, "begin; savepoint first; \(select)", false),
                (Self.soda, staff, "begin; savepoint first; \(select); release savepoint first", false),
                (Self.soda, server, "begin; \(select); select pg_sleep(60)", true),
                (Self.soda, staff, "begin; \(select); select pg_sleep(60)", false),
                (.order(order.id), server, "begin; \(cancel)", false),
                (.order(order.id), server, "begin; \(cancel); select pg_sleep(60)", true),
            ] {
                #expect(try await Self.areHeld(row, open, url, script) == answer, "\(script) of \(url)")
            }
        }
    }

    @Test("A repeated statement waits for a row in PostgreSQL's queue, up to 0.3 of the statement timeout")
    func longerWait() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await ShopFixture.with(on: database, statementTimeout: .seconds(3)) { open async throws in
                try await database.psqlAsStaff("insert into item_stock (menu_item_id, remaining) values (4001, 500)")
                let draft = try await open.makeDraft(open.makeBasket([4001: 1]), by: Guest(1))
                let order = try #require(try await open.shop.checkouts.submit(draft).order)
                let staff = try await PostgresConnection.connect(database.staffURL, logger: .silent)
                try await staff.run(script: "begin; select from item_stock where menu_item_id = 4001 for update")
                for (isLonger, least) in [(false, Duration.milliseconds(100)), (true, .milliseconds(900))] {
                    let begin = ContinuousClock.now
                    await #expect {
                        _ = try await Self.cancel(order.id, in: open.storage, isLonger: isLonger)
                    } throws: {
                        ($0 as? DatabaseFault)?.kind == .locked
                    }
                    #expect(.now - begin >= least, "longer: \(isLonger)")
                }
                async let state = Self.cancel(order.id, in: open.storage, isLonger: true)
                try await eventually("the statement waits for the row") {
                    try await database.psql(
                        """
                        select count(*) from pg_stat_activity
                        where datname = current_database() and wait_event_type = 'Lock' and query like '%cancel_order%'
                        """) == "1"
                }
                try await staff.run(script: "commit")
                await staff.close()
                #expect(try await state == .cancelled)
            }
        }
    }

    @Test("A statement that waits longer for a row has the same effect")
    func longerStatements() async throws {
        try await ShopFixture.with { open async throws in
            let database = open.storage.waitingLonger
            let orders = try await runConcurrently(Array(0..<3)) {
                try #require(try await open.placeOrder(by: Guest($0)).order)
            }
            let steps: [StaffStep] = [
                .advance(to: .accepted), .delay(minutes: 10, reason: "the oven"),
                .schedule(.rejected, reason: "no gas"), .takeBack(.rejected),
            ]
            for step in steps {
                let result = try await database.takeStep(step, number: orders[0].number, by: .settingsToken)
                let hasMoved = if case .moved = result { true } else { false }
                #expect(hasMoved, "\(step): \(result)")
            }
            #expect(try await !database.executePendingStep(of: orders[0].id))
            #expect(try await database.cancelOrder(orders[1].id) == .cancelled)
            let menu = try await database.loadMenuRevision().revision
            #expect(try await database.acceptOrReject(orders[2].id, menu: menu, deadline: nil, reason: nil))
            try await database.setStockPolicy(
                of: .item(MenuItemID(rawValue: 4001)), to: .remaining(7), by: .settingsToken)
            #expect(
                try await open.database.psql(
                    """
                    select (select string_agg(state, ' ' order by state) from orders),
                        (select remaining from item_stock)
                    """) == "accepted accepted cancelled|7")
        }
    }

    private static func cancel(
        _ id: OrderID, in database: ShopDatabase, isLonger: Bool
    ) async throws(DatabaseFault) -> OrderState? {
        try await (isLonger ? database.waitingLonger : database).cancelOrder(id)
    }

    /// Whether the row counts as held by servers while a session has run this script, or still runs it. A row that does
    /// not exist changes nothing.
    private static func areHeld(
        _ row: ContestedRow, _ open: ShopFixture, _ url: String, _ script: String
    ) async throws -> Bool? {
        let session = try await PostgresConnection.connect(url, logger: .silent)
        let run = Task { try await session.run(script: script) }
        try await eventually("the row is locked") {
            try await !open.storage.loadLockedRows(among: [row]).isEmpty
        }
        if !script.contains("pg_sleep") {
            try await run.value
            try await eventually("the session waits for its client") {
                try await open.database.psql(
                    """
                    select count(*) from pg_stat_activity
                    where datname = current_database() and state = 'idle in transaction' and wait_event = 'ClientRead'
                    """) == "1"
            }
        }
        let answer = try await open.storage.areHeldByServers([row, .order(OrderID(UUID()))])
        try await open.database.psql(
            """
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and (state = 'idle in transaction' or query like '%pg_sleep(60)%')
                and pid <> pg_backend_pid()
            """)
        _ = await run.result
        await session.close()
        try await eventually("the row is free") { try await open.storage.loadLockedRows(among: [row]).isEmpty }
        return answer
    }
}
