// A line of a basket with its current price and availability.

/// A line at the current price. A class, because it is immutable and passed around often.
package final class PricedLine: HasAvailability, Sendable {
    /// The line with the price that would be recorded or charged now.
    package let line: Line
    /// The item as it is on the menu now.
    package let item: ItemSnapshot
    /// The item's category; nil if this menu does not contain the item.
    package let category: CategoryID?
    /// The current price of one unit without options.
    package let itemPrice: Money
    /// Whether the item is available now, with any selection of options.
    package let itemAvailability: Availability
    /// Whether the item is available now with this selection.
    package let availability: Availability
    /// The food information of the item with its options.
    package let food: FoodInformation
    /// The next serving hours, if the item is not served now.
    package let nextServing: TimeRange?
    /// Whether the serving hours are the only obstacle.
    private let isOnlyOutsideServingHours: Bool
    /// Errors of the selection against the current option groups, once for all units; the paths start at the dish.
    package let optionErrors: [FieldError]
    /// The line as last recorded; nil if its price has not changed or was recorded in another currency.
    private let recorded: Line?

    /// Prices a line. An item that this menu does not contain cannot be ordered and keeps its price; the server may
    /// not have reloaded the menu yet.
    /// - Parameters:
    ///   - stock: the stock availability of the line, judged by the demand of the whole basket.
    ///   - isOffered: false for an item of a set that its sales group no longer contains.
    package init(
        _ recorded: Line, recordedIn currency: CurrencyCode, menu: Menu, stock: Availability = .always,
        isOffered: Bool = true
    ) {
        let dish = recorded.dish
        let offered = menu.resolvedItem(dish.menuItemID)
        let line = recorded.priced(by: offered)
        self.line = line
        itemPrice = offered?.currentPrice ?? recorded.unitPrice
        item = ItemSnapshot(
            kind: offered?.kind ?? .regular, title: offered?.title ?? dish.menuItemID.description,
            regularUnitPrice: offered.flatMap { PricedSelection(recorded: line.options).unitPrice($0.price) }
                ?? recorded.unitPrice)
        category = offered?.category
        itemAvailability = offered?.availability(at: menu.moment, in: menu.terms.zone) ?? .never
        let ownAvailability =
            offered?.availability(
                offered?.options.availableFrom(dish.selection) ?? .never, at: menu.moment, in: menu.terms.zone)
            ?? .never
        availability = isOffered ? ownAvailability.and(stock) : .notOffered
        let isServed = itemAvailability.unavailable?.reason != .notServed
        nextServing = isServed ? nil : offered?.servingHours?.next(after: menu.moment, in: menu.terms.zone)
        isOnlyOutsideServingHours = availability.unavailable?.reason == .notServed && !menu.isSoldOut(dish.menuItemID)
        food = offered?.food(with: dish.selection) ?? .unknown
        optionErrors = offered?.options.errors(in: dish.selection, at: menu.moment) ?? []
        self.recorded = recorded.unitPrice != line.unitPrice && currency == menu.currency.code ? recorded : nil
    }

    /// Whether the line can be ordered now with its options.
    package var isOrderable: Bool { isAvailable && optionErrors.isEmpty }

    /// Whether the line can be ordered now or, if only the serving hours prevent that, at its next serving time.
    var isOrderableNowOrLater: Bool { (isAvailable || isOnlyOutsideServingHours) && optionErrors.isEmpty }

    /// The recorded price, if it differs from the current one; nil if it was recorded in another currency.
    package var previousUnitPrice: Money? { recorded?.unitPrice }

    /// The options whose price differs from the recorded one, with both prices; empty if the line costs the same.
    package var changedOptions: [(path: OptionPath, old: OptionPrice, new: OptionPrice)] {
        guard let recorded else { return [] }
        return Self.changes(from: recorded.options, to: line.options, of: line.dish.selection, at: .top)
    }

    /// Whether the item's own price changed. Also true if no option price explains the line's new price, for example
    /// because the number of included units changed.
    package var isItemPriceChanged: Bool {
        guard let recorded else { return false }
        return PricedSelection(recorded: recorded.options).unitPrice(itemPrice) != recorded.unitPrice
            || changedOptions.isEmpty
    }

    private static func changes(
        from old: [LineOption], to new: [LineOption], of selection: Selection, at path: OptionPath
    ) -> [(path: OptionPath, old: OptionPrice, new: OptionPrice)] {
        var changes: [(path: OptionPath, old: OptionPrice, new: OptionPrice)] = []
        // Staff may have moved an option meanwhile, so both lists are compared in the order of the selection.
        for (index, (old, new)) in zip(selection.aligned(old) ?? [], selection.aligned(new) ?? []).enumerated() {
            let path = path.group(new.groupID).option(new.id)
            if old.price != new.price { changes.append((path, old.price, new.price)) }
            let nestedSelection = selection.entries[index].selection
            changes += Self.changes(from: old.options, to: new.options, of: nestedSelection, at: path.list)
        }
        return changes
    }
}
