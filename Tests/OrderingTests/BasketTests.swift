// Every change of a basket, every rejection, and what a priced basket shows.
import Testing

@testable import Ordering

@Suite("Basket")
struct BasketTests {
    @Test("Items are added, incremented and decremented, and a line that reaches zero is removed")
    func lines() throws {
        let menu = try MenuFixture().menu()
        var basket = try Basket.empty().after(
            [.addItem(2001, quantity: 2), .addItem(3001, quantity: 1), .addItem(2001, quantity: 3)], menu)
        #expect(basket.lines.map(\.menuItemID) == [2001, 3001])
        #expect(basket.lines.map(\.quantity) == [5, 1])
        basket = try basket.after([.increment(3001), .decrement(2001)], menu)
        #expect(basket.lines.map(\.quantity) == [4, 2])
        basket = try basket.after([.decrement(3001), .decrement(3001)], menu)
        #expect(basket.lines.map(\.menuItemID) == [2001])
        #expect(basket.applying(.decrement(3001), menu: menu) == .failure(.itemNotInBasket))
    }

    @Test("A line and a set are removed one by one, and clearing removes everything")
    func removal() throws {
        let menu = try MenuFixture().menu()
        let full = try Basket.empty().after(
            [.addItem(2001, quantity: 2), .addItem(2002, quantity: 1), .addSale(200), .addSale(400)], menu)
        #expect(try full.after([.removeItem(2001)], menu).lines.map(\.menuItemID) == [2002])
        #expect(try full.after([.removeSale(200)], menu).sets.map(\.salesGroupID) == [400])
        let cleared = try full.after([.clear], menu)
        #expect(cleared.isEmpty && cleared.version == full.version + 1 && cleared.id == full.id)
    }

    @Test("A basket lists lines and sets separately and gives the total count and the sum of both")
    func totals() throws {
        let menu = try MenuFixture().menu()
        let changes: [BasketChange] = [
            .addItem(2001, quantity: 2), .addItem(2002, quantity: 1), .addSale(200), .addSale(400),
        ]
        let priced = PricedBasket(try Basket.empty().after(changes, menu), menu: menu)
        #expect(priced.lines.map(\.menuItemID) == [2001, 2002])
        #expect(priced.sets.map(\.salesGroupID) == [200, 400])
        #expect(priced.totalCount == 2 + 1 + 1 + 1)
        #expect(priced.lines.map(\.total.minorUnits) == [1610, 899])
        #expect(priced.sets.map(\.total.minorUnits) == [2697, 1799 + 1679])
        #expect(priced.total.minorUnits == 1610 + 899 + 2697 + 3478)
    }

    @Test("A discounted line shows its regular price and its current price")
    func oldAndNewPrice() throws {
        let menu = try MenuFixture().menu()
        let basket = try Basket.empty().after([.addItem(1004, quantity: 1), .addItem(1001, quantity: 1)], menu)
        let lines = PricedBasket(basket, menu: menu).lines
        #expect(lines.map(\.regularUnitPrice.minorUnits) == [2899, 1699])
        #expect(lines.map(\.unitPrice.minorUnits) == [2464, 1699])
        #expect(lines.map(\.previousUnitPrice) == [nil, nil])
        #expect(lines.map(\.kind) == [.discount, .regular])
        #expect(lines.map(\.title) == ["Triospeciality", "Grill Combo"])
    }

