// The one place where an order is added up. Made by Checkout's JudgedBasket, for the quote and for the order alike.
// A new kind of total is a case of TotalKind and a line in `totals`. Read next: Totals.swift.

/// What is charged for, before it is added up.
package struct Bill: Sendable {
    /// What a coupon takes off.
    package struct Reduction: Sendable, Hashable {
        /// The coupon's key.
        package let code: String
        /// The coupon's title.
        package let title: String
        /// At most the basket's total.
        package let amount: Money

        /// A reduction by a coupon.
        package init(code: String, title: String, amount: Money) {
            (self.code, self.title, self.amount) = (code, title, amount)
        }
    }

    private let basket: PricedBasket
    private let terms: ShopTerms
    private let reduction: Reduction?
    /// What the guest adds, which is nothing where that is not a tip that the shop takes.
    private let tip: Money

    /// A bill.
    /// - Parameter tip: as it came, if it did.
    package init(_ basket: PricedBasket, _ terms: ShopTerms, reduction: Reduction? = nil, tip: Int64? = nil) {
        (self.basket, self.terms, self.reduction) = (basket, terms, reduction)
        self.tip = tip.flatMap(Money.init(minorUnits:)).flatMap { $0 <= terms.highestTip(on: basket.total) ? $0 : nil } ?? .zero
    }

    /// The most that a tip can be: of what the items cost before coupons.
    package var highestTip: Money { terms.highestTip(on: basket.total) }

    /// What it comes to.
    package var totals: Totals {
        let discount = reduction.map { Total(.discount, code: $0.code, title: $0.title, amount: -$0.amount.minorUnits) }
        return Totals(
            subtotal: basket.total,
            [discount, Total(.tip, title: "Tip", amount: tip.minorUnits)].compactMap(\.self))
    }
}
