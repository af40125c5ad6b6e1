// Rules that let the same schema and statements run on Citus, read from the catalog and from the sources.
// Citus 13.2 rejects a statement that violates a rule, or executes it wrongly. `make test-citus` runs all on Citus.
import Foundation
import Ordering
import Postgres
import Support
import Testing

@testable import Database

@Suite("Rules for Citus")
struct DistributionTests {
    static let columns = DistributedStatement.columns
    static let names = "('baskets', 'orders', 'order_steps', 'order_mails', 'coupon_uses')"

    @Test("The distributed tables and their columns are those of sql/distributed")
    func tables() throws {
        let script = try Repository.text(of: "sql/distributed/001_distribute.sql")
        for (table, column) in Self.columns {
            #expect(script.contains("create_distributed_table('\(table)', '\(column)'"), "\(table)")
        }
        #expect(script.split(separator: "create_distributed_table(").count - 1 == Self.columns.count)
    }

    @Test("The script distributes filled tables one after the other, and gives no node a sequence")
    func filledTables() throws {
        let script = try Repository.text(of: "sql/distributed/001_distribute.sql")
        let mode = try #require(script.range(of: "set local citus.multi_shard_modify_mode = sequential;"))
        let table = try #require(script.range(of: "select create_"))
        #expect(mode.upperBound <= table.lowerBound)
        for file in try Self.files() {
            #expect(try !Repository.text(of: "sql/distributed/\(file)").contains("create sequence"), "\(file)")
        }
    }

    @Test("The files after the first can be loaded again, and a second load changes no function")
    func repeatedFiles() async throws {
        try await TestDatabase.with(.migrated) { database in
            let files = try Self.files().dropFirst()
            #expect(files.count >= 7)
            // The functions with their privileges, and the foreign keys.
            let state = """
                select md5(string_agg(concat(pg_proc.oid, prosrc, proacl, proconfig), ' ' order by pg_proc.oid))
                from pg_proc where pronamespace = 'public'::regnamespace;
                select count(*) from pg_constraint where contype = 'f'
                """
            var states: [String] = []
            for _ in 1...2 {
                for file in files {
                    try await Psql.run(file: "\(Repository.path)/sql/distributed/\(file)", url: database.url)
                }
                states.append(try await database.psql(state))
            }
            #expect(states[0] == states[1])
        }
    }

