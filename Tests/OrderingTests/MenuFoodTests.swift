// The menu without allergens and for diets: nothing is shown of which it is not known. Tests Sources/Ordering/Menu/MenuQuery.swift.
import Testing

@testable import Ordering

@Suite("The menu without an allergen never shows what is unknown, contains it or may contain it")
struct MenuFoodTests {
    private static func app() throws -> AppMenu {
        var app = AppMenu()
        func set(_ id: Int64, _ food: FoodFacts?) throws {
            let food = try #require(food)
            app.change(id) { $0.food = food }
        }
        try set(2001, FoodFacts(contains: [.gluten, .milk], allergensAreKnown: true))
        try set(2002, FoodFacts(mayContain: [.milk], allergensAreKnown: true, diets: [.halal]))
        try set(2003, FoodFacts(contains: [.gluten], allergensAreKnown: false, diets: [.vegan]))
        try set(3001, FoodFacts(contains: [.gluten], allergensAreKnown: true, diets: [.vegan, .halal]))
        try set(3002, FoodFacts(allergensAreKnown: true, diets: [.vegetarian]))
        return app
    }

    private func ids(_ menu: Menu, without: Allergens = [], diets: Diets = []) -> [MenuItemID] {
        MenuQuery(without: without, diets: diets, limit: 100).page(of: menu).items.map(\.id)
    }

    @Test("Each allergen narrows the list to what is known to be free of it; asked for nothing, all is shown")
    func without() throws {
        let menu = try Self.app().menu()
        #expect(ids(menu).count == 21)
        #expect(ids(menu, without: [.milk]) == [3001, 3002])
        #expect(ids(menu, without: [.gluten]) == [2002, 3002])
        #expect(ids(menu, without: [.gluten, .milk]) == [3002])
        #expect(ids(menu, without: [.lupin]) == [2001, 2002, 3001, 3002])
    }

    @Test("A diet shows what staff say is right for it, vegetarian also what is vegan; several are asked for together, allergens too")
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

    @Test("Food narrows a list together with all other filters, and its pages go on")
    func together() throws {
        let menu = try Self.app().menu()
        let page = MenuQuery(category: CategoryID(rawValue: 300), without: [.milk], words: "fries", limit: 1).page(of: menu)
        #expect(page.items.map(\.id) == [3001])
        let next = MenuQuery(category: CategoryID(rawValue: 300), without: [.milk], words: "fries", limit: 1, after: page.next)
        #expect(next.page(of: menu).items.map(\.id) == [3002] && next.page(of: menu).next == nil)
    }

    @Test("What comes with an item by default counts: its allergens, and that they are unknown")
    func defaults() throws {
        let menu = try Self.app().menu()
        let fries = try #require(menu.item(3002))
        let cheese = try #require(FoodFacts(contains: [.milk], allergensAreKnown: true, diets: [.vegetarian]))
        #expect(menu.foodByDefault(of: fries).isFree(of: [.milk]))
        #expect(!menu.foodByDefault(of: fries, with: [(1, cheese)]).isFree(of: [.milk]))
        #expect(menu.foodByDefault(of: fries, with: [(1, cheese)]).isFree(of: [.nuts]))
        #expect(!menu.foodByDefault(of: fries, with: [(1, cheese), (2, .unknown)]).isFree(of: [.nuts]))
        #expect(menu.foodByDefault(of: fries, with: [(1, cheese)]).suits([.vegetarian]))
    }
}
