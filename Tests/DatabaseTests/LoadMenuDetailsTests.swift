// Loads the menu with its options, food information and translations. Tests Sources/Database/Menu.
import Database
import Support
import Testing

@testable import Ordering

@Suite("Loading the menu: options, food information, languages") struct LoadMenuDetailsTests {
    @Test("The shipped combo is loaded with option groups on three levels in staff's order, and defaults are free")
    func options() async throws {
        try await ShopFixture.with { fixture async throws in
            let menu = try await fixture.storage.loadMenu().menu
            let combo = menu.optionTree(of: MenuItemID(rawValue: 1001))
            #expect(combo.groups.map(\.group.title) == ["Doneness", "Extras", "Side", "Drink"])
            let drink = try #require(combo.groups.last)
            #expect(
                drink.group.minimum == 1 && drink.group.maximum == 1
                    && drink.options.map(\.option.id.rawValue) == [2101, 2102, 2103, 2104, 2105])
            let size = try #require(drink.options.first?.nestedOptions.groups.first)
            #expect(
                size.options.map(\.option.title) == ["Regular", "Large"]
                    && size.options[1].option.price.minorUnits == 80)
            #expect(size.options[1].nestedOptions.groups.map(\.group.title) == ["Cup"])
            #expect(
                !menu.optionTree(of: MenuItemID(rawValue: 3001)).hasOptions
                    && !menu.optionTree(of: MenuItemID(rawValue: 4001)).hasOptions)
            for item in menu.items {
                let offered = try #require(menu.resolvedItem(item.id))
                #expect(
                    offered.priceWithDefaults(at: menu.moment) == item.currentPrice
                        && !offered.options.needsChoice(at: menu.moment))
            }
        }
    }

    @Test("Food information includes the default options, and is known for every shipped item")
    func food() async throws {
        try await ShopFixture.with { fixture async throws in
            let menu = try await fixture.storage.loadMenu().menu
            #expect(menu.items.allSatisfy { menu.foodWithDefaults($0.id).allergensAreKnown })
            let sauce = try #require(
                menu.optionTree(of: MenuItemID(rawValue: 1004)).groups.first?.options.first {
                    $0.option.id.rawValue == 2602
                })
            #expect(sauce.option.food.contains == [.mustard] && sauce.option.food.mayContain == [.celery, .soya])
            #expect(menu.foodWithDefaults(MenuItemID(rawValue: 1004)).contains.contains(.mustard))
            try await fixture.database.psql(
                """
                update menu_items set contains = '{milk,gluten}', may_contain = '{nuts}', diets = '{halal}',
                    minimum_age = 18, kilojoules = 900, salt = 1200
                where id = 3001
                """)
            let food = try #require(try await fixture.storage.loadMenu().menu.item(MenuItemID(rawValue: 3001))).details
                .food
            #expect(
                food
                    == FoodInformation(
                        contains: [.milk, .gluten], mayContain: [.nuts], allergensAreKnown: true, diets: [.halal],
                        nutrition: try #require(
                            Nutrition(
                                kilojoules: 900, kilocalories: food.nutrition.kilocalories, fat: food.nutrition.fat,
                                saturates: food.nutrition.saturates, carbohydrate: food.nutrition.carbohydrate,
                                sugars: food.nutrition.sugars,
                                protein: food.nutrition.protein, salt: 1200)), minimumAge: 18))
        }
    }

    @Test(
        "The next menu contains every update: an option sold out until a time or for good, retired, or removed")
    func changes() async throws {
        try await ShopFixture.with { fixture async throws in
            func option(_ id: Int64) async throws -> ResolvedOption? {
                let menu = try await fixture.storage.loadMenu().menu
                return menu.optionTree(of: MenuItemID(rawValue: 1001)).groups.flatMap(\.options).first {
                    $0.option.id.rawValue == id
                }
            }
            try await fixture.database.psql("update options set sold_out_until = '2100-01-01Z' where id = 1201")
            let until = try #require(try await option(1201)?.option)
            #expect(until.isAvailable && until.soldOutUntil?.rfc3339 == "2100-01-01T00:00:00.000Z")
            // A time that a date cannot represent means: until further notice.
            try await fixture.database.psql("update options set sold_out_until = 'infinity' where id = 1201")
            let never = try #require(try await option(1201)?.option)
            #expect(!never.isAvailable && never.soldOutUntil == nil)
            try await fixture.database.psql("update options set sold_out_until = '-infinity' where id = 1201")
            #expect(try await option(1201)?.option.isAvailable == true)
            try await fixture.database.psql("update options set is_retired = true where id = 1201")
            #expect(try await option(1201) == nil)
            try await fixture.database.psql(
                "delete from menu_item_option_groups where menu_item_id = 1001 and group_id = 12")
            #expect(try await option(1202) == nil)
            #expect(try await option(2101) != nil)
        }
    }

    @Test(
        "A translated menu has staff's translations, and the original text where a translation is missing")
    func languages() async throws {
        try await ShopFixture.with { fixture async throws in
            #expect(try await fixture.storage.loadMenu().menu.languages == .english)
            try await Psql.run(file: "\(Repository.path)/seed/restaurant.sql", url: fixture.database.staffURL)
            try await fixture.database.psql(
                """
                insert into translations (subject, id, language, headline)
                values ('sales_groups', 200, 'de', 'Samstags')
                on conflict (subject, id, language) do update set headline = excluded.headline
                """
            )
            let menu = try await fixture.storage.loadMenu().menu
            let german = try #require(LanguageTag("de"))
            #expect(menu.languages.all.map(\.text) == ["en", "de", "es"] && menu.language == .english)
            let translated = menu.translated(into: german)
            #expect(translated.optionTree(of: MenuItemID(rawValue: 1001)).groups.first?.group.title == "Garstufe")
            #expect(translated.sale(SalesGroupID(rawValue: 200))?.headline == "Samstags")
            #expect(
                translated.item(MenuItemID(rawValue: 3001))?.title != nil
                    && translated.categories.first?.title == "Menüs")
            #expect(menu.optionTree(of: MenuItemID(rawValue: 1001)).groups.first?.group.title == "Doneness")
            #expect(
                menu.resolvedItem(MenuItemID(rawValue: 1001))?.foodWithDefaults.minimumAge == nil
                    && menu.optionTree(of: MenuItemID(rawValue: 1001)).groups.last?.options.last?.option.food.minimumAge
                        == 21
            )
        }
    }
}
