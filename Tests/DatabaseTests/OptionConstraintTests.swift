// Mistakes of staff with options, food information and translations. The intended constraint rejects each, with a hint.
// Tests sql/012_options.sql, sql/013_food.sql and sql/014_translations.sql; OptionTreeTests covers cycles and levels.
import Support
import Testing

@Suite struct OptionConstraintTests {
    private static let groups: [ConstraintViolation] = [
        ("insert into option_groups (id, title) values (11, 'New')", "option_groups_pkey"),
        ("insert into option_groups (id, title) values (0, 'New')", "option_group_id_is_positive"),
        ("insert into option_groups (id) values (90)", "option_groups_are_complete"),
        ("insert into option_groups (title) values ('New')", "option_groups_are_complete"),
        ("update option_groups set minimum = null where id = 11", "option_groups_are_complete"),
        ("update option_groups set title = '' where id = 11", "option_group_title_is_plain_text"),
        ("update option_groups set title = '<b>Extras</b>' where id = 11", "option_group_title_is_plain_text"),
        ("update option_groups set title = repeat('a', 101) where id = 11", "option_group_title_is_plain_text"),
        ("update option_groups set minimum = -1 where id = 12", "option_group_minimum_in_range"),
        ("update option_groups set minimum = 100, maximum = null where id = 12", "option_group_minimum_in_range"),
        ("update option_groups set minimum = 0.5 where id = 12", "option_group_minimum_in_range"),
        ("update option_groups set maximum = 0 where id = 12", "option_group_maximum_in_range"),
        ("update option_groups set maximum = 1 where id = 22", "option_group_maximum_in_range"),
        ("update option_groups set maximum = 2.5 where id = 12", "option_group_maximum_in_range"),
        ("update option_groups set maximum = 'NaN' where id = 12", "option_group_maximum_in_range"),
        ("update option_groups set maximum = 9901 where id = 12", "option_group_maximum_in_range"),
        ("update option_groups set included = -1 where id = 12", "option_group_included_in_range"),
        ("update option_groups set included = 100 where id = 12", "option_group_included_in_range"),
        ("update option_groups set included = 1.5 where id = 12", "option_group_included_in_range"),
        ("update option_groups set id = 90 where id = 11", "option_group_keeps_its_id"),
        ("delete from option_groups where id = 11", "option_groups_are_retired"),
        ("truncate option_groups cascade", "option_groups_are_retired"),
    ]
    private static let option = "insert into options (id, group_id, title, price, maximum)"
    private static let options: [ConstraintViolation] = [
        ("\(option) values (1101, 11, 'New', 0, 1)", "options_pkey"),
        ("\(option) values (0, 11, 'New', 0, 1)", "option_id_is_positive"),
        ("\(option) values (9001, null, 'New', 0, 1)", "options_are_complete"),
        ("\(option) values (9001, 11, null, 0, 1)", "options_are_complete"),
        ("update options set is_default = null where id = 1101", "options_are_complete"),
        ("\(option) values (9001, 99, 'New', 0, 1)", "option_has_a_group"),
        ("update options set group_id = 99 where id = 1101", "option_has_a_group"),
        ("\(option) values (9001, 11, ' New', 0, 1)", "option_title_is_plain_text"),
        ("\(option) values (9001, 11, 'New', 0.95, 1)", "option_price_in_range"),
        ("\(option) values (9001, 11, 'New', 100000001, 1)", "option_price_in_range"),
        ("\(option) values (9001, 11, 'New', -100000001, 1)", "option_price_in_range"),
        ("\(option) values (9001, 11, 'New', 'NaN', 1)", "option_price_in_range"),
        ("\(option) values (9001, 11, 'New', 0, 0)", "option_maximum_in_range"),
        ("\(option) values (9001, 11, 'New', 0, 100)", "option_maximum_in_range"),
        ("\(option) values (9001, 11, 'New', 0, 1.5)", "option_maximum_in_range"),
        ("update options set id = 9001 where id = 1101", "option_keeps_its_id"),
        ("delete from options where id = 1101", "options_are_retired"),
        ("truncate options cascade", "options_are_retired"),
        // More defaults than the group's maximum: two of one, and three of two.
        ("update options set is_default = true where id = 1101", "option_defaults_are_possible"),
        (
            "\(option) values (9001, 11, 'New', 0, 1); update options set is_default = true where id = 9001",
            "option_defaults_are_possible"
        ),
        (
            "insert into options (id, group_id, title, is_default) values (9001, 11, 'New', true)",
            "option_defaults_are_possible"
        ),
        ("update options set group_id = 11 where id = 2101", "option_defaults_are_possible"),
        ("update option_groups set maximum = 2 where id = 26", "option_defaults_are_possible"),
        (
            """
            update options set is_retired = true where id = 1102; update options set is_default = true where id = 1103;
            update options set is_retired = false where id = 1102
            """, "option_defaults_are_possible"
        ),
        ("\(option) select 9000 + n, 11, 'New', 0, 1 from generate_series(1, 98) as n", "options_within_limit"),
        (
            """
            insert into options (id, group_id, title, is_retired)
            select 9000 + n, 11, 'Old', true from generate_series(1, 98) as n;
            update options set is_retired = false where id > 9000
            """, "options_within_limit"
        ),
        (
            """
            insert into option_groups (id, title) values (90, 'New');
            \(option) select 9000 + n, 90, 'New', 0, 1 from generate_series(1, 98) as n;
            update options set group_id = 11 where id > 9000
            """, "options_within_limit"
        ),
    ]
    private static let manyGroups = """
        insert into option_groups (id, title) select 900 + n, 'New' from generate_series(1, 21) as n
        """
    private static let attachments: [ConstraintViolation] = [
        (
            """
            insert into option_groups (id, title) select 900 + n, 'New' from generate_series(1, 3) as n;
            \(option) select 9000 + 100 * n + m, 900 + n, 'New', 0, 1
            from generate_series(1, 3) as n, generate_series(0, 79) as m;
            insert into option_option_groups (option_id, group_id)
            select 9100 + m, 902 from generate_series(0, 63) as m;
            insert into menu_item_option_groups (menu_item_id, group_id) values (3001, 901);
            """, "option_trees_within_limit"
        ),
        (
            "insert into menu_item_option_groups (menu_item_id, group_id) values (2001, 11)",
            "menu_item_option_groups_pkey"
        ),
        ("insert into menu_item_option_groups (menu_item_id, group_id) values (9999, 11)", "item_with_groups_exists"),
        ("insert into menu_item_option_groups (menu_item_id, group_id) values (2001, 99)", "group_of_item_exists"),
        ("insert into menu_item_option_groups (menu_item_id) values (2001)", "menu_item_option_groups_are_complete"),
        ("update menu_item_option_groups set position = null", "menu_item_option_groups_are_complete"),
        ("insert into option_option_groups (option_id, group_id) values (2101, 23)", "option_option_groups_pkey"),
        ("insert into option_option_groups (option_id, group_id) values (9999, 11)", "option_with_groups_exists"),
        ("insert into option_option_groups (option_id, group_id) values (1101, 99)", "group_of_option_exists"),
        ("insert into option_option_groups (group_id) values (11)", "option_option_groups_are_complete"),
        (
            """
            \(manyGroups);
            insert into menu_item_option_groups (menu_item_id, group_id)
            select 3001, 900 + n from generate_series(1, 21) as n
            """,
            "option_groups_within_limit"
        ),
        (
            """
            \(manyGroups);
            insert into option_option_groups (option_id, group_id) select 1201, 900 + n from generate_series(1, 21) as n
            """,
            "option_groups_within_limit"
        ),
        (
            """
            \(manyGroups);
            insert into menu_item_option_groups (menu_item_id, group_id)
            select 3001, 900 + n from generate_series(1, 20) as n;
            insert into menu_item_option_groups (menu_item_id, group_id) values (5001, 921);
            update menu_item_option_groups set menu_item_id = 3001 where menu_item_id = 5001
            """, "option_groups_within_limit"
        ),
    ]
    /// A change of a row, and the constraint of both tables that must reject it.
    private static let food: [(change: String, constraint: String)] = [
        ("contains = '{cheese}'", "food_contains_allergens"), ("contains = '{soya,soya}'", "food_contains_allergens"),
        ("contains = array[null]", "food_contains_allergens"),
        ("contains = '{{fish,lupin}}'", "food_contains_allergens"),
        ("may_contain = '{Milk}'", "food_may_contain_allergens"),
        ("may_contain = '{nuts,nuts}'", "food_may_contain_allergens"),
        ("contains = '{nuts,soya}', may_contain = '{peanuts,soya}'", "food_contains_or_may_contain"),
        ("diets = '{paleo}'", "food_diets_are_known"), ("diets = '{halal,halal}'", "food_diets_are_known"),
        ("diets = '{vegan}', contains = '{milk}'", "vegan_food_contains_no_animal_allergens"),
        ("diets = '{vegan}', contains = '{eggs}'", "vegan_food_contains_no_animal_allergens"),
        ("diets = '{vegan}', contains = '{fish}'", "vegan_food_contains_no_animal_allergens"),
        ("diets = '{vegan}', contains = '{crustaceans}'", "vegan_food_contains_no_animal_allergens"),
        ("diets = '{vegan}', contains = '{nuts,molluscs}'", "vegan_food_contains_no_animal_allergens"),
        ("diets = '{vegetarian}', contains = '{fish}'", "vegetarian_food_contains_no_fish"),
        ("diets = '{vegetarian}', contains = '{crustaceans}'", "vegetarian_food_contains_no_fish"),
        ("diets = '{vegetarian}', contains = '{molluscs}'", "vegetarian_food_contains_no_fish"),
        ("diets = '{gluten_free}', contains = '{gluten}'", "gluten_free_food_contains_no_gluten"),
        ("diets = '{lactose_free}', contains = '{milk}'", "lactose_free_food_contains_no_milk"),
        ("minimum_age = 0", "food_minimum_age_in_range"), ("minimum_age = 100", "food_minimum_age_in_range"),
        ("minimum_age = 18.5", "food_minimum_age_in_range"),
        ("kilojoules = -1", "food_energy_in_range"), ("kilojoules = 1000001", "food_energy_in_range"),
        ("kilocalories = 12.5", "food_energy_in_range"),
        ("fat = 12.5", "food_nutrients_in_range"), ("saturates = -1", "food_nutrients_in_range"),
        ("carbohydrate = 10000001", "food_nutrients_in_range"), ("sugars = 0.1", "food_nutrients_in_range"),
        ("protein = 'NaN'", "food_nutrients_in_range"), ("salt = 1.2", "food_nutrients_in_range"),
        ("fat = 100, saturates = 101", "food_parts_within_their_whole"),
        ("carbohydrate = 0, sugars = 1", "food_parts_within_their_whole"),
    ]
    private static let translation = "insert into translations (subject, id, language, title)"
    private static let description = "insert into translations (subject, id, language, description)"
    private static let translations: [ConstraintViolation] = [
        ("\(translation) values ('menu', 2001, 'de', 'Neu')", "translation_subject_is_known"),
        ("\(translation) values ('menu_items', 9999, 'de', 'Neu')", "translation_has_a_subject"),
        ("\(translation) values ('totals', 2, 'fr', 'Remise')", "translation_has_a_subject"),
        ("\(translation) values ('options', 2001, 'de', 'Neu')", "translation_has_a_subject"),
        ("\(translation) values ('menu_items', 2001, 'German', 'Neu')", "translation_language_is_a_tag"),
        ("\(translation) values ('menu_items', 2001, 'de_AT', 'Neu')", "translation_language_is_a_tag"),
        ("\(translation) values ('menu_items', 2001, null, 'Neu')", "translations_are_complete"),
        ("\(translation) values ('menu_items', 2001, 'de', null)", "translation_is_not_empty"),
        ("\(translation) values ('menu_items', 2001, 'de', '<b>Neu</b>')", "translation_title_is_plain_text"),
        (
            "insert into translations (subject, id, language, headline) values ('menu_items', 2001, 'de', 'Neu')",
            "translation_headline_is_for_sales_groups"
        ),
        (
            "insert into translations (subject, id, language, headline) values ('sales_groups', 100, 'de', ' Neu')",
            "translation_headline_is_plain_text"
        ),
        (
            "insert into translations (subject, id, language, description) values ('sales_groups', 100, 'de', '')",
            "translation_description_is_plain_text"
        ),
        (
            "\(description) values ('menu_items', 2001, 'de', repeat('x', 1001))",
            "translation_description_is_plain_text"
        ),
        ("\(description) values ('coupons', 1, 'de', repeat('x', 1001))", "translation_description_is_plain_text"),
        (
            "\(description) values ('sales_groups', 100, 'de', repeat('x', 2001))",
            "translation_description_is_plain_text"
        ),
        ("\(description) values ('options', 1201, 'de', 'Käse')", "translation_description_is_supported"),
        ("\(description) values ('shop_texts', 1, 'de', repeat('x', 2001))", "translation_description_is_plain_text"),
        ("\(description) values ('shop_texts', 2, 'de', repeat('x', 8001))", "translation_description_is_plain_text"),
        ("\(description) values ('shop_texts', 3, 'de', 'Neu')", "translation_has_a_subject"),
        ("\(translation) values ('shop_texts', 1, 'de', 'Impressum')", "translation_of_shop_text_has_no_title"),
        ("\(translation) values ('categories', 100, 'de', repeat('x', 61))", "translation_title_is_plain_text"),
        ("\(translation) values ('tax_rates', 9, 'de', 'MwSt.')", "translation_has_a_subject"),
        ("\(translation) values ('delivery_areas', 9, 'de', 'Mitte')", "translation_has_a_subject"),
        (
            """
            \(translation) values ('menu_items', 2001, 'pt-BR', 'A');
            \(translation) values ('menu_items', 2001, 'pt-BR', 'B')
            """,
            "translations_pkey"
        ),
    ]

