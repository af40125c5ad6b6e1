// Paging through the menu while staff change it: every item that stays is met exactly once, and no made-up cursor gets through.
import Testing

@testable import Ordering

@Suite("Pages of the menu fit together")
struct MenuPagingTests {
    private static let sorts = ["position", "price", "-price", "title", "random"]

    @Test("Every page but the last is full, and together they are the whole list", arguments: MenuPagingTests.sorts)
    func wholeList(sort: String) throws {
        let menu = try AppMenu().menu()
        let all = try query(sort: sort, limit: 100).page(of: menu)
        #expect(all.nextCursor == nil && all.items.count == 21)
        for limit in [1, 2, 3, 7, 10, 20, 21] {
            var met: [MenuItemID] = []
            var cursor: String?
            repeat {
                let page = try query(sort: sort, limit: limit, cursor: cursor).page(of: menu)
                #expect(page.items.count == min(limit, 21 - met.count))
                met += page.items.map(\.id)
                #expect((page.nextCursor == nil) == (met.count == 21), "the last page says that it is the last, at once")
                cursor = page.nextCursor
            } while cursor != nil && met.count <= 21
            #expect(met == all.items.map(\.id), "\(limit) a page")
        }
    }

    @Test("Paging meets every item exactly once even when the menu changes between pages", arguments: MenuPagingTests.sorts)
    func changingMenu(sort: String) throws {
        var random = SeededRandom()
        for _ in 0..<150 {
            var app = anyMenu(&random)
            let limit = Int.random(in: 1...9, using: &random), seed = String(random.next() % 100)
            var staying = Set(app.items.filter { !$0.isRetired }.map(\.id))
            var appeared: Set<Int64> = []
            var met: [Int64] = []
            var cursor: String?
            repeat {
                let page = try query(sort: sort, seed: seed, limit: limit, cursor: cursor).page(of: app.menu())
                met += page.items.map(\.id.rawValue)
                cursor = page.nextCursor
                change(&app, &staying, &appeared, &random)
                try #require(met.count <= 400, "paging does not end, \(random)")
            } while cursor != nil
            #expect(Set(met).count == met.count, "met twice, \(random)")
            #expect(staying.subtracting(met).isEmpty, "missed \(staying.subtracting(met)), \(random)")
        }
    }

    @Test("A cursor of another sort or seed is refused; the seed of an order that is not random does not matter")
    func otherOrder() throws {
        let menu = try AppMenu().menu()
        for sort in MenuPagingTests.sorts {
            let cursor = try #require(try query(sort: sort, seed: "1", limit: 5).page(of: menu).nextCursor)
            for other in MenuPagingTests.sorts {
                let parsed = parse(sort: other, seed: "1", limit: 9, cursor: cursor)
                #expect((try? parsed.get()) != nil ? other == sort : other != sort, "\(sort) then \(other)")
            }
            let otherSeed = parse(sort: sort, seed: "2", limit: 5, cursor: cursor)
            #expect((try? otherSeed.get()) != nil ? sort != "random" : sort == "random")
        }
    }

    @Test("A cursor with any one character changed, added or taken away is refused")
    func damaged() throws {
        let menu = try AppMenu().menu()
        for sort in MenuPagingTests.sorts {
            let cursor = try #require(try query(sort: sort, limit: 3).page(of: menu).nextCursor)
            for index in cursor.indices {
                for other in ["A", "_", "=", "é", ""] where String(cursor[index]) != other {
                    let damaged = cursor[..<index] + other + cursor[cursor.index(after: index)...]
                    #expect(parse(sort: sort, limit: 3, cursor: String(damaged)).isFailure, "\(damaged)")
                }
            }
            #expect(parse(sort: sort, limit: 3, cursor: cursor + "A").isFailure)
            #expect(parse(sort: sort, limit: 3, cursor: cursor + "=").isFailure)
        }
    }

