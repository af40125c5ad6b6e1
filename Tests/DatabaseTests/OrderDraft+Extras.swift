// Burgers with extras, by option ids of the shipped menu, and orders of them, for tests of stored options and stock.
import Ordering
import Support
import Testing

extension RawOptionChoice {
    /// Two times cheese, of which one has truffle; and no onions.
    static let cheeses = [
        RawOptionChoice(2101, options: [RawOptionChoice(2302, options: [RawOptionChoice(2401, quantity: 9)])]),
        RawOptionChoice(2101, options: []),
        RawOptionChoice(2102),
    ]
}

extension OrderDraft {
    /// Returns the accepted order of this guest's checkout of the basket.
    static func accepted(
        _ basket: Basket, _ menu: Menu, by guest: Guest = Guest(1), stock: StockLevels = .untracked
    ) throws -> OrderDraft {
        var form = CheckoutForm(
            name: guest.name, phone: guest.phone, email: guest.email, address: "1 Main Street, Springfield")
        form.expectedTotal = PricedBasket(basket, menu: menu).total.minorUnits
        let draft = CheckoutDraft(
            basketID: basket.id, key: try CheckoutIdempotencyKey.parse("key").get(), fingerprint: [], form: form,
            validation: form.validated(defaultCountry: "US"), openOrders: 0)
        let decision = Checkout.decide(
            draft,
            CheckoutFacts(
                clockReading: nil, menu: menu, basket: basket, placedOrder: nil, coupon: nil, guestHistory: .none,
                stock: stock))
        guard case .accept(let order) = decision else { throw UnexpectedDecision(decision: decision) }
        return order
    }

    struct UnexpectedDecision: Error { let decision: CheckoutDecision }
}

extension Menu {
    /// The menu with extras for two burgers: at most nine of each, and cheese options of which one offers truffle.
    static func withExtras(_ menu: Menu) throws -> Menu {
        func group(_ id: Int64, _ options: (id: Int64, title: String, price: Int64, below: [Int64])...) throws
            -> OptionGroup
        {
            let all = try options.map { option in
                let made = Option(
                    id: OptionID(rawValue: option.id), title: option.title,
                    price: try #require(OptionPrice(minorUnits: option.price)),
                    maximum: 9, position: 1, groups: option.below.map(OptionGroupID.init))
                return try #require(made)
            }
            return try #require(OptionGroup(id: OptionGroupID(rawValue: id), title: "Extras", options: all))
        }
        let groups = [
            try group(91, (2101, "Cheese \"extra\"", 100, [92]), (2102, "No onions \\ 🧅", 0, [])),
            try group(92, (2302, "Blue", -30, [93])),
            try group(93, (2401, "Truffle", 500, [])),
        ]
        let extras = [OptionGroupID(rawValue: 91)]
        return Menu(
            revision: menu.revision, currency: menu.currency, defaultCountry: menu.defaultCountry,
            timeZone: menu.timeZone,
            categories: menu.categories, items: menu.items, sales: menu.sales, coupons: [], optionGroups: groups,
            itemOptionGroups: [MenuItemID(rawValue: 2001): extras, MenuItemID(rawValue: 2002): extras], at: menu.moment)
    }
}
