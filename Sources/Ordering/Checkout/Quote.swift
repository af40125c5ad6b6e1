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
    /// How the guest would get it.
    package let fulfilment: Fulfilment
    /// The start of the slot; nil: as soon as possible.
    package let wantedAt: Instant?
    /// Minutes until then as of now, 15…240 in fives; nil where a time is wanted.
    package let etaMinutes: Int?
    /// The most that the shop takes as a tip on it.
    package let highestTip: Money
    /// What the titles are in, as far as somebody has translated what staff wrote.
    package let language: LanguageTag

    /// What a basket costs.
    /// - Parameters:
    ///   - bill: of this very basket.
    ///   - etaMinutes: if it is wanted as soon as possible.
    package init(
        _ basket: PricedBasket, _ bill: Bill, conditions: [String], fulfilment: Fulfilment, wantedAt: Instant?, etaMinutes: Int?
    ) {
        var (discounts, taxes) = (bill.discounts[...], bill.taxes[...])
        func charged(_ priced: PricedLine) -> OrderLine {
            OrderLine(priced.line, priced.item, discount: discounts.popFirst() ?? .zero, tax: taxes.popFirst() ?? .zero)
        }
        lines = basket.lines.map(charged)
        sets = basket.sets.map { OrderSet(salesGroupID: $0.salesGroupID, title: $0.title, items: $0.items.map(charged)) }
        (totals, currency, self.conditions, highestTip) = (bill.totals, basket.currency, conditions, bill.highestTip)
        (self.fulfilment, self.wantedAt, self.etaMinutes, language) = (fulfilment, wantedAt, etaMinutes, bill.language)
    }
}
