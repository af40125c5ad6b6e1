// How the menu is listed: filters, search, sorting, and every parameter that can be wrong.
import Testing

@testable import Ordering

@Suite("The menu is listed by category, kind, tag, words and order")
struct MenuQueryTests {
    @Test("Nothing asked for gives the first 20 items in staff's order")
    func everything() throws {
        let menu = try AppMenu().menu()
        let page = try query().page(of: menu)
        #expect(page.items.map(\.id) == menu.items.prefix(20).map(\.id))
        #expect(page.nextCursor != nil)
        #expect(MenuQuery.everything == (try query()))
    }

    @Test("An empty parameter is one that was not given")
    func emptyParameters() throws {
        let empty = MenuQuery.parse(category: "", kind: "", tag: "", q: "", sort: "", seed: "", limit: "", cursor: "")
        #expect(try empty.get() == MenuQuery.everything)
    }

    @Test("Category, kind and tag each narrow the list, and together too")
    func filters() throws {
        var app = AppMenu()
        app.change(2003) { $0.tags = ["Hot", "Crème"] }
        app.change(4001) { $0.tags = ["cold"] }
        let menu = try app.menu()
        #expect(try ids(menu, category: "400") == [4001, 4002, 4003, 4004, 4005])
        #expect(try ids(menu, category: "600").isEmpty)
        #expect(try ids(menu, kind: "special") == [1002, 1003, 2002])
        #expect(try ids(menu, kind: "discount") == [1004, 1005, 2003, 2005, 4004])
        #expect(try ids(menu, category: "200", kind: "discount") == [2003, 2005])
        #expect(try ids(menu, tag: "hot") == [2003])
        #expect(try ids(menu, tag: "CREME") == [2003])
        #expect(try ids(menu, tag: "col").isEmpty)
        #expect(try ids(menu, category: "200", tag: "cold").isEmpty)
    }

    @Test("Retired items are left out, sold-out ones are shown")
    func retiredAndSoldOut() throws {
        var app = AppMenu()
        app.change(4001) { $0.isRetired = true }
        app.change(4002) { $0.isAvailable = false }
        let menu = try app.menu()
        #expect(try ids(menu, category: "400") == [4002, 4003, 4004, 4005])
        #expect(menu.item(4001)?.isRetired == true)
    }

