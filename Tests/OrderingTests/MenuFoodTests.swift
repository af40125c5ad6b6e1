// The menu filtered by allergens and diets. Items with unknown food information are left out.
import Testing

@testable import Ordering

@Suite("The menu filtered by allergens and diets")
struct MenuFoodTests {
    private static func app() throws -> MenuFixture {
        var app = MenuFixture()
        func set(_ id: Int64, _ food: FoodInformation?) throws {
            let food = try #require(food)
            app.changeItem(id) { $0.food = food }
        }
        try set(2001, FoodInformation(contains: [.gluten, .milk], allergensAreKnown: true))
        try set(2002, FoodInformation(mayContain: [.milk], allergensAreKnown: true, diets: [.halal]))
        try set(2003, FoodInformation(contains: [.gluten], allergensAreKnown: false, diets: [.vegan]))
        try set(3001, FoodInformation(contains: [.gluten], allergensAreKnown: true, diets: [.vegan, .halal]))
        try set(3002, FoodInformation(allergensAreKnown: true, diets: [.vegetarian]))
        return app
    }

    private func ids(_ menu: Menu, without: Allergens = [], diets: Diets = []) -> [MenuItemID] {
        MenuPageQuery(without: without, diets: diets, limit: 100).page(of: menu).items.map(\.id)
    }

    @Test("An allergen filter lists only items known to be free of the allergens, and no filter lists all items")
    func without() throws {
        let menu = try Self.app().menu()
        #expect(ids(menu).count == 21)
        #expect(ids(menu, without: [.milk]) == [3001, 3002])
        #expect(ids(menu, without: [.gluten]) == [2002, 3002])
        #expect(ids(menu, without: [.gluten, .milk]) == [3002])
        #expect(ids(menu, without: [.lupin]) == [2001, 2002, 3001, 3002])
    }

    @Test("A diet filter lists items that suit the diet, several filters apply together, and vegetarian includes vegan")
    func diets() throws {
        let menu = try Self.app().menu()
        #expect(ids(menu, diets: [.vegan]) == [2003, 3001])
        #expect(ids(menu, diets: [.vegetarian]) == [2003, 3001, 3002])
        #expect(ids(menu, diets: [.halal]) == [2002, 3001])
        #expect(ids(menu, diets: [.halal, .vegan]) == [3001])
        #expect(ids(menu, diets: [.kosher]).isEmpty)
        #expect(ids(menu, without: [.milk], diets: [.vegan]) == [3001])
        #expect(ids(menu, without: [.gluten], diets: [.vegan]).isEmpty)
    }

    @Test("Food filters apply together with all other filters, and their pages continue")
    func combinedFilters() throws {
        let menu = try Self.app().menu()
        let page = MenuPageQuery(category: CategoryID(rawValue: 300), without: [.milk], words: "fries", limit: 1).page(
            of: menu)
        #expect(page.items.map(\.id) == [3001])
        let next = MenuPageQuery(
            category: CategoryID(rawValue: 300), without: [.milk], words: "fries", limit: 1, after: page.next)
        #expect(next.page(of: menu).items.map(\.id) == [3002] && next.page(of: menu).next == nil)
    }

    @Test(
        "An item's default options on all levels count for the filter, and its other options do not"
    )
    func defaults() throws {
        let cheese = try #require(FoodInformation(contains: [.milk], allergensAreKnown: true, diets: [.vegetarian]))
        var app = try Self.app()
        app.groups = [
            MenuFixture.OptionGroupRow(
                id: 91,
                options: [
                    MenuFixture.OptionRow(
                        id: 9101, price: 0, isDefault: true, groups: [92],
                        food: try #require(FoodInformation(allergensAreKnown: true))),
                    MenuFixture.OptionRow(id: 9102, price: 0),
                ]),
            MenuFixture.OptionGroupRow(
                id: 92, options: [MenuFixture.OptionRow(id: 9201, price: 0, isDefault: true, food: cheese)]),
        ]
        app.itemGroups = [3002: [91]]
        #expect(try app.menu().foodWithDefaults(3002).contains == [.milk])
        #expect(ids(try app.menu(), without: [.milk]) == [3001])
        #expect(ids(try app.menu(), without: [.lupin]) == [2001, 2002, 3001, 3002])
        app.groups[0].options[1].isDefault = true
        #expect(ids(try app.menu(), without: [.lupin]) == [2001, 2002, 3001])
    }

    @Test("A line has the allergens of its item and of all options below it, and a retired option makes them unknown")
    func lines() throws {
        var app = MenuFixture.withOptions()
        app.changeItem(2001) { $0.food = FoodInformation(contains: [.gluten], allergensAreKnown: true) ?? .unknown }
        app.groups[0].options[0].food = try #require(FoodInformation(contains: [.milk], allergensAreKnown: true))
        app.groups[1].options[1].food = try #require(
            FoodInformation(mayContain: [.nuts], allergensAreKnown: true, minimumAge: 16))
        let chosen = try app.selection([.of(9101, 1, [.of(9202, 1, [])])])
        let offered = try app.menu().resolvedItem(2001)
        let line = try #require(
            Line(
                id: LineID(rawValue: 1), dish: Dish(2001, selection: chosen), quantity: 1, pricedBy: offered,
                previous: nil))
        func food() throws -> FoodInformation {
            let menu = try app.menu()
            return PricedLine(line.priced(by: menu.resolvedItem(2001)), recordedIn: menu.currency.code, menu: menu).food
        }
        let whole = try food()
        #expect(
            whole.contains == [.gluten, .milk] && whole.mayContain == [.nuts] && whole.allergensAreKnown
                && whole.minimumAge == 16)
        app.groups[1].options[1].isRetired = true
        let rest = try food()
        #expect(rest.contains == [.gluten, .milk] && !rest.allergensAreKnown && rest.minimumAge == nil)
    }
}