    @Test("After a price change, a line shows its recorded price as the previous price until the line changes again")
    func previousPrice() throws {
        var app = MenuFixture()
        let basket = try Basket.empty().after(
            [.addItem(2001, quantity: 2), .addItem(3001, quantity: 2), .addItem(4001, quantity: 2), .addSale(400)],
            app.menu())
        for id: Int64 in [2001, 3001, 4001, 1003] { app.changeItem(id) { $0.price += 100 } }
        let menu = try app.menu()

        let priced = PricedBasket(basket, menu: menu)
        #expect(priced.lines.map(\.unitPrice.minorUnits) == [905, 559, 385])
        #expect(priced.lines.map { $0.previousUnitPrice?.minorUnits } == [805, 459, 285])
        #expect(priced.sets.first?.items.map { $0.previousUnitPrice?.minorUnits } == [nil, 1679])
        #expect(priced.total.minorUnits == 2 * (905 + 559 + 385) + 1799 + 1759)

        let changed = try basket.after([.addItem(2001, quantity: 1), .increment(3001), .decrement(4001)], menu)
        #expect(changed.lines.map(\.unitPrice.minorUnits) == [905, 559, 385])
        #expect(PricedBasket(changed, menu: menu).lines.map(\.previousUnitPrice) == [nil, nil, nil])
        #expect(changed.sets == basket.sets)
    }

    @Test("A set keeps its items and prices after its sales group was changed and retired, but it cannot be ordered")
    func recordedComposition() throws {
        var app = MenuFixture()
        let basket = try Basket.empty().after([.addSale(200)], app.menu())
        app.sales[1].entries = [(2003, 1)]
        app.sales[1].isRetired = true
        let menu = try app.menu()
        let priced = PricedBasket(basket, menu: menu)
        #expect(priced.sets.first?.items.map(\.menuItemID) == [2002])
        #expect(priced.sets.first?.items.map(\.quantity) == [3])
        #expect(priced.total.minorUnits == 2697 && !priced.isAvailable)
        #expect(try basket.after([.removeSale(200)], menu).isEmpty)
    }

