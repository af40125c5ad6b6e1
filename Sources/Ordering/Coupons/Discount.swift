// What a coupon takes off a basket, and on which lines it falls. Made by Coupon.judge, charged by Totals/Bill.swift.

/// Where a discount falls.
package enum DiscountTarget: Hashable, Sendable {
    /// Over everything, by price.
    case everything
    /// On one line, by its index in the basket's lines.
    case line(Int)
    /// On one item of a set, by the set's index and the item's index in it.
    case setItem(set: Int, item: Int)
}

/// At most the subtotal of the basket it was judged with.
package struct Discount: Hashable, Sendable {
    /// What is taken off.
    package let amount: Money
    /// Which line's price it lowers.
    package let target: DiscountTarget

    package init(amount: Money, target: DiscountTarget) {
        self.amount = amount
        self.target = target
    }

    /// What of it falls on each line, then on each item of the sets, of the basket it was judged with.
    package func shares(in basket: PricedBasket) -> [Money] {
        let free: Int
        switch target {
        case .everything: return amount.shares(over: basket.items.map(\.line.total))
        case .line(let index): free = index
        case .setItem(let set, let item): free = basket.lines.count + basket.sets.prefix(set).reduce(0) { $0 + $1.items.count } + item
        }
        return basket.items.indices.map { $0 == free ? amount : .zero }
    }
}

extension CouponBenefit {
    /// What this takes off the basket; nil if the basket holds nothing it is for.
    func discount(on basket: PricedBasket) -> Discount? {
        switch self {
        case .percent(let percent): Discount(amount: basket.total - basket.total.reduced(by: percent), target: .everything)
        case .amount(let amount): Discount(amount: min(amount, basket.total), target: .everything)
        case .freeItem(let category): Self.cheapest(of: category, in: basket)
        }
    }

    /// One unit of the cheapest item by its own current price, which is what it takes off, but no more than the unit costs with its options;
    /// among equals the first, lines before sets.
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
