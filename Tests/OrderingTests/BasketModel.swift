// A naive model of a basket, to compare with the real one. It has one option group and counts each option.
@testable import Ordering

/// A basket of plain numbers and texts. Sets are calculated unit by unit.
struct BasketModel {
    /// The items with options 9101 and 9102, at most 9 units of each.
    static let burgers: ClosedRange<Int64> = 2001...2005

    struct Choices: Equatable {
        var note = ""
        var extras: [Int64: Int64] = [:]
    }

    struct Entry: Equatable {
        var id: Int64
        var item: Int64
        var choices: Choices
        var quantity: Int
        var recorded: Price
    }

    /// The price of one unit, and of each of its options.
    struct Price: Equatable {
        var unit: Int64
        var extras: [Int64: Int64]
    }

    var linesMade: Int64 = 0
    var lines: [Entry] = []
    var sales: [(id: Int64, entries: [Entry], removed: Set<Int64>)] = []
    var version: Int64 = 1

    mutating func apply(_ change: BasketChange, _ app: MenuFixture) -> BasketChangeRejection? {
        let before = self
        if let refusal = perform(change, app) {
            self = before
            return refusal
        }
        if lines != before.lines || sales.map(\.id) != before.sales.map(\.id)
            || sales.map(\.entries) != before.sales.map(\.entries)
        {
            version += 1
        }
        return nil
    }

    private mutating func perform(_ change: BasketChange, _ app: MenuFixture) -> BasketChangeRejection? {
        switch change {
        case .addItem(let dish, let raw):
            let id = dish.menuItemID.rawValue
            guard let item = app.items.first(where: { $0.id == id && !$0.isRetired }) else { return .menuItemNotFound }
            if !item.isAvailable { return .itemSoldOut }
            let choices: Choices
            switch BasketModel.choices(id, dish) {
            case .failure(let errors): return .invalid(errors)
            case .success(let right): choices = right
            }
            let found = lines.firstIndex { $0.item == id && $0.choices == choices }
            if raw < 1 || raw > 99 || Int(raw) + (found.map { lines[$0].quantity } ?? 0) > 99 {
                return .quantityOutOfRange(limit: 99)
            }
            if let found {
                lines[found].quantity += Int(raw)
                lines[found].recorded = BasketModel.currentPrice(id, choices, app)
            } else {
                if lines.count + sales.count == 50 { return .basketFull(limit: 50) }
                linesMade += 1
                lines.append(
                    Entry(
                        id: linesMade, item: id, choices: choices, quantity: Int(raw),
                        recorded: BasketModel.currentPrice(id, choices, app)))
            }
        case .increment(let reference):
            return changeLine(reference) { model, index in
                guard BasketModel.isAvailable(model.lines[index].item, app) else { return .itemSoldOut }
                if model.lines[index].quantity == 99 { return .quantityOutOfRange(limit: 99) }
                model.lines[index].quantity += 1
                model.lines[index].recorded = BasketModel.currentPrice(
                    model.lines[index].item, model.lines[index].choices, app)
                return nil
            }
        case .decrement(let reference):
            return changeLine(reference) { model, index in
                model.lines[index].quantity -= 1
                model.lines[index].recorded = BasketModel.currentPrice(
                    model.lines[index].item, model.lines[index].choices, app)
                model.lines.removeAll { $0.quantity == 0 }
                return nil
            }
        case .removeItem(let reference):
            return changeLine(reference) { model, index in
                model.lines.remove(at: index)
                return nil
            }
        case .edit(let id, let edit):
            return changeLine(.line(id)) { model, index in
                var line = model.lines[index]
                switch BasketModel.extras(line.item, edit.options ?? []) {
                case .failure(let errors): return .invalid(errors)
                case .success(let extras): if edit.options != nil { line.choices.extras = extras }
                }
                if let raw = edit.quantity {
                    if raw < 1 || raw > 99 { return .quantityOutOfRange(limit: 99) }
                    if Int(raw) > line.quantity, !BasketModel.isAvailable(line.item, app) { return .itemSoldOut }
                    line.quantity = Int(raw)
                }
                if let note = edit.texts.note { line.choices.note = (try? note.get())?.text ?? "" }
                line.recorded = BasketModel.currentPrice(line.item, line.choices, app)
                if let other = model.lines.first(where: {
                    $0.id != line.id && $0.item == line.item && $0.choices == line.choices
                }) {
                    let position = other.id < line.id ? model.lines.firstIndex(of: other) ?? 0 : index
                    if other.quantity + line.quantity > 99 { return .quantityOutOfRange(limit: 99) }
                    line.quantity += other.quantity
                    line.id = min(line.id, other.id)
                    let removedID = max(model.lines[index].id, other.id)
                    model.lines[position] = line
                    model.lines.removeAll { $0.id == removedID }
                } else {
                    model.lines[index] = line
                }
                return nil
            }
        case .addSale(let id, let dishes):
            guard let sale = app.sales.first(where: { $0.id == id.rawValue && !$0.isRetired }) else {
                return .saleNotFound
            }
            // A set with a retired item is no longer offered.
            if sale.entries.contains(where: { entry in app.items.contains { $0.id == entry.item && $0.isRetired } }) {
                return .saleNotFound
            }
            if sale.entries.isEmpty { return .saleHasNoItems }
            if sales.contains(where: { $0.id == sale.id }) { return .saleAlreadyInBasket }
            if sale.entries.contains(where: { !BasketModel.isAvailable($0.item, app) }) { return .itemSoldOut }
            let units = sale.entries.flatMap { Array(repeating: $0.item, count: $0.quantity) }
            switch chosen(units, dishes, id) {
            case .failure(let refusal): return refusal
            case .success(let chosen):
                if lines.count + sales.count == 50 { return .basketFull(limit: 50) }
                sales.append((sale.id, entries(chosen, [], app), []))
            }
        case .editSale(let id, let dishes):
            guard let index = sales.firstIndex(where: { $0.id == id.rawValue }) else { return .saleNotFound }
            let old = sales[index]
            guard let offered = BasketModel.offered(old.id, app) else { return .saleNotFound }
            let now = offered.filter { !old.removed.contains($0.key) }
            let added = now.filter { $0.value > old.entries.count(of: $0.key) }
            if added.keys.contains(where: { !BasketModel.isAvailable($0, app) }) { return .itemSoldOut }
            // Items in the sales group's order.
            let items = app.sales.first { $0.id == old.id }?.entries.map(\.item).filter { now[$0] != nil } ?? []
            switch chosen(items.flatMap { Array(repeating: $0, count: now[$0] ?? 0) }, dishes, id) {
            case .failure(let refusal): return refusal
            case .success(let chosen): sales[index].entries = entries(chosen, old.entries, app)
            }
            if sales[index].entries.isEmpty { sales.remove(at: index) }
        case .removeSale(let id):
            guard sales.contains(where: { $0.id == id.rawValue }) else { return .saleNotFound }
            sales.removeAll { $0.id == id.rawValue }
        case .removeSaleItem(let id, let item):
            guard let index = sales.firstIndex(where: { $0.id == id.rawValue }) else { return .saleNotFound }
            guard sales[index].entries.contains(where: { $0.item == item.rawValue }) else { return .itemNotInBasket }
            sales[index].entries.removeAll { $0.item == item.rawValue }
            sales[index].removed.insert(item.rawValue)
            if sales[index].entries.isEmpty { sales.remove(at: index) }
        case .clear: (lines, sales) = ([], [])
        }
        return nil
    }

