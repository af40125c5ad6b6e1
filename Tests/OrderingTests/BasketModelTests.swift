// The basket against a naive model of it: thousands of random changes, while the menu changes too, must agree in every outcome.
import Testing

@testable import Ordering

@Suite("A basket does what a naive model of it does")
struct BasketModelTests {
    @Test("Random changes on a changing menu give the model's lines, sets, prices, totals, versions and refusals")
    func agreesWithModel() throws {
        var random = SeededRandom()
        var refusals: Set<String> = []
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
                    refusals.insert("\(found)".prefix { $0 != "(" }.description)
                }
                try #require(model.matches(basket, PricedBasket(basket, menu: menu), app), "after \(change), \(random)")
            }
        }
        // 9,000 changes meet every reason but the ordered basket, which is final.
        #expect(refusals.count == 10, "\(refusals), \(random)")
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
        let line = basket.lines.randomElement(using: &random)
        let inside = Bool.random(using: &random) ? line?.menuItemID ?? known : known
        let item = Int.random(in: 0..<20, using: &random) == 0 ? 7777 : inside
        let reference: LineReference = Bool.random(using: &random) ? .item(item) : .line(line?.id ?? LineID(rawValue: 1))
        let sale = SalesGroupID(rawValue: Int64.random(in: 1...6, using: &random) * 100)
        let quantities: [Int64] = [1, 1, 2, 3, 50, 98, 99, 0, -1, 100, .max, .min]
        let quantity = quantities.randomElement(using: &random) ?? 1
        switch Int.random(in: 0..<220, using: &random) {
        case 0..<80: return .addItem(Dish(known, note: anyNote(&random)), quantity: quantity)
        case 80..<130: return .addItem(Dish(item, note: anyNote(&random)), quantity: quantity)
        case 130..<146: return .increment(reference)
        case 146..<162: return .decrement(reference)
        case 162..<170: return .removeItem(reference)
        case 170..<190: return .addSale(sale, anyUnits(app, sale, &random))
        case 190..<195: return .removeSale(sale)
        case 195..<199:
            let set = basket.sets.randomElement(using: &random)
            return .removeSaleItem(set?.salesGroupID ?? sale, set?.items.randomElement(using: &random)?.menuItemID ?? known)
        case 199..<213:
            return .edit(
                Bool.random(using: &random) ? line?.id ?? LineID(rawValue: 1) : LineID(rawValue: Int64.random(in: 1...9, using: &random)),
                LineEdit(
                    quantity: Bool.random(using: &random) ? quantity : nil,
                    note: Bool.random(using: &random) ? .some(anyNote(&random)) : nil))
        case 213..<218: return .editSale(sale, anyUnits(app, sale, &random))
        default: return .clear
        }
    }

    private func anyNote(_ random: inout SeededRandom) -> KitchenNote? {
        ["", "", "no onions", "well done"].randomElement(using: &random).flatMap { try? KitchenNote.parse($0).get() }
    }

    /// Some of the set's, or one that is not in it.
    private func anyUnits(_ app: AppMenu, _ sale: SalesGroupID, _ random: inout SeededRandom) -> [Dish] {
        let entries = app.sales.first { $0.id == sale.rawValue }?.entries ?? []
        let items = entries.flatMap { Array(repeating: $0.item, count: $0.quantity) }.filter { _ in Bool.random(using: &random) }
        return (Int.random(in: 0..<9, using: &random) == 0 ? items + [4005] : items).map {
            Dish(MenuItemID(rawValue: $0), note: anyNote(&random))
        }
    }
}

/// What a basket should do, said with plain numbers and texts, a unit at a time where it is about sets.
private struct Model {
    struct Entry: Equatable {
        var id: Int64
        var item: Int64
        var note: String
        var quantity: Int
        var recorded: Int64
    }

    var made: Int64 = 0
    var lines: [Entry] = []
    var sales: [(id: Int64, entries: [Entry])] = []
    var version: Int64 = 1

    mutating func apply(_ change: BasketChange, _ app: AppMenu) -> BasketRefusal? {
        let before = self
        if let refusal = outcome(change, app) {
            self = before
            return refusal
        }
        if lines != before.lines || sales.map(\.id) != before.sales.map(\.id) || sales.map(\.entries) != before.sales.map(\.entries) {
            version += 1
        }
        return nil
    }

