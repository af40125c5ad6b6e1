// Coupons and dishes with options, compared with a reference calculation over random baskets.
import TestBasics
import Testing

@testable import Ordering

@Suite("Coupons and dishes with options")
struct CouponOptionTests {
    /// A line's prices, calculated as documented.
    private struct ReferenceLine {
        let own: Int64
        let unit: Int64
        let quantity: Int64

        init(_ line: Line, _ menu: Menu, percent: Int64) throws {
            let price = try #require(menu.item(line.menuItemID)).price.minorUnits
            // A sale reduces the item's own price, rounded half up, and not the prices of its options.
            own = (price * (100 - percent) + 50) / 100
            unit = max(0, own + menu.optionTree(of: line.menuItemID).referencePrice(line.dish.selection))
            quantity = Int64(line.quantity)
        }
    }

    @Test("A percent reduces whole lines, an amount at most the subtotal, and a free item at most the cheapest unit")
    func discounts() throws {
        var random = SeededRandom()
        var seen = (orders: 0, belowOwn: 0, inSets: 0)
        for _ in 0..<500 {
            var app = MenuFixture.withRandomOptions(&random)
            let percent = Int.random(in: 1...99, using: &random)
            for item: Int64 in [2001, 2002] {
                app.changeItem(item) { $0.price = .random(in: 0...1_200, using: &random) }
            }
            app.changeItem(2002) { $0.percent = percent }
            var shop = CheckoutFixture()
            shop.menu = try app.menu()
            let basket = randomBasket(shop.menu, &random)
            shop.basket = basket
            func referenceLine(_ line: Line) throws -> ReferenceLine {
                try ReferenceLine(line, shop.menu, percent: line.menuItemID == 2002 ? Int64(percent) : 0)
            }
            let lines = try basket.lines.map(referenceLine)
            let items = try basket.sets.flatMap(\.items).map(referenceLine)
            let total = (lines + items).reduce(0) { $0 + $1.unit * $1.quantity }
            #expect(PricedBasket(basket, menu: shop.menu).total.minorUnits == total, "\(random)")

            let burgers = zip(basket.lines, lines).filter { $0.0.menuItemID != 4001 }.map(\.1) + items
            let free = burgers.min { $0.own < $1.own }.map { min($0.own, $0.unit) }
            let off = Int64.random(in: 1...99, using: &random)
            let amount = Int64.random(in: 1...4_000, using: &random)
            let coupons: [(CouponBenefit, Int64?)] = [
                (.percent(CheckoutFixture.percent(Int(off))), total - (total * (100 - off) + 50) / 100),
                (.amount(CheckoutFixture.money(amount)), min(amount, total)),
                (.freeItem(CategoryID(rawValue: 200)), free),
            ]
            for (benefit, discount) in coupons {
                shop.coupon = try .test("OFF", benefit)
                let decision = try shop.decide(expectedTotal: total - (discount ?? 0))
                guard let discount else {
                    #expect(decision.summaries == ["coupon coupon_needs_item"], "\(random)")
                    continue
                }
                let order = try #require(decision.order, "\(decision.summaries) \(benefit) \(random)")
                let parts =
                    order.lines.map { ($0.discount, $0.line.total) }
                    + order.sets.flatMap(\.items).map { ($0.discount, $0.line.total) }
                #expect(order.discount.minorUnits == discount, "\(benefit) \(random)")
                #expect(
                    parts.reduce(0) { $0 + $1.0.minorUnits } == discount && parts.allSatisfy { $0 <= $1 },
                    "\(benefit) \(random)")
                seen.orders += 1
            }
            if let free, free < burgers.map(\.own).min() ?? 0 { seen.belowOwn += 1 }
            if let least = items.map(\.own).min(),
                burgers.prefix(burgers.count - items.count).allSatisfy({ $0.own > least })
            {
                seen.inSets += 1
            }
        }
        #expect(seen.orders > 800 && seen.belowOwn > 3 && seen.inSets > 10, "\(seen) \(random)")
    }

    /// Random burgers, perhaps a set of three, and one item without options.
    private func randomBasket(_ menu: Menu, _ random: inout SeededRandom) -> Basket {
        var basket = Basket.empty()
        func chosen(_ item: MenuItemID) -> RawDish {
            RawDish(item, options: menu.optionTree(of: item).randomValidChoice(at: menu.moment, &random))
        }
        var changes = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            BasketChange.addItem(
                chosen(Bool.random(using: &random) ? 2001 : 2002), quantity: .random(in: 1...3, using: &random))
        }
        if Bool.random(using: &random) { changes.append(.addSale(200, (0..<3).map { _ in chosen(2002) })) }
        changes.append(.addItem(4001, quantity: 1))
        // Leaves out dishes that no choice makes orderable.
        for change in changes { if case .success(let more) = basket.applying(change, menu: menu) { basket = more } }
        return basket
    }

    @Test("A sale's percent reduces only the item's own price in lines and sets, and option prices stay the same")
    func sales() throws {
        for percent in [1, 10, 33, 50, 99] {
            var app = MenuFixture.withOptions()
            app.changeItem(2002) { ($0.price, $0.percent) = (1_005, percent) }
            let menu = try app.menu()
            let chosen = RawDish(2002, options: [.of(9101), .of(9102), .of(9103)])
            let basket = try Basket.empty().after([.addItem(chosen, quantity: 2), .addSale(200, [chosen])], menu)
            let own = (1_005 * (100 - Int64(percent)) + 50) / 100
            let priced = PricedBasket(basket, menu: menu)
            // The cheese for 100 is included. The other options cost 150 and -50.
            #expect(
                priced.lines.map(\.unitPrice.minorUnits) == [max(0, own + 100)]
                    && priced.lines.map(\.regularUnitPrice.minorUnits) == [1_105])
            #expect(priced.sets[0].items.map(\.unitPrice.minorUnits) == [max(0, own + 100), own])
            #expect(priced.total.minorUnits == 3 * (own + 100) + 2 * own)
        }
    }
}
