// What a basket costs with a coupon: lines, sets and totals as they would be charged. Made by Checkout for orders, for the
// live form, and for the answer that tells of a changed price.

/// Subtotal − discount = total, and the lines' shares of the discount add up to it.
package struct Quote: Sendable, Hashable {
    /// The single items, in the basket's order.
    package let lines: [OrderLine]
    /// The sets, in the basket's order.
    package let sets: [OrderSet]
    /// Before the coupon.
    package let subtotal: Money
    /// What the coupon takes off.
    package let discount: Money
    /// What the guest pays.
    package let total: Money
    /// The menu's, which all these amounts are in.
    package let currency: Currency
    /// The coupon's conditions on the guest's past, which are judged by the checkout only, see `Coupon.conditionsOnPast`.
    package let conditions: [String]

    /// Prices a basket with what a coupon takes off it.
    /// - Parameter discount: judged with this very basket; nil without a coupon.
    package init(_ basket: PricedBasket, discount: Discount?, conditions: [String]) {
        let items = basket.lines + basket.sets.flatMap(\.items)
        var shares = Quote.shares(of: discount, over: items, in: basket)[...]
        func charged(_ priced: PricedLine) -> OrderLine { OrderLine(priced.line, priced.item, discount: shares.popFirst() ?? .zero) }
        lines = basket.lines.map(charged)
        sets = basket.sets.map { OrderSet(salesGroupID: $0.salesGroupID, title: $0.title, items: $0.items.map(charged)) }
        subtotal = basket.total
        self.discount = discount?.amount ?? .zero
        total = subtotal - self.discount
        currency = basket.currency
        self.conditions = conditions
    }

    /// A share for each item, lines before sets.
    private static func shares(of discount: Discount?, over items: [PricedLine], in basket: PricedBasket) -> [Money] {
        guard let discount else { return [] }
        let free: Int
        switch discount.target {
        case .everything: return discount.amount.shares(over: items.map(\.line.total))
        case .line(let index): free = index
        case .setItem(let set, let item): free = basket.lines.count + basket.sets.prefix(set).reduce(0) { $0 + $1.items.count } + item
        }
        return items.indices.map { $0 == free ? discount.amount : .zero }
    }
}
