// What each change makes of a basket: every rule of the basket and every refusal. Pure; the menu comes in as a fact.
// Called by Shop's ChangedBaskets. Read next: SetComposition.swift for the lines of a set.

extension Basket {
    /// The basket after the change, one version higher, or why it is refused. A change that changes nothing (clearing an empty
    /// basket) keeps the version.
    ///
    /// Of several reasons the first is the answer: the basket is ordered; the thing is not there; it can't be had; the numbers.
    /// Whatever changes a line records the item's current price in it; the first change after the shop's currency has changed does so in all
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
            sets: isRecorded ? sets : sets.map { BasketSet(salesGroupID: $0.salesGroupID, items: $0.items.map(recorded)) })
    }

    mutating func apply(_ change: BasketChange) throws(BasketRefusal) {
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

    private mutating func add(_ dish: Dish, _ rawQuantity: Int64) throws(BasketRefusal) {
        guard let item = menu.item(dish.menuItemID), !item.isRetired else { throw .menuItemNotFound }
        guard menu.availability(of: item.id).isAvailable else { throw .itemSoldOut }
        // Both are at most 99 before they are added up.
        let quantity = try Self.quantity(rawQuantity)
        if let index = lines.firstIndex(where: { $0.dish == dish }) {
            lines[index] = try line(lines[index].id, dish, lines[index].quantity + quantity, item.currentPrice)
        } else {
            let line = try line(nextID(), dish, quantity, item.currentPrice)
            guard lines.count + sets.count < Basket.limit else { throw .basketFull(limit: Basket.limit) }
            lines.append(line)
        }
    }

    private mutating func increment(_ index: Int) throws(BasketRefusal) {
        let old = lines[index]
        lines[index] = try line(old.id, old.dish, old.quantity + 1, try availablePrice(old))
    }

    /// A sold-out item can always be taken back.
    private mutating func decrement(_ index: Int) throws(BasketRefusal) {
        let old = lines[index]
        if old.quantity == 1 { lines.remove(at: index) } else { lines[index] = try line(old.id, old.dish, old.quantity - 1, price(old)) }
    }

    private mutating func edit(_ index: Int, _ edit: LineEdit) throws(BasketRefusal) {
        let old = lines[index]
        let quantity = try edit.quantity.map(Self.quantity) ?? old.quantity
        // Fewer of what is sold out, or another word about it, is no harm.
        let price = quantity > old.quantity ? try availablePrice(old) : price(old)
        let dish = Dish(old.dish.menuItemID, selection: edit.selection ?? old.dish.selection, note: edit.note ?? old.dish.note)
        guard let twin = lines.indices.first(where: { $0 != index && lines[$0].dish == dish }) else {
            lines[index] = try line(old.id, dish, quantity, price)
            return
        }
        let (kept, gone) = lines[twin].id < old.id ? (twin, index) : (index, twin)
        lines[kept] = try line(lines[kept].id, dish, lines[twin].quantity + quantity, price)
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

    private mutating func add(_ id: SalesGroupID, _ dishes: [Dish]) throws(BasketRefusal) {
        guard let sale = menu.sale(id), menu.isOffered(sale) else { throw .saleNotFound }
        guard case .set(let entries) = sale.content else { throw .saleHasNoItems }
        guard !sets.contains(where: { $0.salesGroupID == id }) else { throw .saleAlreadyInBasket }
        for entry in entries where !menu.availability(of: entry.menuItemID).isAvailable { throw .itemSoldOut }
        let composed = try SetComposition.dishes(id, entries.map { ($0.menuItemID, $0.quantity) }, dishes).get()
        guard lines.count + sets.count < Basket.limit else { throw .basketFull(limit: Basket.limit) }
        sets.append(BasketSet(salesGroupID: id, items: try compose(composed)))
    }

    /// The set keeps its items: those that were taken out stay out.
    private mutating func edit(_ id: SalesGroupID, _ dishes: [Dish]) throws(BasketRefusal) {
        let index = try index(id)
        let composed = try SetComposition.dishes(id, sets[index].items.map { ($0.dish.menuItemID, $0.quantity) }, dishes).get()
        // What was chosen already keeps its line.
        sets[index] = BasketSet(salesGroupID: id, items: try compose(composed, keeping: sets[index].items))
    }

    private mutating func compose(_ units: [(Dish, Int)], keeping old: [Line] = []) throws(BasketRefusal) -> [Line] {
        var items: [Line] = []
        for (dish, quantity) in units {
            let kept = old.first { $0.dish == dish }
            let price = menu.item(dish.menuItemID)?.currentPrice ?? old.first { $0.dish.menuItemID == dish.menuItemID }?.unitPrice ?? .zero
            items.append(try line(kept?.id ?? nextID(), dish, quantity, price))
        }
        return items
    }

    /// What remains costs the same, for a set is the sum of its items.
    private mutating func remove(_ item: MenuItemID, from index: Int) throws(BasketRefusal) {
        let items = sets[index].items.filter { $0.dish.menuItemID != item }
        guard items.count < sets[index].items.count else { throw .itemNotInBasket }
        if items.isEmpty { sets.remove(at: index) } else { sets[index] = BasketSet(salesGroupID: sets[index].salesGroupID, items: items) }
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

    private func line(_ id: LineID, _ dish: Dish, _ quantity: Int, _ price: Money) throws(BasketRefusal) -> Line {
        guard let line = Line(id: id, dish: dish, quantity: quantity, unitPrice: price) else { throw .outOfRange }
        return line
    }

    private static func quantity(_ raw: Int64) throws(BasketRefusal) -> Int {
        guard let quantity = Int(exactly: raw), Line.quantities.contains(quantity) else { throw .outOfRange }
        return quantity
    }

    private func availablePrice(_ line: Line) throws(BasketRefusal) -> Money {
        let id = line.dish.menuItemID
        guard let item = menu.item(id), menu.availability(of: id).isAvailable else { throw .itemSoldOut }
        return item.currentPrice
    }

    private func price(_ line: Line) -> Money { menu.item(line.dish.menuItemID)?.currentPrice ?? line.unitPrice }

    private func recorded(_ line: Line) -> Line { line.priced(price(line)) }
}

extension BasketRefusal {
    fileprivate static let outOfRange = BasketRefusal.quantityOutOfRange(limit: Line.quantities.upperBound)
}
