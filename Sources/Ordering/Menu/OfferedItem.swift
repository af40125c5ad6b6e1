// An item with what can be chosen with it. Menu has one for each item; baskets and checkouts judge and price their dishes by it.
// Next: Options/OfferedOptions.swift.

/// An item on offer. One reference: each line of each basket that is priced takes it along.
final class OfferedItem: Sendable {
    let item: any MenuItem
    // Of the item, for each line asks for them.
    let kind: MenuItemKind
    let title: String
    let category: CategoryID
    /// What one costs without options: before its sale percent, and now.
    let price, currentPrice: Money
    let options: OfferedOptions
    /// From when on it can be had with some choice of its options.
    let availableFrom: AvailableFrom
    /// When it is served; nil: always.
    let served: ServingHours?
    /// What is known of it without options.
    private let food: FoodFacts

    /// - Parameter from: from when on there is one left, as far as it is counted.
    init(_ item: any MenuItem, from: AvailableFrom, served: ServingHours?, options: OfferedOptions) {
        (self.item, self.served, self.options, food) = (item, served, options, item.facts.food)
        (kind, title, category, price, currentPrice) = (item.kind, item.title, item.category, item.price, item.currentPrice)
        availableFrom = max(item.availableFrom, from, options.availableFrom)
    }

    /// Whether it can be had at a moment.
    /// - Parameter from: from when on there is what is chosen with it.
    func availability(_ from: AvailableFrom = .always, at now: Instant, in zone: ShopZone) -> Availability {
        let itself = Availability(max(availableFrom, from), at: now)
        // What is sold out for good, or for longer, is told as that.
        return served.map { itself.and($0.availability(at: now, in: zone)) } ?? itself
    }

    /// What is known of one with these options.
    func food(with selection: Selection) -> FoodFacts { options.food(of: food, with: selection, units: 1) }

    /// What is known of one with its defaults, whether or not these can be had.
    var foodAsItComes: FoodFacts { options.foodAsItComes(food, units: 1) }

    /// What one costs now where nobody chooses; without options where these can't be had.
    func priceAsItComes(at now: Instant) -> Money {
        guard case .success(let selection) = options.judge(nil, at: now) else { return currentPrice }
        return options.priced(selection).unitPrice(currentPrice) ?? currentPrice
    }
}
