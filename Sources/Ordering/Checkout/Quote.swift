// What a basket costs with a coupon: lines, sets and totals as they would be charged. Made by Checkout for orders, for the
// live form, and for the answer that tells of a changed price.

/// The totals add up, and so do the lines' shares to the discount.
package struct Quote: Totalled, Sendable, Hashable {
    /// The single items, in the basket's order.
    package let lines: [OrderLine]
    /// The sets, in the basket's order.
    package let sets: [OrderSet]
    /// What it comes to, line by line.
    package let totals: Totals
    /// The menu's, which all these amounts are in.
    package let currency: Currency
    /// The coupon's conditions on the guest's past, which are judged by the checkout only, see `Coupon.conditionsOnPast`.
    package let conditions: [String]

    /// Prices a basket with what a coupon takes off it.
    /// - Parameters:
    ///   - discount: judged with this very basket; nil without a coupon.
    ///   - totals: of a bill with this basket and this discount.
    package init(_ basket: PricedBasket, discount: Discount?, totals: Totals, conditions: [String]) {
        let items = basket.lines + basket.sets.flatMap(\.items)
        var shares = Quote.shares(of: discount, over: items, in: basket)[...]
        func charged(_ priced: PricedLine) -> OrderLine { OrderLine(priced.line, priced.item, discount: shares.popFirst() ?? .zero) }
        lines = basket.lines.map(charged)
        sets = basket.sets.map { OrderSet(salesGroupID: $0.salesGroupID, title: $0.title, items: $0.items.map(charged)) }
        self.totals = totals
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
