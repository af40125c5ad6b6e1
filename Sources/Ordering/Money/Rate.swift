// A rate in percent that may have decimals, of a tax or a charge. Reductions are whole percents: see Percent.

/// 0…100 percent, with up to four decimals.
package struct Rate: Sendable, Hashable, CustomStringConvertible {
    /// The rate in ten-thousandths of a percent: 8.875 % is 88,750.
    package let tenThousandths: Int64

    /// A hundred percent.
    static let hundredPercent: Int64 = 1_000_000

    /// The rate, or nil outside 0…1,000,000.
    package init?(tenThousandths: Int64) {
        guard (0...Self.hundredPercent).contains(tenThousandths) else { return nil }
        self.tenThousandths = tenThousandths
    }

    /// The percentage as a decimal number without trailing zeros: `8.875`, `19`.
    package var description: String {
        let (percent, rest) = tenThousandths.quotientAndRemainder(dividingBy: 10_000)
        guard rest > 0 else { return "\(percent)" }
        var decimals = zeroPadded(rest, width: 4)
        while decimals.hasSuffix("0") { decimals.removeLast() }
        return "\(percent).\(decimals)"
    }
}

extension Money {
    /// The rate's share of the amount, rounded half up to the minor unit.
    package func share(_ rate: Rate) -> Money {
        // 9 × 10¹⁵ × 10⁶ needs more than 64 bits; the result never exceeds the amount.
        Money(
            unchecked: Int64(
                (Int128(minorUnits) * Int128(rate.tenThousandths) * 2 + Int128(Rate.hundredPercent))
                    / (2 * Int128(Rate.hundredPercent))))
    }
}
