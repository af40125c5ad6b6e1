// The rules of every basket change and the reasons to reject one. Pure functions; the menu is passed in.

extension Basket {
    /// The changed basket with the next version, or the first reason against the change: basket already ordered, not
    /// found, sold out, invalid options or note, numbers out of range. A change without effect keeps the version.
    package func applying(_ change: BasketChange, menu: Menu) -> Result<Basket, BasketChangeRejection> {
        guard state == .open else { return .failure(.basketAlreadyOrdered) }
        do throws(BasketChangeRejection) {
            var editor = BasketEditor(self, menu)
            try editor.apply(change)
            return .success(editor.basket)
        } catch {
            return .failure(error)
        }
    }

    var isFull: Bool { lines.count + sets.count >= Basket.lineLimit }
}

extension Collection<Line> {
    /// The number of selected options in these lines.
    fileprivate var optionCount: Int { reduce(0) { $0 + $1.dish.selection.count } }
}

/// Applies changes to a copy of a basket.
struct BasketEditor {
    private let original: Basket
    let menu: Menu
    private var lines: [Line]
    private var sets: [BasketSet]
    private var createdLineCount: Int64

    init(_ basket: Basket, _ menu: Menu) {
        (original, self.menu) = (basket, menu)
        (lines, sets, createdLineCount) = (basket.lines, basket.sets, basket.createdLineCount)
    }

    /// The changed basket. After a change of the shop's currency all lines record new prices, otherwise only changed
    /// lines.
    var basket: Basket {
        guard lines != original.lines || sets != original.sets else { return original }
        let isSameCurrency = original.currency == menu.currency.code
        return Basket(
            id: original.id, state: original.state, version: original.version &+ 1, currency: menu.currency.code,
            createdLineCount: createdLineCount,
            lines: isSameCurrency ? lines : lines.map(repriced),
            sets: isSameCurrency ? sets : sets.map { $0.with(items: $0.items.map(repriced)) })
    }

    private var optionCount: Int { sets.reduce(lines.optionCount) { $0 + $1.items.optionCount } }

    mutating func apply(_ change: BasketChange) throws(BasketChangeRejection) {
        let count = optionCount
        try perform(change)
        guard optionCount <= max(count, Selection.maximumEntryCount) else {
            throw .tooManyOptions(limit: Selection.maximumEntryCount)
        }
    }

    private mutating func perform(_ change: BasketChange) throws(BasketChangeRejection) {
        switch change {
        case .addItem(let dish, let quantity): try add(dish, quantity)
        case .increment(let reference): try increment(index(reference))
        case .decrement(let reference): try decrement(index(reference))
        case .removeItem(let reference): lines.remove(at: try index(reference))
        case .edit(let id, let edit): try self.edit(index(.line(id)), edit)
        case .addSale(let id, let dishes): try add(id, dishes)
        case .editSale(let id, let dishes): try self.edit(id, dishes)
        case .removeSale(let id): sets.remove(at: try index(id))
        case .removeSaleItem(let sale, let item): try remove(item, from: index(sale))
        case .clear: (lines, sets) = ([], [])
        }
    }

    // MARK: Lines

    private mutating func add(_ chosen: RawDish, _ rawQuantity: Int64) throws(BasketChangeRejection) {
        guard let item = menu.item(chosen.menuItemID), !item.isRetired else { throw .menuItemNotFound }
        guard !menu.isSoldOut(item.id) else { throw .itemSoldOut }
        let dish = try menu.validatedDish(chosen)
        // Both quantities are at most 99 before they are added, so that the sum cannot overflow.
        let quantity = try Self.quantity(rawQuantity)
        if let index = lines.firstIndex(where: { $0.dish == dish }) {
            lines[index] = try line(lines[index].id, dish, lines[index].quantity + quantity, previous: lines[index])
        } else {
            let line = try line(nextID(), dish, quantity)
            guard lines.count + sets.count < Basket.lineLimit else { throw .basketFull(limit: Basket.lineLimit) }
            lines.append(line)
        }
    }

    private mutating func increment(_ index: Int) throws(BasketChangeRejection) {
        let old = lines[index]
        try menu.checkCanAddMore(of: old.dish)
        lines[index] = try line(old.id, old.dish, old.quantity + 1, previous: old)
    }

    /// Never rejected for availability, so that guests can always remove unavailable items.
    private mutating func decrement(_ index: Int) throws(BasketChangeRejection) {
        let old = lines[index]
        if old.quantity == 1 {
            lines.remove(at: index)
        } else {
            lines[index] = try line(old.id, old.dish, old.quantity - 1, previous: old)
        }
    }

    private mutating func edit(_ index: Int, _ edit: LineEdit) throws(BasketChangeRejection) {
        let old = lines[index]
        let dish = try menu.validatedDish(old.dish, applying: edit)
        let quantity = try edit.quantity.map(Self.quantity) ?? old.quantity
        // A lower quantity or a new note needs no availability check.
        if quantity > old.quantity { try menu.checkCanAddMore(of: dish) }
        guard let twin = lines.indices.first(where: { $0 != index && lines[$0].dish == dish }) else {
            lines[index] = try line(old.id, dish, quantity, previous: old)
            return
        }
        let (kept, merged) = lines[twin].id < old.id ? (twin, index) : (index, twin)
        lines[kept] = try line(lines[kept].id, dish, lines[twin].quantity + quantity, previous: lines[twin])
        lines.remove(at: merged)
    }

