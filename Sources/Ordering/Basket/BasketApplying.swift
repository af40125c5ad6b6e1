// What each change makes of a basket: every rule of the basket and every refusal. Pure; the menu comes in as a fact.

extension Basket {
    /// The basket after the change, one version higher, or why it is refused. A change that changes nothing (clearing an empty
    /// basket) keeps the version.
    ///
    /// Of several reasons the first is the answer: the basket is ordered; the thing is not there; it can't be had; the numbers.
    /// Whatever changes a line records the item's current price in it; the first change after the shop's currency has changed does so in all
    /// lines, for the others were recorded in another money.
    package func applying(_ change: BasketChange, menu: Menu) -> Result<Basket, BasketRefusal> {
        guard state == .open else { return .failure(.basketAlreadyOrdered) }
        return changed(by: change, menu).map { $0.version == version ? $0 : $0.recorded(in: menu) }
    }

    private func changed(by change: BasketChange, _ menu: Menu) -> Result<Basket, BasketRefusal> {
        switch change {
        case .addItem(let id, let quantity): return adding(id, quantity, menu)
        case .increment(let id): return incrementing(id, menu)
        case .decrement(let id): return decrementing(id, menu)
        case .removeItem(let id):
            guard let index = index(of: id) else { return .failure(.itemNotInBasket) }
            return .success(replacing(index, with: nil))
        case .addSale(let id): return adding(id, menu)
        case .removeSale(let id):
            guard sets.contains(where: { $0.salesGroupID == id }) else { return .failure(.saleNotFound) }
            return .success(next(lines: lines, sets: sets.filter { $0.salesGroupID != id }))
        case .removeSaleItem(let sale, let item): return removing(item, from: sale)
        case .clear: return .success(isEmpty ? self : next(lines: [], sets: []))
        }
    }

    private func adding(_ id: MenuItemID, _ rawQuantity: Int64, _ menu: Menu) -> Result<Basket, BasketRefusal> {
        guard let item = menu.item(id), !item.isRetired else { return .failure(.menuItemNotFound) }
        guard menu.availability(of: id).isAvailable else { return .failure(.itemSoldOut) }
        // Both are at most 99 before they are added up.
        guard let quantity = Int(exactly: rawQuantity), BasketLine.quantities.contains(quantity) else { return .failure(.outOfRange) }
        let index = index(of: id)
        let sum = quantity + (index.map { lines[$0].quantity } ?? 0)
        guard let line = BasketLine(menuItemID: id, quantity: sum, recordedPrice: item.currentPrice) else { return .failure(.outOfRange) }
        if let index { return .success(replacing(index, with: line)) }
        guard !isFull else { return .failure(.basketFull(limit: Basket.limit)) }
        return .success(next(lines: lines + [line], sets: sets))
    }

    private func incrementing(_ id: MenuItemID, _ menu: Menu) -> Result<Basket, BasketRefusal> {
        guard let index = index(of: id) else { return .failure(.itemNotInBasket) }
        guard let item = menu.item(id), menu.availability(of: id).isAvailable else { return .failure(.itemSoldOut) }
        let more = BasketLine(menuItemID: id, quantity: lines[index].quantity + 1, recordedPrice: item.currentPrice)
        return more.map { .success(replacing(index, with: $0)) } ?? .failure(.outOfRange)
    }

    /// A sold-out item can always be taken back.
    private func decrementing(_ id: MenuItemID, _ menu: Menu) -> Result<Basket, BasketRefusal> {
        guard let index = index(of: id) else { return .failure(.itemNotInBasket) }
        let price = menu.item(id)?.currentPrice ?? lines[index].recordedPrice
        let fewer = BasketLine(menuItemID: id, quantity: lines[index].quantity - 1, recordedPrice: price)
        return .success(replacing(index, with: fewer))
    }

    private func adding(_ id: SalesGroupID, _ menu: Menu) -> Result<Basket, BasketRefusal> {
        guard let sale = menu.sale(id), menu.isOffered(sale) else { return .failure(.saleNotFound) }
        guard case .set(let entries) = sale.content else { return .failure(.saleHasNoItems) }
        guard !sets.contains(where: { $0.salesGroupID == id }) else { return .failure(.saleAlreadyInBasket) }
        let items = entries.compactMap { entry -> BasketLine? in
            guard let item = menu.item(entry.menuItemID), menu.availability(of: item.id).isAvailable else { return nil }
            return BasketLine(menuItemID: item.id, quantity: entry.quantity, recordedPrice: item.currentPrice)
        }
        guard items.count == entries.count else { return .failure(.itemSoldOut) }
        guard !isFull else { return .failure(.basketFull(limit: Basket.limit)) }
        return .success(next(lines: lines, sets: sets + [BasketSet(salesGroupID: id, items: items)]))
    }

    /// What remains costs the same, for a set is the sum of its items.
    private func removing(_ item: MenuItemID, from sale: SalesGroupID) -> Result<Basket, BasketRefusal> {
        guard let index = sets.firstIndex(where: { $0.salesGroupID == sale }) else { return .failure(.saleNotFound) }
        let items = sets[index].items.filter { $0.menuItemID != item }
        guard items.count < sets[index].items.count else { return .failure(.itemNotInBasket) }
        var sets = sets
        if items.isEmpty { sets.remove(at: index) } else { sets[index] = BasketSet(salesGroupID: sale, items: items) }
        return .success(next(lines: lines, sets: sets))
    }

    var isFull: Bool { lines.count + sets.count >= Basket.limit }

    private func index(of id: MenuItemID) -> Int? { lines.firstIndex { $0.menuItemID == id } }

    private func replacing(_ index: Int, with line: BasketLine?) -> Basket {
        next(lines: Array(lines[..<index]) + (line.map { [$0] } ?? []) + Array(lines[(index + 1)...]), sets: sets)
    }

    private func next(lines: [BasketLine], sets: [BasketSet]) -> Basket {
        Basket(id: id, state: state, version: version &+ 1, currency: currency, lines: lines, sets: sets)
    }

    private func recorded(in menu: Menu) -> Basket {
        guard currency != menu.currency.code else { return self }
        return Basket(
            id: id, state: state, version: version, currency: menu.currency.code, lines: lines.map { $0.recorded(in: menu) },
            sets: sets.map { BasketSet(salesGroupID: $0.salesGroupID, items: $0.items.map { $0.recorded(in: menu) }) })
    }
}

extension BasketLine {
    fileprivate func recorded(in menu: Menu) -> BasketLine {
        menu.item(menuItemID).flatMap { BasketLine(menuItemID: menuItemID, quantity: quantity, recordedPrice: $0.currentPrice) } ?? self
    }
}

extension BasketRefusal {
    fileprivate static let outOfRange = BasketRefusal.quantityOutOfRange(limit: BasketLine.quantities.upperBound)
}
