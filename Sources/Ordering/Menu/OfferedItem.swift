// An item with its resolved options, by which dishes are validated and priced.

/// An item with its options. A reference, because every priced line of every basket copies it.
final class OfferedItem: Sendable {
    let item: any MenuItem
    // Copied from the item, because every line reads them.
    let kind: MenuItemKind
    let title: String
    let category: CategoryID
    /// The price of one unit without options, before the sale percent and after it.
    let price, currentPrice: Money
    let options: OfferedOptions
    /// The time from which the item can be ordered with some selection of its options.
    let availableFrom: AvailableFrom
    /// Nil: always served.
    let served: ServingHours?
    /// The food information without options.
    private let food: FoodFacts

    /// - Parameter stockedFrom: the time from which the item is in stock, if it is counted.
    init(_ item: any MenuItem, from stockedFrom: AvailableFrom, served: ServingHours?, options: OfferedOptions) {
        (self.item, self.served, self.options, food) = (item, served, options, item.facts.food)
        (kind, title, category, price, currentPrice) = (item.kind, item.title, item.category, item.price, item.currentPrice)
        availableFrom = max(item.availableFrom, stockedFrom, options.availableFrom)
    }

    /// The availability at a time.
    /// - Parameter optionsFrom: the time from which the selected options are available.
    func availability(_ optionsFrom: AvailableFrom = .always, at now: Instant, in zone: ShopZone) -> Availability {
        let ownAvailability = Availability(max(availableFrom, optionsFrom), at: now)
        // An item that is sold out for longer than until its serving hours is reported as sold out.
        return served.map { ownAvailability.and($0.availability(at: now, in: zone)) } ?? ownAvailability
    }

    /// The food information of one unit with these options.
    func food(with selection: Selection) -> FoodFacts { options.food(of: food, with: selection, units: 1) }

    /// The food information of one unit with its default options, available or not.
    var foodAsItComes: FoodFacts { options.foodAsItComes(food, units: 1) }

    /// The current price with default options; without any if they are unavailable.
    func priceAsItComes(at now: Instant) -> Money {
        guard case .success(let selection) = options.judge(nil, at: now) else { return currentPrice }
        return options.priced(selection).unitPrice(currentPrice) ?? currentPrice
    }
}
