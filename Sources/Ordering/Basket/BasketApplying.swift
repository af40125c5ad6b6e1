// What each change makes of a basket: every rule of the basket and every refusal. Pure; the menu comes in as a fact.
// Called by Shop's ChangedBaskets. Read next: DishJudging.swift for what is chosen, SetComposition.swift for the units of a set.

extension Basket {
    /// The basket after the change, one version higher, or why it is refused. A change that changes nothing (clearing an empty
    /// basket) keeps the version.
    ///
    /// Of several reasons the first is the answer: the basket is ordered; the thing is not there; it can't be had; what was chosen with it can't be
    /// had, or the note can't be one; the numbers.
    /// Whatever changes a line records the current prices of its item and options in it; the first change after the shop's currency has changed does so in all
    /// lines, for the others were recorded in another money.
    package func applying(_ change: BasketChange, menu: Menu) -> Result<Basket, BasketRefusal> {
        guard state == .open else { return .failure(.basketAlreadyOrdered) }
        do throws(BasketRefusal) {
            var draft = BasketDraft(self, menu)
            try draft.apply(change)
            return .success(draft.basket)
        } catch {
            return .failure(error)
        }
    }

    var isFull: Bool { lines.count + sets.count >= Basket.limit }
}

extension Collection<Line> {
    /// The entries of options of these lines together.
    fileprivate var optionCount: Int { reduce(0) { $0 + $1.dish.selection.count } }
}

/// A basket that is being changed.
struct BasketDraft {
    private let before: Basket
    let menu: Menu
    private var lines: [Line]
    private var sets: [BasketSet]
    private var linesMade: Int64

    init(_ basket: Basket, _ menu: Menu) {
        (before, self.menu) = (basket, menu)
        (lines, sets, linesMade) = (basket.lines, basket.sets, basket.linesMade)
    }

    /// What has become of it.
    var basket: Basket {
        guard lines != before.lines || sets != before.sets else { return before }
        let isRecorded = before.currency == menu.currency.code
        return Basket(
            id: before.id, state: before.state, version: before.version &+ 1, currency: menu.currency.code, linesMade: linesMade,
            lines: isRecorded ? lines : lines.map(recorded),
            sets: isRecorded ? sets : sets.map { $0.with(items: $0.items.map(recorded)) })
    }

    private var optionCount: Int { sets.reduce(lines.optionCount) { $0 + $1.items.optionCount } }

    mutating func apply(_ change: BasketChange) throws(BasketRefusal) {
        let count = optionCount
        try make(change)
        guard optionCount <= max(count, Selection.limit) else { throw .tooManyOptions(limit: Selection.limit) }
    }

