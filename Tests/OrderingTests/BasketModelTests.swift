// Compares the basket with `BasketModel`: thousands of random changes on a changing menu must give equal outcomes.
import TestBasics
import Testing

@testable import Ordering

@Suite("The basket compared with a naive model")
struct BasketModelTests {
    @Test("Random changes on a changing menu give the same basket, prices and rejections as the model")
    func agreesWithModel() throws {
        var random = SeededRandom()
        var refusals: Set<String> = []
        for round in 0..<60 {
            var app = MenuFixture()
            app.items += (6001...6090).map { MenuFixture.ItemRow($0, "Sauce \($0)", .regular, 100) }
            let options = [
                MenuFixture.OptionRow(id: 9101, price: 100, maximum: 9),
                MenuFixture.OptionRow(id: 9102, price: -50, maximum: 9),
            ]
            app.groups = [MenuFixture.OptionGroupRow(id: 91, options: options)]
            for burger in BasketModel.burgers { app.itemGroups[burger] = [91] }
            var menu = try app.menu()
            var basket = Basket.empty(random.next())
            var model = BasketModel()
            // Every third basket starts nearly full. Otherwise hardly any basket reaches 50 entries.
            for id in 6001...6047 where round.isMultiple(of: 3) {
                let change = BasketChange.addItem(MenuItemID(rawValue: Int64(id)), quantity: 1)
                basket = try basket.after([change], menu)
                #expect(model.apply(change, app) == nil)
            }
            for _ in 0..<150 {
                if Int.random(in: 0..<10, using: &random) == 0 {
                    changeRandomRow(&app, &random)
                    menu = try app.menu()
                }
                let change = randomChange(app, basket, &random)
                let outcome = basket.applying(change, menu: menu)
                let refusal = model.apply(change, app)
                switch outcome {
                case .success(let next):
                    #expect(refusal == nil, "\(change), \(random)")
                    basket = next
                case .failure(let found):
                    #expect(found == refusal, "\(change), \(random)")
                    refusals.insert("\(found)".prefix { $0 != "(" }.description)
                }
                try #require(model.matches(basket, PricedBasket(basket, menu: menu), app), "after \(change), \(random)")
            }
        }
        // 9,000 changes cause every rejection except the one of an ordered basket, which is final.
        #expect(refusals.count == 10, "\(refusals), \(random)")
    }

    private func changeRandomRow(_ app: inout MenuFixture, _ random: inout SeededRandom) {
        let index = Int.random(in: app.items.indices, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 10, 11:
            let sale = app.sales.indices.filter { !app.sales[$0].entries.isEmpty }.randomElement(using: &random) ?? 0
            let entry = app.sales[sale].entries.indices.randomElement(using: &random) ?? 0
            app.sales[sale].entries[entry].quantity = Int.random(in: 1...3, using: &random)
        case 8, 9:
            let price = Int64.random(in: -100_000_000...100_000_000, using: &random)
            app.changeOption([9101, 9102].randomElement(using: &random) ?? 9101) { $0.price = price }
        case 0...2: app.items[index].price = Int64.random(in: 0...100_000_000, using: &random)
        case 3...5: app.items[index].isAvailable.toggle()
        case 6: app.items[index].isRetired.toggle()
        default: app.sales[Int.random(in: app.sales.indices, using: &random)].isRetired.toggle()
        }
    }

    private func randomChange(_ app: MenuFixture, _ basket: Basket, _ random: inout SeededRandom) -> BasketChange {
        let known = app.items.randomElement(using: &random).map { MenuItemID(rawValue: $0.id) } ?? 1
        // Mostly an item of the basket. Otherwise few changes would affect a line.
        let line = basket.lines.randomElement(using: &random)
        let inside = Bool.random(using: &random) ? line?.menuItemID ?? known : known
        let item = Int.random(in: 0..<20, using: &random) == 0 ? 7777 : inside
        let reference: LineReference =
            Bool.random(using: &random) ? .item(item) : .line(line?.id ?? LineID(rawValue: 1))
        let sale = SalesGroupID(rawValue: Int64.random(in: 1...6, using: &random) * 100)
        let quantities: [Int64] = [1, 1, 2, 3, 50, 98, 99, 0, -1, 100, .max, .min]
        let quantity = quantities.randomElement(using: &random) ?? 1
        switch Int.random(in: 0..<220, using: &random) {
        case 0..<80: return .addItem(randomDish(known, &random), quantity: quantity)
        case 80..<130: return .addItem(randomDish(item, &random), quantity: quantity)
        case 130..<146: return .increment(reference)
        case 146..<162: return .decrement(reference)
        case 162..<170: return .removeItem(reference)
        case 170..<190: return .addSale(sale, randomUnits(app, sale, &random))
        case 190..<195: return .removeSale(sale)
        case 195..<199:
            let set = basket.sets.randomElement(using: &random)
            return .removeSaleItem(
                set?.salesGroupID ?? sale, set?.items.randomElement(using: &random)?.menuItemID ?? known)
        case 199..<213:
            return .edit(
                Bool.random(using: &random)
                    ? line?.id ?? LineID(rawValue: 1) : LineID(rawValue: Int64.random(in: 1...9, using: &random)),
                LineEdit(
                    quantity: Bool.random(using: &random) ? quantity : nil,
                    options: Bool.random(using: &random) ? randomOptions(line?.menuItemID ?? known, &random) : nil,
                    note: Bool.random(using: &random) ? .some(randomNote(&random)) : nil))
        case 213..<218: return .editSale(sale, randomUnits(app, sale, &random))
        default: return .clear
        }
    }

    private func randomDish(_ item: MenuItemID, _ random: inout SeededRandom) -> RawDish {
        RawDish(item, options: randomOptions(item, &random), note: randomNote(&random))
    }

    private func randomNote(_ random: inout SeededRandom) -> String? {
        [nil, "", "no onions", " well done "].randomElement(using: &random) ?? nil
    }

    /// Mostly options that the item has, sometimes an unknown option.
    private func randomOptions(_ item: MenuItemID, _ random: inout SeededRandom) -> [RawOptionChoice]? {
        let (cheese, bread) = (RawOptionChoice(9101), RawOptionChoice(9102))
        let burgers: [[RawOptionChoice]?] = [
            nil, [], [cheese], [bread, cheese], [cheese, RawOptionChoice(9101, options: [])],
            [RawOptionChoice(9101, quantity: 2)],
            [RawOptionChoice(9999)],
        ]
        let others: [[RawOptionChoice]?] = [nil, nil, nil, [], [cheese]]
        return (BasketModel.burgers.contains(item.rawValue) ? burgers : others).randomElement(using: &random) ?? nil
    }

    /// Some units of the set, sometimes with an item that is not part of it.
    private func randomUnits(_ app: MenuFixture, _ sale: SalesGroupID, _ random: inout SeededRandom) -> [RawDish] {
        let entries = app.sales.first { $0.id == sale.rawValue }?.entries ?? []
        let items = entries.flatMap { Array(repeating: $0.item, count: $0.quantity) }.filter { _ in
            Bool.random(using: &random)
        }
        return (Int.random(in: 0..<9, using: &random) == 0 ? items + [4005] : items).map {
            randomDish(MenuItemID(rawValue: $0), &random)
        }
    }
}
