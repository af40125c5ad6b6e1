// What the app does, 1 to 3: the kinds of menu items, special items on their own and in sales, and sets.
import Testing

@testable import Ordering

@Suite("What the app does, 1 to 3: menu items and sales")
struct MenuItemTests {
    @Test("What the app does, 1: the three kinds stand behind one protocol and a discount and a special item carry a new price")
    func threeKinds() throws {
        let menu = try AppMenu().menu()
        // id: kind, price, sale percent, new price
        let expected: [MenuItemID: (MenuItemKind, Int64, Int?, Int64)] = [
            2001: (.regular, 805, nil, 805), 1004: (.discount, 2899, 15, 2464), 1003: (.special, 2099, 20, 1679),
        ]
        for (id, (kind, price, percent, currentPrice)) in expected {
            let item: any MenuItem = try #require(menu.item(id))
            #expect(item.id == id && item.kind == kind)
            #expect(item.price.minorUnits == price)
            #expect(item.salePercent?.value == percent)
            #expect(item.currentPrice.minorUnits == currentPrice)
            #expect(!item.title.isEmpty && item.imageURL.isEmpty && item.description.isEmpty)
        }
        #expect(menu.item(2001) is RegularItem)
        #expect(menu.item(1004) is DiscountItem)
        #expect(menu.item(1003) is SpecialItem)
    }

    @Test("What the app does, 1: a special item links to the sale it belongs to, the other kinds never do")
    func linksToSale() throws {
        let menu = try AppMenu().menu()
        for item in menu.items {
            #expect((item.kind == .special) == (item.salesGroupID != nil), "\(item.id)")
            guard let sale = item.salesGroupID.flatMap({ menu.sale($0) }) else { continue }
            #expect(menu.setItems(of: sale).contains { $0.item.id == item.id })
        }
        #expect(menu.item(1003)?.salesGroupID == 400)
    }

    @Test("What the app does, 2: a special item exists on its own and as part of a sales group")
    func specialOnItsOwn() throws {
        var app = AppMenu()
        app.items.append(AppMenu.Item(2006, "Lonely Burger", .special, 1000, 25))
        let menu = try app.menu()
        #expect(menu.item(2006)?.salesGroupID == nil)
        #expect(menu.item(2006)?.currentPrice.minorUnits == 750)

        let basket = try Basket.new().after([.addItem(2002, quantity: 1), .addItem(2006, quantity: 1), .addSale(200)], menu)
        #expect(basket.lines.map(\.menuItemID) == [2002, 2006])
        #expect(basket.sets.map(\.salesGroupID) == [200])
    }

    @Test("What the app does, 3: a sale is information, or a set that is added to the basket in one step")
    func informationOrSet() throws {
        let menu = try AppMenu().menu()
        for id: SalesGroupID in [100, 300, 500] {
            let sale = try #require(menu.sale(id))
            #expect(sale.content == .information && menu.setItems(of: sale).isEmpty && menu.setTotal(of: sale) == .zero)
            #expect(Basket.new().applying(.addSale(id), menu: menu) == .failure(.saleHasNoItems))
        }
        let basket = try Basket.new().applying(.addSale(400), menu: menu).get()
        #expect(basket.sets.map { $0.items.map(\.menuItemID) } == [[1002, 1003]])
        #expect(basket.version == Basket.new().version + 1)
    }

    @Test("A set without items, or with one that is off the menu, is neither listed nor added; one with an item sold out for now is listed")
    func offeredSets() throws {
        func offered(_ change: (inout AppMenu) -> Void) throws -> (listed: Bool, refusal: BasketRefusal?) {
            var app = AppMenu()
            change(&app)
            let menu = try app.menu()
            let refusal: BasketRefusal? =
                if case .failure(let refusal) = Basket.new().applying(.addSale(400), menu: menu) { refusal } else { nil }
            return (menu.offeredSales.contains { $0.id == 400 }, refusal)
        }
        #expect(try offered { _ in } == (true, nil))
        #expect(try offered { $0.items[$0.items.firstIndex { $0.id == 1003 }!].isAvailable = false } == (true, .itemSoldOut))
        #expect(try offered { $0.items[$0.items.firstIndex { $0.id == 1003 }!].isRetired = true } == (false, .saleNotFound))
        let menu = try AppMenu().menu()
        let empty = SalesGroup(
            id: 600, title: "Empty", headline: "", description: "", previewImageURL: "", backgroundImageURL: "", position: 0,
            isRetired: false,
            content: .set([]))
        let shop = Menu(
            revision: 1, currency: menu.currency, defaultCountry: "US", timeZone: "UTC", categories: [], items: menu.items, sales: [empty],
            coupons: [], at: menu.moment)
        #expect(shop.offeredSales.isEmpty)
        #expect(Basket.new().applying(.addSale(600), menu: shop) == .failure(.saleNotFound))
    }

    @Test("What the app does, 3: Happy Saturday is three BBQ Burgers for 26.97")
    func happySaturday() throws {
        let menu = try AppMenu().menu()
        let sale = try #require(menu.sale(200))
        #expect(menu.setTotal(of: sale).minorUnits == 2697)
        let priced = PricedBasket(try Basket.new().after([.addSale(200)], menu), menu: menu)
        #expect(priced.sets.map(\.title) == ["Happy Saturday"])
        #expect(priced.sets.first?.items.map(\.quantity) == [3])
        #expect(priced.total.minorUnits == 2697 && priced.totalCount == 1)
    }

    @Test("What the app does, 3: a set already in the basket can't be added again until it is removed")
    func setOnce() throws {
        let menu = try AppMenu().menu()
        let basket = try Basket.new().after([.addSale(200)], menu)
        #expect(basket.applying(.addSale(200), menu: menu) == .failure(.saleAlreadyInBasket))
        let again = try basket.after([.addSale(400), .removeSale(200), .addSale(200)], menu)
        #expect(again.sets.map(\.salesGroupID) == [400, 200])
    }

    @Test("An item may stand in a set as several entries, each counted")
    func sameItemTwice() throws {
        var app = AppMenu()
        app.sales[1].entries = [(2002, 2), (2003, 1), (2002, 1)]
        let menu = try app.menu()
        let priced = PricedBasket(try Basket.new().after([.addSale(200)], menu), menu: menu)
        #expect(priced.sets.first?.items.map(\.quantity) == [3, 1])
        #expect(priced.total.minorUnits == 4 * 899)
    }

    @Test("The menu stands in staff's order, whatever order it was loaded in; a set's entry is 1 to 99")
    func staffsOrder() throws {
        var app = AppMenu()
        let before = try app.menu()
        app.items.shuffle()
        app.sales.shuffle()
        let after = try app.menu()
        #expect(after.items.map(\.id) == before.items.map(\.id))
        #expect(after.sales.map(\.id) == [100, 200, 300, 400, 500])
        #expect(after.categories.map(\.title) == ["Combo", "Burgers", "Fries", "Beverages", "Sauces"])
        #expect(SetEntry(menuItemID: 2002, quantity: 0) == nil && SetEntry(menuItemID: 2002, quantity: 100) == nil)
        #expect(SetEntry(menuItemID: 2002, quantity: .min) == nil && SetEntry(menuItemID: 2002, quantity: 99)?.quantity == 99)
    }
}
