// A basket at the menu's current prices: the content of basket responses and the input of a checkout.

/// A set at the current prices of its items.
package struct PricedSet: HasAvailability, Sendable {
    /// The sales group.
    package let salesGroupID: SalesGroupID
    /// The title of the sales group.
    package let title: String
    /// The items that are still in the set.
    package let items: [PricedLine]
    /// The price of all items with their options.
    package let total: Money
    /// How the sales group has changed since the set was composed; nil if the set is still offered.
    package let saleChange: SaleChange?
    /// Whether all items are available now. After a change of the sales group, none is.
    package let availability: Availability

    /// Prices a set.
    /// - Parameter stock: the stock availability of a line, judged by the demand of the whole basket.
    package init(
        _ set: BasketSet, recordedIn currency: CurrencyCode, menu: Menu,
        stock: (Line) -> Availability = { _ in .always }
    ) {
        salesGroupID = set.salesGroupID
        title = menu.sale(set.salesGroupID)?.title ?? set.salesGroupID.description
        let saleChange = menu.saleChange(of: set)
        self.saleChange = saleChange
        items = set.items.map {
            PricedLine($0, recordedIn: currency, menu: menu, stock: stock($0), isOffered: saleChange == nil)
        }
        total = Money.sum(items.map(\.line.total))
        availability = Availability(ofAll: items.lazy.map(\.availability))
    }
}

/// A basket at current prices.
package struct PricedBasket: HasAvailability, Sendable {
    /// The basket.
    package let basket: Basket
    /// The lines in the order in which they were added.
    package let lines: [PricedLine]
    /// The sets in the order in which they were added.
    package let sets: [PricedSet]
    /// The sum of the lines' quantities, plus one for each set.
    package let totalCount: Int
    /// The price of all lines and sets.
    package let total: Money
    /// The menu's currency, in which all amounts are.
    package let currency: Currency
    /// The revision of the menu.
    package let menuRevision: Int64
    /// The language of the menu's titles.
    package let language: LanguageTag

    /// Prices a basket with the menu.
    package init(_ basket: Basket, menu: Menu) {
        self.basket = basket
        (currency, menuRevision, language) = (menu.currency, menu.revision, menu.language)
        let demand = menu.stock.isUntracked ? nil : StockDemand(basket.dishDemands)
        func stock(_ line: Line) -> Availability {
            demand.map { menu.stock.availability(of: DishDemand(.line(line.id), line), in: $0) } ?? .always
        }
        lines = basket.lines.map { PricedLine($0, recordedIn: basket.currency, menu: menu, stock: stock($0)) }
        sets = basket.sets.map { PricedSet($0, recordedIn: basket.currency, menu: menu, stock: stock) }
        totalCount = lines.reduce(sets.count) { $0 + $1.line.quantity }
        total = Money.sum(lines.map(\.line.total)) + Money.sum(sets.map(\.total))
    }

    /// The lines, then the items of the sets.
    package var items: [PricedLine] { sets.isEmpty ? lines : lines + sets.flatMap(\.items) }

    /// The highest minimum age of all items, including items of sets; nil if there is no restriction.
    package var minimumAge: Int? {
        items.lazy.compactMap(\.food.minimumAge).max()
    }

    /// Whether all lines and sets are available now.
    package var availability: Availability {
        sets.reduce(Availability(ofAll: lines.lazy.map(\.availability))) { $0.and($1.availability) }
    }

    /// Whether all lines and sets can be ordered now with their options.
    package var isOrderable: Bool {
        lines.allSatisfy(\.isOrderable) && sets.allSatisfy { $0.items.allSatisfy(\.isOrderable) }
    }
}
