// The shipped menu, and the effects of loading a seed file into a running shop.
// Tests seed/*.sql and Sources/Database/Migrations/SeedFile.swift, and loading a file with psql.
@testable import Database
import Foundation
import Postgres
import Support
import Testing

@Suite struct SeedTests {
    /// Everything that a seed file may write.
    private static let tables = """
        select 'category', to_jsonb(categories) from categories
        union all select 'item', to_jsonb(menu_items) from menu_items
        union all select 'sale', to_jsonb(sales_groups) from sales_groups
        union all select 'entry', to_jsonb(sales_group_items) from sales_group_items
        union all select 'coupon', to_jsonb(coupons) - 'version' from coupons
        union all select 'group', to_jsonb(option_groups) from option_groups
        union all select 'option', to_jsonb(options) from options
        union all select 'groups', to_jsonb(menu_item_option_groups) from menu_item_option_groups
        union all select 'nested', to_jsonb(option_option_groups) from option_option_groups
        union all select 'translation', to_jsonb(translations) from translations order by 1, 2
        """

    private func load(into database: TestDatabase) async throws {
        for file in try SeedFile.shipped() { try await file.load(into: database.url, logger: .silent) }
    }

    @Test("When servers start together on an empty shop, one loads the menu and the others wait for its commit")
    func concurrentServers() async throws {
        try await TestDatabase.with(.migrated) { database in
            // Every server waits for this lock before the first can load.
            let holder = try await PostgresConnection.connect(database.url, logger: .silent)
            try await holder.run(script: "begin; lock table categories in share mode")
            let servers = (1...3).map { _ in
                Task { try await SeedFile.loadShippedIfEmpty(into: database.url, logger: .silent) }
            }
            try await eventually("all servers wait") {
                try await database.psql(
                    """
                    select count(*) from pg_stat_activity
                    where datname = current_database() and wait_event_type = 'Lock'
                    """) == "3"
            }
            try await holder.run(script: "commit")
            await holder.close()
            var loads = 0
            for server in servers where try await server.value { loads += 1 }
            #expect(loads == 1)
            #expect(try await database.psql("select count(*) from menu_items") == "21")
            #expect(try await SeedFile.loadShippedIfEmpty(into: database.url, logger: .silent) == false)
        }
    }

