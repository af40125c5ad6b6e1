// An item with its resolved options, by which dishes are validated and priced.

/// An item with its options. A reference, because every priced line of every basket copies it.
final class ResolvedItem: Sendable {
    let item: any MenuItem
    // Copied from the item, because every line reads them.
    let kind: MenuItemKind
    let title: String
    let category: CategoryID
    /// The price of one unit without options, before the sale percent and after it.
    let price, currentPrice: Money
    let options: OptionTree
    /// The time from which the item can be ordered with some selection of its options.
    let availableFrom: AvailableFrom
    /// Nil: always served.
    let servingHours: ServingHours?
    /// The food information without options.
    private let food: FoodInformation

    /// - Parameter stockedFrom: the time from which the item is in stock, if it is counted.
    init(_ item: any MenuItem, from stockedFrom: AvailableFrom, servingHours: ServingHours?, options: OptionTree) {
        (self.item, self.servingHours, self.options, food) = (item, servingHours, options, item.details.food)
        (kind, title, category, price, currentPrice) = (
            item.kind, item.title, item.category, item.price, item.currentPrice
        )
        availableFrom = max(item.availableFrom, stockedFrom, options.availableFrom)
    }

    /// The availability at a time.
    /// - Parameter optionsFrom: the time from which the selected options are available.
    func availability(_ optionsFrom: AvailableFrom = .always, at now: Instant, in zone: ShopZone) -> Availability {
        let ownAvailability = Availability(max(availableFrom, optionsFrom), at: now)
        // If the item is still sold out when its serving hours begin, the reason is `soldOut`, otherwise `notServed`.
        return servingHours.map { ownAvailability.and($0.availability(at: now, in: zone)) } ?? ownAvailability
    }

    /// The food information of one unit with these options.
    func food(with selection: Selection) -> FoodInformation { options.food(of: food, with: selection, units: 1) }

    /// The food information of one unit with its default options, available or not.
    var foodWithDefaults: FoodInformation { options.foodWithDefaults(food, units: 1) }

    /// The current price with default options; without any if they are unavailable.
    func priceWithDefaults(at now: Instant) -> Money {
        guard case .success(let selection) = options.validate(nil, at: now) else { return currentPrice }
        return options.priced(selection).unitPrice(currentPrice) ?? currentPrice
    }
}