    private mutating func changeLine(
        _ reference: LineReference, _ work: (inout BasketModel, Int) -> BasketChangeRejection?
    ) -> BasketChangeRejection? {
        let found: [Int]
        switch reference {
        case .line(let id): found = lines.indices.filter { lines[$0].id == id.rawValue }
        case .item(let item): found = lines.indices.filter { lines[$0].item == item.rawValue }
        }
        if found.isEmpty { return .itemNotInBasket }
        return found.count > 1 ? .severalLines(found.map { LineID(rawValue: lines[$0].id) }) : work(&self, found[0])
    }

    /// Each unit of a set with its choices. Chosen units of an item come before default units.
    private func chosen(_ units: [Int64], _ dishes: [RawDish], _ sale: SalesGroupID) -> Result<
        [(Int64, Choices)], BasketChangeRejection
    > {
        var errors: [FieldError] = []
        var result: [(Int64, Choices)] = []
        for item in units.reduce(into: [Int64](), { if !$0.contains($1) { $0.append($1) } }) {
            let chosenDishes = dishes.filter { $0.menuItemID.rawValue == item }
            let count = units.count { $0 == item }
            for number in 1...count where chosenDishes.count <= count {
                guard number <= chosenDishes.count else {
                    result.append((item, Choices()))
                    continue
                }
                switch BasketModel.choices(item, chosenDishes[number - 1]) {
                case .success(let choices): result.append((item, choices))
                case .failure(let invalid):
                    errors += invalid.all.map { $0.moved(to: .unit(sale, MenuItemID(rawValue: item), number)) }
                }
            }
        }
        for item in Set(dishes.map(\.menuItemID.rawValue))
        where dishes.count(where: { $0.menuItemID.rawValue == item }) > units.count(where: { $0 == item }) {
            errors.append(FieldError(.saleItem(sale, MenuItemID(rawValue: item)), .itemNotInSale))
        }
        if let errors = FieldErrors(errors) { return .failure(.invalid(errors)) }
        return .success(result)
    }

    private mutating func entries(_ units: [(Int64, Choices)], _ old: [Entry], _ app: MenuFixture) -> [Entry] {
        var entries: [Entry] = []
        for (item, choices) in units {
            if let index = entries.firstIndex(where: { $0.item == item && $0.choices == choices }) {
                entries[index].quantity += 1
            } else {
                entries.append(
                    Entry(
                        id: 0, item: item, choices: choices, quantity: 1,
                        recorded: Self.currentPrice(item, choices, app)))
            }
        }
        for index in entries.indices {
            if let kept = old.first(where: { $0.item == entries[index].item && $0.choices == entries[index].choices }) {
                entries[index].id = kept.id
            } else {
                linesMade += 1
                entries[index].id = linesMade
            }
        }
        return entries
    }

