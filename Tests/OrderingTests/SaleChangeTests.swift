// A set in a basket is compared with its current sales group by the basket, the form, the checkout and the offered
// times.
import Testing

@testable import Ordering

@Suite("Changed sales groups")
struct SaleChangeTests {
    /// The items of a sales group with their quantities.
    private typealias Units = [(item: Int64, quantity: Int)]

    /// The app's menu with other items in sales group 400, which has 1002 and 1003 once each.
    private static func menu(_ units: Units, isRetired: Bool = false) throws -> Menu {
        var app = MenuFixture()
        for index in app.sales.indices where app.sales[index].id == 400 {
            (app.sales[index].entries, app.sales[index].isRetired) = (units, isRetired)
        }
        return try app.menu()
    }

    private static func units(_ basket: Basket) -> [String] {
        basket.sets.flatMap { $0.items.map { "\($0.quantity) × \($0.dish.menuItemID.rawValue)" } }
    }

    @Test("A set is unchanged if the guest removed items from it or the sales group got new items")
    func judgement() throws {
        let whole = try Basket.empty().after([.addSale(400)], MenuFixture().menu())
        let reduced = try whole.after([.removeSaleItem(400, 1003)], MenuFixture().menu())
        let cases: [(units: Units, whole: SaleChange?, reduced: SaleChange?)] = [
            ([(1002, 1), (1003, 1)], nil, nil), ([(1003, 1), (1002, 1)], nil, nil),
            ([(1002, 1), (1003, 1), (2002, 3)], nil, nil), ([(1002, 1), (1003, 2)], .changed, nil),
            ([(1002, 1)], .changed, nil), ([(1003, 1)], .changed, .changed),
            ([(1002, 2), (1003, 1)], .changed, .changed), ([(2002, 1)], .changed, .changed),
            ([], .notOffered, .notOffered),
        ]
        for (units, ofWhole, ofReduced) in cases {
            let menu = try Self.menu(units)
            #expect(PricedBasket(whole, menu: menu).sets[0].saleChange == ofWhole, "\(units)")
            #expect(PricedBasket(reduced, menu: menu).sets[0].saleChange == ofReduced, "\(units)")
            let retired = try Self.menu(units, isRetired: true)
            #expect(PricedBasket(whole, menu: retired).sets[0].saleChange == .notOffered, "\(units)")
        }
        let unknown = MenuFixture(items: MenuFixture().items, sales: [])
        #expect(PricedBasket(whole, menu: try unknown.menu()).sets[0].saleChange == .notOffered)
    }

    @Test("A set with repeated items or different choices is compared by the sum of its units")
    func sums() throws {
        var app = MenuFixture.withOptions()
        app.sales[1].entries = [(2002, 2), (2001, 1), (2002, 1)]
        let chosen = [RawDish(2002, options: [.of(9102)]), RawDish(2002, options: [])]
        let basket = try Basket.empty().after([.addSale(200, chosen)], app.menu())
        #expect(basket.sets[0].items.count > 2)
        #expect(PricedBasket(basket, menu: try app.menu()).sets[0].saleChange == nil)
        app.sales[1].entries = [(2001, 1), (2002, 3)]
        #expect(PricedBasket(basket, menu: try app.menu()).sets[0].saleChange == nil)
        app.sales[1].entries = [(2001, 1), (2002, 2)]
        #expect(PricedBasket(basket, menu: try app.menu()).sets[0].saleChange == .changed)
    }

    @Test("The basket, the form, the checkout and the offered times agree on a retired and on a changed sales group")
    func agreement() throws {
        let cases: [(units: Units, isRetired: Bool, code: String)] = [
            ([(1002, 1), (1003, 1)], true, "sale_not_offered"), ([], false, "sale_not_offered"),
            ([(1002, 1)], false, "sale_changed"), ([(1002, 1), (1003, 3)], false, "sale_changed"),
        ]
        for (units, isRetired, code) in cases {
            var shop = CheckoutFixture()
            let basket = CheckoutFixture.basket([(4001, 1)], sets: [(400, [(1002, 1), (1003, 1)])])
            (shop.basket, shop.menu) = (basket, try Self.menu(units, isRetired: isRetired))
            let priced = PricedBasket(basket, menu: shop.menu)
            let reasons = priced.sets[0].items.map { $0.availability.unavailable?.reason.rawValue }
            #expect(reasons == ["not_offered", "not_offered"] && !priced.sets[0].isAvailable)
            #expect(priced.lines[0].isAvailable && !priced.actions.contains(.checkout))
            #expect(try shop.decide(expectedTotal: priced.total.minorUnits).summaries == ["sales/400 \(code)"])
            let form = try shop.draft(expectedTotal: priced.total.minorUnits).form
            let live = Checkout.validate(form, shop.facts)
            #expect(live.errors.map { "\($0.path) \($0.code.rawValue)" } == ["sales/400 \(code)"] && !live.isReady)
            #expect(shop.menu.offeredTimes(.delivery, basket: basket).readyAt == nil)
        }
        var shop = CheckoutFixture()
        let basket = CheckoutFixture.basket([(4001, 1)], sets: [(400, [(1002, 1)])])
        shop.basket = basket
        let total = PricedBasket(basket, menu: shop.menu).total.minorUnits
        #expect(try shop.decide(expectedTotal: total).summaries == ["accept"])
        #expect(shop.menu.offeredTimes(.delivery, basket: basket).readyAt != nil)
    }