    private mutating func outcome(_ change: BasketChange, _ app: AppMenu) -> BasketRefusal? {
        switch change {
        case .addItem(let dish, let raw):
            let (id, note) = (dish.menuItemID.rawValue, dish.note?.text ?? "")
            guard let item = app.items.first(where: { $0.id == id && !$0.isRetired }) else { return .menuItemNotFound }
            if !item.isAvailable { return .itemSoldOut }
            let found = lines.firstIndex { $0.item == id && $0.note == note }
            if raw < 1 || raw > 99 || Int(raw) + (found.map { lines[$0].quantity } ?? 0) > 99 { return .quantityOutOfRange(limit: 99) }
            if let found {
                lines[found].quantity += Int(raw)
                lines[found].recorded = Model.price(item)
            } else {
                if lines.count + sales.count == 50 { return .basketFull(limit: 50) }
                made += 1
                lines.append(Entry(id: made, item: id, note: note, quantity: Int(raw), recorded: Model.price(item)))
            }
        case .increment(let reference):
            return with(reference) { model, index in
                guard let price = model.priceOfAvailable(model.lines[index].item, app) else { return .itemSoldOut }
                if model.lines[index].quantity == 99 { return .quantityOutOfRange(limit: 99) }
                model.lines[index].quantity += 1
                model.lines[index].recorded = price
                return nil
            }
        case .decrement(let reference):
            return with(reference) { model, index in
                model.lines[index].quantity -= 1
                model.lines[index].recorded = Model.now(model.lines[index].item, app)
                model.lines.removeAll { $0.quantity == 0 }
                return nil
            }
        case .removeItem(let reference):
            return with(reference) { model, index in
                model.lines.remove(at: index)
                return nil
            }
        case .edit(let id, let edit):
            return with(.line(id)) { model, index in
                var line = model.lines[index]
                if let raw = edit.quantity {
                    if raw < 1 || raw > 99 { return .quantityOutOfRange(limit: 99) }
                    if Int(raw) > line.quantity, model.priceOfAvailable(line.item, app) == nil { return .itemSoldOut }
                    line.quantity = Int(raw)
                }
                if let note = edit.note { line.note = note?.text ?? "" }
                line.recorded = Model.now(line.item, app)
                if let other = model.lines.first(where: { $0.id != line.id && $0.item == line.item && $0.note == line.note }) {
                    let place = other.id < line.id ? model.lines.firstIndex(of: other) ?? 0 : index
                    if other.quantity + line.quantity > 99 { return .quantityOutOfRange(limit: 99) }
                    line.quantity += other.quantity
                    line.id = min(line.id, other.id)
                    let gone = max(model.lines[index].id, other.id)
                    model.lines[place] = line
                    model.lines.removeAll { $0.id == gone }
                } else {
                    model.lines[index] = line
                }
                return nil
            }
        case .addSale(let id, let dishes):
            guard let sale = app.sales.first(where: { $0.id == id.rawValue && !$0.isRetired }) else { return .saleNotFound }
            // A set with an item that is off the menu is no longer offered.
            if sale.entries.contains(where: { entry in app.items.contains { $0.id == entry.item && $0.isRetired } }) {
                return .saleNotFound
            }
            if sale.entries.isEmpty { return .saleHasNoItems }
            if sales.contains(where: { $0.id == sale.id }) { return .saleAlreadyInBasket }
            if sale.entries.contains(where: { priceOfAvailable($0.item, app) == nil }) { return .itemSoldOut }
            let units = sale.entries.flatMap { Array(repeating: $0.item, count: $0.quantity) }
            switch chosen(units, dishes, id) {
            case .failure(let refusal): return refusal
            case .success(let chosen):
                if lines.count + sales.count == 50 { return .basketFull(limit: 50) }
                sales.append((sale.id, entries(chosen, [], app)))
            }
        case .editSale(let id, let dishes):
            guard let index = sales.firstIndex(where: { $0.id == id.rawValue }) else { return .saleNotFound }
            let old = sales[index].entries
            switch chosen(old.flatMap { Array(repeating: $0.item, count: $0.quantity) }, dishes, id) {
            case .failure(let refusal): return refusal
            case .success(let chosen): sales[index].entries = entries(chosen, old, app)
            }
        case .removeSale(let id):
            guard sales.contains(where: { $0.id == id.rawValue }) else { return .saleNotFound }
            sales.removeAll { $0.id == id.rawValue }
        case .removeSaleItem(let id, let item):
            guard let index = sales.firstIndex(where: { $0.id == id.rawValue }) else { return .saleNotFound }
            guard sales[index].entries.contains(where: { $0.item == item.rawValue }) else { return .itemNotInBasket }
            sales[index].entries.removeAll { $0.item == item.rawValue }
            if sales[index].entries.isEmpty { sales.remove(at: index) }
        case .clear: (lines, sales) = ([], [])
        }
        return nil
    }

