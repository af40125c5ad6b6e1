// A line of a basket at the menu's current prices, judged by what can be had now: what answers show and a checkout starts from.
// Made by PricedBasket.swift. Read next: Lines/Line.swift.

/// A line at the current price. A reference, for it is asked often and changed never.
package final class PricedLine: Offered, Sendable {
    /// The line as it would be recorded or charged now.
    package let line: Line
    /// Its item, as the menu has it now.
    package let item: ItemSnapshot
    /// The item's category; nil if this menu does not know the item.
    package let category: CategoryID?
    /// What one of the item costs now, without options.
    package let itemPrice: Money
    /// Whether the item can be had now, with some choice of options.
    package let itemAvailability: Availability
    /// Whether it can be had now with these options.
    package let availability: Availability
    /// What is known of it with its options.
    package let food: FoodFacts
    /// When it is served again, where it is not served now.
    package let servedNext: TimeSpan?
    /// Whether nothing keeps it back but the hour.
    private let isOnlyNotServed: Bool
    /// What is wrong with these options by the groups of now, for each of its units; the paths begin with the dish.
    package let optionErrors: [FieldError]
    /// The line as it was when it last changed, if its price is another now; nil where that was in another currency.
    private let recorded: Line?

    /// Prices a line. An item this menu does not know (a server that has not reloaded yet) can't be ordered and keeps its price.
    /// - Parameters:
    ///   - stock: whether there is enough left of it, with all else in the basket.
    ///   - isOffered: false for an item of a set that its sale does not offer any more.
    package init(
        _ recorded: Line, recordedIn currency: CurrencyCode, menu: Menu, stock: Availability = .always,
        isOffered: Bool = true
    ) {
        let dish = recorded.dish
        let offered = menu.offered(dish.menuItemID)
        let line = recorded.priced(by: offered)
        self.line = line
        itemPrice = offered?.currentPrice ?? recorded.unitPrice
        item = ItemSnapshot(
            kind: offered?.kind ?? .regular, title: offered?.title ?? dish.menuItemID.description,
            regularUnitPrice: offered.flatMap { PricedSelection(recorded: line.options).unitPrice($0.price) } ?? recorded.unitPrice)
        category = offered?.category
        itemAvailability = offered?.availability(at: menu.moment, in: menu.terms.zone) ?? .never
        let itself =
            offered?.availability(offered?.options.availableFrom(dish.selection) ?? .never, at: menu.moment, in: menu.terms.zone) ?? .never
        availability = isOffered ? itself.and(stock) : .notOffered
        let isServed = itemAvailability.unavailable?.reason != .notServed
        servedNext = isServed ? nil : offered?.served?.next(after: menu.moment, in: menu.terms.zone)
        isOnlyNotServed = availability.unavailable?.reason == .notServed && !menu.isSoldOut(dish.menuItemID)
        food = offered?.food(with: dish.selection) ?? .unknown
        optionErrors = offered?.options.errors(in: dish.selection, at: menu.moment) ?? []
        self.recorded = recorded.unitPrice != line.unitPrice && currency == menu.currency.code ? recorded : nil
    }

    /// Whether it can be ordered as it stands, for now.
    package var isOrderable: Bool { isAvailable && optionErrors.isEmpty }

    /// Whether it can be ordered as it stands, for now or, where it is only not served now, for when it is.
    var isOrderableInTime: Bool { (isAvailable || isOnlyNotServed) && optionErrors.isEmpty }

    /// The price recorded when the line last changed, if it is another now; nil where it was recorded in another currency.
    package var previousUnitPrice: Money? { recorded?.unitPrice }

    /// The options whose prices made the line's another since it last changed, with the prices that they had.
    package var changedOptions: [(path: OptionPath, old: OptionPrice, new: OptionPrice)] {
        guard let recorded else { return [] }
        return Self.changes(from: recorded.options, to: line.options, of: line.dish.selection, at: .top)
    }

    /// Whether the item's own price made the line's another, or what no option's price tells, such as how many units are included.
    package var isItemChanged: Bool {
        guard let recorded else { return false }
        return PricedSelection(recorded: recorded.options).unitPrice(itemPrice) != recorded.unitPrice || changedOptions.isEmpty
    }

    private static func changes(
        from old: [LineOption], to new: [LineOption], of selection: Selection, at path: OptionPath
    ) -> [(path: OptionPath, old: OptionPrice, new: OptionPrice)] {
        var changes: [(path: OptionPath, old: OptionPrice, new: OptionPrice)] = []
        // Staff may have moved an option since: both are compared in the order of the selection.
        for (index, (old, new)) in zip(selection.aligned(old) ?? [], selection.aligned(new) ?? []).enumerated() {
            let path = path.group(new.groupID).option(new.id)
            if old.price != new.price { changes.append((path, old.price, new.price)) }
            let below = selection.entries[index].selection
            changes += Self.changes(from: old.options, to: new.options, of: below, at: path.list)
        }
        return changes
    }
}
