// Paging through the menu while staff change it. Each item that stays is returned exactly once.
import TestBasics
import Testing

@testable import Ordering

@Suite("Paging of the menu")
struct MenuPagingTests {
    private static let orders: [MenuSortOrder] = [.position, .price, .priceDescending, .title, .random(seed: 7)]

    @Test(
        "Every page but the last is full, and all pages together are the whole list", arguments: MenuPagingTests.orders)
    func wholeList(order: MenuSortOrder) throws {
        let menu = try MenuFixture().menu()
        let all = MenuPageQuery(order: order, limit: 100).page(of: menu)
        #expect(all.next == nil && all.items.count == 21)
        for limit in [1, 2, 3, 7, 10, 20, 21] {
            var returned: [MenuItemID] = []
            var last: MenuSortKey?
            repeat {
                let page = MenuPageQuery(order: order, limit: limit, after: last).page(of: menu)
                #expect(page.items.count == min(limit, 21 - returned.count))
                returned += page.items.map(\.id)
                #expect((page.next == nil) == (returned.count == 21), "only the last page has no next page")
                last = page.next
            } while last != nil && returned.count <= 21
            #expect(returned == all.items.map(\.id), "\(limit) a page")
        }
    }

    @Test(
        "Paging returns every item exactly once while the menu changes between pages", arguments: MenuPagingTests.orders
    )
    func changingMenu(order: MenuSortOrder) throws {
        var random = SeededRandom()
        for _ in 0..<150 {
            var app = randomMenu(&random)
            let limit = Int.random(in: 1...9, using: &random)
            let order = if case .random = order { MenuSortOrder.random(seed: random.next()) } else { order }
            var staying = Set(app.items.filter { !$0.isRetired }.map(\.id))
            var appeared: Set<Int64> = []
            var returned: [Int64] = []
            var last: MenuSortKey?
            repeat {
                let page = MenuPageQuery(order: order, limit: limit, after: last).page(of: try app.menu())
                returned += page.items.map(\.id.rawValue)
                last = page.next
                change(&app, &staying, &appeared, &random)
                try #require(returned.count <= 400, "Paging did not end, \(random)")
            } while last != nil
            #expect(Set(returned).count == returned.count, "An item was returned twice, \(random)")
            #expect(staying.subtracting(returned).isEmpty, "Paging missed \(staying.subtracting(returned)), \(random)")
        }
    }

    @Test("Paging by title works with titles of 5,000 characters")
    func longTitles() throws {
        var app = MenuFixture()
        app.items = (1...30).map {
            MenuFixture.ItemRow($0, String(repeating: "Ω", count: 5_000) + "\($0)", .regular, 100)
        }
        var last: MenuSortKey?
        var returned: [MenuItemID] = []
        repeat {
            let page = MenuPageQuery(order: .title, limit: 4, after: last).page(of: try app.menu())
            returned += page.items.map(\.id)
            last = page.next
            #expect(last?.text.count ?? 0 <= MenuSortKey.maximumTextLength)
        } while last != nil
        #expect(returned == (1...30).map { MenuItemID(rawValue: $0) })
    }

    /// Items with many equal prices, titles and positions.
    private func randomMenu(_ random: inout SeededRandom) -> MenuFixture {
        var app = MenuFixture()
        app.items = (1...Int64.random(in: 1...40, using: &random)).map { randomItem($0 * 10, &random) }
        return app
    }

    private func randomItem(_ id: Int64, _ random: inout SeededRandom) -> MenuFixture.ItemRow {
        let title = ["Soup", "soup", "Söup", "Salad", "Äpfel"].randomElement(using: &random) ?? "Soup"
        var item = MenuFixture.ItemRow(id, title, .discount, Int64.random(in: 1...4, using: &random) * 100, 10)
        item.position = Int.random(in: 1...5, using: &random)
        item.isRetired = Int.random(in: 0..<5, using: &random) == 0
        return item
    }

    /// Adds an item, retires one or sells one out, and may delete one. Paging guarantees nothing for added, retired
    /// and deleted items.
    private func change(
        _ app: inout MenuFixture, _ staying: inout Set<Int64>, _ appeared: inout Set<Int64>,
        _ random: inout SeededRandom
    ) {
        let id = Int64.random(in: 1...100_000, using: &random) * 10 + 1
        if appeared.count < 100, appeared.insert(id).inserted { app.items.append(randomItem(id, &random)) }
        let index = Int.random(in: app.items.indices, using: &random)
        if Bool.random(using: &random) {
            app.items[index].isRetired = true
            staying.remove(app.items[index].id)
        } else {
            app.items[index].isAvailable.toggle()
            app.items[index].description = "Now with more of it"
        }
        if Int.random(in: 0..<4, using: &random) == 0, app.items.count > 1 {
            staying.remove(app.items.removeFirst().id)
        }
        app.revision += 1
    }
}