    @Test("A set without one of its items can be ordered, and removing the last item removes the set")
    func removalFromSet() throws {
        var app = MenuFixture()
        let full = try Basket.empty().after([.addItem(1003, quantity: 2), .addSale(400)], app.menu())
        app.changeItem(1002) { $0.isAvailable = false }
        let menu = try app.menu()
        #expect(!PricedBasket(full, menu: menu).isAvailable)
        let rest = try full.after([.removeSaleItem(400, 1002)], menu)
        #expect(rest.version == full.version + 1 && rest.lines == full.lines)
        #expect(rest.sets.map { $0.items } == [full.sets[0].items.filter { $0.menuItemID == 1003 }])
        let priced = PricedBasket(rest, menu: menu)
        #expect(
            priced.isAvailable && priced.sets[0].total == priced.lines[0].unitPrice
                && priced.total == priced.lines[0].unitPrice * 3)
        #expect(rest.applying(.addSale(400), menu: menu) == .failure(.saleAlreadyInBasket))
        #expect(rest.applying(.removeSaleItem(400, 1002), menu: menu) == .failure(.itemNotInBasket))
        #expect(rest.applying(.removeSaleItem(200, 1003), menu: menu) == .failure(.saleNotFound))
        let emptied = try rest.after([.removeSaleItem(400, 1003)], menu)
        #expect(emptied.sets.isEmpty && emptied.lines == full.lines)
    }

    @Test("A sold-out item cannot be added or incremented, but can be decremented and removed")
    func soldOut() throws {
        var app = MenuFixture()
        let basket = try Basket.empty().after([.addItem(2001, quantity: 2), .addSale(200)], app.menu())
        app.changeItem(2001) { $0.isAvailable = false }
        app.changeItem(2002) { $0.isAvailable = false }
        let menu = try app.menu()
        #expect(basket.applying(.addItem(2001, quantity: 1), menu: menu) == .failure(.itemSoldOut))
        #expect(Basket.empty().applying(.addItem(2001, quantity: 1), menu: menu) == .failure(.itemSoldOut))
        #expect(Basket.empty().applying(.addSale(200), menu: menu) == .failure(.itemSoldOut))
        #expect(basket.applying(.increment(2001), menu: menu) == .failure(.itemSoldOut))
        #expect(try basket.after([.decrement(2001)], menu).lines.map(\.quantity) == [1])
        #expect(try basket.after([.removeItem(2001), .removeSale(200)], menu).isEmpty)

        let priced = PricedBasket(basket, menu: menu)
        #expect(
            priced.lines.map(\.isAvailable) == [false] && priced.sets.map(\.isAvailable) == [false]
                && !priced.isAvailable)
        #expect(!priced.actions.contains(.checkout) && !priced.actions.contains(.increment))
    }

    @Test("A retired item is not found when it is added, and a basket line with it counts as sold out")
    func retired() throws {
        var app = MenuFixture()
        let basket = try Basket.empty().after([.addItem(2001, quantity: 2)], app.menu())
        app.changeItem(2001) { $0.isRetired = true }
        app.changeItem(1003) { $0.isRetired = true }
        app.sales[1].isRetired = true
        let menu = try app.menu()
        #expect(basket.applying(.addItem(2001, quantity: 1), menu: menu) == .failure(.menuItemNotFound))
        #expect(basket.applying(.increment(2001), menu: menu) == .failure(.itemSoldOut))
        #expect(basket.applying(.addSale(200), menu: menu) == .failure(.saleNotFound))
        #expect(basket.applying(.addSale(400), menu: menu) == .failure(.saleNotFound), "an item of the set is retired")
        #expect(PricedBasket(basket, menu: menu).lines.map(\.isAvailable) == [false])
        #expect(try basket.after([.decrement(2001), .decrement(2001)], menu).isEmpty)
    }

    @Test("A change with an unknown item, line or sales group is rejected with its own error")
    func unknownReferences() throws {
        let menu = try MenuFixture().menu()
        let basket = Basket.empty()
        #expect(basket.applying(.addItem(9999, quantity: 1), menu: menu) == .failure(.menuItemNotFound))
        #expect(
            basket.applying(.addItem(MenuItemID(rawValue: .min), quantity: .min), menu: menu)
                == .failure(.menuItemNotFound))
        #expect(basket.applying(.increment(2001), menu: menu) == .failure(.itemNotInBasket))
        #expect(basket.applying(.decrement(2001), menu: menu) == .failure(.itemNotInBasket))
        #expect(basket.applying(.removeItem(2001), menu: menu) == .failure(.itemNotInBasket))
        #expect(basket.applying(.addSale(999), menu: menu) == .failure(.saleNotFound))
        #expect(basket.applying(.removeSale(200), menu: menu) == .failure(.saleNotFound))
    }

    @Test("A quantity outside 1 to 99 is rejected", arguments: [0, -1, 100, 101, .max, .min] as [Int64])
    func quantityOutOfRange(quantity: Int64) throws {
        let menu = try MenuFixture().menu()
        let refused = Result<Basket, BasketChangeRejection>.failure(.quantityOutOfRange(limit: 99))
        #expect(Basket.empty().applying(.addItem(2001, quantity: quantity), menu: menu) == refused)
        let started = try Basket.empty().after([.addItem(2001, quantity: 1)], menu)
        #expect(started.applying(.addItem(2001, quantity: quantity), menu: menu) == refused)
    }

    @Test("A line with 99 units rejects one more, added or incremented")
    func quantityLimit() throws {
        let menu = try MenuFixture().menu()
        let refused = Result<Basket, BasketChangeRejection>.failure(.quantityOutOfRange(limit: 99))
        let basket = try Basket.empty().after([.addItem(2001, quantity: 98), .increment(2001)], menu)
        #expect(basket.lines.map(\.quantity) == [99])
        #expect(basket.applying(.increment(2001), menu: menu) == refused)
        #expect(basket.applying(.addItem(2001, quantity: 1), menu: menu) == refused)
        #expect(basket.applying(.addItem(2001, quantity: 99), menu: menu) == refused)
        #expect(Line(1, 2001, 100, .zero) == nil)
        #expect(Line(1, 2001, 0, .zero) == nil)
    }

    @Test("A basket with 50 lines and sets rejects another one, and its lines can still grow")
    func entryLimit() throws {
        var app = MenuFixture()
        app.items += (6001...6060).map { MenuFixture.ItemRow($0, "Sauce \($0)", .regular, 100) }
        let menu = try app.menu()
        let refused = Result<Basket, BasketChangeRejection>.failure(.basketFull(limit: 50))
        var basket = try Basket.empty().after([.addSale(200)], menu)
        for id in 6001...6049 {
            basket = try basket.after([.addItem(MenuItemID(rawValue: Int64(id)), quantity: 1)], menu)
        }
        #expect(basket.lines.count + basket.sets.count == 50)
        #expect(basket.applying(.addItem(6050, quantity: 1), menu: menu) == refused)
        #expect(basket.applying(.addSale(400), menu: menu) == refused)
        #expect(basket.applying(.addSale(200), menu: menu) == .failure(.saleAlreadyInBasket))
        #expect(try basket.after([.addItem(6001, quantity: 2)], menu).lines.first?.quantity == 3)
        #expect(
            PricedBasket(basket, menu: menu).actions == [
                .checkout, .increment, .decrement, .removeItem, .removeSale, .removeSaleItem, .clear,
            ])
        #expect(try basket.after([.removeItem(6001), .addSale(400)], menu).sets.count == 2)
    }

    @Test("An ordered basket rejects every change and offers only the action to view its order")
    func ordered() throws {
        let menu = try MenuFixture().menu()
        let open = try Basket.empty().after([.addItem(2001, quantity: 1), .addSale(200)], menu)
        let basket = Basket(
            id: open.id, state: .ordered, version: open.version, currency: open.currency,
            createdLineCount: open.createdLineCount, lines: open.lines,
            sets: open.sets)
        let changes: [BasketChange] = [
            .addItem(2001, quantity: 1), .addItem(9999, quantity: 0), .increment(2001), .decrement(2001),
            .removeItem(2001), .addSale(400),
            .removeSale(200), .clear,
        ]
        for change in changes {
            #expect(basket.applying(change, menu: menu) == .failure(.basketAlreadyOrdered), "\(change)")
        }
        #expect(PricedBasket(basket, menu: menu).actions == [.viewOrder])
    }

    @Test("A basket lists the actions that are possible next")
    func actions() throws {
        let menu = try MenuFixture().menu()
        func actions(_ changes: [BasketChange]) throws -> [String] {
            PricedBasket(try Basket.empty().after(changes, menu), menu: menu).actions.map(\.rawValue)
        }
        #expect(try actions([]) == ["add_item", "add_sale"])
        #expect(
            try actions([.addSale(200)]) == [
                "checkout", "add_item", "add_sale", "remove_sale", "remove_sale_item", "clear",
            ])
        let lineActions = ["checkout", "add_item", "add_sale", "increment", "decrement", "remove_item", "clear"]
        #expect(try actions([.addItem(2001, quantity: 1)]) == lineActions)
        #expect(try actions([.addItem(2001, quantity: 99)]) == lineActions.filter { $0 != "increment" })
    }

    @Test("The version increments with each change and stays when nothing changes")
    func versions() throws {
        let menu = try MenuFixture().menu()
        #expect(Basket.empty().version == 1)
        #expect(try Basket.empty().after([.clear, .clear], menu).version == 1)
        #expect(
            try Basket.empty().after([.addItem(2001, quantity: 1), .increment(2001), .clear, .clear], menu).version == 4
        )
    }

    @Test("An item that the menu does not have cannot be ordered and keeps its recorded price")
    func unknownItem() throws {
        let menu = try MenuFixture().menu()
        let line = try #require(Line(1, 2099, 2, Money(unchecked: 700)))
        let basket = Basket(
            id: Basket.empty().id, state: .open, version: 1, currency: "USD", createdLineCount: 1, lines: [line],
            sets: [BasketSet(salesGroupID: 999, items: [line])])
        let priced = PricedBasket(basket, menu: menu)
        #expect(priced.total.minorUnits == 2800 && !priced.isAvailable)
        #expect(priced.lines.map(\.previousUnitPrice) == [nil])
        #expect(basket.applying(.increment(2099), menu: menu) == .failure(.itemSoldOut))
        #expect(try basket.after([.decrement(2099)], menu).lines.map(\.unitPrice.minorUnits) == [700])
    }
}
