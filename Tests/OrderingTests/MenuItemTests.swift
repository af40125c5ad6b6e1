// The kinds of menu items, special items alone and in sales groups, and sets.
import Testing

@testable import Ordering

@Suite("Menu items and sales groups")
struct MenuItemTests {
    @Test("The three kinds of items share one protocol, and discount and special items have a reduced price")
    func threeKinds() throws {
        let menu = try MenuFixture().menu()
        // id: kind, price, sale percent, current price
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

    @Test("A special item links to its sales group, and other kinds of items link to none")
    func linksToSale() throws {
        let menu = try MenuFixture().menu()
        for item in menu.items {
            #expect((item.kind == .special) == (item.salesGroupID != nil), "\(item.id)")
            guard let sale = item.salesGroupID.flatMap({ menu.sale($0) }) else { continue }
            #expect(menu.setItems(of: sale).contains { $0.item.id == item.id })
        }
        #expect(menu.item(1003)?.salesGroupID == 400)
    }

    @Test("A special item, sold alone and in a set, can be ordered both ways, and alone if no set contains it")
    func specialOnItsOwn() throws {
        var app = MenuFixture()
        app.items.append(MenuFixture.ItemRow(2006, "Lonely Burger", .special, 1000, 25))
        let menu = try app.menu()
        #expect(menu.item(2006)?.salesGroupID == nil)
        #expect(menu.item(2006)?.currentPrice.minorUnits == 750)

        let basket = try Basket.empty().after(
            [.addItem(2002, quantity: 1), .addItem(2006, quantity: 1), .addSale(200)], menu)
        #expect(basket.lines.map(\.menuItemID) == [2002, 2006])
        #expect(basket.sets.map(\.salesGroupID) == [200])
    }

    @Test("A sales group is information only, or a set that is added to the basket in one step")
    func informationOrSet() throws {
        let menu = try MenuFixture().menu()
        for id: SalesGroupID in [100, 300, 500] {
            let sale = try #require(menu.sale(id))
            #expect(sale.content == .information && menu.setItems(of: sale).isEmpty && menu.setTotal(of: sale) == .zero)
            #expect(Basket.empty().applying(.addSale(id), menu: menu) == .failure(.saleHasNoItems))
        }
        let basket = try Basket.empty().applying(.addSale(400), menu: menu).get()
        #expect(basket.sets.map { $0.items.map(\.menuItemID) } == [[1002, 1003]])
        #expect(basket.version == Basket.empty().version + 1)
    }

    @Test("A set that is empty or has a retired item is not offered, and a set with a sold-out item is listed")
    func offeredSets() throws {
        func offered(_ change: (inout MenuFixture) -> Void) throws -> (listed: Bool, refusal: BasketChangeRejection?) {
            var app = MenuFixture()
            change(&app)
            let menu = try app.menu()
            let refusal: BasketChangeRejection? =
                if case .failure(let refusal) = Basket.empty().applying(.addSale(400), menu: menu) { refusal } else {
                    nil
                }
            return (menu.offeredSales.contains { $0.id == 400 }, refusal)
        }
        #expect(try offered { _ in } == (true, nil))
        #expect(
            try offered { $0.items[$0.items.firstIndex { $0.id == 1003 }!].isAvailable = false } == (true, .itemSoldOut)
        )
        #expect(
            try offered { $0.items[$0.items.firstIndex { $0.id == 1003 }!].isRetired = true } == (false, .saleNotFound))
        let menu = try MenuFixture().menu()
        let empty = SalesGroup(
            id: 600, title: "Empty", headline: "", description: "", previewImageURL: "", backgroundImageURL: "",
            position: 0,
            isRetired: false,
            content: .set([]))
        let shop = Menu(
            revision: 1, currency: menu.currency, defaultCountry: "US", timeZone: "UTC", categories: [],
            items: menu.items, sales: [empty],
            coupons: [], at: menu.moment)
        #expect(shop.offeredSales.isEmpty)
        #expect(Basket.empty().applying(.addSale(600), menu: shop) == .failure(.saleNotFound))
    }

    @Test("The set Happy Saturday has three BBQ Burgers for 26.97")
    func happySaturday() throws {
        let menu = try MenuFixture().menu()
        let sale = try #require(menu.sale(200))
        #expect(menu.setTotal(of: sale).minorUnits == 2697)
        let priced = PricedBasket(try Basket.empty().after([.addSale(200)], menu), menu: menu)
        #expect(priced.sets.map(\.title) == ["Happy Saturday"])
        #expect(priced.sets.first?.items.map(\.quantity) == [3])
        #expect(priced.total.minorUnits == 2697 && priced.totalCount == 1)
    }

    @Test("A set that is in the basket can be added again only after it was removed")
    func setOnce() throws {
        let menu = try MenuFixture().menu()
        let basket = try Basket.empty().after([.addSale(200)], menu)
        #expect(basket.applying(.addSale(200), menu: menu) == .failure(.saleAlreadyInBasket))
        let readded = try basket.after([.addSale(400), .removeSale(200), .addSale(200)], menu)
        #expect(readded.sets.map(\.salesGroupID) == [400, 200])
    }

    @Test("An item that occurs in several entries of a set is counted in each")
    func sameItemTwice() throws {
        var app = MenuFixture()
        app.sales[1].entries = [(2002, 2), (2003, 1), (2002, 1)]
        let menu = try app.menu()
        let priced = PricedBasket(try Basket.empty().after([.addSale(200)], menu), menu: menu)
        #expect(priced.sets.first?.items.map(\.quantity) == [3, 1])
        #expect(priced.total.minorUnits == 4 * 899)
    }

    @Test("The menu keeps staff's order in any loading order, and a set's entry has 1 to 99 units")
    func staffsOrder() throws {
        var app = MenuFixture()
        let before = try app.menu()
        app.items.shuffle()
        app.sales.shuffle()
        let after = try app.menu()
        #expect(after.items.map(\.id) == before.items.map(\.id))
        #expect(after.sales.map(\.id) == [100, 200, 300, 400, 500])
        #expect(after.categories.map(\.title) == ["Combo", "Burgers", "Fries", "Beverages", "Sauces"])
        #expect(SetEntry(menuItemID: 2002, quantity: 0) == nil && SetEntry(menuItemID: 2002, quantity: 100) == nil)
        #expect(
            SetEntry(menuItemID: 2002, quantity: .min) == nil
                && SetEntry(menuItemID: 2002, quantity: 99)?.quantity == 99)
    }
}