    @Test("An error of a set comes before the errors of its items, and one answer has all errors")
    func order() throws {
        var shop = CheckoutFixture()
        var app = MenuFixture()
        app.sales[1].isRetired = true
        app.changeItem(1003) { $0.isAvailable = false }
        app.changeItem(4001) { $0.isAvailable = false }
        shop.menu = try app.menu()
        let sets: [(Int64, [(Int64, Int)])] = [(400, [(1002, 1), (1003, 2)]), (200, [(2002, 3)])]
        shop.basket = CheckoutFixture.basket([(4001, 1)], sets: sets)
        #expect(
            try shop.decide(expectedTotal: 1).summaries == [
                "lines/4001 item_sold_out", "sales/200 sale_not_offered", "sales/400 sale_changed",
                "sales/400/items/1003 item_sold_out",
            ])
    }

    @Test("A new choice takes the sales group's current units, except items that the guest removed")
    func newChoice() throws {
        let basket = try Basket.empty().after([.addSale(400, [RawDish(1002, note: "rare")])], MenuFixture().menu())
        let chosen = [RawDish(1002, note: "rare")]
        let more = try Self.menu([(1002, 2), (2002, 3)])
        let changed = try basket.after([.editSale(400, chosen)], more)
        #expect(Self.units(changed) == ["1 × 1002", "1 × 1002", "3 × 2002"])
        #expect(changed.sets[0].items.map { $0.dish.note?.text } == ["rare", nil, nil])
        #expect(changed.sets[0].items[0].id == basket.sets[0].items[0].id)
        #expect(PricedBasket(changed, menu: more).actions.contains(.checkout))

        let reduced = try basket.after([.removeSaleItem(400, 1003)], MenuFixture().menu())
        let both = try Self.menu([(1002, 3), (1003, 2)])
        #expect(Self.units(try reduced.after([.editSale(400, [])], both)) == ["3 × 1002"])
        // Also after the sales group was without the item for a while.
        let onlyFirst = try Self.menu([(1002, 1)])
        let later = try reduced.after([.editSale(400, [])], onlyFirst).after([.editSale(400, [])], both)
        #expect(Self.units(later) == ["3 × 1002"])
        let refused = reduced.applying(.editSale(400, [RawDish(1003)]), menu: both).rejectionSummaries
        #expect(refused == ["sales/400/items/1003 item_not_in_sale"])
        // A set that is removed and added again has all items.
        #expect(Self.units(try reduced.after([.removeSale(400), .addSale(400)], both)) == ["3 × 1002", "2 × 1003"])
    }

    @Test("A new choice removes an empty set, and is rejected for a retired sales group or a sold-out item")
    func rejectedChoice() throws {
        let basket = try Basket.empty().after([.addSale(400)], MenuFixture().menu())
        let reduced = try basket.after([.removeSaleItem(400, 1003)], MenuFixture().menu())
        #expect(try reduced.after([.editSale(400, [])], Self.menu([(1003, 1)])).sets.isEmpty)
        for menu in [try Self.menu([(1002, 1), (1003, 1)], isRetired: true), try Self.menu([])] {
            #expect(basket.applying(.editSale(400, []), menu: menu) == .failure(.saleNotFound))
        }
        var app = MenuFixture()
        app.changeItem(1002) { $0.isAvailable = false }
        for index in app.sales.indices where app.sales[index].id == 400 { app.sales[index].entries = [(1002, 2)] }
        #expect(basket.applying(.editSale(400, []), menu: try app.menu()) == .failure(.itemSoldOut))
        for index in app.sales.indices where app.sales[index].id == 400 { app.sales[index].entries = [(1002, 1)] }
        #expect(Self.units(try basket.after([.editSale(400, [])], app.menu())) == ["1 × 1002"])
    }
}