    private static func choices(_ item: Int64, _ dish: RawDish) -> Result<Choices, FieldErrors> {
        extras(item, dish.options ?? []).map { Choices(note: dish.noteText, extras: $0) }
    }

    /// The quantity of each option, or an error for every option that the item does not have.
    private static func extras(_ item: Int64, _ options: [RawOptionChoice]) -> Result<[Int64: Int64], FieldErrors> {
        let unknown = options.filter { !burgers.contains(item) || ![9101, 9102].contains($0.optionID) }
        let errors = unknown.map { FieldError(.options, .optionUnknown, ["optionId": .integer($0.optionID)]) }
        if let errors = FieldErrors(errors) { return .failure(errors) }
        return .success(options.reduce(into: [:]) { $0[$1.optionID, default: 0] += $1.quantity })
    }

    /// The units of a sales group by item, or nil if it offers none.
    private static func offered(_ id: Int64, _ app: MenuFixture) -> [Int64: Int]? {
        let sale = app.sales.first { $0.id == id && !$0.isRetired && !$0.entries.isEmpty }
        guard let sale else { return nil }
        return Dictionary(sale.entries.map { ($0.item, $0.quantity) }, uniquingKeysWith: +)
    }

    private static func change(of id: Int64, _ entries: [Entry], _ app: MenuFixture) -> SaleChange? {
        guard let now = offered(id, app) else { return .notOffered }
        return entries.contains { now[$0.item] != entries.count(of: $0.item) } ? .changed : nil
    }

    private static func isAvailable(_ id: Int64, _ app: MenuFixture) -> Bool {
        app.items.contains { $0.id == id && $0.isAvailable && !$0.isRetired }
    }

    func matches(_ basket: Basket, _ priced: PricedBasket, _ app: MenuFixture) -> Bool {
        func entry(_ line: Line) -> Entry {
            let extras = line.dish.selection.entries.map { ($0.option.rawValue, Int64($0.quantity)) }
            let choices = Choices(note: line.dish.note?.text ?? "", extras: Dictionary(uniqueKeysWithValues: extras))
            let prices = Dictionary(uniqueKeysWithValues: line.options.map { ($0.id.rawValue, $0.price.minorUnits) })
            return Entry(
                id: line.id.rawValue, item: line.menuItemID.rawValue, choices: choices, quantity: line.quantity,
                recorded: Price(unit: line.unitPrice.minorUnits, extras: prices))
        }
        let all = lines + sales.flatMap(\.entries)
        let total = all.reduce(0) { $0 + Int64($1.quantity) * Self.currentPrice($1.item, $1.choices, app).unit }
        return basket.version == version && basket.createdLineCount == linesMade && basket.lines.map(entry) == lines
            && basket.sets.map(\.salesGroupID.rawValue) == sales.map(\.id)
            && basket.sets.map { $0.items.map(entry) } == sales.map(\.entries)
            && priced.sets.map(\.saleChange) == sales.map { Self.change(of: $0.id, $0.entries, app) }
            && Set(all.map(\.id)).count == all.count && all.allSatisfy { (1...linesMade).contains($0.id) }
            && priced.total.minorUnits == total
            && priced.total == Money.sum(priced.lines.map(\.total) + priced.sets.flatMap { $0.items.map(\.total) })
            && priced.totalCount == lines.reduce(0) { $0 + $1.quantity } + sales.count
            && priced.lines.map { $0.previousUnitPrice?.minorUnits }
                == lines.map {
                    $0.recorded.unit == Self.currentPrice($0.item, $0.choices, app).unit ? nil : $0.recorded.unit
                }
    }

    private static func currentPrice(_ id: Int64, _ choices: Choices, _ app: MenuFixture) -> Price {
        let options = app.groups.flatMap(\.options)
        let prices: [Int64: Int64] = choices.extras.reduce(into: [:]) { prices, extra in
            prices[extra.key] = options.first { $0.id == extra.key }?.price ?? 0
        }
        let extras = choices.extras.reduce(Int64(0)) { sum, extra in sum + (prices[extra.key] ?? 0) * extra.value }
        return Price(
            unit: max(0, (app.items.first { $0.id == id }.map(BasketModel.price) ?? -1) + extras), extras: prices)
    }

    private static func price(_ item: MenuFixture.ItemRow) -> Int64 {
        // Rounds half up by the exact remainder.
        let (quotient, remainder) = (item.price * Int64(100 - (item.percent ?? 0))).quotientAndRemainder(
            dividingBy: 100)
        return quotient + (remainder >= 50 ? 1 : 0)
    }
}

extension [BasketModel.Entry] {
    /// The number of units of an item, in all variants.
    fileprivate func count(of item: Int64) -> Int { reduce(0) { $0 + ($1.item == item ? $1.quantity : 0) } }
}
