// A basket at the menu's current prices: what every basket answer shows and what a checkout starts from.
// Web writes it out, Checkout takes its lines into the order. Read next: PricedLine.swift.

/// A set at its items' current prices.
package struct PricedSet: Offered, Sendable {
    /// The sale.
    package let salesGroupID: SalesGroupID
    /// The sale's title.
    package let title: String
    /// The set's items that are still in it.
    package let items: [PricedLine]
    /// All items together, with their options.
    package let total: Money
    /// The change of the sale since the set was composed; nil where the sale still offers the set.
    package let saleChange: SaleChange?
    /// Whether all items are available now. After a change of the sale none of them is.
    package let availability: Availability

    /// Prices a set.
    /// - Parameter stock: whether there is enough left for a line, with all else in the basket.
    package init(
        _ set: BasketSet, recordedIn currency: CurrencyCode, menu: Menu, stock: (Line) -> Availability = { _ in .always }
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

/// A basket at the current prices.
package struct PricedBasket: Offered, Sendable {
    /// What was priced.
    package let basket: Basket
    /// The lines, in the order they were added.
    package let lines: [PricedLine]
    /// The sets, in the order they were added.
    package let sets: [PricedSet]
    /// The sum of the lines' quantities, plus one for each set.
    package let totalCount: Int
    /// All lines and sets together.
    package let total: Money
    /// The menu's, which all these amounts are in.
    package let currency: Currency
    /// The menu's.
    package let menuRevision: Int64
    /// What the menu's titles are in.
    package let language: LanguageTag

    /// Prices a basket by the menu.
    package init(_ basket: Basket, menu: Menu) {
        self.basket = basket
        (currency, menuRevision, language) = (menu.currency, menu.revision, menu.language)
        let demand = menu.stock.isUntracked ? nil : StockDemand(basket.stockedDishes)
        func stock(_ line: Line) -> Availability {
            demand.map { menu.stock.availability(of: StockedDish(.line(line.id), line), in: $0) } ?? .always
        }
        lines = basket.lines.map { PricedLine($0, recordedIn: basket.currency, menu: menu, stock: stock($0)) }
        sets = basket.sets.map { PricedSet($0, recordedIn: basket.currency, menu: menu, stock: stock) }
        totalCount = lines.reduce(sets.count) { $0 + $1.line.quantity }
        total = Money.sum(lines.map(\.line.total)) + Money.sum(sets.map(\.total))
    }

    /// The lines, then the items of the sets.
    package var items: [PricedLine] { sets.isEmpty ? lines : lines + sets.flatMap(\.items) }

    /// How old one has to be for what it holds, those in sets too; nil where anybody may have it all.
    package var minimumAge: Int? {
        items.lazy.compactMap(\.food.minimumAge).max()
    }

    /// Whether all lines and sets can be had now.
    package var availability: Availability {
        sets.reduce(Availability(ofAll: lines.lazy.map(\.availability))) { $0.and($1.availability) }
    }

    /// Whether all lines and sets can be ordered as they stand, for now.
    package var isOrderable: Bool {
        lines.allSatisfy(\.isOrderable) && sets.allSatisfy { $0.items.allSatisfy(\.isOrderable) }
    }
}