    private mutating func make(_ change: BasketChange) throws(BasketRefusal) {
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

    private mutating func add(_ chosen: ChosenDish, _ rawQuantity: Int64) throws(BasketRefusal) {
        guard let item = menu.item(chosen.menuItemID), !item.isRetired else { throw .menuItemNotFound }
        guard !menu.isSoldOut(item.id) else { throw .itemSoldOut }
        let dish = try menu.dish(chosen)
        // Both are at most 99 before they are added up.
        let quantity = try Self.quantity(rawQuantity)
        if let index = lines.firstIndex(where: { $0.dish == dish }) {
            lines[index] = try line(lines[index].id, dish, lines[index].quantity + quantity, was: lines[index])
        } else {
            let line = try line(nextID(), dish, quantity)
            guard lines.count + sets.count < Basket.limit else { throw .basketFull(limit: Basket.limit) }
            lines.append(line)
        }
    }

    private mutating func increment(_ index: Int) throws(BasketRefusal) {
        let old = lines[index]
        try menu.checkMore(of: old.dish)
        lines[index] = try line(old.id, old.dish, old.quantity + 1, was: old)
    }

    /// What can't be had any more can always be taken back.
    private mutating func decrement(_ index: Int) throws(BasketRefusal) {
        let old = lines[index]
        if old.quantity == 1 { lines.remove(at: index) } else { lines[index] = try line(old.id, old.dish, old.quantity - 1, was: old) }
    }

    private mutating func edit(_ index: Int, _ edit: LineEdit) throws(BasketRefusal) {
        let old = lines[index]
        let dish = try menu.dish(old.dish, changedBy: edit)
        let quantity = try edit.quantity.map(Self.quantity) ?? old.quantity
        // Fewer of what can't be had, or another word about it, is no harm.
        if quantity > old.quantity { try menu.checkMore(of: dish) }
        guard let twin = lines.indices.first(where: { $0 != index && lines[$0].dish == dish }) else {
            lines[index] = try line(old.id, dish, quantity, was: old)
            return
        }
        let (kept, gone) = lines[twin].id < old.id ? (twin, index) : (index, twin)
        lines[kept] = try line(lines[kept].id, dish, lines[twin].quantity + quantity, was: lines[twin])
        lines.remove(at: gone)
    }

    private func index(_ reference: LineReference) throws(BasketRefusal) -> Int {
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

    private mutating func add(_ id: SalesGroupID, _ dishes: [ChosenDish]) throws(BasketRefusal) {
        guard let sale = menu.sale(id), menu.isOffered(sale) else { throw .saleNotFound }
        guard case .set(let entries) = sale.content else { throw .saleHasNoItems }
        guard !sets.contains(where: { $0.salesGroupID == id }) else { throw .saleAlreadyInBasket }
        for entry in entries where menu.isSoldOut(entry.menuItemID) { throw .itemSoldOut }
        let composed = try compose(id, entries.map { ($0.menuItemID, $0.quantity) }, dishes)
        guard lines.count + sets.count < Basket.limit else { throw .basketFull(limit: Basket.limit) }
        sets.append(BasketSet(salesGroupID: id, items: try setLines(composed)))
    }

    /// The set gets the units that its sale has now. Items that the guest removed stay out. If no other item is left,
    /// the set is removed.
    private mutating func edit(_ id: SalesGroupID, _ dishes: [ChosenDish]) throws(BasketRefusal) {
        let index = try index(id)
        let old = sets[index]
        guard let entries = menu.setEntries(of: id)?.filter({ !old.removedItems.contains($0.menuItemID) }) else {
            throw .saleNotFound
        }
        // A sold-out item keeps its units, but gets no more of them.
        let counts = Dictionary(entries.map { ($0.menuItemID, $0.quantity) }, uniquingKeysWith: +)
        let oldCounts = old.unitCounts
        for (item, count) in counts where count > oldCounts[item] ?? 0 && menu.isSoldOut(item) { throw .itemSoldOut }
        let composed = try compose(id, entries.map { ($0.menuItemID, $0.quantity) }, dishes)
        // What was chosen already keeps its line.
        let items = try setLines(composed, keeping: old.items)
        if items.isEmpty { sets.remove(at: index) } else { sets[index] = old.with(items: items) }
    }

    /// The dishes of a set with how many of each, equal ones together; all that is wrong at once, each at its unit.
    private func compose(_ sale: SalesGroupID, _ items: [(MenuItemID, Int)], _ chosen: [ChosenDish]) throws(BasketRefusal) -> [(Dish, Int)]
    {
        var (units, errors) = SetComposition.units(sale, items, chosen)
        var dishes: [(dish: Dish, count: Int)] = []
        for unit in units {
            do throws(BasketRefusal) {
                let dish = try menu.dish(unit.dish)
                if let index = dishes.firstIndex(where: { $0.dish == dish }) {
                    dishes[index].count += unit.numbers.count
                } else {
                    dishes.append((dish, unit.numbers.count))
                }
            } catch {
                guard case .invalid(let wrong) = error else { throw error }
                for number in unit.numbers { errors += wrong.all.map { $0.moved(to: .unit(sale, unit.dish.menuItemID, number)) } }
            }
        }
        if let errors = FieldErrors(errors) { throw .invalid(errors) }
        return dishes
    }

    private mutating func setLines(_ dishes: [(Dish, Int)], keeping old: [Line] = []) throws(BasketRefusal) -> [Line] {
        var items: [Line] = []
        for (dish, quantity) in dishes {
            let kept = old.first { $0.dish == dish }
            let before = kept ?? old.first { $0.dish.menuItemID == dish.menuItemID }
            items.append(try line(kept?.id ?? nextID(), dish, quantity, was: before))
        }
        return items
    }

    /// What remains costs the same, for a set is the sum of its items.
    private mutating func remove(_ item: MenuItemID, from index: Int) throws(BasketRefusal) {
        let items = sets[index].items.filter { $0.dish.menuItemID != item }
        guard items.count < sets[index].items.count else { throw .itemNotInBasket }
        guard !items.isEmpty else {
            sets.remove(at: index)
            return
        }
        let removed = sets[index].removedItems + [item]
        sets[index] = BasketSet(salesGroupID: sets[index].salesGroupID, items: items, removedItems: removed)
    }

    private func index(_ id: SalesGroupID) throws(BasketRefusal) -> Int {
        guard let index = sets.firstIndex(where: { $0.salesGroupID == id }) else { throw .saleNotFound }
        return index
    }

    // MARK: Numbers

    private mutating func nextID() -> LineID {
        linesMade &+= 1
        return LineID(rawValue: linesMade)
    }

    private func line(_ id: LineID, _ dish: Dish, _ quantity: Int, was: Line? = nil) throws(BasketRefusal) -> Line {
        guard let line = Line(id: id, dish: dish, quantity: quantity, pricedBy: menu.offered(dish.menuItemID), was: was) else {
            throw .outOfRange
        }
        return line
    }

    private static func quantity(_ raw: Int64) throws(BasketRefusal) -> Int {
        guard let quantity = Int(exactly: raw), Line.quantities.contains(quantity) else { throw .outOfRange }
        return quantity
    }

    private func recorded(_ line: Line) -> Line { line.priced(by: menu.offered(line.dish.menuItemID)) }
}

extension BasketRefusal {
    fileprivate static let outOfRange = BasketRefusal.quantityOutOfRange(limit: Line.quantities.upperBound)
}
