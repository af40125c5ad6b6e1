// The audit rows of changes that staff make in SQL. Tests/WebTests/StaffRoleTests.swift covers changes by the routes.
import Database
import Ordering
import Support
import Testing

@Suite("Audit")
struct AuditTests {
    @Test("A change by psql writes one audit row per changed row, in the same transaction")
    func changes() async throws {
        try await ShopFixture.with { fixture async throws in
            let database = fixture.database
            let order = try #require(await fixture.placeOrder(by: Guest(1)).order)
            try await database.psql("insert into item_stock (menu_item_id, remaining) values (2001, 5)")
            try await Self.clearAudit(database)
            for (sql, row) in Self.changes {
                try await database.psqlAsStaff(sql.replacing("NUMBER", with: order.number))
                let written = try await Self.rows(database)
                #expect(written == row.replacing("NUMBER", with: order.number), "\(sql)")
                try await Self.clearAudit(database)
            }
            try await database.psqlAsStaff(
                """
                update menu_items set price = price + 1 where category_id = 400;
                update shop set tip_limit_percent = 20
                """)
            #expect(
                try await database.psql(
                    "select count(*), count(distinct subject), count(distinct xmin::text) from audit")
                    == "6|5|2")
        }
    }

    /// Statements that staff run in psql, and the audit row of each.
    private static let changes = [
        (
            "update menu_items set price = 849 where id = 2001",
            #"welms_staff||menu_items|2001|{"price": 805}|{"price": 849}|"#
        ),
        (
            "set welms.why = 'the oven is cold'; update shop set pause_reason = 'cold'",
            #"welms_staff||shop||{"pause_reason": null}|{"pause_reason": "cold"}|the oven is cold"#
        ),
        (
            "insert into delivery_areas (id, title, postcodes) values (7, 'Near', '{10115}')",
            """
            welms_staff||delivery_areas|7||{"id": 7, "title": "Near", "priority": 0, "is_active": true, \
            "postcodes": ["10115"], \
            "extra_minutes": 0, "minimum_subtotal": 0}|
            """
        ),
        (
            "delete from sales_group_items where menu_item_id = 1002",
            #"welms_staff||sales_group_items|400 1002|\#(inTheSet)||"#
        ),
        (
            "update coupons set is_listed = not is_listed where id = 3",
            #"welms_staff||coupons|3|{"is_listed": false}|{"is_listed": true}|"#
        ),
        (
            "update item_stock set remaining = 9 where menu_item_id = 2001",
            #"welms_staff||item_stock|2001|{"remaining": 5}|{"remaining": 9}|"#
        ),
        (
            "select advance_order('NUMBER', 'rejected', 'out of burgers')",
            #"welms_staff||orders|NUMBER|{"state": "placed"}|{"state": "rejected"}|out of burgers"#
        ),
        // Staff cannot claim another identity with a setting.
        (
            """
            set welms.member = 'Ann'; set welms.member_role = 'manager'; set welms.suppress_audit = 'yes'; \
            update menu_items set position = 9 where id = 2001
            """,
            #"welms_staff||menu_items|2001|{"position": 201}|{"position": 9}|"#
        ),
    ]
    private static let inTheSet =
        """
        {"position": 1, "quantity": 1, "menu_item_id": 1002, "menu_item_kind": "special", \
        "sales_group_id": 400, "sales_group_kind": "set"}
        """

    @Test("Rejected, rolled back and empty changes write no audit row, and neither do guests or pruning")
    func noAuditRow() async throws {
        try await ShopFixture.with { fixture async throws in
            let database = fixture.database
            try await database.psqlAsStaff(
                """
                insert into item_stock (menu_item_id, remaining) values (2001, 50);
                insert into option_stock (option_id, per_day) values (1203, 50);
                """)
            let before = try await database.psql("select count(*) from audit")
            for file in try SeedFile.shipped() { try await file.load(into: database.staffURL, logger: .silent) }
            for sql in [
                "begin; update menu_items set price = 1; rollback;",
                "update menu_items set price = price, title = title;",
                "begin; savepoint one; update shop set name = 'x'; rollback to one; commit;",
                "update coupons set key = key;",
                "update item_stock set remaining = remaining;", "delete from menu_items where id = 9;",
            ] { try await database.psqlAsStaff(sql) }
            for sql in [
                "update menu_items set price = -1", "delete from menu_items", "update shop set currency = 'XXX'",
                "update menu_items set price = 900 where id = 2001; select advance_order('00000000', 'accepted')",
            ] {
                await #expect(throws: PsqlFailed.self, "\(sql)") {
                    try await database.psqlAsStaff("begin; \(sql); commit;")
                }
            }
            let placed = try #require(await fixture.placeOrder(by: Guest(1)).order)
            _ = try await fixture.shop.orders.cancel(placed.id)
            _ = try await Pruning(url: database.serverURL, basketAge: .seconds(3600), logger: .silent).run()
            #expect(try await database.psql("select count(*) from audit") == before)
            #expect(try await database.psql("select count(*) from stock_movements where order_id is not null") == "2")
        }
    }

    @Test(
        "Changing the audit fails with a hint even for its owner, and pruning deletes rows older than two years")
    func appendOnly() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await database.psqlAsStaff("update menu_items set price = 849 where id = 2001")
            for sql in [
                "update audit set who = 'a'", "delete from audit", "delete from audit where what = 'menu_items'",
                "truncate audit",
            ] {
                let refusal = await #expect(throws: PsqlFailed.self, "\(sql)") {
                    try await database.psql("\\set VERBOSITY verbose\n\(sql)")
                }
                let output = refusal?.output ?? ""
                #expect(
                    output.contains("CONSTRAINT NAME:  audit_is_append_only\n") && output.contains("HINT:  "),
                    "\(sql): \(output)")
            }
            let count = try await database.psql("select count(*) from audit")
            try await database.psql(
                """
                insert into audit (id, at, who, what, after) overriding system value
                select day - 10, now() - interval '2 years' + day * interval '1 day', 'Ann', 'shop', '{}'
                from generate_series(-7000, 3) as day
                """)
            let outcome = try await Pruning(url: database.serverURL, basketAge: .seconds(3600), logger: .silent)
                .run()
            #expect(outcome?.deletedRows == [.audit: 7001])
            #expect(try await database.psql("select count(*) - \(count) from audit") == "3")
        }
    }

    @Test("Every table that staff may write has both audit triggers")
    func everyTable() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            let silent = try await database.psql(
                """
                select relname from pg_class
                where relnamespace = 'public'::regnamespace and relkind = 'r'
                  and (has_any_column_privilege('welms_staff', oid, 'insert, update')
                      or has_table_privilege('welms_staff', oid, 'delete') or relname = 'staff_members')
                  and (select count(*) from pg_trigger where tgrelid = pg_class.oid
                      and tgfoid in ('audit_change'::regproc, 'record_stock'::regproc)) < 2
                """)
            #expect(silent == "")
        }
    }

    private static func rows(_ database: TestDatabase) async throws -> String {
        try await database.psql("select who, role, what, subject, before, after, why from audit order by id")
    }

    private static func clearAudit(_ database: TestDatabase) async throws {
        try await database.psql(
            "alter table audit disable trigger all; truncate audit; alter table audit enable trigger all")
    }
}