    @Test("Random bytes are never taken for a cursor and never trap")
    func noise() {
        var random = SeededRandom()
        for _ in 0..<5_000 {
            let bytes = (0..<Int.random(in: 0...170, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            let text = Base64URL.encode([1] + bytes)
            #expect(parse(sort: "price", limit: 3, cursor: text).isFailure, "\(random)")
        }
    }

    @Test("A cursor carries the most extreme places, and titles of any length")
    func extremes() throws {
        var random = SeededRandom()
        for order in [MenuOrder.position, .price, .title, .random(seed: "🍔")] {
            for _ in 0..<500 {
                let extremes: [Int64] = [.min, -1, 0, 1, .max]
                var place = MenuPlace(
                    position: extremes.randomElement(using: &random) ?? 0,
                    id: MenuItemID(rawValue: extremes.randomElement(using: &random) ?? 0))
                place.number = extremes.randomElement(using: &random) ?? 0
                place.text = (0..<Int.random(in: 0...MenuPlace.longestText, using: &random)).map { UInt8($0) }
                let text = MenuCursor(last: place).text(order: order)
                #expect(MenuCursor(text, order: order)?.last == place, "\(place), \(random)")
            }
        }
        var app = AppMenu()
        app.items = (1...30).map { AppMenu.Item($0, String(repeating: "Ω", count: 5_000) + "\($0)", .regular, 100) }
        var cursor: String?
        var met: [MenuItemID] = []
        repeat {
            let page = try query(sort: "title", limit: 4, cursor: cursor).page(of: app.menu())
            met += page.items.map(\.id)
            cursor = page.nextCursor
        } while cursor != nil
        #expect(met == (1...30).map { MenuItemID(rawValue: $0) })
    }

    @Test("Base64url is RFC 4648's, and reads only what it writes")
    func base64URL() {
        let vectors = ["": "", "f": "Zg", "fo": "Zm8", "foo": "Zm9v", "foob": "Zm9vYg", "fooba": "Zm9vYmE", "foobar": "Zm9vYmFy"]
        for (plain, encoded) in vectors {
            #expect(Base64URL.encode(Array(plain.utf8)) == encoded)
            #expect(Base64URL.decode(encoded) == Array(plain.utf8))
        }
        #expect(Base64URL.encode([0xFB, 0xFF, 0xFE]) == "-__-")
        for text in ["Z", "Zh", "Zm9=", "Zg==", "Zm9v\n", "+/+/", "Zm9vY"] { #expect(Base64URL.decode(text) == nil, "\(text)") }
        var random = SeededRandom()
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes, "\(random)")
        }
    }

    /// Items with many ties in price, title and position.
    private func anyMenu(_ random: inout SeededRandom) -> AppMenu {
        var app = AppMenu()
        app.items = (1...Int64.random(in: 1...40, using: &random)).map { anyItem($0 * 10, &random) }
        return app
    }

    private func anyItem(_ id: Int64, _ random: inout SeededRandom) -> AppMenu.Item {
        let title = ["Soup", "soup", "Söup", "Salad", "Äpfel"].randomElement(using: &random) ?? "Soup"
        var item = AppMenu.Item(id, title, .discount, Int64.random(in: 1...4, using: &random) * 100, 10)
        item.position = Int.random(in: 1...5, using: &random)
        item.isRetired = Int.random(in: 0..<5, using: &random) == 0
        return item
    }

    /// What staff do between two pages: an item comes, one goes for good, one sells out. Only those that came or went are not promised.
    private func change(
        _ app: inout AppMenu, _ staying: inout Set<Int64>, _ appeared: inout Set<Int64>, _ random: inout SeededRandom
    ) {
        let id = Int64.random(in: 1...100_000, using: &random) * 10 + 1
        if appeared.count < 100, appeared.insert(id).inserted { app.items.append(anyItem(id, &random)) }
        let index = Int.random(in: app.items.indices, using: &random)
        if Bool.random(using: &random) {
            app.items[index].isRetired = true
            staying.remove(app.items[index].id)
        } else {
            app.items[index].isAvailable.toggle()
            app.items[index].description = "Now with more of it"
        }
        if Int.random(in: 0..<4, using: &random) == 0, app.items.count > 1 { staying.remove(app.items.removeFirst().id) }
        app.revision += 1
    }

    private func query(sort: String, seed: String? = nil, limit: Int, cursor: String? = nil) throws -> MenuQuery {
        try parse(sort: sort, seed: seed, limit: limit, cursor: cursor).get()
    }

    private func parse(sort: String, seed: String? = nil, limit: Int, cursor: String?) -> Result<MenuQuery, ParameterError> {
        MenuQuery.parse(category: nil, kind: nil, tag: nil, q: nil, sort: sort, seed: seed, limit: String(limit), cursor: cursor)
    }
}

extension Result {
    fileprivate var isFailure: Bool {
        if case .failure = self { true } else { false }
    }
}
