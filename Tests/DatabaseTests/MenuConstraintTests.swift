// Mistakes of staff in SQL. The intended constraint rejects each, with a hint that contains the correction.
// Tests sql/001_menu.sql and sql/002_coupons.sql on the shipped menu; OptionConstraintTests covers options and food.
import Support
import Testing

@Suite struct MenuConstraintTests {
    private static let item = "insert into menu_items (id, category_id, kind, title, description, price, sale_percent)"
    private static let coupon =
        "insert into coupons (id, key, title, description, benefit, percent, amount, free_category_id)"

    /// A statement, and the constraint that must reject it.
    private static let mistakes: [(sql: String, constraint: String)] = [
        // Menu items
        ("\(item) values (2009, 200, 'regular', 'New', 'New.', 16.99, null)", "menu_item_price_in_range"),
        ("\(item) values (2009, 200, 'regular', 'New', 'New.', 0, null)", "menu_item_price_in_range"),
        ("\(item) values (2009, 200, 'regular', 'New', 'New.', -5, null)", "menu_item_price_in_range"),
        ("\(item) values (2009, 200, 'regular', 'New', 'New.', 'NaN', null)", "menu_item_price_in_range"),
        ("update menu_items set price = price * 0.9 where id = 1001", "menu_item_price_in_range"),
        ("\(item) values (2009, 200, 'regular', 'New', 'New.', 500, 10)", "menu_item_kind_and_sale_percent_agree"),
        ("\(item) values (2009, 200, 'discount', 'New', 'New.', 500, null)", "menu_item_kind_and_sale_percent_agree"),
        ("\(item) values (2009, 200, 'sale', 'New', 'New.', 500, null)", "menu_item_kind_is_known"),
        ("\(item) values (2009, 200, null, 'New', 'New.', 500, null)", "menu_items_are_complete"),
        ("\(item) values (2009, 200, 'regular', 'New', 'New.', null, null)", "menu_items_are_complete"),
        ("\(item) values (null, 200, 'regular', 'New', 'New.', 500, null)", "menu_items_are_complete"),
        (
            "insert into menu_items (id, category_id, kind, title, price) values (2009, 200, 'regular', 'New', 500)",
            "menu_items_are_complete"
        ),
        ("update menu_items set is_available = null where id = 2003", "menu_items_are_complete"),
        ("\(item) values (2001, 200, 'regular', 'New', 'New.', 500, null)", "menu_items_pkey"),
        ("update menu_items set kind = 'regular' where id = 2003", "menu_item_kind_and_sale_percent_agree"),
        ("update menu_items set sale_percent = null where id = 2003", "menu_item_kind_and_sale_percent_agree"),
        ("\(item) values (2009, 200, 'discount', 'New', 'New.', 500, 100)", "menu_item_sale_percent_in_range"),
        ("\(item) values (2009, 200, 'discount', 'New', 'New.', 500, 0)", "menu_item_sale_percent_in_range"),
        ("\(item) values (2009, 200, 'discount', 'New', 'New.', 500, 12.5)", "menu_item_sale_percent_in_range"),
        ("update coupons set percent = 12.5 where key = 'LAST'", "coupon_percent_in_range"),
        ("\(item) values (2009, 200, 'sale', 'New', 'New.', 500, 10)", "menu_item_kind_is_known"),
        ("\(item) values (3009, 200, 'regular', 'New', 'New.', 500, null)", "menu_item_id_begins_with_category"),
        ("\(item) values (9009, 900, 'regular', 'New', 'New.', 500, null)", "menu_item_category_exists"),
        ("\(item) values (2009, 200, 'regular', '<b>New</b>', 'New.', 500, null)", "menu_item_title_is_plain_text"),
        ("\(item) values (2009, 200, 'regular', '', 'New.', 500, null)", "menu_item_title_is_plain_text"),
        ("\(item) values (2009, 200, 'regular', ' New', 'New.', 500, null)", "menu_item_title_is_plain_text"),
        ("update menu_items set title = E'\\u00A0' where id = 2001", "menu_item_title_is_plain_text"),
        ("update menu_items set title = E'\\u200B' where id = 2001", "menu_item_title_is_plain_text"),
        ("update menu_items set title = E'\\u202E' where id = 2001", "menu_item_title_is_plain_text"),
        ("update menu_items set title = E'\\u3164' where id = 2001", "menu_item_title_is_plain_text"),
        ("update menu_items set title = E'\\u200D\\u00A0' where id = 2001", "menu_item_title_is_plain_text"),
        ("update menu_items set title = E'Burger\\u2003' where id = 2001", "menu_item_title_is_plain_text"),
        ("update menu_items set title = E'Burger \\u202Ereversed' where id = 2001", "menu_item_title_is_plain_text"),
        ("update menu_items set description = E'two\\nlines' where id = 2001", "menu_item_description_is_plain_text"),
        ("update menu_items set image_url = 'javascript:alert(1)' where id = 2001", "menu_item_image_url_is_safe"),
        ("update menu_items set image_url = '//elsewhere/2001.png' where id = 2001", "menu_item_image_url_is_safe"),
        (
            "update menu_items set image_url = 'http://elsewhere/2001.png' where id = 2001",
            "menu_item_image_url_is_safe"
        ),
        ("update menu_items set photograph = 'burger.jpg' where id = 2001", "menu_item_photograph_exists"),
        ("update menu_items set tags = '{Very Hot}' where id = 2001", "menu_item_tags_are_valid"),
        ("update menu_items set tags = array[null] where id = 2001", "menu_item_tags_are_valid"),
        ("update categories set id = 250 where id = 200", "category_keeps_its_id"),
        ("update menu_items set id = 20010 where id = 2001", "menu_item_keeps_its_id"),
        ("delete from menu_items where id = 2001", "menu_items_are_retired"),
        ("truncate menu_items cascade", "menu_items_are_retired"),
        // Categories
        ("insert into categories (id, title) values (6, 'Desserts')", "category_id_has_three_digits"),
        ("insert into categories (id, title) values (600, '')", "category_title_is_plain_text"),
        ("insert into categories (id, title) values (100, 'New')", "categories_pkey"),
        ("insert into categories (id) values (600)", "categories_are_complete"),
        ("update categories set image_url = 'category.svg' where id = 100", "category_image_url_is_safe"),
        ("delete from categories where id = 200", "menu_item_category_exists"),
        // Sales
        ("insert into sales_group_items (sales_group_id, menu_item_id) values (200, 2003)", "set_items_are_special"),
        ("insert into sales_group_items (sales_group_id, menu_item_id) values (200, 9999)", "set_items_are_special"),
        ("insert into sales_group_items (sales_group_id, menu_item_id) values (100, 2002)", "only_a_set_has_items"),
        ("insert into sales_group_items (sales_group_id, menu_item_id) values (999, 2002)", "only_a_set_has_items"),
        (
            "insert into sales_group_items (sales_group_id, menu_item_id) values (400, 2002)",
            "item_is_in_one_sales_group"
        ),
        (
            """
            insert into menu_items (id, category_id, kind, title, description, price, sale_percent)
                select 200000 + n, 200, 'special', 'Burger ' || n, 'One of many.', 100, 10
                from generate_series(1, 98) as n;
            insert into sales_group_items (sales_group_id, menu_item_id)
            select 400, 200000 + n from generate_series(1, 98) as n
            """, "set_has_at_most_99_items"
        ),
        ("insert into sales_group_items (sales_group_id, menu_item_id) values (200, 2002)", "sales_group_items_pkey"),
        ("update sales_group_items set quantity = 0 where menu_item_id = 2002", "sales_group_item_quantity_in_range"),
        ("update sales_group_items set quantity = 100 where menu_item_id = 2002", "sales_group_item_quantity_in_range"),
        ("update sales_group_items set quantity = 2.5 where menu_item_id = 2002", "sales_group_item_quantity_in_range"),
        ("update menu_items set kind = 'discount' where id = 2002", "set_items_are_special"),
        ("update sales_groups set kind = 'information' where id = 200", "only_a_set_has_items"),
        ("update sales_groups set kind = 'bundle' where id = 100", "sales_group_kind_is_known"),
        ("update sales_groups set title = '<i>Sale</i>' where id = 100", "sales_group_title_is_plain_text"),
        ("update sales_groups set preview_image_url = 'x.png' where id = 100", "sales_group_image_urls_are_safe"),
        ("insert into sales_groups (id, kind, title) values (100, 'set', 'New')", "sales_groups_pkey"),
        ("update sales_groups set headline = null where id = 100", "sales_groups_are_complete"),
        (
            "insert into sales_group_items (sales_group_id, menu_item_id, quantity) values (200, 1002, null)",
            "sales_group_items_are_complete"
        ),
        ("update sales_groups set id = 900 where id = 100", "sales_group_keeps_its_id"),
        ("delete from sales_groups where id = 100", "sales_groups_are_retired"),
        ("truncate sales_groups cascade", "sales_groups_are_retired"),
        // Coupons
        ("\(coupon) values (9, 'New', 'New', 'New.', 'percent', 10, null, null)", "coupon_key_is_valid"),
        ("\(coupon) values (1, 'NEW', 'New', 'New.', 'percent', 10, null, null)", "coupons_pkey"),
        ("\(coupon) values (9, null, 'New', 'New.', 'percent', 10, null, null)", "coupons_are_complete"),
        ("update coupons set guest_period = null where id = 1", "coupons_are_complete"),
        ("\(coupon) values (9, 'FRST', 'New', 'New.', 'percent', 10, null, null)", "coupon_key_is_unique"),
        ("\(coupon) values (9, 'NEW', 'New', 'New.', 'percent', null, 10, null)", "coupon_has_one_benefit"),
        ("\(coupon) values (9, 'NEW', 'New', 'New.', 'percent', 10, 500, null)", "coupon_has_one_benefit"),
        ("\(coupon) values (9, 'NEW', 'New', 'New.', 'present', 10, null, null)", "coupon_has_one_benefit"),
        ("\(coupon) values (9, 'NEW', 'New', 'New.', 'percent', 101, null, null)", "coupon_percent_in_range"),
        ("\(coupon) values (9, 'NEW', 'New', 'New.', 'amount', null, 5.50, null)", "coupon_amounts_in_range"),
        ("\(coupon) values (9, 'NEW', 'New', 'New.', 'free_item', null, null, 900)", "coupon_free_category_exists"),
        ("update coupons set minimum_subtotal = 19.99 where key = 'FRST'", "coupon_amounts_in_range"),
        (
            "update coupons set starts_at = '2027-02-01', ends_at = '2027-01-01' where key = 'FRST'",
            "coupon_starts_before_it_ends"
        ),
        ("update coupons set ends_at = '294276-12-31' where key = 'FRST'", "coupon_times_in_range"),
        ("update coupons set starts_at = '0044-03-15 BC' where key = 'FRST'", "coupon_times_in_range"),
        ("\(coupon) values (0, 'NEW', 'New', 'New.', 'percent', 10, null, null)", "coupon_id_is_positive"),
        ("update coupons set condition = 'sunday' where key = 'FRST'", "coupon_condition_is_known"),
        ("update coupons set guest_limit = 0 where key = 'FRST'", "coupon_guest_limit_in_range"),
        ("update coupons set guest_limit = 1.5 where key = 'FRST'", "coupon_guest_limit_in_range"),
        ("update coupons set redemption_limit = 2.5 where key = 'FRST'", "coupon_redemption_limit_is_whole"),
        ("update coupons set redemption_limit = -1 where key = 'FRST'", "coupon_redemption_limit_is_whole"),
        ("update coupons set guest_period = 'month' where key = 'FRST'", "coupon_guest_period_is_known"),
        (
            "update coupon_redemptions set redeemed = 5; update coupons set redemption_limit = 4 where key = 'FRST'",
            "coupon_redemptions_within_limit"
        ),
        ("update coupons set id = 9 where key = 'FRST'", "coupon_keeps_its_id"),
        ("update coupon_redemptions set redeemed = 1; delete from coupons", "redeemed_coupons_are_not_deleted"),
        ("truncate coupons", "redeemed_coupons_are_not_deleted"),
        // The shop
        ("update shop set time_zone = 'New York'", "shop_time_zone_is_known"),
        ("update shop set time_zone = 'posixrules'", "shop_time_zone_works_in_browsers"),
        ("update shop set time_zone = 'localtime'", "shop_time_zone_works_in_browsers"),
        ("update shop set time_zone = 'Factory'", "shop_time_zone_works_in_browsers"),
        ("update shop set time_zone = 'posix/Europe/Berlin'", "shop_time_zone_works_in_browsers"),
        ("update shop set time_zone = 'right/UTC'", "shop_time_zone_works_in_browsers"),
        ("update shop set currency = 'usd'", "shop_currency_is_an_iso_4217_code"),
        ("update shop set currency = 'dollars'", "shop_currency_is_an_iso_4217_code"),
        ("update shop set default_country = 'usa'", "shop_country_is_an_iso_3166_code"),
        ("update shop set currency = 'XXX'", "shop_currency_is_an_iso_4217_code"),
        ("update shop set currency = 'XTS'", "shop_currency_is_an_iso_4217_code"),
        ("update shop set default_country = 'ZZ'", "shop_country_is_an_iso_3166_code"),
        ("update shop set tip_limit_percent = -1", "shop_tip_limit_in_range"),
        ("update shop set tip_limit_percent = 1001", "shop_tip_limit_in_range"),
        ("update shop set tip_limit_percent = 12.5", "shop_tip_limit_in_range"),
        ("update shop set tip_limit_percent = 'NaN'", "shop_tip_limit_in_range"),
        ("update shop set tip_limit_percent = null", "shop_are_complete"),
        ("update shop set name = null", "shop_are_complete"),
        ("update shop set business_day_start = null", "shop_are_complete"),
        ("update shop set business_day_start = '24:00'", "shop_business_day_starts_at_a_minute"),
        ("update shop set business_day_start = '04:00:30'", "shop_business_day_starts_at_a_minute"),
        ("update shop set languages = '{}'", "shop_languages_are_tags"),
        ("update shop set languages = '{en,de,en}'", "shop_languages_are_tags"),
        ("update shop set languages = '{English}'", "shop_languages_are_tags"),
        ("update shop set languages = '{de_AT}'", "shop_languages_are_tags"),
        ("update shop set languages = '{{en,de}}'", "shop_languages_are_tags"),
        ("update shop set languages = array[null]", "shop_languages_are_tags"),
        ("insert into shop (name) values ('a')", "shop_is_one_row"),
        ("insert into shop (only_row) values (false)", "shop_only_row_is_true"),
        ("delete from shop", "shop_is_not_deleted"),
        ("delete from menu_revision", "menu_revision_is_not_deleted"),
    ]

