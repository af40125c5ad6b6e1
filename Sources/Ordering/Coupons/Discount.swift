// The discount of a coupon on a basket, and the lines that it reduces.

/// The lines that a discount reduces.
package enum DiscountTarget: Hashable, Sendable {
    /// All lines, in proportion to their prices.
    case everything
    /// One line, by its index in the basket's lines.
    case line(Int)
    /// One item of a set, by the set's index and the item's index in the set.
    case setItem(set: Int, item: Int)
}

/// A discount, at most the subtotal of the basket for which it was computed.
package struct Discount: Hashable, Sendable {
    /// The reduction.
    package let amount: Money
    /// The lines that are reduced.
    package let target: DiscountTarget

    package init(amount: Money, target: DiscountTarget) {
        self.amount = amount
        self.target = target
    }

    /// The share of each line, then of each set item, in the basket for which the discount was computed.
    package func shares(in basket: PricedBasket) -> [Money] {
        let reducedIndex: Int
        switch target {
        case .everything: return amount.shares(over: basket.items.map(\.line.total))
        case .line(let index): reducedIndex = index
        case .setItem(let set, let item):
            reducedIndex = basket.lines.count + basket.sets.prefix(set).reduce(0) { $0 + $1.items.count } + item
        }
        return basket.items.indices.map { $0 == reducedIndex ? amount : .zero }
    }
}

extension CouponBenefit {
    /// The discount on the basket; nil if the basket contains no matching item.
    func discount(on basket: PricedBasket) -> Discount? {
        switch self {
        case .percent(let percent):
            Discount(amount: basket.total - basket.total.reduced(by: percent), target: .everything)
        case .amount(let amount): Discount(amount: min(amount, basket.total), target: .everything)
        case .freeItem(let category): Self.cheapest(of: category, in: basket)
        }
    }

    /// Reduces one unit of the cheapest item by its own current price, at most by the unit's price with options. The
    /// first of equal items wins, lines before sets.
    private static func cheapest(of category: CategoryID, in basket: PricedBasket) -> Discount? {
        var cheapest: (line: PricedLine, target: DiscountTarget)?
        func compare(_ line: PricedLine, _ target: DiscountTarget) {
            guard line.category == category else { return }
            if cheapest.map({ line.itemPrice < $0.line.itemPrice }) ?? true { cheapest = (line, target) }
        }
        for (index, line) in basket.lines.enumerated() { compare(line, .line(index)) }
        for (setIndex, set) in basket.sets.enumerated() {
            for (index, item) in set.items.enumerated() { compare(item, .setItem(set: setIndex, item: index)) }
        }
        return cheapest.map { Discount(amount: min($0.line.itemPrice, $0.line.line.unitPrice), target: $0.target) }
    }
}