    @Test("The shipped menu has the specified items, prices and sale percentages")
    func prices() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            #expect(
                try await database.psql("select id, title, kind, price, sale_percent from menu_items order by id")
                    == """
                    1001|Grill Combo|regular|1699|
                    1002|Grandma Dinner|special|1999|10
                    1003|Cheese Peasy|special|2099|20
                    1004|Triospeciality|discount|2899|15
                    1005|Date Tonight|discount|2005|15
                    2001|The Big Tasty|regular|805|
                    2002|BBQ Burger|special|999|10
                    2003|Cheeseburger|discount|999|10
                    2004|Chickenburger|regular|918|
                    2005|Patty Melt|discount|918|10
                    3001|French Fries|regular|459|
                    3002|Village Fries|regular|459|
                    3003|Fried Potatoes|regular|559|
                    4001|Cola Soda|regular|285|
                    4002|Fanta Soda|regular|285|
                    4003|Apple Tea|regular|499|
                    4004|Orange Juice|discount|405|10
                    4005|Beer|regular|699|
                    5001|Tomato Sauce|regular|165|
                    5002|BBQ Sauce|regular|165|
                    5003|Mustard Sauce|regular|165|
                    """)
            #expect(
                try await database.psql("select id, title from categories order by id")
                    == "100|Combo\n200|Burgers\n300|Fries\n400|Beverages\n500|Sauces")
        }
    }

    @Test("The shipped sales groups and coupons are the specified ones")
    func salesAndCoupons() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            #expect(
                try await database.psql("select id, kind, title from sales_groups order by id") == """
                    100|information|Save our kids together
                    200|set|Happy Saturday
                    300|information|Birthday Especially
                    400|set|Hot Chicken Days
                    500|information|Step by step
                    """)
            #expect(
                try await database.psql(
                    "select sales_group_id, menu_item_id, quantity from sales_group_items order by 1, position")
                    == "200|2002|3\n400|1002|1\n400|1003|1")
            #expect(
                try await database.psql(
                    """
                    select key, benefit, percent, free_category_id, condition, guest_limit, guest_period
                    from coupons order by id
                    """) == """
                        FRST|percent|10||first_order|1|ever
                        LAST|percent|15||last_day_of_month||ever
                        FOLLOW|free_item||200|none|1|ever
                        HAPPY|percent|15||birthday|1|calendar_year
                        """)
        }
    }

    @Test("Every picture that the menu references is shipped")
    func pictures() async throws {
        let shipped = Set(try Resources.files(in: "seed/pictures", ending: ".svg").map { "/pictures/" + $0.name })
        try await TestDatabase.with(.seeded) { database async throws in
            let named = try await database.psql(
                """
                select image_url from menu_items union select image_url from categories
                union select preview_image_url from sales_groups union select background_image_url from sales_groups
                """)
            #expect(named.split(separator: "\n").map(String.init).filter { !shipped.contains($0) } == [])
        }
    }

    @Test("Loading the files a second time writes no row and no menu revision")
    func repeatedLoad() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            let rows = """
                select 'categories', sum(xmin::text::bigint) from categories
                union all select 'items', sum(xmin::text::bigint) from menu_items
                union all select 'sales', sum(xmin::text::bigint) from sales_groups
                union all select 'entries', sum(xmin::text::bigint) from sales_group_items
                union all select 'coupons', sum(xmin::text::bigint) from coupons
                union all select 'groups', sum(xmin::text::bigint) from option_groups
                union all select 'options', sum(xmin::text::bigint) from options
                union all select 'of', sum(xmin::text::bigint) from menu_item_option_groups
                union all select 'nested', sum(xmin::text::bigint) from option_option_groups
                union all select 'revision', revision from menu_revision
                """
            let before = try await database.psql(rows)
            try await load(into: database)
            #expect(try await database.psql(rows) == before)
        }
    }

    @Test("Loading a seed file overwrites changes made by hand")
    func overwritesManualChanges() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            let shipped = try await database.psql(Self.tables)
            try await database.psql(
                """
                update menu_items set price = 1, title = 'Cheap' where id = 2001;
                update menu_items set kind = 'special', sale_percent = 5 where id = 2003;
                delete from sales_group_items where sales_group_id = 400 and menu_item_id = 1003;
                insert into sales_groups (id, kind, title) values (600, 'set', 'By hand');
                insert into sales_group_items (sales_group_id, menu_item_id) values (600, 1003), (200, 2003);
                update sales_groups set headline = 'changed' where id = 100;
                update coupons set percent = 99, ends_at = now() where key = 'FRST';
                update categories set title = 'Changed' where id = 100;
                update menu_items set contains = '{fish}', diets = '{}', may_contain = '{}', allergens_are_known = false
                where id = 3001;
                update option_groups set minimum = 2, maximum = null where id = 11;
                update options set is_default = id = 1103, price = 100 where group_id = 11;
                update options set group_id = 12, diets = '{}' where id = 1301;
                delete from menu_item_option_groups where menu_item_id = 1001;
                insert into menu_item_option_groups (menu_item_id, group_id) values (3001, 12);
                update option_option_groups set position = 7 where option_id = 2101;
                insert into option_option_groups (option_id, group_id) values (2501, 31);
                """)
            try await load(into: database)
            try await database.psql(
                "alter table sales_groups disable trigger user; delete from sales_groups where id = 600")
            #expect(try await database.psql(Self.tables) == shipped)
        }
    }

    @Test("Loading keeps sold-out and retired marks, redemption counts, and the staff's own items and options")
    func keepsStaffData() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await database.psql(
                """
                update menu_items set is_available = false where id = 2001;
                update menu_items set is_retired = true where id = 3001;
                update sales_groups set is_retired = true where id = 400;
                update coupon_redemptions set redeemed = 7 from coupons where id = coupon_id and key = 'FRST';
                insert into menu_items (id, category_id, kind, title, description, price)
                values (20010, 200, 'regular', 'Our own', 'By hand.', 500);
                update options set is_available = false where id = 1201;
                update options set sold_out_until = '2999-01-01Z' where id = 1202;
                update options set is_retired = true where id = 1203;
                update option_groups set is_retired = true where id = 41;
                insert into option_groups (id, title) values (90, 'Our own');
                insert into options (id, group_id, title) values (9001, 90, 'By hand'), (9002, 12, 'By hand');
                insert into menu_item_option_groups (menu_item_id, group_id) values (3001, 90);
                insert into option_option_groups (option_id, group_id) values (1101, 90);
                insert into translations (subject, id, language, title) values ('options', 9001, 'de', 'Von Hand');
                update menu_items set minimum_age = 18 where id = 4005;
                """)
            let before = try await database.psql(Self.tables)
            try await load(into: database)
            #expect(try await database.psql(Self.tables) == before)
        }
    }

    @Test("psql -f FILE and the program load the same rows")
    func psqlLoadsTheSame() async throws {
        try await TestDatabase.with(.seeded) { loaded async throws in
            try await TestDatabase.with(.migrated) { database async throws in
                try await TemporaryDirectory.with { directory in
                    for file in try SeedFile.shipped() {
                        let path = "\(directory)/\(file.name)"
                        try file.sql.write(toFile: path, atomically: true, encoding: .utf8)
                        try await Psql.run(file: path, url: database.url)
                    }
                }
                let revision = "select revision from menu_revision"
                #expect(try await database.psql(Self.tables) == (try await loaded.psql(Self.tables)))
                #expect(try await database.psql(revision) == (try await loaded.psql(revision)))
            }
        }
    }

    @Test("Staff can load the shipped files with psql, as the file headers say, into a migrated database")
    func staffLoads() async throws {
        // This database is not a clone, because a clone does not have the database privileges of its template.
        try await TestDatabase.with { database async throws in
            try await Migrator(url: database.url, migrations: Migration.shipped(), logger: .silent).migrate()
            for file in try SeedFile.shipped() {
                try await Psql.run(file: "\(Repository.path)/seed/\(file.name)", url: database.staffURL)
            }
            #expect(try await database.psql("select count(*) from menu_items") == "21")
            #expect(try await database.psql("select count(*) from sales_groups") == "5")
            #expect(try await database.psql("select count(*) from options") == "44")
        }
    }

    @Test("A date without a time zone in a seed file is in the shop's zone, not in the database's")
    func datesInShopZone() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            let file = SeedFile(
                name: "ours.sql", sql: "update coupons set ends_at = '2026-12-24 18:00' where key = 'FRST'")
            try await file.load(into: database.url, logger: .silent)
            #expect(
                try await database.psql(
                    "select ends_at = '2026-12-24 18:00 America/New_York' from coupons where key = 'FRST'") == "t")
        }
    }

    @Test(
        "A price with a comma or a currency sign, or a forbidden change, fails with a hint",
        arguments: [
            ("update menu_items set price = '8,99' where id = 2001", "8.99 is 899"),
            ("update menu_items set price = '$8.99' where id = 2001", "8.99 is 899"),
            ("update orders set state = 'accepted'", "advance_order"),
        ])
    func rejectedWithHint(_ sql: String, _ hint: String) async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            let failure = await #expect(throws: SeedFile.Failure.self) {
                try await SeedFile(name: "ours.sql", sql: sql).load(into: database.staffURL, logger: .silent)
            }
            #expect(failure?.description.contains(hint) == true, "\(failure?.description ?? "")")
        }
    }

    @Test("A seed file with a mistake changes nothing, and the error has the file's name, the reason and the hint")
    func mistake() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            let before = try await database.psql(Self.tables)
            let file = SeedFile(
                name: "ours.sql",
                sql: """
                    begin; update menu_items set price = 1 where id = 2001; \
                    update menu_items set price = 16.99 where id = 1001; commit;
                    """)
            let failure = await #expect(throws: SeedFile.Failure.self) {
                try await file.load(into: database.url, logger: .silent)
            }
            #expect(failure?.description.contains("ours.sql") == true)
            #expect(failure?.description.contains("menu_item_price_in_range") == true)
            #expect(failure?.description.contains("16.99 is 1699") == true)
            #expect(try await database.psql(Self.tables) == before)
        }
    }

    @Test("A seed file that does not exist or is not UTF-8 fails with its name")
    func unreadable() async throws {
        let missing = #expect(throws: SeedFile.Failure.self) { try SeedFile.read("/nowhere/menu.sql") }
        #expect(missing?.description.contains("/nowhere/menu.sql") == true)
        try await TemporaryDirectory.with { directory in
            let path = "\(directory)/latin.sql"
            try Data([0x2D, 0x2D, 0xE9, 0x0A]).write(to: URL(fileURLWithPath: path))
            let latin = #expect(throws: SeedFile.Failure.self) { try SeedFile.read(path) }
            #expect(latin?.description.contains("not UTF-8") == true)
        }
    }
}
