// The shipped options, food information and translations: the defaults of a guest, and their completeness.
// Tests seed/options.sql, seed/restaurant.sql and the food of seed/menu.sql; SeedTests covers how files are loaded.
import Database
import Support
import Testing

@Suite("Shipped options and food information") struct OptionSeedTests {
    /// Everything that seed/restaurant.sql may write.
    private static let writtenRows = """
        select 'shop', xmin, to_jsonb(shop) from shop
        union all select 'item', xmin, to_jsonb(menu_items) from menu_items
        union all select 'option', xmin, to_jsonb(options) from options
        union all select 'translation', xmin, to_jsonb(translations) from translations
        union all select 'hours', xmin, to_jsonb(opening_hours) from opening_hours
        union all select 'hours', xmin, to_jsonb(serving_hours) from serving_hours
        union all select 'terms', xmin, to_jsonb(fulfilments) from fulfilments
        union all select 'areas', xmin, to_jsonb(delivery_areas) from delivery_areas
        union all select 'fees', xmin, to_jsonb(delivery_fees) from delivery_fees
        union all select 'taxes', xmin, to_jsonb(tax_rates) from tax_rates
        union all select 'taxes', xmin, to_jsonb(category_taxes) from category_taxes
        union all select 'stock', xmin, to_jsonb(item_stock) from item_stock
        union all select 'stock', xmin, to_jsonb(option_stock) from option_stock
        order by 1, 3
        """

