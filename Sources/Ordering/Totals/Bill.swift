// Adds up an order, in the same way for quotes and orders. `ShopTerms.fees` has the amounts of the fees.

/// The added-up charges of a basket.
package struct Bill: Sendable {
    /// A coupon that applies to the basket.
    package struct AppliedCoupon: Sendable, Hashable {
        /// The coupon's key.
        package let code: String
        /// The coupon's title.
        package let title: String
        /// The discount that was computed for the bill's basket.
        package let discount: Discount

        package init(code: String, title: String, discount: Discount) {
            (self.code, self.title, self.discount) = (code, title, discount)
        }
    }

    /// The total lines.
    package let totals: Totals
    /// The share of the discount of each line, then of each item of the sets; empty without a coupon.
    package let lineDiscounts: [Money]
    /// The share of the taxes of each line, then of each item of the sets; empty without taxes.
    package let lineTaxes: [Money]
    /// The highest tip that the shop accepts on this subtotal.
    package let highestTip: Money
    /// Whether a tip was sent that the shop does not accept.
    package let isTipRejected: Bool
    /// The language of the titles of the total lines.
    package let language: LanguageTag

    /// - Parameters:
    ///   - area: the delivery area; nil for pickup, or if it is unknown.
    ///   - tip: the tip as sent. A tip that the shop does not accept counts as none.
    ///   - titles: the titles of the menu's language.
    package init(
        _ basket: PricedBasket, _ terms: ShopTerms, _ fulfilment: Fulfilment = .delivery, area: DeliveryArea? = nil,
        coupon appliedCoupon: AppliedCoupon? = nil, tip: Int64? = nil, titles: TotalTitles = .english
    ) {
        let subtotal = basket.total
        let discounts = appliedCoupon?.discount.shares(in: basket) ?? []
        let discount = appliedCoupon?.discount.amount ?? .zero
        let fees = terms.fees(on: subtotal, fulfilment, area)
        let taxation =
            terms.taxes.rates.isEmpty
            ? .none
            : Taxation(
                terms.taxes, fulfilment,
                zip(basket.items, discounts + basket.items.dropFirst(discounts.count).map { _ in .zero }).map {
                    item, discount in
                    Taxation.TaxableItem(
                        category: item.category, price: item.line.total, charged: item.line.total - discount)
                },
                fees)
        let highestTip = terms.highestTip(on: subtotal)
        let acceptedTip = tip.flatMap(Money.init(minorUnits:)).flatMap { $0 <= highestTip ? $0 : nil }
        var lines: [TotalLine] = []
        // A charge of zero has no total line.
        func charge(_ kind: TotalKind, _ amount: Money) {
            if amount > .zero { lines.append(TotalLine(kind, title: titles[kind], amount: amount.minorUnits)) }
        }
        if let appliedCoupon, discount > .zero {
            lines.append(
                TotalLine(.discount, code: appliedCoupon.code, title: appliedCoupon.title, amount: -discount.minorUnits)
            )
        }
        for fee in fees {
            // A configured delivery fee is shown even if it is zero.
            if fee.kind == .deliveryFee, fee.amount == .zero {
                lines.append(TotalLine(fee.kind, title: titles[fee.kind], amount: 0))
            }
            charge(fee.kind, fee.amount)
        }
        lines += taxation.totals
        charge(.tip, acceptedTip ?? .zero)
        totals = Totals(subtotal: subtotal, lines, titles: titles)
        (self.lineDiscounts, lineTaxes) = (discounts, taxation.shares)
        (self.highestTip, isTipRejected) = (highestTip, tip != nil && acceptedTip == nil)
        language = titles.language(of: totals.all.lazy.map(\.key.kind))
    }
}
