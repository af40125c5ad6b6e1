// A basket at the menu's current prices: what every basket answer shows and what a checkout starts from.
// Web writes it out, Checkout takes its lines into the order.

/// A line at the current price.
public struct PricedLine: Sendable, Hashable {
    /// The item.
    public let menuItemID: MenuItemID
    /// The item's kind.
    public let kind: MenuItemKind
    /// The item's title.
    public let title: String
    /// The item's category; nil if this menu does not know the item.
    public let category: CategoryID?
    /// 1…99.
    public let quantity: Int
    /// The current price of one.
    public let unitPrice: Money
    /// The price of one before its sale percent: crossed out where it is another.
    public let regularUnitPrice: Money
    /// Unit price × quantity.
    public let total: Money
    /// Whether it can be ordered now.
    public let isAvailable: Bool
    /// The price recorded when the line last changed, if it is another now; nil where it was recorded in another currency.
    public let previousUnitPrice: Money?

    /// Prices a line. An item this menu does not know (a server that has not reloaded yet) can't be ordered and keeps its price.
    public init(_ line: BasketLine, recordedIn currency: CurrencyCode, menu: Menu) {
        let item = menu.item(line.menuItemID)
        (menuItemID, quantity, category) = (line.menuItemID, line.quantity, item?.category)
        (kind, title) = (item?.kind ?? .regular, item?.title ?? line.menuItemID.description)
        unitPrice = item?.currentPrice ?? line.recordedPrice
        regularUnitPrice = item?.price ?? line.recordedPrice
        total = unitPrice * line.quantity
        isAvailable = item?.canBeOrdered ?? false
        previousUnitPrice = line.recordedPrice == unitPrice || currency != menu.currency.code ? nil : line.recordedPrice
    }
}

/// A set at its items' current prices.
public struct PricedSet: Sendable, Hashable {
    /// The sale.
    public let salesGroupID: SalesGroupID
    /// The sale's title.
    public let title: String
    /// The set's items that are still in it.
    public let items: [PricedLine]
    /// All items together.
    public let total: Money
    /// Whether all items can be ordered now. A sale that is over takes nothing from a set already in a basket: its items cost the same alone.
    public let isAvailable: Bool

    /// Prices a set.
    public init(_ set: BasketSet, recordedIn currency: CurrencyCode, menu: Menu) {
        salesGroupID = set.salesGroupID
        title = menu.sale(set.salesGroupID)?.title ?? set.salesGroupID.description
        items = set.items.map { PricedLine($0, recordedIn: currency, menu: menu) }
        total = Money.sum(items.map(\.total))
        isAvailable = items.allSatisfy(\.isAvailable)
    }
}

/// A basket at the current prices.
public struct PricedBasket: Sendable, Hashable {
    /// What was priced.
    public let basket: Basket
    /// The lines, in the order they were added.
    public let lines: [PricedLine]
    /// The sets, in the order they were added.
    public let sets: [PricedSet]
    /// The sum of the lines' quantities, plus one for each set.
    public let totalCount: Int
    /// All lines and sets together.
    public let total: Money
    /// The menu's, which all these amounts are in.
    public let currency: Currency

    /// Prices a basket by the menu.
    public init(_ basket: Basket, menu: Menu) {
        self.basket = basket
        currency = menu.currency
        lines = basket.lines.map { PricedLine($0, recordedIn: basket.currency, menu: menu) }
        sets = basket.sets.map { PricedSet($0, recordedIn: basket.currency, menu: menu) }
        totalCount = lines.reduce(sets.count) { $0 + $1.quantity }
        total = Money.sum(lines.map(\.total)) + Money.sum(sets.map(\.total))
    }

    /// Whether all lines and sets can be ordered now.
    public var isAvailable: Bool { lines.allSatisfy(\.isAvailable) && sets.allSatisfy(\.isAvailable) }
}
