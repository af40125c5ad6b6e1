// Distributes a discount over the lines of an order so that the shares add up to it.

extension Money {
    /// Splits this discount over `amounts` in proportion to them, by the largest remainder (Hamilton's method).
    ///
    /// The shares have the order of the amounts and add up to the discount exactly, limited to the sum of the amounts.
    /// No share exceeds its amount. Of equal remainders, the earlier amount gets the unit.
    package func shares(over amounts: [Money]) -> [Money] {
        let sum = amounts.reduce(Int128(0)) { $0 + Int128($1.minorUnits) }
        guard sum > 0 else { return amounts.map { _ in .zero } }
        let discount = min(Int128(minorUnits), sum)
        // (9 × 10¹⁵)² needs more than 64 bits.
        let exact = amounts.map { (discount * Int128($0.minorUnits)).quotientAndRemainder(dividingBy: sum) }
        var units = exact.map { Int64($0.quotient) }
        let remaining = Int(discount - exact.reduce(0) { $0 + $1.quotient })
        // Fewer units remain than there are remainders above zero, so the extra unit never exceeds an amount.
        let byRemainder = exact.indices.sorted { (exact[$1].remainder, $0) < (exact[$0].remainder, $1) }
        for index in byRemainder.prefix(remaining) { units[index] += 1 }
        return units.map(Money.init(unchecked:))
    }
}
