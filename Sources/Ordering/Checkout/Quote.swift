// The priced content of a basket: lines, sets and totals as they would be charged.

/// The total lines add up to the total, and the shares of all lines add up to the discount.
package struct Quote: HasTotals, Sendable, Hashable {
    /// The lines in the basket's order.
    package let lines: [OrderLine]
    /// The sets in the basket's order.
    package let sets: [OrderSet]
    /// The totals, line by line.
    package let totals: Totals
    /// The menu's currency, in which all amounts are.
    package let currency: Currency
    /// The coupon's conditions on the guest history, which only the checkout checks.
    package let conditions: [String]
    /// How the guest gets the order.
    package let fulfilment: Fulfilment
    /// The start of the slot; nil: as soon as possible.
    package let wantedAt: Instant?
    /// The estimate in minutes from now, 15…240 in steps of 5; nil if there is a wanted time.
    package let etaMinutes: Int?
    /// The highest tip that the shop accepts for this basket.
    package let highestTip: Money
    /// The language of the titles, as far as translations exist.
    package let language: LanguageTag

    /// A quote for a basket.
    /// - Parameters:
    ///   - bill: the bill of the same basket.
    ///   - etaMinutes: set only if the order is wanted as soon as possible.
    package init(
        _ basket: PricedBasket, _ bill: Bill, conditions: [String], fulfilment: Fulfilment, wantedAt: Instant?,
        etaMinutes: Int?
    ) {
        var (discounts, taxes) = (bill.lineDiscounts[...], bill.lineTaxes[...])
        func charged(_ priced: PricedLine) -> OrderLine {
            OrderLine(priced.line, priced.item, discount: discounts.popFirst() ?? .zero, tax: taxes.popFirst() ?? .zero)
        }
        lines = basket.lines.map(charged)
        sets = basket.sets.map {
            OrderSet(salesGroupID: $0.salesGroupID, title: $0.title, items: $0.items.map(charged))
        }
        (totals, currency, self.conditions, highestTip) = (bill.totals, basket.currency, conditions, bill.highestTip)
        (self.fulfilment, self.wantedAt, self.etaMinutes, language) = (fulfilment, wantedAt, etaMinutes, bill.language)
    }
}
