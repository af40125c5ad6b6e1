// Spreads a discount over the lines of an order so that the lines' shares add up to it.
// Checkout calls it once the coupon's discount is known; OrderLine keeps the share.

extension Money {
    /// Splits this discount over `amounts` in proportion to them, by the largest remainder (Hamilton's method).
    ///
    /// The shares stand in the order of the amounts. They add up to the discount exactly, or to all the amounts where the discount
    /// is higher than these; no share is higher than its amount. Where remainders are equal the earlier amount takes the unit.
    package func shares(over amounts: [Money]) -> [Money] {
        let whole = amounts.reduce(Int128(0)) { $0 + Int128($1.minorUnits) }
        guard whole > 0 else { return amounts.map { _ in .zero } }
        let discount = min(Int128(minorUnits), whole)
        // (9 × 10¹⁵)² needs more than 64 bits.
        let exact = amounts.map { (discount * Int128($0.minorUnits)).quotientAndRemainder(dividingBy: whole) }
        var units = exact.map { Int64($0.quotient) }
        let left = Int(discount - exact.reduce(0) { $0 + $1.quotient })
        // Fewer units are left than there are remainders above zero, so the one more never passes an amount.
        let byRemainder = exact.indices.sorted { (exact[$1].remainder, $0) < (exact[$0].remainder, $1) }
        for index in byRemainder.prefix(left) { units[index] += 1 }
        return units.map(Money.init(proved:))
    }
}