    @Test(
        "The shipped default options cost nothing, and every required option group has enough of them")
    func defaults() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            let defaults = "options join option_groups on option_groups.id = group_id where is_default"
            #expect(
                try await database.psql(
                    """
                    select id from (
                        select options.id, included, row_number() over (partition by group_id order by price) as place
                        from \(defaults) and price > 0
                    ) as priced where place > included
                    union all select options.id from \(defaults) and price < 0
                    """) == "")
            let missing =
                """
                select id from option_groups
                where minimum > (select count(*) from options where group_id = option_groups.id and is_default)
                """
            #expect(try await database.psql(missing) == "")
            let checked = """
                select (select count(*) from option_groups where minimum > 0),
                       (select count(*) from \(defaults) and price > 0)
                """
            #expect(try await database.psql(checked) == "6|3", "required groups and paid options exist")
            #expect(
                try await database.psql(
                    "select count(*) from menu_item_option_groups where menu_item_id in (3001, 4001)") == "0")
        }
    }

    @Test("The shipped options have three levels, some included options, and free options that leave something out")
    func options() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            let levels = """
                select distinct menu_item_id, one.id, two.id, three.id
                from menu_item_option_groups as item join options as one on one.group_id = item.group_id
                join option_option_groups as second on second.option_id = one.id
                join options as two on two.group_id = second.group_id
                join option_option_groups as third on third.option_id = two.id
                join options as three on three.group_id = third.group_id
                where menu_item_id = 1001 and one.id = 2101 order by 4
                """
            #expect(try await database.psql(levels) == "1001|2101|2302|2401\n1001|2101|2302|2402")
            let kinds = """
                select count(*) filter (where included > 0), count(*) filter (where maximum > 1),
                    count(*) filter (where maximum is null)
                from option_groups
                """
            #expect(try await database.psql(kinds) == "2|4|5")
            #expect(
                try await database.psql("select count(*) > 8, max(price) from options where title like 'No %'") == "t|0"
            )
        }
    }

    @Test("The allergens of every shipped item and option are known and agree with the diets, tags and descriptions")
    func food() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            let knownAllergens =
                """
                select count(*) from menu_items where allergens_are_known
                union all select count(*) from options where not allergens_are_known
                """
            #expect(try await database.psql(knownAllergens) == "21\n0")
            let query = "select id from menu_items where"
            for wrong in [
                "('vegan' = any (tags)) <> ('vegan' = any (diets))",
                "'vegan' = any (diets) and not diets @> '{vegetarian,lactose_free}'",
                "('vegetarian' = any (tags) or 'vegan' = any (tags)) <> ('vegetarian' = any (diets))",
            ] {
                #expect(try await database.psql("\(query) \(wrong)") == "", "\(wrong)")
            }
            // Ingredients that the descriptions mention.
            for (word, allergen) in [
                ("bun", "gluten"), ("rye", "gluten"), ("cheddar", "milk"), ("butter", "milk"), ("mayonnaise", "eggs"),
                ("sesame", "sesame"),
                ("mustard", "mustard"),
            ] {
                #expect(
                    try await database.psql(
                        """
                        select id from menu_items
                        where description ~* '\\m\(word)' and not '\(allergen)' = any (contains)
                        """) == "",
                    "\(word)")
            }
            // An option and an item with the same title, such as a sauce or a drink, have the same food information.
            let same = """
                select options.id from options join menu_items using (title)
                where (options.contains, options.may_contain, options.diets)
                    is distinct from (menu_items.contains, menu_items.may_contain, menu_items.diets)
                """
            #expect(try await database.psql(same) == "")
        }
    }

    @Test("Loading restaurant-us.sql twice, or over another country's file, gives the same shop as loading it once")
    func unitedStates() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            func load(_ name: String) async throws {
                try await Psql.run(file: "\(Repository.path)/seed/\(name)", url: database.staffURL)
            }
            for previousFiles in [[], ["restaurant.sql"]] {
                for name in previousFiles { try await load(name) }
                try await load("restaurant-us.sql")
                let once = try await database.psql("\(Self.writtenRows); select revision, xmin from menu_revision")
                try await load("restaurant-us.sql")
                #expect(
                    try await database.psql("\(Self.writtenRows); select revision, xmin from menu_revision") == once)
                #expect(try await database.psql("select prices_include_tax from shop") == "f")
                #expect(
                    try await database.psql(
                        """
                        select distinct percent from categories
                        left join category_taxes on category_id = categories.id
                        left join tax_rates on tax_rates.id = tax_rate_id
                        """
                    ) == "8.875")
                #expect(
                    try await database.psql("select string_agg(title, ', ' order by id) from delivery_areas")
                        == "Downtown, The city")
                #expect(try await database.psql("select count(*) from delivery_fees") == "3")
                #expect(
                    try await database.psql(
                        "select service_charge_percent from fulfilments where fulfilment = 'delivery'") == "5")
            }
            // Loading the first country's file again removes every row of the other country.
            try await load("restaurant.sql")
            let terms = """
                select fulfilment, small_order_below, small_order_fee, service_charge_percent
                from fulfilments order by 1
                """
            #expect(try await database.psql(terms) == "delivery|1200|150|\npickup|0|0|")
            #expect(try await database.psql("select prices_include_tax from shop") == "t")
            let areas = """
                select minimum_subtotal, string_agg(from_subtotal || ' ' || fee, ', ' order by from_subtotal)
                from delivery_areas join delivery_fees on area_id = delivery_areas.id
                group by delivery_areas.id order by delivery_areas.id
                """
            #expect(try await database.psql(areas) == "800|0 190, 2000 0\n1500|0 290, 3000 0\n2500|0 490, 4000 290")
        }
    }

    @Test("Loading restaurant.sql is optional and repeatable, and the file has translations for the whole menu")
    func restaurant() async throws {
        #expect(try SeedFile.shipped().map(\.name) == ["menu.sql", "coupons.sql", "options.sql", "sales.sql"])
        try await TestDatabase.with(.seeded) { database async throws in
            #expect(try await database.psql("select count(*) from menu_items where minimum_age is not null") == "0")
            func load() async throws {
                try await Psql.run(file: "\(Repository.path)/seed/restaurant.sql", url: database.staffURL)
            }
            try await load()
            let once = try await database.psql("\(Self.writtenRows); select revision, xmin from menu_revision")
            try await load()
            #expect(try await database.psql("\(Self.writtenRows); select revision, xmin from menu_revision") == once)
            #expect(
                try await database.psql("select id, minimum_age from menu_items where minimum_age is not null")
                    == "4005|21")
            #expect(
                try await database.psql("select distinct title, minimum_age from options where minimum_age is not null")
                    == "Beer|21")
            #expect(try await database.psql("select languages from shop") == "{en,de,es}")
            #expect(
                try await database.psql("select weekday from opening_hours where closes = '26:00' order by 1") == "5\n6"
            )
            #expect(try await database.psql("select count(*) from delivery_areas where is_active") == "3")
            #expect(
                try await database.psql(
                    "select id from categories where id not in (select category_id from category_taxes)") == "")
            #expect(
                try await database.psql(
                    """
                    select distinct tax_rates.percent
                    from category_taxes join tax_rates on tax_rates.id = tax_rate_id order by 1
                    """)
                    == "7\n19")
            #expect(
                try await database.psql(
                    "select menu_items.id from menu_items join serving_hours using (category_id) group by 1 order by 1")
                    == "6001\n6002")
            #expect(
                try await database.psql(
                    "select fulfilment from fulfilments where slot_minutes = 15 and orders_per_slot > 0 order by 1")
                    == "delivery\npickup")
            let all = "select per_day from item_stock union all select per_day from option_stock"
            let counted = "select count(*), min(per_day) from (\(all)) as counted"
            #expect(try await database.psql(counted) == "4|12")
            for (table, columns) in [
                ("categories", "title"), ("option_groups", "title"), ("options", "title"),
                ("menu_items", "title, description"),
                ("coupons", "title, description"), ("sales_groups", "title, headline, description"),
                ("tax_rates", "title"),
                ("delivery_areas", "title"), ("shop_texts", "description"),
            ] {
                let translated = columns.split(separator: ", ").map { "translations.\($0)" }.joined(separator: ", ")
                let missingTranslations = """
                    select count(*), count(*) filter (where translations.id is null or num_nulls(\(translated)) > 0)
                    from \(table) cross join unnest('{de,es}'::text[]) as offered (language)
                    left join translations on subject = '\(table)' and translations.id = \(table).id
                        and translations.language = offered.language
                    """
                let counts = try await database.psql(missingTranslations).split(separator: "|")
                #expect(counts.last == "0" && counts.first != "0", "\(table): \(counts)")
            }
        }
    }
}