    @Test("Every mistake with option groups, options and their positions is rejected by its constraint, with a hint")
    func mistakes() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await database.expectViolations(Self.groups + Self.options + Self.attachments)
        }
    }

    @Test("Contradictory or impossible food information is rejected, for items and for options")
    func foodMistakes() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            // The rows contain no food information at the start.
            try await database.psql(
                """
                update menu_items set contains = '{}', may_contain = '{}', diets = '{}';
                update options set contains = '{}', may_contain = '{}', diets = '{}'
                """)
            try await database.expectViolations(
                Self.food.flatMap { change, constraint in
                    ["menu_items": 2001, "options": 1201].map {
                        ("update \($0) set \(change) where id = \($1)", constraint)
                    }
                })
        }
    }

    @Test("A translation without a subject, without text or with mark-up is rejected")
    func translationMistakes() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await database.expectViolations(Self.translations)
        }
    }

    @Test("The error about one row of many contains the row's id")
    func rowID() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            for (sql, id) in [
                ("update options set price = price + 0.5 where group_id = 12", "1201"),
                ("update options set diets = '{vegan}' where group_id = 12", "1201"),
            ] {
                let refusal = await #expect(throws: PsqlFailed.self) { try await database.psql(sql) }
                #expect(refusal?.output.contains("(id \(id))") == true, "\(refusal?.output ?? "")")
            }
        }
    }

    @Test(
        "Every valid change of options, food information and translations succeeds and increments the menu revision"
    )
    func validChanges() async throws {
        let changes = [
            "insert into option_groups (id, title) values (90, 'New')",
            "insert into options (id, group_id, title) values (9001, 90, 'New')",
            "insert into options (id, group_id, title, price, maximum) values (9002, 90, 'Cheaper', -50, 99)",
            "insert into menu_item_option_groups (menu_item_id, group_id) values (3001, 90)",
            "insert into option_option_groups (option_id, group_id) values (9001, 23)",
            // One default replaces the other, in either order of the updates.
            "update options set is_default = id = 1103 where group_id = 11",
            """
            begin; update options set is_default = true where id = 1101; \
            update options set is_default = false where id = 1103; commit
            """,
            "update option_groups set maximum = null, included = 99, minimum = 99 where id = 26",
            "update options set is_available = false where id = 1201",
            "update options set sold_out_until = now() + interval '1 hour' where id = 1202",
            "update options set is_retired = true where id = 1203",
            "update option_groups set is_retired = true where id = 13",
            "delete from menu_item_option_groups where group_id = 13",
            "delete from option_option_groups where option_id = 9001",
            "update menu_item_option_groups set position = 9 where group_id = 12",
            // Vegan food may have traces of milk, and an allergen may be known while the others are unknown.
            "update menu_items set diets = '{vegan}', may_contain = '{milk}' where id = 3001",
            """
            update menu_items set contains = '{fish}', may_contain = '{}', allergens_are_known = false
            where id = 2001
            """,
            """
            update options set kilojoules = 1234, kilocalories = 295, fat = 12500, saturates = 12500, carbohydrate = 0,
                sugars = 0, protein = 1, salt = 10000000
            where id = 1201
            """,
            "update menu_items set minimum_age = 18 where id = 4005",
            "\(Self.translation) values ('menu_items', 2001, 'de', 'Der Große'), ('options', 1201, 'zh-Hant', '起司')",
            "\(Self.description) values ('shop_texts', 1, 'de', repeat('x', 2000))",
            "\(Self.description) values ('shop_texts', 2, 'de', repeat('x', 8000))",
            "update translations set description = 'Groß.' where id = 2001", "delete from translations where id = 1201",
        ]
        try await TestDatabase.with(.seeded) { database async throws in
            let revision = Int(try await database.psql("select revision from menu_revision")) ?? 0
            for change in changes { try await database.psqlAsStaff(change) }
            #expect(try await database.psql("select revision from menu_revision") == "\(revision + changes.count)")
        }
    }

    @Test("Deleting a row deletes its translations, so that a new row with the same id has none")
    func deletedRows() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            try await database.psqlAsStaff(
                """
                insert into categories (id, title) values (600, 'Pies');
                \(Self.translation) values ('categories', 600, 'de', 'Kuchen'), ('categories', 100, 'de', 'Menüs'),
                    ('coupons', 2, 'de', 'Monatsende'),
                    ('option_groups', 12, 'de', 'Extras');
                delete from categories where id = 600;
                delete from coupons where id = 2;
                insert into tax_rates (id, title, percent) values (1, 'VAT', 7), (2, 'VAT', 19);
                insert into delivery_areas (id, title, postcodes) values (1, 'Near', '{10*}'), (2, 'Far', '{*}');
                \(Self.translation) values ('tax_rates', 1, 'de', 'MwSt.'), ('tax_rates', 2, 'de', 'MwSt.'),
                    ('delivery_areas', 1, 'de', 'Nah'), ('delivery_areas', 2, 'de', 'Fern');
                delete from tax_rates where id = 1;
                delete from delivery_areas where id = 1;
                """)
            #expect(
                try await database.psql("select subject, id from translations order by 1")
                    == "categories|100\ndelivery_areas|2\noption_groups|12\ntax_rates|2")
        }
    }
}
