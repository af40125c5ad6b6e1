// A shop of an older version, upgraded by the current migrations: no row is lost, guests and staff continue where they
// stopped, and a server of the older version still finds what it uses. Tests/Data/Upgrade/make.py recorded the shop.
import Database
import Foundation
import Ordering
import Shop
import Support
import Testing

@Suite("Upgrade of an older version", .timeLimit(.minutes(5)))
struct UpgradeTests {
    /// The last migration of the older version.
    private static let lastMigration = 22
    private static let folder = "\(Repository.path)/Tests/Data/Upgrade/022"

    /// Columns whose values a migration changes, as `table.column`, with the reason.
    private static let changedColumns: [String: String] = [:]
    /// Tables to which a migration adds rows, with the reason.
    private static let extendedTables = ["schema_migrations": "the applied migrations"]
    /// Facts of the schema that a migration removes, with the reason why an older server does not need them.
    private static let removedFacts: [String: String] = [:]

    /// The recorded shop with the schema of the older version.
    private static let older = TestDatabase.Template("older_version") { url in
        let migrations = try Migration.shipped().filter { !isNew($0) }
        try await Migrator(url: url, migrations: migrations, logger: .silent).migrate()
        // Only a superuser can load rows without triggers.
        let superuser = url.replacing("//welms_owner@", with: "//postgres@")
        try await Psql.run(file: "\(folder)/rows.sql", url: superuser)
    }

    private static func isNew(_ migration: Migration) -> Bool {
        Migration.number(of: migration.name).map { $0 > lastMigration } ?? true
    }

    private static func upgrade(_ database: TestDatabase) async throws {
        let shipped = try Migration.shipped()
        let applied = try await Migrator(url: database.url, migrations: shipped, logger: .silent).migrate()
        #expect(applied == shipped.filter(isNew).map(\.name))
    }

    /// Runs a shop of the current version on the upgraded database.
    private static func withUpgradedShop(
        _ body: @Sendable @escaping (TestShop, RecordedShop) async throws -> Void
    ) async throws {
        let recorded = try RecordedShop(file: "\(folder)/answers.json")
        try await TestDatabase.with(older) { database in
            try await upgrade(database)
            try await TestShop.run(on: database) { shop in try await body(shop, recorded) }
        }
    }

    // MARK: - Rows and schema

