// No value that a column accepts fails the requests of other guests. The tests write the extremes of each type to every
// column that staff may update, and then use the menu and checkouts. A row that cannot be read fails only the requests
// that need it.
import Ordering
import Postgres
import Support
import Testing

@testable import Shop

@Suite struct ExtremeColumnValuesTests {
    private struct Column: Sendable {
        let table: String
        let name: String
        let type: String
    }

    /// The row of each table that the tests change. Other guests order something else.
    private static let changedRows = [
        "shop": "true", "categories": "id = 300", "menu_items": "id = 3001", "sales_groups": "id = 400",
        "sales_group_items": "menu_item_id = 1003",
        "coupons": "id = 3", "option_groups": "id = 25", "options": "id = 2101",
        "item_stock": "menu_item_id = 3001", "option_stock": "option_id = 2101",
        "translations": "subject = 'menu_items' and id = 3001 and language = 'de'",
        "opening_hours": "id = 1000", "opening_exceptions": "id = 1000", "serving_hours": "id = 1000",
        "fulfilments": "fulfilment = 'pickup'",
        "delivery_areas": "id = 200", "delivery_fees": "area_id = 200", "tax_rates": "id = 70",
        "category_taxes": "id = 1000",
    ]

    /// Rows for the tables that the seed leaves empty. Other guests order in another delivery area, with another tax.
    private static let additionalRows = """
        insert into translations values ('menu_items', 3001, 'de', 'Pommes', null, 'Knusprig.');
        insert into item_stock (menu_item_id, remaining) values (3001, 500);
        insert into option_stock (option_id, remaining) values (2101, 500);
        insert into opening_hours (weekday, opens, closes, fulfilment)
            select day, '00:00', '24:00', 'delivery' from generate_series(1, 7) as day;
        insert into opening_hours (id, weekday, opens, closes, fulfilment) values (1000, 3, '18:00', '26:00', 'pickup');
        insert into opening_exceptions (id, date, opens, closes, fulfilment)
            values (1000, '2099-12-24', '10:00', '14:00', 'pickup');
        insert into serving_hours (id, menu_item_id, weekday, opens, closes) values (1000, 3001, 3, '08:00', '11:00');
        insert into delivery_areas (id, title, priority, postcodes)
            values (100, 'Near', 1, '{10115}'), (200, 'Far', 2, '{20*}');
        insert into delivery_fees (area_id, fee) values (100, 190), (200, 290);
        insert into tax_rates (id, title, percent) values (70, 'VAT', 7), (190, 'VAT', 19);
        insert into category_taxes (id, category_id, tax_rate_id) values (1000, 300, 70), (1001, 200, 190);
        """

    /// The tables that contain only the keys of two linked rows and a position.
    private static let linkTables: Set = ["menu_item_option_groups", "option_option_groups"]

    private static let valuesByType: [String: [String]] = [
        "timestamp with time zone": [
            "infinity", "-infinity", "294276-12-31 23:59:59.999999Z", "4713-01-01 00:00Z BC", "0001-01-01Z",
            "9999-12-31 23:59:59Z",
            "10000-01-01Z",
        ],
        "numeric": [
            "NaN", "Infinity", "-Infinity", "0", "1", "99", "100", "100000000", "1000000000", "9223372036854775807",
            "9223372036854775808",
            "1e1000",
            "0.5", "1.0", "1e-1000", "-1",
        ],
        "bigint": ["-9223372036854775808", "-1", "0", "1", "9223372036854775807"],
        "integer": ["-2147483648", "-1", "0", "2147483647"],
        "boolean": ["true", "false"],
        "date": [
            "infinity", "-infinity", "2000-01-01", "2199-12-31", "1999-12-31", "9999-12-31", "4713-01-01 BC",
            "5874897-12-31",
        ],
        "time without time zone": ["00:00", "24:00", "23:59:59.999999", "04:00"],
        "ARRAY": [
            "{}", "{a}", "{*}", "{10115}", "{a b-1*}", "[5:6]={a,b}", "[-3:-3]={a}", "{{a}}", "{NULL}", "{\"\"}",
        ],
        "text": ["", "x", "\u{1F355}\u{200D}\u{1F355}", "\\", "\"", "/"],
    ]

    /// Values that some text columns accept and others reject. They are skipped for a column that accepts any text.
    private static let words = [
        "https://x", "regular", "discount", "special", "set", "information", "none", "first_order", "last_day_of_month",
        "birthday", "ever",
        "calendar_year", "percent", "amount", "free_item", "FOLLOW", "ZZ", "JP", "XXX", "CLF", "Pacific/Kiritimati",
        "Asia/Kathmandu",
        "Pacific/Apia", "Factory", "delivery", "pickup", "00:00", "23:59", "24:00", "47:59",
    ]

    private static func long(_ text: String) -> [String] {
        [32, 100, 2000].map { String(repeating: text, count: $0) }
    }

