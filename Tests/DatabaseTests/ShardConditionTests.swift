// On Citus a statement without a condition on its shard goes to all shards, and such a write commits in two phases.
// Every statement that guests wait for therefore selects its shard. Reads the catalog and the sources;
// DistributedStatement.swift describes the limits of the check.
import Support
import Testing

@testable import Database

@Suite("Shard conditions for Citus")
struct ShardConditionTests {
    /// Reads that must search all shards: function or file, and a part of the statement.
    static let reads = [
        ("lock_order", "select id from orders where number = order_number"),  // Staff know only the number.
        // Earlier orders, for a first-order coupon.
        ("load_checkout_facts", "select coalesce(array_agg(phone), '{}')"),
        ("load_checkout_facts", "select array_agg(row(orders.coupon_id, phone"),  // A guest's coupon uses.
        ("prune_baskets", "select id from baskets where id > after"),  // Old rows are on every shard.
        ("prune_basket_batch", "select id from baskets where id > examined"),
        ("prune_personal_data", "select id from orders where (placed_at, id) > (walked.examined_to"),
        // Not sent on Citus.
        ("Locks/LoadLockedRows.swift", "select xmax from orders where ($1)[row.n].subject = 'orders'"),
        // Only the statement for one PostgreSQL calls it.
        ("hashed_guest_history", "history.has_ordered := exists (select from orders where phone = phone_key"),
        ("hashed_guest_history", "history.uses := ( select count(distinct order_id)"),
        ("prune_order_mails", "select order_id, state from order_mails where order_id < made_before"),
        ("prune_coupon_uses", "from coupon_uses where period > 0 and period < first_year"),
        // Due mails, once a second.
        ("Mail/OrderMailStore.swift", "from orders where placed_at >= $1 order by placed_at limit $2"),
        ("Mail/OrderMailStore.swift", "from order_steps as step where at >= $1"),
        ("Mail/OrderMailStore.swift", "from order_mails where sent_at is null and failed_at is null"),
        // Once a second: orders without a day number, open orders, and orders that wait for acceptance.
        ("Orders/DayNumbers.swift", "where day_number is null and state not in"),
        ("Orders/KitchenOrders.swift", "union all (select 1 from (select state from orders where wanted_at > now()"),
        ("Orders/KitchenOrders.swift", "select 1 from orders where state ="),
        ("Orders/WaitingOrders.swift", "from orders where state = 'placed' and (placed_at, id) > ($1, $2)"),
        ("Staff/LoadStaffOrders.swift", "select placed_at, id"),  // The list of orders for staff.
        ("Staff/LoadStaffOrders.swift", "select id from orders where number = $1"),
        ("Staff/LoadDayFigures.swift", "from orders where placed_at >= $1 and placed_at < $2"),
    ]
    // Citus would execute the statement on the worker of the row, where no server listens.
    @Test("No function notifies with a statement that reads a table")
    func notifications() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            let functions = try await database.psql(
                """
                select count(*), count(*) filter (where prosrc ~* 'pg_notify\\s*\\([^;]*select') from pg_proc
                where pronamespace = 'public'::regnamespace and prosrc ~* 'pg_notify'
                """)
            #expect(functions.hasSuffix("|0") && functions != "0|0", "\(functions)")
        }
    }

    /// The file with the statements for one PostgreSQL, which sql/distributed/002_checkout_facts.sql replaces on Citus.
    static let replacedFile = "Checkout/LoadCheckoutFacts.swift"

    @Test(
        "Every statement on a distributed table selects its shard, except the listed reads"
    )
    func everyStatement() async throws {
        try await TestDatabase.with(.migrated) { database in
            try await Self.distribute(database)
            let statements = try await DistributedStatement.inFunctions(of: database) + DistributedStatement.inSources()
            let unchosen = statements.filter {
                !$0.tablesWithoutShardCondition.isEmpty && $0.origin != Self.replacedFile
            }
            let unexpected = unchosen.filter { statement in
                !Self.reads.contains { statement.origin == $0.0 && statement.text.contains($0.1) }
            }
            #expect(unexpected.isEmpty, "\(unexpected.map(\.description).joined(separator: "\n"))")
            for read in Self.reads {
                #expect(
                    unchosen.contains { $0.origin == read.0 && $0.text.contains(read.1) },
                    "the listed read no longer exists: \(read)")
            }
        }
    }

    @Test("A function that runs on a worker has no EXECUTE and calls no function that reads a distributed table")
    func delegated() async throws {
        try await TestDatabase.with(.migrated) { database in
            try await Self.distribute(database)
            let bodies = try await database.psql(
                """
                select lower(prosrc) from pg_proc
                where pronamespace = 'public'::regnamespace and proname in ('write_baskets', 'place_orders')
                """
            )
            #expect(bodies.contains("update baskets set"))
            #expect(!bodies.contains("execute "))
            let reading = Set(try await DistributedStatement.inFunctions(of: database).map(\.origin))
            #expect(
                reading.isSuperset(of: [
                    "write_baskets", "place_orders", "move_order", "prune_baskets", "load_checkout_facts",
                ]))
            for name in reading { #expect(!bodies.contains("\(name)("), "\(name)") }
        }
    }

    @Test(
        "The check finds a statement without a condition on its shard",
        arguments: [
            // Writes that were sent to all shards.
            """
            update baskets set state = 'ordered'
            from unnest(ids, versions) as draft (id, version) where baskets.id = draft.id
            """,
            """
            delete from coupon_uses using unnest(uses_order) as use (n)
            where ids[use.n] = any (lost) and coupon_uses.order_id = ids[use.n]
              and coupon_uses.coupon_id = coupon_ids[use.n]
            """,
            "delete from orders where orders.number = any (ids)",
            "delete from orders where orders.id <> all (ids)",
            "update baskets set state = 'open' where baskets.id = any (ids) or state = 'ordered'",
            "select 1 from baskets, orders where orders.id = any (ids)",
            "select 1 from orders where id = any (ids) union all select 1 from orders",
            "select 1 from orders join order_steps on order_steps.state = orders.state where orders.id = any (ids)",
            // Reads that asked all shards for one guest's order.
            "select (select reason from order_steps where order_id = orders.id) from orders where id = any ($1)",
            "select 1 from orders join order_steps on order_id = id where id = any ($1)",
            "select 1 from orders where id = any (array(select id from draft))",
        ])
    func missingCondition(text: String) throws {
        let statements = DistributedStatement.statements(
            in: text, of: "a test", values: ["ids", "versions", "lost", "coupon_ids", "uses_order"])
        #expect(try #require(statements.first).tablesWithoutShardCondition != [])
    }

    @Test(
        "The check accepts a statement with a condition on its shard",
        arguments: [
            "update baskets set state = 'open' where baskets.id = any (ids)",
            "select * into it from orders where id = the_order.id for update",
            """
            select 1 from baskets left join orders on orders.id = any (ids) and orders.id = baskets.id
            where baskets.id = any (ids)
            """,
            """
            select (select reason from order_steps where order_id = any ($1) and order_id = orders.id)
            from orders where id = any ($1)
            """,
            "insert into baskets (id) select id from unnest(ids) as change (id)",
            "delete from coupon_uses where coupon_uses.coupon_id = the_order.coupon_id and order_id = the_order.id",
        ])
    func validCondition(text: String) throws {
        let statements = DistributedStatement.statements(in: text, of: "a test", values: ["ids", "the_order"])
        #expect(try #require(statements.first).tablesWithoutShardCondition == [])
    }

    /// Runs the files of sql/distributed that replace functions which do not run on Citus.
    private static func distribute(_ database: TestDatabase) async throws {
        for file in ["002_checkout_facts", "004_prune_baskets", "005_day_numbers", "006_retention"] {
            try await Psql.run(file: "\(Repository.path)/sql/distributed/\(file).sql", url: database.url)
        }
    }
}