    private mutating func with(_ reference: LineReference, _ work: (inout Model, Int) -> BasketRefusal?) -> BasketRefusal? {
        let found: [Int]
        switch reference {
        case .line(let id): found = lines.indices.filter { lines[$0].id == id.rawValue }
        case .item(let item): found = lines.indices.filter { lines[$0].item == item.rawValue }
        }
        if found.isEmpty { return .itemNotInBasket }
        return found.count > 1 ? .severalLines(found.map { LineID(rawValue: lines[$0].id) }) : work(&self, found[0])
    }

    /// Each unit of a set with its note: the chosen ones of an item first.
    private func chosen(_ units: [Int64], _ dishes: [Dish], _ sale: SalesGroupID) -> Result<[(Int64, String)], BasketRefusal> {
        var wrong: Set<Int64> = []
        for item in Set(dishes.map(\.menuItemID.rawValue))
        where dishes.count(where: { $0.menuItemID.rawValue == item }) > units.count(where: { $0 == item }) {
            wrong.insert(item)
        }
        let errors = wrong.sorted().map { FieldError(.saleItem(sale, MenuItemID(rawValue: $0)), .itemNotInSale) }
        if let errors = FieldErrors(errors) { return .failure(.invalid(errors)) }
        var result: [(Int64, String)] = []
        var left = dishes
        var inOrder: [Int64] = []
        for unit in units where !inOrder.contains(unit) { inOrder.append(unit) }
        for item in inOrder {
            for _ in units.filter({ $0 == item }) {
                if let next = left.firstIndex(where: { $0.menuItemID.rawValue == item }) {
                    result.append((item, left.remove(at: next).note?.text ?? ""))
                } else {
                    result.append((item, ""))
                }
            }
        }
        return .success(result)
    }

    private mutating func entries(_ units: [(Int64, String)], _ old: [Entry], _ app: AppMenu) -> [Entry] {
        var entries: [Entry] = []
        for (item, note) in units {
            if let index = entries.firstIndex(where: { $0.item == item && $0.note == note }) {
                entries[index].quantity += 1
            } else {
                entries.append(Entry(id: 0, item: item, note: note, quantity: 1, recorded: Self.now(item, app)))
            }
        }
        for index in entries.indices {
            if let kept = old.first(where: { $0.item == entries[index].item && $0.note == entries[index].note }) {
                entries[index].id = kept.id
            } else {
                made += 1
                entries[index].id = made
            }
        }
        return entries
    }

    private func priceOfAvailable(_ id: Int64, _ app: AppMenu) -> Int64? {
        app.items.first { $0.id == id && $0.isAvailable && !$0.isRetired }.map(Model.price)
    }

    func matches(_ basket: Basket, _ priced: PricedBasket, _ app: AppMenu) -> Bool {
        func entry(_ line: Line) -> Entry {
            Entry(
                id: line.id.rawValue, item: line.menuItemID.rawValue, note: line.dish.note?.text ?? "", quantity: line.quantity,
                recorded: line.unitPrice.minorUnits)
        }
        let all = lines + sales.flatMap(\.entries)
        let total = all.reduce(0) { $0 + Int64($1.quantity) * Self.now($1.item, app) }
        return basket.version == version && basket.linesMade == made && basket.lines.map(entry) == lines
            && basket.sets.map(\.salesGroupID.rawValue) == sales.map(\.id)
            && basket.sets.map { $0.items.map(entry) } == sales.map(\.entries)
            && Set(all.map(\.id)).count == all.count && all.allSatisfy { (1...made).contains($0.id) }
            && priced.total.minorUnits == total
            && priced.total == Money.sum(priced.lines.map(\.total) + priced.sets.flatMap { $0.items.map(\.total) })
            && priced.totalCount == lines.reduce(0) { $0 + $1.quantity } + sales.count
            && priced.lines.map { $0.previousUnitPrice?.minorUnits }
                == lines.map { $0.recorded == Self.now($0.item, app) ? nil : $0.recorded }
    }

    private static func now(_ id: Int64, _ app: AppMenu) -> Int64 { app.items.first { $0.id == id }.map(Model.price) ?? -1 }

    private static func price(_ item: AppMenu.Item) -> Int64 {
        // Half up by way of the exact remainder.
        let (quotient, remainder) = (item.price * Int64(100 - (item.percent ?? 0))).quotientAndRemainder(dividingBy: 100)
        return quotient + (remainder >= 50 ? 1 : 0)
    }
}