    private func index(_ reference: LineReference) throws(BasketChangeRejection) -> Int {
        let found = lines.indices.filter { index in
            switch reference {
            case .line(let id): lines[index].id == id
            case .item(let item): lines[index].dish.menuItemID == item
            }
        }
        guard let index = found.first else { throw .itemNotInBasket }
        guard found.count == 1 else { throw .severalLines(found.map { lines[$0].id }) }
        return index
    }

    // MARK: Sets

    private mutating func add(_ id: SalesGroupID, _ dishes: [RawDish]) throws(BasketChangeRejection) {
        guard let sale = menu.sale(id), menu.isOffered(sale) else { throw .saleNotFound }
        guard case .set(let entries) = sale.content else { throw .saleHasNoItems }
        guard !sets.contains(where: { $0.salesGroupID == id }) else { throw .saleAlreadyInBasket }
        for entry in entries where menu.isSoldOut(entry.menuItemID) { throw .itemSoldOut }
        let composed = try compose(id, entries.map { ($0.menuItemID, $0.quantity) }, dishes)
        guard lines.count + sets.count < Basket.lineLimit else { throw .basketFull(limit: Basket.lineLimit) }
        sets.append(BasketSet(salesGroupID: id, items: try setLines(composed)))
    }

    /// Gives the set the units that its sales group has now. Removed items stay out; if no item is left, the set is
    /// removed.
    private mutating func edit(_ id: SalesGroupID, _ dishes: [RawDish]) throws(BasketChangeRejection) {
        let index = try index(id)
        let old = sets[index]
        guard let entries = menu.setEntries(of: id)?.filter({ !old.removedItems.contains($0.menuItemID) }) else {
            throw .saleNotFound
        }
        // Units of a sold-out item may stay in the set, but their number may not grow.
        let counts = Dictionary(entries.map { ($0.menuItemID, $0.quantity) }, uniquingKeysWith: +)
        let oldCounts = old.unitCounts
        for (item, count) in counts where count > oldCounts[item] ?? 0 && menu.isSoldOut(item) { throw .itemSoldOut }
        let composed = try compose(id, entries.map { ($0.menuItemID, $0.quantity) }, dishes)
        // Dishes that were already in the set keep their lines.
        let items = try setLines(composed, keeping: old.items)
        if items.isEmpty { sets.remove(at: index) } else { sets[index] = old.with(items: items) }
    }

    /// The dishes of a set with their counts; equal dishes are merged. Collects the errors of all units, each with
    /// the path of its unit.
    private func compose(_ sale: SalesGroupID, _ items: [(MenuItemID, Int)], _ chosen: [RawDish])
        throws(BasketChangeRejection) -> [(Dish, Int)]
    {
        var (units, errors) = SetComposition.units(sale, items, chosen)
        var dishes: [(dish: Dish, count: Int)] = []
        for unit in units {
            do throws(BasketChangeRejection) {
                let dish = try menu.validatedDish(unit.dish)
                if let index = dishes.firstIndex(where: { $0.dish == dish }) {
                    dishes[index].count += unit.numbers.count
                } else {
                    dishes.append((dish, unit.numbers.count))
                }
            } catch {
                guard case .invalid(let unitErrors) = error else { throw error }
                for number in unit.numbers {
                    errors += unitErrors.all.map { $0.moved(to: .unit(sale, unit.dish.menuItemID, number)) }
                }
            }
        }
        if let errors = FieldErrors(errors) { throw .invalid(errors) }
        return dishes
    }

    private mutating func setLines(_ dishes: [(Dish, Int)], keeping old: [Line] = []) throws(BasketChangeRejection)
        -> [Line]
    {
        var items: [Line] = []
        for (dish, quantity) in dishes {
            let kept = old.first { $0.dish == dish }
            let previous = kept ?? old.first { $0.dish.menuItemID == dish.menuItemID }
            items.append(try line(kept?.id ?? nextID(), dish, quantity, previous: previous))
        }
        return items
    }

    /// The remaining items keep their prices, because the price of a set is the sum of its items.
    private mutating func remove(_ item: MenuItemID, from index: Int) throws(BasketChangeRejection) {
        let items = sets[index].items.filter { $0.dish.menuItemID != item }
        guard items.count < sets[index].items.count else { throw .itemNotInBasket }
        guard !items.isEmpty else {
            sets.remove(at: index)
            return
        }
        let removed = sets[index].removedItems + [item]
        sets[index] = BasketSet(salesGroupID: sets[index].salesGroupID, items: items, removedItems: removed)
    }

    private func index(_ id: SalesGroupID) throws(BasketChangeRejection) -> Int {
        guard let index = sets.firstIndex(where: { $0.salesGroupID == id }) else { throw .saleNotFound }
        return index
    }

    // MARK: Numbers

    private mutating func nextID() -> LineID {
        createdLineCount &+= 1
        return LineID(rawValue: createdLineCount)
    }

    private func line(_ id: LineID, _ dish: Dish, _ quantity: Int, previous: Line? = nil) throws(BasketChangeRejection)
        -> Line
    {
        guard
            let line = Line(
                id: id, dish: dish, quantity: quantity, pricedBy: menu.resolvedItem(dish.menuItemID), previous: previous
            )
        else {
            throw .outOfRange
        }
        return line
    }

    private static func quantity(_ raw: Int64) throws(BasketChangeRejection) -> Int {
        guard let quantity = Int(exactly: raw), Line.quantities.contains(quantity) else { throw .outOfRange }
        return quantity
    }

    private func repriced(_ line: Line) -> Line { line.priced(by: menu.resolvedItem(line.dish.menuItemID)) }
}

extension BasketChangeRejection {
    fileprivate static let outOfRange = BasketChangeRejection.quantityOutOfRange(limit: Line.quantities.upperBound)
}