    @Test(
        "With any value that a column accepts, the menu is read, and guests who order something else are served",
        arguments: changedRows.keys.sorted())
    func extremes(of table: String) async throws {
        try await ShopFixture.with { open async throws in
            let all = try await open.database.psql(
                """
                select distinct table_name, column_name, data_type from information_schema.column_privileges
                join information_schema.columns using (table_schema, table_name, column_name)
                where grantee = 'welms_staff' and privilege_type = 'UPDATE' and table_schema = 'public' order by 1, 2
                """
            ).split(separator: "\n").map { row in
                let fields = row.split(separator: "|").map(String.init)
                return Column(table: fields[0], name: fields[1], type: fields[2])
            }
            #expect(
                Set(all.map(\.table)) == Set(Self.changedRows.keys).union(Self.linkTables),
                "the test data name exactly the tables that staff may update")
            let row = try #require(Self.changedRows[table])
            // With another id, the condition would no longer find the row for the reset.
            let columns = all.filter { $0.table == table && ($0.name != "id" || row != "id = 1000") }
            _ = try await open.database.psql(Self.additionalRows)
            let staff = try await PostgresConnection.connect(open.database.staffURL, logger: .silent)
            var accepted: [String] = []
            for column in columns {
                let values = try #require(Self.valuesByType[column.type], "\(table).\(column.name) is \(column.type)")
                let texts = column.type == "text" ? Self.long("A") + Self.long("\u{1F355}") + Self.words : []
                var acceptsAnyWord = false
                let before = try await open.database.psql(
                    "select \(column.name) is null, \(column.name) from \(table) where \(row)")
                let old = before.hasPrefix("t|") ? "null" : "'\(before.dropFirst(2).replacing("'", with: "''"))'"
                for value in values + texts + ["null"] where !(acceptsAnyWord && Self.words.contains(value)) {
                    let literal = value == "null" ? "null" : "'\(value.replacing("'", with: "''"))'"
                    do {
                        try await staff.run(script: "update \(table) set \(column.name) = \(literal) where \(row)")
                    } catch {
                        continue
                    }
                    accepted.append("\(table).\(column.name)")
                    acceptsAnyWord = acceptsAnyWord || value == "x"
                    let name = "\(table).\(column.name) = \(value.prefix(40))"
                    do {
                        try await serve(open, name)
                        try await staff.run(script: "update \(table) set \(column.name) = \(old) where \(row)")
                    } catch {
                        Issue.record("\(name), or its reset to \(old): \(error)")
                    }
                }
            }
            await staff.close()
            #expect(Set(accepted).count >= columns.count / 2, "\(Set(accepted).count) of \(columns.count)")
        }
    }

    /// Checks that guests who do not use the changed row are served.
    private func serve(_ open: ShopFixture, _ change: String) async throws {
        let revision = try await open.storage.loadMenuRevision().revision
        do { _ = try await open.shop.menu.menu(atLeast: revision).menu } catch {
            Issue.record("\(change): the menu: \(error)")
            return
        }
        var drafts: [CheckoutDraft] = []
        for number in 0..<2 {
            drafts.append(try await open.makeDraft(open.makeBasket(), by: Guest(number), postcode: "10115"))
        }
        for (items, sale) in [([2001: 1], nil), ([3001: 99], 400)] as [([Int64: Int64], Int64?)] {
            // These checkouts use the changed row, so they may be rejected or fail.
            guard let basket = try? await open.makeBasket(items, sales: sale.map { [$0] } ?? []),
                let draft = try? await open.makeDraft(basket, by: Guest(9), coupon: "FOLLOW", postcode: "20001")
            else { continue }
            drafts.append(draft)
        }
        let all = drafts
        // A pause affects every guest.
        let mayPause = change.hasPrefix("shop.pause_until")
        let answers = try await runConcurrently(Array(all.indices.reversed())) { index -> (Int, Bool) in
            do throws(ShopFault) {
                let answer = try await open.shop.checkouts.submit(all[index])
                return (index, answer.isPlaced || mayPause && answer.errorCodes == [.shopPaused])
            } catch {
                return (index, false)
            }
        }
        for (index, isServed) in answers where index < 2 { #expect(isServed, "\(change)") }
    }

    @Test("A coupon that cannot be read fails the checkouts that use it, and not the rest of their batch")
    func unreadable() async throws {
        try await ShopFixture.with { open async throws in
            let drafts = try await runConcurrently(Array(0..<60)) {
                try await open.makeDraft(
                    open.makeBasket(), by: Guest($0), coupon: $0 % 3 == 0 ? "FOLLOW" : $0 % 3 == 1 ? "FRST" : nil)
            }
            // Disables the trigger that rejects this value.
            try await open.database.psql(
                """
                alter table coupons disable trigger explain_coupon;
                update coupons set ends_at = '294276-12-31' where key = 'FOLLOW'
                """)
            let answers = try await runConcurrently(drafts) { draft -> Bool? in
                do throws(ShopFault) { return try await open.shop.checkouts.submit(draft).isPlaced } catch {
                    guard case .failed(let reason) = error, reason.hasPrefix("undecodable result: ") else {
                        throw error
                    }
                    return nil
                }
            }
            #expect(answers == (0..<60).map { $0 % 3 == 0 ? nil : true })
        }
    }
}