    @Test("All words must stand in title, description or tags, whatever their case and diacritics")
    func search() throws {
        var app = AppMenu()
        app.change(2003) {
            $0.description = "Grüße aus Århus, mit Crème fraîche"
            $0.tags = ["Jalapeño"]
        }
        app.change(4003) { $0.title = "Чай с йогуртом и мёдом" }
        app.change(4005) { $0.title = "Bia Sài Gòn — bia hơi đặc biệt" }
        app.change(5001) { $0.title = "トマトがソース" }
        let menu = try app.menu()
        let expected: [(String, [MenuItemID])] = [
            ("burger", [2002, 2003, 2004]), ("BURGER cheese", [2003]), ("  cheese\tburger ", [2003]), ("burger fries", []),
            ("creme", [2003]), ("CRÈME", [2003]), ("cre\u{300}me", [2003]), ("arhus grusse", [2003]), ("arhus gruße", [2003]),
            ("jalapeno cheeseburger", [2003]), ("фраше", []), ("ЙОГУРТ мед", [4003]), ("и\u{306}огурт", [4003]), ("иогурт", [4003]),
            ("sai gon", [4005]), ("hoi biet", [4005]), ("dac", [4005]), ("ĐẶC", [4005]), ("トマトが", [5001]), ("トマトか\u{3099}", [5001]),
            ("cheeseburgergru", []), ("%", []), ("'", []), (" ", menu.items.map(\.id)),
        ]
        for (words, ids) in expected { #expect(try self.ids(menu, q: words) == ids, "\(words)") }
    }

    @Test(
        "Letters with marks are found by their plain letter",
        arguments: [
            ("Ærøskobing", "aeroskobing"), ("ÀÉÎÕÜ", "aeiou"), ("Łódź", "lodz"), ("Ørsted", "orsted"), ("İstanbul", "istanbul"),
            ("Đặng", "dang"),
            ("Ἀθῆναι", "αθηναι"), ("Ώρα", "ωρα"), ("ЁЖИК", "ежик"), ("Їжак", "іжак"), ("שָׁלוֹם", "שָׁלוֹם"), ("محمّد", "محمّد"), ("हिन्दी", "हिन्दी"),
            ("李", "李"), ("🍔", "🍔"),
        ] as [(String, String)])
    func folding(text: String, folded: String) {
        #expect(text.folded == folded)
        #expect(text.folded.folded == text.folded)
    }

    @Test("Prices sort by what an item costs now, ties by position")
    func byPrice() throws {
        var app = AppMenu()
        app.change(5003) { $0.position = 1 }
        let menu = try app.menu()
        let rising = try ids(menu, sort: "price", limit: "100")
        #expect(rising.prefix(4) == [5003, 5001, 5002, 4001])
        let prices = rising.compactMap { menu.item($0)?.currentPrice }
        #expect(prices == prices.sorted() && rising.count == 21)
        let falling = try ids(menu, sort: "-price", limit: "100")
        #expect(falling.prefix(2) == [1004, 1002])
        #expect(falling.suffix(3) == [5003, 5001, 5002])
        // 1005 costs 17.04 after its percent, 1001 16.99 without one.
        #expect(falling.prefix(5) == [1004, 1002, 1005, 1001, 1003])
    }

    @Test("Titles sort with case and diacritics aside")
    func byTitle() throws {
        var app = AppMenu()
        app.items = [("banana", 3), ("Äpfel", 2), ("apple", 4), ("Zwiebel", 1), ("Apple", 5)].map { title, id in
            AppMenu.Item(id, title, .regular, 100)
        }
        #expect(try ids(app.menu(), sort: "title") == [2, 4, 5, 3, 1])
    }

    @Test("The shuffle is the same for a seed on every machine, and another for another seed")
    func shuffle() throws {
        let menu = try AppMenu().menu()
        let first = try ids(menu, sort: "random", seed: "7", limit: "100")
        #expect(first == (try ids(menu, sort: "random", seed: "7", limit: "100")))
        #expect(Set(first) == Set(menu.items.map(\.id)) && first.count == 21)
        #expect(first != (try ids(menu, sort: "random", seed: "8", limit: "100")))
        #expect(try ids(menu, sort: "random", limit: "100") == ids(menu, sort: "random", seed: "0", limit: "100"))
        // Other items around it move no item past another.
        var smaller = AppMenu()
        smaller.items.removeAll { $0.id % 2 == 0 }
        #expect(try ids(smaller.menu(), sort: "random", seed: "7") == first.filter { $0.rawValue % 2 == 1 })
    }

    @Test("The hash gives the published values of FNV-1a and SplitMix64")
    func hashes() {
        #expect(StableHash.fnv1a("".utf8) == 0xCBF2_9CE4_8422_2325)
        #expect(StableHash.fnv1a("a".utf8) == 0xAF63_DC4C_8601_EC8C)
        #expect(StableHash.fnv1a("foobar".utf8) == 0x8594_4171_F739_67E8)
        #expect(StableHash.mixed(0) == 0xE220_A839_7B1D_CDAF)
    }

    @Test(
        "A bad parameter is named, with what would be right",
        arguments: [
            ("category", "burgers"), ("category", "-1"), ("category", "200 "), ("category", "99999999999999999999"), ("kind", "Special"),
            ("kind", "x"), ("tag", String(repeating: "t", count: 65)), ("q", String(repeating: "é", count: 101)),
            ("q", "e" + String(repeating: "\u{301}", count: 100_000)), ("sort", "Price"), ("sort", "price,title"), ("sort", "-title"),
            ("seed", String(repeating: "s", count: 65)), ("limit", "0"), ("limit", "101"), ("limit", "-1"), ("limit", "1.5"),
            ("limit", "ten"),
            ("limit", "9223372036854775808"), ("limit", "+5"), ("cursor", "x"), ("cursor", "AQAAAAA"),
            ("cursor", String(repeating: "A", count: 100_000)),
        ] as [(String, String)])
    func badParameter(name: String, value: String) throws {
        let outcome = parse([name: value])
        guard case .failure(let error) = outcome else {
            Issue.record("\(name)=\(value.prefix(40)) was accepted")
            return
        }
        #expect(error.name == name)
        #expect(error.message.hasPrefix("\(name) must be "))
    }

    @Test("The longest of each parameter is accepted")
    func longest() throws {
        let longest = [
            "q": String(repeating: "漢", count: 100), "tag": String(repeating: "漢", count: 64), "seed": String(repeating: "🍔", count: 64),
        ]
        #expect(try parse(longest).get().limit == 20)
        #expect(try parse(["limit": "100"]).get().limit == 100)
        #expect(try parse(["limit": "1"]).get().limit == 1)
    }

    private func parse(_ parameters: [String: String]) -> Result<MenuQuery, ParameterError> {
        MenuQuery.parse(
            category: parameters["category"], kind: parameters["kind"], tag: parameters["tag"], q: parameters["q"],
            sort: parameters["sort"], seed: parameters["seed"], limit: parameters["limit"], cursor: parameters["cursor"])
    }

    private func query(
        category: String? = nil, kind: String? = nil, tag: String? = nil, q: String? = nil, sort: String? = nil, seed: String? = nil,
        limit: String? = nil
    ) throws -> MenuQuery {
        try MenuQuery.parse(category: category, kind: kind, tag: tag, q: q, sort: sort, seed: seed, limit: limit, cursor: nil).get()
    }

    private func ids(
        _ menu: Menu, category: String? = nil, kind: String? = nil, tag: String? = nil, q: String? = nil, sort: String? = nil,
        seed: String? = nil, limit: String? = "100"
    ) throws -> [MenuItemID] {
        try query(category: category, kind: kind, tag: tag, q: q, sort: sort, seed: seed, limit: limit).page(of: menu).items.map(\.id)
    }
}
