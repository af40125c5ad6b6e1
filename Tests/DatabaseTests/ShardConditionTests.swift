// On Citus a statement that does not say which baskets, or which coupon, it is for is sent to all shards, and a write then commits in two
// phases on all workers: every statement that a guest waits for says it. Read from the catalog of a plain PostgreSQL and from the sources.
// Read next: DistributedStatements.swift, which says what this recognises and what not.
import Support
import Testing

@testable import Database

@Suite("Citus: every statement names its shard")
struct ShardConditionTests {
    /// What is looked for by something else, by how the statement begins after its place: each costs a look at all shards.
    static let reads = [
        ("hold_order", "select id from orders where number = order_number"),  // staff know a number
        ("load_checkout_facts", "select coalesce(array_agg(phone), '{}')"),  // who has ordered: for a first order's coupon
        ("load_checkout_facts", "select array_agg(orders.coupon_id), array_agg(phone)"),  // and who has used it
        ("prune_baskets", "select id from baskets where id > after"),  // the old ones, wherever they are
        ("Mail/OrderMails.swift", "select id, 'placed' as state, placed_at"),  // what is to be mailed, once a second where mail is set up
        ("Mail/OrderMails.swift", "from order_steps where at > $1"),
        ("Mail/OrderMails.swift", "from order_mails where sent_at is null and failed_at is null"),
        // Once a second: the orders without a number of the day, those that the kitchen works at, and, where there is a
        // deadline, those that wait.
        ("Orders/DayNumbers.swift", "where day_number is null and state not in"),
        ("Orders/KitchenOrders.swift", "select count(*) from ( (select from (select state, placed_at, wanted_at from orders"),
        ("Orders/WaitingOrders.swift", "from orders where (placed_at, id) > ($1, $2)"),
        ("Orders/WaitingOrders.swift", "from orders where (wanted_at, id) > ($1, $2)"),
        ("Staff/LoadStaffOrders.swift", "select placed_at, id"),  // the staff's list
        ("Staff/LoadStaffOrders.swift", "select id from orders where number = $1"),
        ("Staff/LoadToday.swift", "from orders where placed_at >= $1 and placed_at < $2"),
    ]
    /// What the server asks where nothing is distributed: sql/distributed/002_checkout_facts.sql stands in its place.
    static let plain = "Checkout/LoadCheckoutFacts.swift"

    @Test(
        "Every statement on a distributed table, of all functions and of the sources, names its shard, but for the reads that look for something else"
    )
    func everyStatement() async throws {
        try await TestDatabase.with(.migrated) { database in
            try await Self.distribute(database)
            let statements = try await DistributedStatement.ofFunctions(in: database) + DistributedStatement.ofSources()
            let unchosen = statements.filter { !$0.unchosen.isEmpty && $0.origin != Self.plain }
            let other = unchosen.filter { statement in !Self.reads.contains { statement.origin == $0.0 && statement.text.contains($0.1) } }
            #expect(other.isEmpty, "\(other.map(\.description).joined(separator: "\n"))")
            for read in Self.reads {
                #expect(unchosen.contains { $0.origin == read.0 && $0.text.contains(read.1) }, "there is no such read any more: \(read)")
            }
        }
    }

    @Test("What a worker runs has no statement that is put together, and calls no function of ours that reads a distributed table")
    func delegated() async throws {
        try await TestDatabase.with(.migrated) { database in
            try await Self.distribute(database)
            let bodies = try await database.psql(
                "select lower(prosrc) from pg_proc where pronamespace = 'public'::regnamespace and proname in ('write_baskets', 'place_orders')"
            )
            #expect(bodies.contains("update baskets set"))
            #expect(!bodies.contains("execute "))
            let reading = Set(try await DistributedStatement.ofFunctions(in: database).map(\.origin))
            #expect(reading.isSuperset(of: ["write_baskets", "place_orders", "move_order", "prune_baskets", "load_checkout_facts"]))
            for name in reading { #expect(!bodies.contains("\(name)("), "\(name)") }
        }
    }

    @Test(
        "A statement that names no shard is seen",
        arguments: [
            // What sent each write to all shards.
            "update baskets set state = 'ordered' from unnest(ids, versions) as draft (id, version) where baskets.id = draft.id",
            """
            delete from coupon_uses using unnest(uses_order) as use (n)
            where ids[use.n] = any (lost) and coupon_uses.order_id = ids[use.n] and coupon_uses.coupon_id = coupon_ids[use.n]
            """,
            "delete from orders where orders.number = any (ids)",
            "delete from orders where orders.id <> all (ids)",
            "update baskets set state = 'open' where baskets.id = any (ids) or state = 'ordered'",
            "select 1 from baskets, orders where orders.id = any (ids)",
            "select 1 from orders where id = any (ids) union all select 1 from orders",
            "select 1 from orders join order_steps on order_steps.state = orders.state where orders.id = any (ids)",
            // What asked all shards for one guest's order.
            "select (select reason from order_steps where order_id = orders.id) from orders where id = any ($1)",
            "select 1 from orders join order_steps on order_id = id where id = any ($1)",
            "select 1 from orders where id = any (array(select id from draft))",
        ])
    func seen(text: String) throws {
        let statements = DistributedStatement.statements(
            in: text, of: "a test", values: ["ids", "versions", "lost", "coupon_ids", "uses_order"])
        #expect(try #require(statements.first).unchosen != [])
    }

    @Test(
        "A statement that names its shard is taken for one",
        arguments: [
            "update baskets set state = 'open' where baskets.id = any (ids)",
            "select * into it from orders where id = the_order.id for update",
            "select 1 from baskets left join orders on orders.id = any (ids) and orders.id = baskets.id where baskets.id = any (ids)",
            "select (select reason from order_steps where order_id = any ($1) and order_id = orders.id) from orders where id = any ($1)",
            "insert into baskets (id) select id from unnest(ids) as change (id)",
            "delete from coupon_uses where coupon_uses.coupon_id = the_order.coupon_id and order_id = the_order.id",
        ])
    func taken(text: String) throws {
        let statements = DistributedStatement.statements(in: text, of: "a test", values: ["ids", "the_order"])
        #expect(try #require(statements.first).unchosen == [])
    }

    /// What is there for Citus beside, or in the place of, what is not fit for it.
    private static func distribute(_ database: TestDatabase) async throws {
        for file in ["002_checkout_facts", "004_prune_baskets", "005_day_numbers"] {
            try await Psql.run(file: "\(Repository.path)/sql/distributed/\(file).sql", url: database.url)
        }
    }
}
