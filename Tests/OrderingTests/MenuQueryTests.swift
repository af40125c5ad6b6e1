// Filters, search and sorting of the menu.
import Testing

@testable import Ordering

@Suite("Menu queries")
struct MenuQueryTests {
    @Test("A query without filters returns the first 20 items in staff's order")
    func everything() throws {
        let menu = try MenuFixture().menu()
        let page = MenuPageQuery().page(of: menu)
        #expect(page.items.map(\.id) == menu.items.prefix(20).map(\.id))
        #expect(page.next != nil)
    }

    @Test("Category, kind and tag each filter the list, and they apply together")
    func filters() throws {
        var app = MenuFixture()
        app.changeItem(2003) { $0.tags = ["Hot", "Crème"] }
        app.changeItem(4001) { $0.tags = ["cold"] }
        let menu = try app.menu()
        #expect(ids(menu, category: CategoryID(rawValue: 400)) == [4001, 4002, 4003, 4004, 4005])
        #expect(ids(menu, category: CategoryID(rawValue: 600)).isEmpty)
        #expect(ids(menu, kind: .special) == [1002, 1003, 2002])
        #expect(ids(menu, kind: .discount) == [1004, 1005, 2003, 2005, 4004])
        #expect(ids(menu, category: CategoryID(rawValue: 200), kind: .discount) == [2003, 2005])
        #expect(ids(menu, tag: "hot") == [2003])
        #expect(ids(menu, tag: "CREME") == [2003])
        #expect(ids(menu, tag: "col").isEmpty)
        #expect(ids(menu, category: CategoryID(rawValue: 200), tag: "cold").isEmpty)
    }

    @Test("Retired items are left out of the list and sold-out items are shown")
    func retiredAndSoldOut() throws {
        var app = MenuFixture()
        app.changeItem(4001) { $0.isRetired = true }
        app.changeItem(4002) { $0.isAvailable = false }
        let menu = try app.menu()
        #expect(ids(menu, category: CategoryID(rawValue: 400)) == [4002, 4003, 4004, 4005])
        #expect(menu.item(4001)?.isRetired == true)
    }

    @Test("Every searched word must occur in the title, the description or the tags, ignoring case and diacritics")
    func search() throws {
        var app = MenuFixture()
        app.changeItem(2003) {
            $0.description = "Grüße aus Århus, mit Crème fraîche"
            $0.tags = ["Jalapeño"]
        }
        app.changeItem(4003) { $0.title = "Чай с йогуртом и мёдом" }
        app.changeItem(4005) { $0.title = "Bia Sài Gòn — bia hơi đặc biệt" }
        app.changeItem(5001) { $0.title = "トマトがソース" }
        let menu = try app.menu()
        let expected: [(String, [MenuItemID])] = [
            ("burger", [2002, 2003, 2004]), ("BURGER cheese", [2003]), ("  cheese\tburger ", [2003]),
            ("burger fries", []),
            ("creme", [2003]), ("CRÈME", [2003]), ("cre\u{300}me", [2003]), ("arhus grusse", [2003]),
            ("arhus gruße", [2003]),
            ("jalapeno cheeseburger", [2003]), ("фраше", []), ("ЙОГУРТ мед", [4003]), ("и\u{306}огурт", [4003]),
            ("иогурт", [4003]),
            ("sai gon", [4005]), ("hoi biet", [4005]), ("dac", [4005]), ("ĐẶC", [4005]), ("トマトが", [5001]),
            ("トマトか\u{3099}", [5001]),
            ("cheeseburgergru", []), ("%", []), ("'", []), (" ", menu.items.map(\.id)),
        ]
        for (words, ids) in expected { #expect(self.ids(menu, words: words) == ids, "\(words)") }
    }

    @Test(
        "Letters with diacritics are found by their plain letters",
        arguments: [
            ("Ærøskobing", "aeroskobing"), ("ÀÉÎÕÜ", "aeiou"), ("Łódź", "lodz"), ("Ørsted", "orsted"),
            ("İstanbul", "istanbul"),
            ("Đặng", "dang"),
            ("Ἀθῆναι", "αθηναι"), ("Ώρα", "ωρα"), ("ЁЖИК", "ежик"), ("Їжак", "іжак"), ("שָׁלוֹם", "שָׁלוֹם"),
            ("محمّد", "محمّد"), ("हिन्दी", "हिन्दी"),
            ("李", "李"), ("🍔", "🍔"),
        ] as [(String, String)])
    func folding(text: String, folded: String) {
        #expect(text.folded == folded)
        #expect(text.folded.folded == text.folded)
    }

    @Test("Items sort by their current price, and equal prices by position")
    func byPrice() throws {
        var app = MenuFixture()
        app.changeItem(5003) { $0.position = 1 }
        let menu = try app.menu()
        let rising = ids(menu, order: .price)
        #expect(rising.prefix(4) == [5003, 5001, 5002, 4001])
        let prices = rising.compactMap { menu.item($0)?.currentPrice }
        #expect(prices == prices.sorted() && rising.count == 21)
        let falling = ids(menu, order: .priceDescending)
        #expect(falling.prefix(2) == [1004, 1002])
        #expect(falling.suffix(3) == [5003, 5001, 5002])
        // 1005 costs 17.04 after its discount, 1001 costs 16.99 without one.
        #expect(falling.prefix(5) == [1004, 1002, 1005, 1001, 1003])
    }

    @Test("Titles sort without regard to case and diacritics")
    func byTitle() throws {
        var app = MenuFixture()
        app.items = [("banana", 3), ("Äpfel", 2), ("apple", 4), ("Zwiebel", 1), ("Apple", 5)].map { title, id in
            MenuFixture.ItemRow(id, title, .regular, 100)
        }
        #expect(try ids(app.menu(), order: .title) == [2, 4, 5, 3, 1])
    }

    @Test("A shuffle is the same for a seed on every machine and differs for another seed")
    func shuffle() throws {
        let menu = try MenuFixture().menu()
        let first = ids(menu, order: .random(seed: 7))
        #expect(first == ids(menu, order: .random(seed: 7)))
        #expect(Set(first) == Set(menu.items.map(\.id)) && first.count == 21)
        #expect(first != ids(menu, order: .random(seed: 8)))
        // Removing other items does not change the order of two items.
        var smaller = MenuFixture()
        smaller.items.removeAll { $0.id % 2 == 0 }
        #expect(try ids(smaller.menu(), order: .random(seed: 7)) == first.filter { $0.rawValue % 2 == 1 })
    }

    @Test("Mixing bits gives the published value of SplitMix64")
    func mixing() {
        #expect(UInt64(0).mixed == 0xE220_A839_7B1D_CDAF)
    }

    @Test("A page's limit is clamped to 1 to 100 items")
    func limits() throws {
        let menu = try MenuFixture().menu()
        for (limit, count) in [(Int.min, 1), (0, 1), (1, 1), (100, 21), (.max, 21)] {
            #expect(MenuPageQuery(limit: limit).page(of: menu).items.count == count)
        }
    }

    private func ids(
        _ menu: Menu, category: CategoryID? = nil, kind: MenuItemKind? = nil, tag: String? = nil, words: String = "",
        order: MenuSortOrder = .position
    ) -> [MenuItemID] {
        MenuPageQuery(category: category, kind: kind, tag: tag, words: words, order: order, limit: 100).page(of: menu)
            .items.map(\.id)
    }
}
