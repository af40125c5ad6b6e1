// The basket against a naive model of it: thousands of random changes, while the menu changes too, must agree in every outcome.
import Testing

@testable import Ordering

@Suite("A basket does what a naive model of it does")
struct BasketModelTests {
    @Test("Random changes on a changing menu give the model's lines, sets, prices, totals, versions and refusals")
    func agreesWithModel() throws {
        var random = SeededRandom()
        var refusals: Set<BasketRefusal> = []
        for round in 0..<60 {
            var app = AppMenu()
            app.items += (6001...6090).map { AppMenu.Item($0, "Sauce \($0)", .regular, 100) }
            var menu = try app.menu()
            var basket = Basket.new(random.next())
            var model = Model()
            // Every third basket begins nearly full, else hardly one would reach 50.
            for id in 6001...6047 where round.isMultiple(of: 3) {
                let change = BasketChange.addItem(MenuItemID(rawValue: Int64(id)), quantity: 1)
                basket = try basket.after([change], menu)
                #expect(model.apply(change, app) == nil)
            }
            for _ in 0..<150 {
                if Int.random(in: 0..<10, using: &random) == 0 {
                    changeSomething(&app, &random)
                    menu = try app.menu()
                }
                let change = anyChange(app, basket, &random)
                let outcome = basket.applying(change, menu: menu)
                let refusal = model.apply(change, app)
                switch outcome {
                case .success(let next):
                    #expect(refusal == nil, "\(change), \(random)")
                    basket = next
                case .failure(let found):
                    #expect(found == refusal, "\(change), \(random)")
                    refusals.insert(found)
                }
                try #require(model.matches(basket, PricedBasket(basket, menu: menu), app), "after \(change), \(random)")
            }
        }
        // 9,000 changes meet every reason but the ordered basket, which is final.
        #expect(refusals.count == 8, "\(refusals), \(random)")
    }

    private func changeSomething(_ app: inout AppMenu, _ random: inout SeededRandom) {
        let index = Int.random(in: app.items.indices, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0...2: app.items[index].price = Int64.random(in: 0...100_000_000, using: &random)
        case 3...5: app.items[index].isAvailable.toggle()
        case 6: app.items[index].isRetired.toggle()
        default: app.sales[Int.random(in: app.sales.indices, using: &random)].isRetired.toggle()
        }
    }

    private func anyChange(_ app: AppMenu, _ basket: Basket, _ random: inout SeededRandom) -> BasketChange {
        let known = app.items.randomElement(using: &random).map { MenuItemID(rawValue: $0.id) } ?? 1
        // Mostly what is in the basket, else hardly a change would meet a line.
        let inside = Bool.random(using: &random) ? basket.lines.randomElement(using: &random)?.menuItemID ?? known : known
        let item = Int.random(in: 0..<20, using: &random) == 0 ? 7777 : inside
        let sale = SalesGroupID(rawValue: Int64.random(in: 1...6, using: &random) * 100)
        let quantities: [Int64] = [1, 1, 2, 3, 50, 98, 99, 0, -1, 100, .max, .min]
        switch Int.random(in: 0..<200, using: &random) {
        case 0..<80: return .addItem(known, quantity: quantities.randomElement(using: &random) ?? 1)
        case 80..<130: return .addItem(item, quantity: quantities.randomElement(using: &random) ?? 1)
        case 130..<146: return .increment(item)
        case 146..<162: return .decrement(item)
        case 162..<170: return .removeItem(item)
        case 170..<190: return .addSale(sale)
        case 190..<195: return .removeSale(sale)
        case 195..<199:
            let set = basket.sets.randomElement(using: &random)
            return .removeSaleItem(set?.salesGroupID ?? sale, set?.items.randomElement(using: &random)?.menuItemID ?? known)
        default: return .clear
        }
    }
}

/// What a basket should do, said with dictionaries and plain numbers.
private struct Model {
    var order: [Int64] = []
    var quantity: [Int64: Int] = [:]
    var recorded: [Int64: Int64] = [:]
    var sales: [(id: Int64, entries: [(item: Int64, quantity: Int, price: Int64)])] = []
    var version: Int64 = 1

    mutating func apply(_ change: BasketChange, _ app: AppMenu) -> BasketRefusal? {
        let (refusal, changed) = outcome(change, app)
        if changed { version += 1 }
        return refusal
    }