    @Test("Every mistake is rejected by the intended constraint, with a hint")
    func mistakes() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await database.expectViolations(Self.mistakes)
        }
    }

    @Test("The error about one row of a long file contains the row's id")
    func rowID() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            let refusal = await #expect(throws: PsqlFailed.self) {
                try await database.psql("update menu_items set price = price + 0.5 where category_id = 500")
            }
            #expect(refusal?.output.contains("(id 5001)") == true)
        }
    }

    @Test("Each check names its own constraint in its message and has a hint")
    func constraintNames() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            let wrongNames = try await database.psql(
                """
                select conname from pg_constraint
                where contype = 'c' and pg_get_constraintdef(oid) like '%check_with_hint(%'
                  and pg_get_constraintdef(oid) not like '%''' || conname || '''%'
                """)
            #expect(wrongNames == "")
            let withoutHint = try await database.psql(
                """
                select conrelid::regclass || '.' || conname from pg_constraint
                where contype = 'c' and conrelid in (
                        'shop'::regclass, 'categories'::regclass, 'menu_items'::regclass, 'sales_groups'::regclass,
                        'sales_group_items'::regclass, 'coupons'::regclass, 'option_groups'::regclass,
                        'options'::regclass,
                        'translations'::regclass)
                    and pg_get_constraintdef(oid) not like '%check_with_hint(%'
                """)
            #expect(withoutHint == "", "every constraint on tables of staff has a hint")
        }
    }

    @Test("Every valid change succeeds and increments the menu revision once per transaction")
    func validChanges() async throws {
        let changes = [
            "update menu_items set is_retired = true where id = 2001",
            "update menu_items set is_available = false where id = 2003",
            "update menu_items set price = 1799 where id = 1001",
            "update sales_groups set is_retired = true where id = 400",
            "update coupons set ends_at = now() where key = 'FRST'", "delete from coupons where key = 'LAST'",
            "delete from sales_group_items where sales_group_id = 200",
            "update menu_items set kind = 'regular', sale_percent = null where id = 2002",
            "\(Self.item) values (20010, 200, 'special', 'O''Brien & Söhne', '100 % “beef”', 1, 99)",
            "insert into sales_group_items (sales_group_id, menu_item_id, quantity) values (200, 20010, 99)",
            "update shop set time_zone = 'Europe/Berlin'", "update shop set currency = 'EUR', default_country = 'DE'",
            "update shop set tip_limit_percent = 0", "update shop set tip_limit_percent = 1000",
            "update shop set business_day_start = '00:00'",
            "update shop set languages = '{pt-BR,en,zh-Hant-TW,es-419}'",
            // A family joined with zero-width joiners, a heart with a variation selector, and a title in Hebrew.
            "update menu_items set title = E'Family \\U0001F468\\u200D\\U0001F469\\u200D\\U0001F467' where id = 2001",
            "update menu_items set title = E'\\u2764\\uFE0F' where id = 2001",
            "update menu_items set title = 'שווארמה' where id = 2001",
            """
            prepare rename as insert into categories (id, title) values (200, $1)
            on conflict (id) do update set title = excluded.title;
            execute rename('Buns')
            """,
            """
            insert into categories (id, title) values (100, 'Combos')
            on conflict (id) do update set title = excluded.title
            """,
        ]
        try await TestDatabase.with(.seeded) { database async throws in
            let revision = Int(try await database.psql("select revision from menu_revision")) ?? 0
            for change in changes { try await database.psql(change) }
            #expect(
                try await database.psql("select revision from menu_revision") == "\(revision + changes.count)",
                "each change increments the revision")
            try await database.psql(
                "begin; update menu_items set price = price + 1; update coupons set title = 'New' where id = 1; commit")
            #expect(
                try await database.psql("select revision from menu_revision") == "\(revision + changes.count + 1)",
                "one transaction increments the revision once")
            try await database.psql("update coupon_redemptions set redeemed = redeemed + 1")
            #expect(
                try await database.psql("select revision from menu_revision") == "\(revision + changes.count + 1)",
                "a redemption does not")
        }
    }
}
