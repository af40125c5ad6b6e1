// What staff have written into the shop's row about bills: the limit of a tip. Menu holds it; Bill and JudgedBasket judge by it.

/// What the shop's row says of bills.
package struct ShopTerms: Sendable, Hashable {
    /// The most that a tip may be, in percent of the subtotal: 0…1000.
    package let tipLimitPercent: Int

    /// The terms; those of a shop that has said nothing, if nothing is said.
    package init(tipLimitPercent: Int = 100) {
        self.tipLimitPercent = tipLimitPercent
    }

    /// The highest tip on a basket that costs this, cut to the minor unit.
    package func highestTip(on subtotal: Money) -> Money {
        // At most 10¹⁵ × 1000, which fits.
        Money(clamping: subtotal.minorUnits * Int64(min(max(tipLimitPercent, 0), 1000)) / 100)
    }
}