    private mutating func outcome(_ change: BasketChange, _ app: AppMenu) -> (BasketRefusal?, changed: Bool) {
        switch change {
        case .addItem(let id, let raw):
            guard let item = app.items.first(where: { $0.id == id.rawValue && !$0.isRetired }) else { return (.menuItemNotFound, false) }
            if !item.isAvailable { return (.itemSoldOut, false) }
            if raw < 1 || raw > 99 || Int(raw) + quantity[item.id, default: 0] > 99 { return (.quantityOutOfRange(limit: 99), false) }
            if quantity[item.id] == nil {
                if order.count + sales.count == 50 { return (.basketFull(limit: 50), false) }
                order.append(item.id)
            }
            quantity[item.id, default: 0] += Int(raw)
            recorded[item.id] = Model.price(item)
        case .increment(let id):
            guard let count = quantity[id.rawValue] else { return (.itemNotInBasket, false) }
            guard let item = app.items.first(where: { $0.id == id.rawValue }), item.isAvailable, !item.isRetired else {
                return (.itemSoldOut, false)
            }
            if count == 99 { return (.quantityOutOfRange(limit: 99), false) }
            quantity[item.id] = count + 1
            recorded[item.id] = Model.price(item)
        case .decrement(let id):
            guard let count = quantity[id.rawValue] else { return (.itemNotInBasket, false) }
            if count == 1 { return outcome(.removeItem(id), app) }
            quantity[id.rawValue] = count - 1
            recorded[id.rawValue] = app.items.first { $0.id == id.rawValue }.map(Model.price)
        case .removeItem(let id):
            guard quantity[id.rawValue] != nil else { return (.itemNotInBasket, false) }
            order.removeAll { $0 == id.rawValue }
            quantity[id.rawValue] = nil
            recorded[id.rawValue] = nil
        case .addSale(let id):
            guard let sale = app.sales.first(where: { $0.id == id.rawValue && !$0.isRetired }) else { return (.saleNotFound, false) }
            // A set with an item that is off the menu is no longer offered.
            if sale.entries.contains(where: { entry in app.items.contains { $0.id == entry.item && $0.isRetired } }) {
                return (.saleNotFound, false)
            }
            if sale.entries.isEmpty { return (.saleHasNoItems, false) }
            if sales.contains(where: { $0.id == sale.id }) { return (.saleAlreadyInBasket, false) }
            let items = sale.entries.compactMap { entry in app.items.first { $0.id == entry.item && $0.isAvailable && !$0.isRetired } }
            if items.count < sale.entries.count { return (.itemSoldOut, false) }
            if order.count + sales.count == 50 { return (.basketFull(limit: 50), false) }
            sales.append((sale.id, zip(sale.entries, items).map { ($0.item, $0.quantity, Model.price($1)) }))
        case .removeSale(let id):
            guard sales.contains(where: { $0.id == id.rawValue }) else { return (.saleNotFound, false) }
            sales.removeAll { $0.id == id.rawValue }
        case .removeSaleItem(let id, let item):
            guard let index = sales.firstIndex(where: { $0.id == id.rawValue }) else { return (.saleNotFound, false) }
            guard sales[index].entries.contains(where: { $0.item == item.rawValue }) else { return (.itemNotInBasket, false) }
            sales[index].entries.removeAll { $0.item == item.rawValue }
            if sales[index].entries.isEmpty { sales.remove(at: index) }
        case .clear:
            let version = version, wasEmpty = order.isEmpty && sales.isEmpty
            self = Model()
            self.version = version
            return (nil, !wasEmpty)
        }
        return (nil, true)
    }

    func matches(_ basket: Basket, _ priced: PricedBasket, _ app: AppMenu) -> Bool {
        var total: Int64 = 0
        func now(_ id: Int64) -> Int64 { app.items.first { $0.id == id }.map(Model.price) ?? -1 }
        for id in order { total += Int64(quantity[id, default: 0]) * now(id) }
        for sale in sales { for entry in sale.entries { total += Int64(entry.quantity) * now(entry.item) } }
        let previous = order.map { recorded[$0] == now($0) ? nil : recorded[$0] }
        return basket.version == version && basket.lines.map(\.menuItemID.rawValue) == order
            && basket.lines.map(\.quantity) == order.map { quantity[$0] }
            && basket.lines.map(\.recordedPrice.minorUnits) == order.map { recorded[$0] }
            && basket.sets.map(\.salesGroupID.rawValue) == sales.map(\.id)
            && basket.sets.map { $0.items.map(\.recordedPrice.minorUnits) } == sales.map { $0.entries.map(\.price) }
            && basket.sets.map { $0.items.map(\.quantity) } == sales.map { $0.entries.map(\.quantity) }
            && priced.total.minorUnits == total
            && priced.total == Money.sum(priced.lines.map(\.total) + priced.sets.flatMap { $0.items.map(\.total) })
            && priced.totalCount == order.reduce(0) { $0 + quantity[$1, default: 0] } + sales.count
            && priced.lines.map { $0.previousUnitPrice?.minorUnits } == previous
    }

    private static func price(_ item: AppMenu.Item) -> Int64 {
        // Half up by way of the exact remainder.
        let (quotient, remainder) = (item.price * Int64(100 - (item.percent ?? 0))).quotientAndRemainder(dividingBy: 100)
        return quotient + (remainder >= 50 ? 1 : 0)
    }
}
