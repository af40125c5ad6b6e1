// An amount of the shop's one currency, in minor units: prices, line totals, discounts and what the guest pays, in every room. The Currency stands
// beside it, in Menu and Order. Next: Percent.swift for what lowers it, MoneyShares.swift for how a discount is spread over lines.

/// A sum of money in minor units (cents), 0…9 × 10¹⁵. There is no negative money: what is taken off is a Money of its own.
///
/// Arithmetic never traps and never leaves the bounds: a sum past the highest amount stays at the highest, a difference below
/// zero stays at zero. The highest is not reached by an order: 50 lines of at most 99 units at 2 × 10¹¹ come to less than 10¹⁵, a charge for service
/// to as much again, taxes to as much as both, and a tip to `highestTip`. Any number up to it is exact in JavaScript too.
package struct Money: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The amount in minor units, 0…9 × 10¹⁵.
    package let minorUnits: Int64

    /// The highest amount, 9 × 10¹⁵ minor units: times 99 it still fits an Int64.
    package static let highest = Money(clamping: 9_000_000_000_000_000)
    /// The highest tip whatever the basket costs, 10¹⁵ minor units.
    package static let highestTip = Money(clamping: 1_000_000_000_000_000)
    /// The highest price of one menu item, 10⁸ minor units.
    package static let highestPrice = Money(clamping: 100_000_000)
    /// The highest price of one unit with its options, 2 × 10¹¹ minor units.
    package static let highestUnitPrice = Money(clamping: 200_000_000_000)
    /// Nothing to pay.
    package static let zero = Money(clamping: 0)

    /// The amount, or nil if it lies outside 0…9 × 10¹⁵.
    package init?(minorUnits: Int64) {
        guard (0...9_000_000_000_000_000).contains(minorUnits) else { return nil }
        self.minorUnits = minorUnits
    }

    init(clamping minorUnits: Int64) {
        self.minorUnits = min(max(minorUnits, 0), 9_000_000_000_000_000)
    }

    /// The sum, at most `highest`.
    package static func + (left: Money, right: Money) -> Money {
        Money(clamping: left.minorUnits + right.minorUnits)
    }

    /// What is left of the first when the second is taken off, at least zero.
    package static func - (left: Money, right: Money) -> Money {
        Money(clamping: left.minorUnits - right.minorUnits)
    }

    /// The price of so many pieces, at most `highest`; a count below zero counts as zero.
    package static func * (price: Money, count: Int) -> Money {
        let (product, overflow) = price.minorUnits.multipliedReportingOverflow(by: Int64(max(count, 0)))
        return overflow ? highest : Money(clamping: product)
    }

    /// All amounts together, at most `highest`.
    package static func sum(_ amounts: some Sequence<Money>) -> Money { amounts.reduce(.zero, +) }

    package static func < (left: Money, right: Money) -> Bool { left.minorUnits < right.minorUnits }

    /// The minor units in digits, for logs and failures of tests.
    package var description: String { String(minorUnits) }
}