    @Test("Every primary key and unique index of a distributed table contains the column that selects the shard")
    func keys() async throws {
        try await TestDatabase.with(.migrated) { database in
            let keys = try await Self.keys(of: database)
            #expect(keys.count >= 4)
            for key in keys { #expect(key.columns.contains(Self.columns[key.table] ?? "?"), "\(key)") }
            // The check finds a key without this column.
            try await database.psql("create unique index orders_numbered on orders (number)")
            let violations = try await Self.keys(of: database).filter {
                !$0.columns.contains(Self.columns[$0.table] ?? "?")
            }
            #expect(violations.map(\.columns) == [["number"]])
        }
    }

    @Test(
        "The migrations give a distributed table no trigger, sequence, identity, rule, policy or foreign key",
        arguments: [
            (
                "a trigger",
                """
                select tgrelid::regclass from pg_trigger where not tgisinternal and tgrelid::regclass::text in \(names)
                """
            ),
            (
                "a sequence",
                """
                select adrelid::regclass from pg_attrdef
                where adrelid::regclass::text in \(names) and pg_get_expr(adbin, adrelid) ~ 'nextval'
                union all select attrelid::regclass from pg_attribute
                where attrelid::regclass::text in \(names) and attidentity <> ''
                """
            ),
            (
                "a foreign key",
                """
                select conname from pg_constraint
                where contype = 'f' and (conrelid::regclass::text in \(names) or confrelid::regclass::text in \(names))
                """
            ),
            (
                "a rule or a policy",
                """
                select tablename from pg_rules where tablename in \(names)
                union all select tablename from pg_policies where tablename in \(names)
                """
            ),
        ])
    func forbiddenObjects(thing: String, query: String) async throws {
        try await TestDatabase.with(.migrated) { database in
            #expect(try await database.psql(query) == "", "\(thing)")
            if thing == "a foreign key" {
                for file in ["001_distribute", "002_checkout_facts"] {
                    #expect(try !Repository.text(of: "sql/distributed/\(file).sql").contains("foreign key ("))
                }
                try await Psql.run(file: "\(Repository.path)/sql/distributed/003_foreign_keys.sql", url: database.url)
                #expect(try await database.psql(query) == "order_step_has_an_order")
            }
        }
    }

    @Test("No constraint name ends like a shard's name, and removingShardID removes a shard's suffix")
    func constraintNames() async throws {
        try await TestDatabase.with(.migrated) { database in
            #expect(
                try await database.psql(
                    #"""
                    select conname from pg_constraint
                    where connamespace = 'public'::regnamespace and conname ~ '_\d{4,}$'
                    """#) == "")
            let names = try await database.psql(
                "select conname from pg_constraint where conrelid::regclass::text in \(Self.names)")
            for name in names.split(separator: "\n") {
                for shard in ["", "_102008", "_1020081"] {
                    #expect(ServerError.removingShardID(from: "\(name)\(shard)") == String(name))
                }
            }
        }
        #expect(ServerError.removingShardID(from: "orders_2024") == "orders_2024", "too short for a shard id")
        #expect(ServerError.removingShardID(from: "_102008") == "_102008")
        #expect(ServerError.removingShardID(from: "") == "")
    }

    @Test(
        "UPDATE and DELETE of a distributed table select a shard without volatile functions; FOR UPDATE locks one row"
    )
    func statements() async throws {
        try await TestDatabase.with(.migrated) { database in
            // On Citus, the functions of sql/distributed replace those that do not run there.
            for file in ["004_prune_baskets", "006_retention"] {
                try await Psql.run(file: "\(Repository.path)/sql/distributed/\(file).sql", url: database.url)
            }
            let volatile = try await database.psql("select distinct proname from pg_proc where provolatile = 'v'")
                .split(separator: "\n")
            let statements = try await DistributedStatement.inFunctions(of: database) + DistributedStatement.inSources()
            #expect(statements.count > 40, "too few statements found: \(statements.count)")
            let violations = statements.flatMap {
                Self.violations(of: $0.text, volatile: Set(volatile.map(String.init)))
            }
            #expect(violations == [])
        }
    }

    @Test("Pruning always uses a custom plan, because Citus rejects a generic plan for its statements")
    func pruningPlans() async throws {
        try await TestDatabase.with(.migrated) { database in
            for file in ["006_retention", "007_personal_data"] {
                try await Psql.run(file: "\(Repository.path)/sql/distributed/\(file).sql", url: database.url)
            }
            let functions = try await database.psql(
                """
                select string_agg(proname, ' ' order by proname) from pg_proc
                where 'plan_cache_mode=force_custom_plan' = any (proconfig) and proname ~ '(prune|finish)'
                """)
            #expect(
                functions
                    == "finish_baskets prune_basket_batch prune_coupon_uses prune_order_mails prune_personal_data")
        }
    }

    @Test(
        "The check finds each kind of violation",
        arguments: [
            "update orders set state = 'x' where number = $1", "delete from baskets where changed_at < $1",
            "update baskets set changed_at = clock_timestamp() where baskets.id = $1",
            "select * into the_order from orders where number = order_number for update",
            "select id from baskets where id = any (looked_at) for update skip locked",
            "select 1 from orders join order_steps on order_steps.state = orders.state",
            "insert into order_steps values (x, 1 + (select count(*) from order_steps))",
            "update baskets set lines = changed[1 : 2] where baskets.id = $1",
        ])
    func violation(statement: String) {
        #expect(!Self.violations(of: statement, volatile: ["clock_timestamp", "random"]).isEmpty)
    }

    @Test("Only functions on the coordinator call NOTIFY, and functions on workers take a basket id first")
    func functions() async throws {
        try await TestDatabase.with(.migrated) { database in
            let delegated = "('write_baskets', 'place_orders')"
            #expect(try Repository.text(of: "sql/distributed/001_distribute.sql").contains("proname in \(delegated)"))
            let notifying = try await database.psql(
                """
                select proname from pg_proc
                where prosrc ~* '(pg_notify|notify )' and pronamespace = 'public'::regnamespace order by 1
                """)
            #expect(
                notifying == """
                    count_menu_revision
                    fail_order_mail
                    move_order
                    notify_order_changed
                    notify_staff_changed
                    number_orders
                    """)
            let first = try await database.psql(
                """
                select distinct proargnames[1] || ' ' || format_type(proargtypes[0], null)
                from pg_proc where proname in \(delegated)
                """)
            #expect(first == "any_basket uuid")
            // Citus delegates a function to a worker only if the call is not part of a larger query.
            for call in [ShopDatabase.writeBasketsStatement, ShopDatabase.placeOrdersStatement] {
                #expect(call.sql.contains(" from \(call.name)($1, ") && call.sql.hasSuffix(")"), "\(call.sql)")
                #expect(!call.sql.contains(" where ") && !call.sql.contains(" join "), "\(call.sql)")
            }
        }
    }

    @Test("The Citus function reads the same checkout facts as the statement for one PostgreSQL")
    func facts() async throws {
        try await TestDatabase.with(.seeded) { database in
            try await Psql.run(file: "\(Repository.path)/sql/distributed/002_checkout_facts.sql", url: database.url)
            try await ShopFixture.with(on: database) { shop in
                #expect(shop.storage.isDistributed)
                let plain = try ShopDatabase(DatabaseConfiguration(url: database.serverURL), logger: .silent)
                async let _: Void = plain.run()
                _ = try await shop.placeOrder(by: Guest(1), coupon: "FRST")
                _ = try await shop.placeOrder(by: Guest(2), coupon: "FOLLOW")
                let ordered = try await shop.placeOrder(by: Guest(3))
                // The orders of two guests have no personal data.
                _ = try await shop.placeOrder(by: Guest(5), coupon: "FRST")
                _ = try await shop.placeOrder(by: Guest(6), coupon: "FOLLOW")
                let replaced = try await database.psql(
                    """
                    update shop set personal_data_days = 1;
                    update orders set state = 'delivered', placed_at = placed_at - interval '2 days'
                    where phone in ('+12125550005', '+12125550006');
                    select replaced from prune_personal_data(10)
                    """)
                #expect(replaced == "2")
                var questions: [CheckoutFactsQuery] = []
                for number in 1...6 {
                    for coupon in [nil, "FRST", "FOLLOW", "HAPPY", "LAST", "NOSUCH"] {
                        questions.append(
                            CheckoutFactsQuery(
                                try await shop.makeDraft(shop.makeBasket(), by: Guest(number), coupon: coupon)))
                    }
                }
                let orderedBasketID = try #require(ordered.order?.id)
                try await database.psqlAsStaff(
                    """
                    insert into item_stock (menu_item_id, per_day) values (2001, 9);
                    insert into option_stock (option_id, remaining) values (1201, 3);
                    insert into option_stock (option_id, per_day) values (1202, 0)
                    """)
                questions.append(CheckoutFactsQuery(basketID: orderedBasketID, form: CheckoutForm(coupon: "FRST")))
                questions.append(CheckoutFactsQuery(basketID: shop.makeBasketID(), form: CheckoutForm()))
                questions.append(CheckoutFactsQuery(basketID: orderedBasketID, form: CheckoutForm()))
                // Without a coupon the function takes another branch.
                for asked in [questions, questions.filter { $0.coupon == nil }] {
                    let expected = try await plain.loadCheckoutFacts(asked).map { try $0.get() }
                    let actual = try await shop.storage.loadCheckoutFacts(asked).map { try $0.get() }
                    for (plain, distributed) in zip(expected, actual) {
                        #expect(Self.described(plain) == Self.described(distributed))
                    }
                    #expect(expected.allSatisfy { $0.stock[.item(MenuItemID(rawValue: 2001))]?.remaining == 9 })
                    #expect(
                        expected.count == asked.count && expected.contains { $0.placed != nil }
                            && expected.contains { $0.basket == nil })
                    guard asked.contains(where: { $0.coupon != nil }) else { continue }
                    #expect(
                        Set(expected.map(\.guestHistory.redemptionCount)).count > 1
                            && Set(expected.map(\.guestHistory.hasOrdered)).count > 1, "the facts differ")
                }

                // Wanted times on several days, of which the first has sold units and a full slot.
                // The statements below write times in milliseconds.
                let clock = try await plain.loadMenuRevision().clock.databaseTime
                let now = Instant(microseconds: clock.microseconds / 1000 * 1000)
                let times = (1...3).map { now.advanced(by: .seconds($0 * 86_400)) }
                let wanted: [Instant?] = [nil, times[0], times[1], times[2], times[0], times[1], times[2]]
                try await database.psql(
                    """
                    insert into stock_days (subject, id, day, sold)
                    values ('menu_items', 2001, (business_day('\(times[0].rfc3339)')).day, 4);
                    insert into slot_uses values
                        ('delivery', '\(times[0].rfc3339)', 3, 5), ('pickup', '\(times[1].rfc3339)', 1, 2),
                        ('pickup', '\(now.advanced(by: .seconds(100)).rfc3339)', 1, 2)
                    """)
                for coupon in [nil, try CouponKey.parse("FRST").get()] {
                    let asked = wanted.map {
                        CheckoutFactsQuery(basketID: orderedBasketID, coupon: coupon, wantedAt: $0)
                    }
                    let expected = try await plain.loadCheckoutFacts(asked).map { try $0.get() }
                    let actual = try await shop.storage.loadCheckoutFacts(asked).map { try $0.get() }
                    #expect(expected.map(Self.described) == actual.map(Self.described))
                    let remaining = expected.map { $0.stock[.item(MenuItemID(rawValue: 2001))]?.remaining }
                    #expect(remaining == [9, 5, 9, 9, 5, 9, 9])
                    let slots = SlotOccupancy([
                        SlotKey(.delivery, times[0]): SlotUse(orders: 3, items: 5),
                        SlotKey(.pickup, times[1]): SlotUse(orders: 1, items: 2),
                    ])
                    #expect((expected + actual).allSatisfy { $0.slots == slots })
                }
            }
        }
    }

    @Test("Pruning on Citus deletes the same baskets as elsewhere, and skips a locked basket")
    func pruning() async throws {
        let baskets = """
            insert into baskets
                (id, state, currency, changed_at, lines_made, lines)
            select ('018bcfe5-6800-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
                   case when n % 3 = 0 then 'ordered' else 'open' end, 'USD',
                   now() - n % 60 * interval '1 day', 1, array[row(1, 2001, null, 100, 1, null)::basket_line]
            from generate_series(1, 1200) as n
            """
        let remainingBaskets = """
            select count(*), count(*) filter (where lines = '{}'), md5(string_agg(id::text, ' ' order by id))
            from baskets
            """
        var results: [String] = []
        for isDistributed in [false, true] {
            let result = try await TestDatabase.with(.migrated) { database in
                if isDistributed {
                    try await Psql.run(
                        file: "\(Repository.path)/sql/distributed/006_retention.sql", url: database.url)
                }
                try await database.psql(baskets)
                let pruning = Pruning(url: database.serverURL, basketAge: .seconds(30 * 86_400), logger: .silent)
                let lockHolder = try await PostgresConnection.connect(database.url, logger: .silent)
                try await lockHolder.run(
                    script: "begin; select from baskets where id = '018bcfe5-6800-7000-8000-000000000020' for update")
                let outcome = try await pruning.run()
                #expect(outcome == .init(deletedRows: [.baskets: 399], emptiedBaskets: 200))
                await lockHolder.close()
                return "\(String(describing: outcome)) \(try await database.psql(remainingBaskets))"
            }
            results.append(result)
        }
        #expect(results[0] == results[1] && results[0].contains("801|200|"), "\(results)")
    }

    /// The facts as text, without the clock reading.
    private static func described(_ facts: StoredCheckoutFacts) -> String {
        let counted: [StockKey] = [
            .item(MenuItemID(rawValue: 2001)), .option(OptionID(rawValue: 1201)), .option(OptionID(rawValue: 1202)),
        ]
        return
            """
            \(facts.moment.today) \(facts.menuRevision) \(String(describing: facts.basket)) \
            \(String(describing: facts.placed)) \(String(describing: facts.coupon)) \(facts.guestHistory.hasOrdered) \
            \(facts.guestHistory.redemptionCount) \(Set(facts.guestHistory.usedNumbers).sorted()) \
            \(counted.map { facts.stock[$0] })
            """
    }

    /// The names of the files, in order.
    private static func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(Repository.path)/sql/distributed").sorted()
    }

    // MARK: - Reading the catalog

    private struct Key {
        let table: String
        let columns: [String]
    }

    private static func keys(of database: TestDatabase) async throws -> [Key] {
        let rows = try await database.psql(
            """
            select indrelid::regclass || ' ' || string_agg(attname, ' ')
            from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
            where indisunique and indrelid::regclass::text in \(names) group by indexrelid, indrelid
            """)
        return rows.split(separator: "\n").map { row in
            let words = row.split(separator: " ").map(String.init)
            return Key(table: words[0], columns: Array(words.dropFirst()))
        }
    }

    private static func violations(of statement: String, volatile: Set<String>) -> [String] {
        var violations: [String] = []
        for (table, column) in columns {
            let ways = ["\(table).\(column) =", "where \(column) =", "and \(column) ="]
            let isChosen = ways.contains { statement.contains($0) }
            if statement.contains("update \(table) set") || statement.contains("delete from \(table) ") {
                if !isChosen { violations.append("no \(column) for \(table): \(statement)") }
                if let set = statement.range(of: "set ") {
                    let words = Set(
                        statement[set.upperBound...].split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "(" }
                            .map(String.init))
                    for word in words where word.contains("(") && statement.contains("update \(table)") {
                        let name = String(word.prefix { $0 != "(" })
                        // now() is the transaction's time and thus the same on all nodes.
                        if volatile.contains(name) { violations.append("volatile \(name): \(statement)") }
                    }
                    let assigned = statement[set.upperBound...]
                    let end =
                        [" from ", " where "].compactMap { assigned.range(of: $0)?.lowerBound }.min()
                        ?? assigned.endIndex
                    let target = assigned[..<end]
                    if statement.contains("update \(table)"), target.contains("[") {
                        violations.append("a slice in SET: \(statement)")
                    }
                }
            }
            if statement.contains("from \(table) ") && statement.contains("for update"),
                !isChosen || statement.contains("= any")
            {
                violations.append("locks more than one row of \(table): \(statement)")
            }
            if statement.contains("insert into \(table) "), let values = statement.range(of: "values ("),
                statement[values.upperBound...].contains("(select")
            {
                violations.append("a subquery in VALUES: \(statement)")
            }
        }
        // Tables with the same distribution must be joined by the distribution column.
        let together = ["baskets": ["orders"], "orders": ["order_steps"]]
        for (table, others) in together {
            for other in others where statement.contains("from \(table) ") && statement.contains("join \(other) ") {
                let joins = [
                    "\(other).id = \(table).id", "orders.id = draft.basket_id", "order_id = id", "order_id = orders.id",
                ]
                if !joins.contains(where: { statement.contains($0) }) {
                    violations.append("\(table) and \(other) are joined elsewhere: \(statement)")
                }
            }
        }
        return violations
    }
}
