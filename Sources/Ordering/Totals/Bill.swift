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
        let tip = tip.flatMap(Money.init(minorUnits:)).flatMap { $0 <= terms.highestTip(on: subtotal) ? $0 : nil } ?? .zero
        let reduced = reduction.map { Total(.discount, code: $0.code, title: $0.title, amount: -discount.minorUnits) }
        let delivered = delivery.map { Total(.deliveryFee, title: titles[.deliveryFee], amount: $0.minorUnits) }
        totals = Totals(
            subtotal: subtotal,
            [
                reduced, delivered, Total(.smallOrderFee, title: titles[.smallOrderFee], amount: smallOrder.minorUnits),
                Total(.serviceCharge, title: titles[.serviceCharge], amount: service.minorUnits),
            ].compactMap(\.self) + taxation.totals + [Total(.tip, title: titles[.tip], amount: tip.minorUnits)],
            titles: titles)
        (self.discounts, taxes, language) = (discounts, taxation.shares, titles.language(of: totals.all.lazy.map(\.key.kind)))
    }
}