    @Test("An upgrade keeps each row of each table and the value of each sequence")
    func rows() async throws {
        try await TestDatabase.with(Self.older) { database in
            let query = try await Self.rowsQuery(database)
            let before = try await Self.lines(database, query)
            let sequences = try await Self.lines(database, Self.sequencesQuery)
            try await Self.upgrade(database)
            let after = try await Self.lines(database, query)
            let known = Set(before)
            let lost = known.subtracting(after)
            #expect(lost.isEmpty, "\(lost.sorted().joined(separator: "\n"))")
            let added = after.filter { line in
                !known.contains(line) && !Self.extendedTables.keys.contains { line.hasPrefix("\($0)|") }
            }
            #expect(added.isEmpty, "\(added.joined(separator: "\n"))")
            #expect(try await Self.lines(database, Self.sequencesQuery) == sequences)

            let tables = Set(before.compactMap { $0.split(separator: "|").first })
            for table in ["orders", "order_steps", "coupon_uses", "stock_movements", "audit", "pending_order_steps"] {
                #expect(tables.contains(Substring(table)), "\(table) has rows")
            }
            let refusal = await #expect(throws: PsqlFailed.self) {
                try await database.psql("update audit set who = 'nobody'")
            }
            #expect(refusal?.output.contains("audit rows cannot be changed") == true)
        }
    }

    @Test("An upgrade keeps the columns, attributes, functions and privileges that an older server uses")
    func schema() async throws {
        try await TestDatabase.with(Self.older) { database in
            let before = Set(try await Self.lines(database, Self.factsQuery))
            #expect(before.count > 1000)
            try await Self.upgrade(database)
            let after = Set(try await Self.lines(database, Self.factsQuery))
            #expect(before.subtracting(after) == Set(Self.removedFacts.keys))

            // The query finds a renamed column, an attribute that is not the last one, and a revoked privilege.
            try await database.psql(
                """
                alter table mailing rename since to begins;
                alter type due_mail drop attribute state;
                alter type due_mail add attribute state text;
                revoke execute on function try_writing() from welms_server
                """)
            let changed = Set(try await Self.lines(database, Self.factsQuery))
            let missing = after.subtracting(changed)
            #expect(missing.contains("column mailing.since timestamp with time zone"))
            #expect(missing.contains("attribute 2 of due_mail: state text"))
            #expect(missing.contains("welms_server may execute try_writing()"))
        }
    }

    @Test("A server of the older version can prepare each of its statements after an upgrade")
    func statements() async throws {
        let file = "\(Self.folder)/statements.sql"
        let count = try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\nprepare ").count - 1
        #expect(count > 50)
        try await TestDatabase.with(Self.older) { database in
            try await Self.upgrade(database)
            try await Psql.run(file: file, url: database.serverURL)
        }
    }

    // MARK: - Guests

    @Test("After an upgrade each order is read, and each checkout is replayed, as the older server answered")
    func orders() async throws {
        try await Self.withUpgradedShop { shop, recorded in
            #expect(Set(recorded.orders.compactMap { $0.read["state"] }).count == OrderState.allCases.count)
            for order in recorded.orders {
                let replayed = try await retryingWhileBusy {
                    try await shop.server.post(
                        "/v1/checkout", json: order.form, headers: [("Idempotency-Key", order.key)])
                }
                #expect(replayed.status == 201 && replayed.header("Idempotency-Replayed") == "true")
                #expect(order.placed.differences(from: try JSON(replayed.body)) == [], "\(order.key)")
                // The server executes a pending step at once.
                guard order.pending == nil else { continue }
                let read = try await shop.server.get("/v1/orders/\(order.id)", headers: order.authorization)
                #expect(order.read.differences(from: try JSON(read.body)) == [], "\(order.key)")
            }
            let count = try await shop.database.psql("select count(*) from orders")
            #expect(count == "\(recorded.orders.count)", "a replay places no order")
        }
    }

    @Test("After an upgrade each order and its history is loaded from the database")
    func storage() async throws {
        let recorded = try RecordedShop(file: "\(Self.folder)/answers.json")
        try await TestDatabase.with(Self.older) { database async throws in
            try await Self.upgrade(database)
            try await ShopFixture.with(on: database) { fixture async throws in
                let ids = recorded.orders.compactMap { OrderID($0.id) }
                let orders = try await fixture.storage.loadOrders(ids)
                #expect(Set(orders.map(\.number)) == Set(recorded.orders.map(\.number)))
                let histories = try await fixture.storage.loadHistories(ids)
                #expect(Set(histories.map(\.number)) == Set(recorded.orders.map(\.number)))
            }
        }
    }

    @Test("After an upgrade each open basket has the same lines, and can be ordered")
    func baskets() async throws {
        try await Self.withUpgradedShop { shop, recorded in
            #expect(recorded.baskets.count >= 3)
            for (guest, basket) in recorded.baskets.enumerated() {
                let id = try #require(basket["id"]?.text)
                let read = try JSON(try await shop.server.get("/v1/baskets/\(id)").expecting(200).body)
                #expect(basket.differences(from: read) == [])
                if read["lines"] == .array([]), read["sales"] == .array([]) {
                    _ = try await shop.server.add(2001, 2, to: id).expecting(200)
                }
                let form = """
                    "basketId": "\(id)", "name": "Ann Lee", "phone": "(212) 556-000\(guest)", "postcode": "10001", \
                    "email": "new.\(guest)@example.com", "address": "1 Elm Street, New York"
                    """
                let validation = try JSON(
                    try await shop.server.post("/v1/checkout/validate", json: "{\(form)}").expecting(200).body)
                let total = try #require(validation["quote"]?["total"]?.integer, "\(validation)")
                let placed = try await retryingWhileBusy {
                    try await shop.server.post(
                        "/v1/checkout", json: "{\(form), \"expectedTotal\": \(total)}",
                        headers: [("Idempotency-Key", "new \(guest)")])
                }
                #expect(placed.status == 201, "\(placed.text)")
            }
        }
    }

    // MARK: - Staff and mail

    @Test("After an upgrade each order takes its next step with an old staff token, and pending steps are executed")
    func steps() async throws {
        try await Self.withUpgradedShop { shop, recorded in
            let staff = [("Authorization", "Bearer \(recorded.staffToken)")]
            // The action in each state, its body and the next state. A final state permits none.
            let actions = [
                "placed": ("accept", "{}", "accepted"), "accepted": ("advance", #"{"state":"preparing"}"#, "preparing"),
                "preparing": ("advance", #"{"state":"on_the_way"}"#, "on_the_way"),
                "on_the_way": ("deliver", "{}", "delivered"),
            ]
            var expected: [String: String] = [:]
            for order in recorded.orders {
                let state = try #require(order.read["state"]?.text)
                if let pending = order.pending {
                    expected[order.number] = pending
                    continue
                }
                let (action, body, next) = actions[state] ?? ("accept", "{}", state)
                let reply = try await retryingWhileBusy {
                    try await shop.server.post(
                        "/v1/staff/orders/\(order.number)/\(action)", json: body, headers: staff)
                }
                #expect(reply.status == (actions[state] == nil ? 409 : 200), "\(order.number): \(reply.text)")
                expected[order.number] = next
            }
            #expect(Set(expected.values).count == 6)
            // The deliveries that were requested now are pending too.
            try await shop.database.psql("update pending_order_steps set execute_at = now()")
            try await eventually("each order has its next state") {
                let rows = try await Self.lines(shop.database, "select number, state from orders")
                let states = rows.map { $0.split(separator: "|").map(String.init) }
                return Dictionary(uniqueKeysWithValues: states.map { ($0[0], $0[1]) }) == expected
            }
            let rejected = recorded.orders.filter { $0.pending == "rejected" }.map { "'\($0.id)'" }
            let uses = "select count(*) from coupon_uses where order_id in (\(rejected.joined(separator: ", ")))"
            #expect(try await shop.database.psql(uses) == "0", "a pending rejection returns the coupon")
        }
    }

    @Test("After an upgrade a mail that the older server could not deliver is sent")
    func mails() async throws {
        try await MailServer.with { server in
            let mail = try #require(MailConfiguration.withoutDelays(port: server.port))
            try await TestDatabase.with(Self.older) { database async throws in
                try await Self.upgrade(database)
                // A mail is given up after a day.
                let orders = try await Self.lines(
                    database,
                    """
                    update order_mails set at = now(), due_at = now()
                    where state = 'placed' and sent_at is null and failed_at is null returning order_id
                    """)
                #expect(!orders.isEmpty)
                try await ShopFixture.with(on: database, mail: mail) { _ async throws in
                    let expected = Set(orders.map { "<\($0).placed@shop.example>" })
                    try await eventually("the mails arrive") {
                        try expected.isSubset(of: server.mails().map(\.messageID))
                    }
                }
            }
        }
    }
}

extension UpgradeTests {
    /// The lines that psql prints for a query of the owner.
    private static func lines(_ database: TestDatabase, _ query: String) async throws -> [String] {
        try await database.psql(query).split(separator: "\n").map(String.init)
    }

    /// A query for the rows of all tables as JSON, with the columns that the tables have now. It leaves out null
    /// members, so that a new attribute of a composite type makes no difference.
    private static func rowsQuery(_ database: TestDatabase) async throws -> String {
        let columns = try await lines(
            database,
            """
            select relname, attname from pg_class join pg_attribute on attrelid = pg_class.oid
            where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
            order by relname, attnum
            """)
        let names = columns.map { $0.split(separator: "|").map(String.init) }.filter {
            changedColumns[$0.joined(separator: ".")] == nil
        }
        let tables = Dictionary(grouping: names) { $0[0] }.sorted { $0.key < $1.key }
        return tables.map { table, columns in
            """
            select '\(table)', jsonb_strip_nulls(to_jsonb(stored))::text
            from (select \(columns.map { "\"\($0[1])\"" }.joined(separator: ", ")) from \(table)) as stored
            """
        }.joined(separator: "\nunion all\n") + "\norder by 1, 2"
    }

    private static let sequencesQuery =
        "select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1"

    /// The columns, the attributes of composite types with their positions, the functions that a role may execute with
    /// their results and the least number of arguments, and the privileges of the server and of staff.
    private static let factsQuery = """
        with relations as (
            select pg_class.oid as id, relkind as kind, relname, attname, attnum,
                format_type(atttypid, atttypmod) as type, attisdropped
            from pg_class join pg_attribute on attrelid = pg_class.oid
            where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'c') and attnum > 0
        ), roles as (
            select role from unnest(array['welms_server', 'welms_staff']) as role
        ), functions as (
            select pg_proc.oid as id, role, pronargs - pronargdefaults as arguments
            from pg_proc cross join roles
            where pronamespace = 'public'::regnamespace and has_function_privilege(role, pg_proc.oid, 'execute')
        )
        select format('column %s.%s %s', relname, attname, type) from relations where kind <> 'c' and not attisdropped
        union
        select format('attribute %s of %s: %s %s', attnum, relname, attname, type) from relations where kind = 'c'
        union
        select format('%s may %s %s.%s', role, privilege, relname, attname)
        from relations cross join roles cross join unnest(array['select', 'insert', 'update']) as privilege
        where kind <> 'c' and not attisdropped and has_column_privilege(role, id, attnum, privilege)
        union
        select format('%s may delete %s', role, relname) from relations cross join roles
        where kind <> 'c' and has_table_privilege(role, id, 'delete')
        union
        select format('%s may use %s', role, relname) from pg_class cross join roles
        where relnamespace = 'public'::regnamespace and relkind = 'S' and has_sequence_privilege(role, oid, 'usage')
        union
        select format('%s may execute %s', role, id::regprocedure) from functions
        union
        select format('%s returns %s for %s arguments', id::regprocedure, pg_get_function_result(id), arguments)
        from functions
        """
}

/// The requests to the older server, and its answers.
private struct RecordedShop: Decodable {
    struct Order: Decodable {
        /// The key and the body of the checkout.
        let key, form: String
        /// The answer of the checkout.
        let placed: JSON
        /// The order at the end, as its guest read it.
        let read: JSON
        /// The state of the step that is pending.
        let pending: String?

        var id: String { placed["id"]?.text ?? "" }
        var number: String { placed["number"]?.text ?? "" }
        var authorization: [(String, String)] {
            [("Authorization", "Bearer \(placed["accessToken"]?.text ?? "")")]
        }
    }

    let staffToken: String
    let baskets: [JSON]
    let orders: [Order]

    init(file: String) throws {
        self = try JSONDecoder().decode(RecordedShop.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
    }
}

/// A JSON value.
private enum JSON: Decodable, Hashable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case array([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let boolean = try? value.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let array = try? value.decode([JSON].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: JSON].self))
        }
    }

    init(_ bytes: [UInt8]) throws { self = try JSONDecoder().decode(JSON.self, from: Data(bytes)) }

    subscript(_ key: String) -> JSON? { if case .object(let members) = self { members[key] } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }

    /// The paths at which a newer value differs. New members are no difference.
    func differences(from newer: JSON, at path: String = "") -> [String] {
        switch (self, newer) {
        case (.object(let old), .object(let new)):
            old.sorted { $0.key < $1.key }.flatMap { name, value in
                new[name].map { value.differences(from: $0, at: "\(path)/\(name)") } ?? ["\(path)/\(name) is missing"]
            }
        case (.array(let old), .array(let new)) where old.count == new.count:
            zip(old, new).enumerated().flatMap { index, pair in
                pair.0.differences(from: pair.1, at: "\(path)/\(index)")
            }
        default: self == newer ? [] : ["\(path): \(self) became \(newer)"]
        }
    }
}
