// What a basket should do, said as plainly as can be, so that BasketModelTests can compare. Options are those of one group: a number of each.
@testable import Ordering

/// What a basket should do, said with plain numbers and texts, a unit at a time where it is about sets.
struct BasketModel {
    /// Those who have options: 9101 and 9102, 9 of each at most.
    static let burgers: ClosedRange<Int64> = 2001...2005

    struct Wish: Equatable {
        var note = ""
        var extras: [Int64: Int64] = [:]
    }

    struct Entry: Equatable {
        var id: Int64
        var item: Int64
        var wish: Wish
        var quantity: Int
        var recorded: Price
    }

    /// Of one, and of each of its options.
    struct Price: Equatable {
        var unit: Int64
        var extras: [Int64: Int64]
    }

    var made: Int64 = 0
    var lines: [Entry] = []
    var sales: [(id: Int64, entries: [Entry], removed: Set<Int64>)] = []
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
            let id = dish.menuItemID.rawValue
            guard let item = app.items.first(where: { $0.id == id && !$0.isRetired }) else { return .menuItemNotFound }
            if !item.isAvailable { return .itemSoldOut }
            let wish: Wish
            switch BasketModel.wish(id, dish) {
            case .failure(let errors): return .invalid(errors)
            case .success(let right): wish = right
            }
            let found = lines.firstIndex { $0.item == id && $0.wish == wish }
            if raw < 1 || raw > 99 || Int(raw) + (found.map { lines[$0].quantity } ?? 0) > 99 { return .quantityOutOfRange(limit: 99) }
            if let found {
                lines[found].quantity += Int(raw)
                lines[found].recorded = BasketModel.now(id, wish, app)
            } else {
                if lines.count + sales.count == 50 { return .basketFull(limit: 50) }
                made += 1
                lines.append(Entry(id: made, item: id, wish: wish, quantity: Int(raw), recorded: BasketModel.now(id, wish, app)))
            }
        case .increment(let reference):
            return with(reference) { model, index in
                guard BasketModel.isAvailable(model.lines[index].item, app) else { return .itemSoldOut }
                if model.lines[index].quantity == 99 { return .quantityOutOfRange(limit: 99) }
                model.lines[index].quantity += 1
                model.lines[index].recorded = BasketModel.now(model.lines[index].item, model.lines[index].wish, app)
                return nil
            }
        case .decrement(let reference):
            return with(reference) { model, index in
                model.lines[index].quantity -= 1
                model.lines[index].recorded = BasketModel.now(model.lines[index].item, model.lines[index].wish, app)
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
                switch BasketModel.extras(line.item, edit.options ?? []) {
                case .failure(let errors): return .invalid(errors)
                case .success(let extras): if edit.options != nil { line.wish.extras = extras }
                }
                if let raw = edit.quantity {
                    if raw < 1 || raw > 99 { return .quantityOutOfRange(limit: 99) }
                    if Int(raw) > line.quantity, !BasketModel.isAvailable(line.item, app) { return .itemSoldOut }
                    line.quantity = Int(raw)
                }
                if let note = edit.note { line.wish.note = (try? note.get())?.text ?? "" }
                line.recorded = BasketModel.now(line.item, line.wish, app)
                if let other = model.lines.first(where: { $0.id != line.id && $0.item == line.item && $0.wish == line.wish }) {
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
            // In the order of the sale.
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

    private mutating func with(_ reference: LineReference, _ work: (inout BasketModel, Int) -> BasketRefusal?) -> BasketRefusal? {
        let found: [Int]
        switch reference {
        case .line(let id): found = lines.indices.filter { lines[$0].id == id.rawValue }
        case .item(let item): found = lines.indices.filter { lines[$0].item == item.rawValue }
        }
        if found.isEmpty { return .itemNotInBasket }
        return found.count > 1 ? .severalLines(found.map { LineID(rawValue: lines[$0].id) }) : work(&self, found[0])
    }

    /// Each unit of a set with its wish: the chosen ones of an item first.
    private func chosen(_ units: [Int64], _ dishes: [ChosenDish], _ sale: SalesGroupID) -> Result<[(Int64, Wish)], BasketRefusal> {
        var errors: [FieldError] = []
        var result: [(Int64, Wish)] = []
        for item in units.reduce(into: [Int64](), { if !$0.contains($1) { $0.append($1) } }) {
            let of = dishes.filter { $0.menuItemID.rawValue == item }
            let count = units.count { $0 == item }
            for number in 1...count where of.count <= count {
                guard number <= of.count else {
                    result.append((item, Wish()))
                    continue
                }
                switch BasketModel.wish(item, of[number - 1]) {
                case .success(let wish): result.append((item, wish))
                case .failure(let wrong):
                    errors += wrong.all.map { $0.moved(to: .unit(sale, MenuItemID(rawValue: item), number)) }
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

    private mutating func entries(_ units: [(Int64, Wish)], _ old: [Entry], _ app: AppMenu) -> [Entry] {
        var entries: [Entry] = []
        for (item, wish) in units {
            if let index = entries.firstIndex(where: { $0.item == item && $0.wish == wish }) {
                entries[index].quantity += 1
            } else {
                entries.append(Entry(id: 0, item: item, wish: wish, quantity: 1, recorded: Self.now(item, wish, app)))
            }
        }
        for index in entries.indices {
            if let kept = old.first(where: { $0.item == entries[index].item && $0.wish == entries[index].wish }) {
                entries[index].id = kept.id
            } else {
                made += 1
                entries[index].id = made
            }
        }
        return entries
    }

    private static func wish(_ item: Int64, _ dish: ChosenDish) -> Result<Wish, FieldErrors> {
        extras(item, dish.options ?? []).map { Wish(note: dish.noteText, extras: $0) }
    }

    /// How often each of these options; all that the item does not have.
    private static func extras(_ item: Int64, _ options: [ChosenOption]) -> Result<[Int64: Int64], FieldErrors> {
        let unknown = options.filter { !burgers.contains(item) || ![9101, 9102].contains($0.optionID) }
        let errors = unknown.map { FieldError(.options, .optionUnknown, ["optionId": .integer($0.optionID)]) }
        if let errors = FieldErrors(errors) { return .failure(errors) }
        return .success(options.reduce(into: [:]) { $0[$1.optionID, default: 0] += $1.quantity })
    }

    /// The units of a sale by item; nil where it offers none.
    private static func offered(_ id: Int64, _ app: AppMenu) -> [Int64: Int]? {
        let sale = app.sales.first { $0.id == id && !$0.isRetired && !$0.entries.isEmpty }
        guard let sale else { return nil }
        return Dictionary(sale.entries.map { ($0.item, $0.quantity) }, uniquingKeysWith: +)
    }

    private static func change(of id: Int64, _ entries: [Entry], _ app: AppMenu) -> SaleChange? {
        guard let now = offered(id, app) else { return .notOffered }
        return entries.contains { now[$0.item] != entries.count(of: $0.item) } ? .changed : nil
    }

    private static func isAvailable(_ id: Int64, _ app: AppMenu) -> Bool {
        app.items.contains { $0.id == id && $0.isAvailable && !$0.isRetired }
    }

    func matches(_ basket: Basket, _ priced: PricedBasket, _ app: AppMenu) -> Bool {
        func entry(_ line: Line) -> Entry {
            let extras = line.dish.selection.entries.map { ($0.option.rawValue, Int64($0.quantity)) }
            let wish = Wish(note: line.dish.note?.text ?? "", extras: Dictionary(uniqueKeysWithValues: extras))
            let prices = Dictionary(uniqueKeysWithValues: line.options.map { ($0.id.rawValue, $0.price.minorUnits) })
            return Entry(
                id: line.id.rawValue, item: line.menuItemID.rawValue, wish: wish, quantity: line.quantity,
                recorded: Price(unit: line.unitPrice.minorUnits, extras: prices))
        }
        let all = lines + sales.flatMap(\.entries)
        let total = all.reduce(0) { $0 + Int64($1.quantity) * Self.now($1.item, $1.wish, app).unit }
        return basket.version == version && basket.linesMade == made && basket.lines.map(entry) == lines
            && basket.sets.map(\.salesGroupID.rawValue) == sales.map(\.id)
            && basket.sets.map { $0.items.map(entry) } == sales.map(\.entries)
            && priced.sets.map(\.saleChange) == sales.map { Self.change(of: $0.id, $0.entries, app) }
            && Set(all.map(\.id)).count == all.count && all.allSatisfy { (1...made).contains($0.id) }
            && priced.total.minorUnits == total
            && priced.total == Money.sum(priced.lines.map(\.total) + priced.sets.flatMap { $0.items.map(\.total) })
            && priced.totalCount == lines.reduce(0) { $0 + $1.quantity } + sales.count
            && priced.lines.map { $0.previousUnitPrice?.minorUnits }
                == lines.map { $0.recorded.unit == Self.now($0.item, $0.wish, app).unit ? nil : $0.recorded.unit }
    }

    private static func now(_ id: Int64, _ wish: Wish, _ app: AppMenu) -> Price {
        let options = app.groups.flatMap(\.options)
        let prices: [Int64: Int64] = wish.extras.reduce(into: [:]) { prices, extra in
            prices[extra.key] = options.first { $0.id == extra.key }?.price ?? 0
        }
        let extras = wish.extras.reduce(Int64(0)) { sum, extra in sum + (prices[extra.key] ?? 0) * extra.value }
        return Price(unit: max(0, (app.items.first { $0.id == id }.map(BasketModel.price) ?? -1) + extras), extras: prices)
    }

    private static func price(_ item: AppMenu.Item) -> Int64 {
        // Half up by way of the exact remainder.
        let (quotient, remainder) = (item.price * Int64(100 - (item.percent ?? 0))).quotientAndRemainder(dividingBy: 100)
        return quotient + (remainder >= 50 ? 1 : 0)
    }
}

extension [BasketModel.Entry] {
    /// How many units of an item there are, however they are chosen.
    fileprivate func count(of item: Int64) -> Int { reduce(0) { $0 + ($1.item == item ? $1.quantity : 0) } }
}
