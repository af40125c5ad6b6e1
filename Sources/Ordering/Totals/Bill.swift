// The one place where an order is added up. Made by Checkout's JudgedBasket, for the quote and for the order alike.
// A new kind of total is a case of TotalKind and a line in `init`. Read next: Totals.swift, Taxation.swift.

/// What is charged, added up.
package struct Bill: Sendable {
    /// What a coupon takes off.
    package struct Reduction: Sendable, Hashable {
        /// The coupon's key.
        package let code: String
        /// The coupon's title.
        package let title: String
        /// Judged with the bill's basket.
        package let discount: Discount

        /// A reduction by a coupon.
        package init(code: String, title: String, discount: Discount) {
            (self.code, self.title, self.discount) = (code, title, discount)
        }
    }

    /// What it comes to.
    package let totals: Totals
    /// What the coupon takes off each line, then each item of the sets; empty without one.
    package let discounts: [Money]
    /// What of the taxes falls on each of the same; empty where there are none.
    package let taxes: [Money]
    /// The most that the shop takes as a tip on it.
    package let highestTip: Money
    /// Whether a tip came that the shop does not take.
    package let refusesTip: Bool
    /// What the totals' titles are in.
    package let language: LanguageTag

    /// A bill.
    /// - Parameters:
    ///   - area: that it is delivered to; nil for pickup, and where it is not known.
    ///   - tip: as it came, if it did; one that the shop does not take is none.
    ///   - titles: the menu's.
    package init(
        _ basket: PricedBasket, _ terms: ShopTerms, _ fulfilment: Fulfilment = .delivery, area: DeliveryArea? = nil,
        reduction: Reduction? = nil, tip: Int64? = nil, titles: TotalTitles = .english
    ) {
        let (subtotal, own) = (basket.total, terms[fulfilment])
        let discounts = reduction?.discount.shares(in: basket) ?? []
        let discount = reduction?.discount.amount ?? .zero
        let delivery = area?.fee(for: subtotal)
        let smallOrder = subtotal < own.smallOrderBelow ? own.smallOrderFee : .zero
        let service = own.serviceCharge.charge(on: subtotal)
        let taxation =
            terms.taxes.rates.isEmpty
            ? .none
            : Taxation(
                terms.taxes, fulfilment,
                zip(basket.items, discounts + basket.items.dropFirst(discounts.count).map { _ in .zero }).map { item, discount in
                    Taxation.Good(category: item.category, price: item.line.total, charged: item.line.total - discount)
                },
                [
                    Taxation.Fee(amount: delivery ?? .zero, rate: terms.taxes.delivery),
                    Taxation.Fee(amount: smallOrder, rate: terms.taxes.smallOrder),
                    Taxation.Fee(amount: service, rate: terms.taxes.service),
                ])
        let highestTip = terms.highestTip(on: subtotal)
        let taken = tip.flatMap(Money.init(minorUnits:)).flatMap { $0 <= highestTip ? $0 : nil }
        var others: [Total] = []
        // Of most orders there is nothing between the two sums.
        func charge(_ kind: TotalKind, _ amount: Money) {
            if amount > .zero { others.append(Total(kind, title: titles[kind], amount: amount.minorUnits)) }
        }
        if let reduction, discount > .zero {
            others.append(Total(.discount, code: reduction.code, title: reduction.title, amount: -discount.minorUnits))
        }
        // Where somebody has said what the way costs it stands there at nothing too.
        if let delivery { others.append(Total(.deliveryFee, title: titles[.deliveryFee], amount: delivery.minorUnits)) }
        charge(.smallOrderFee, smallOrder)
        charge(.serviceCharge, service)
        others += taxation.totals
        charge(.tip, taken ?? .zero)
        totals = Totals(subtotal: subtotal, others, titles: titles)
        (self.discounts, taxes) = (discounts, taxation.shares)
        (self.highestTip, refusesTip) = (highestTip, tip != nil && taken == nil)
        language = titles.language(of: totals.all.lazy.map(\.key.kind))
    }
}
