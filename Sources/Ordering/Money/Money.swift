// An amount of the shop's one currency, in minor units: prices, line totals, discounts and what the guest pays, in every room. The Currency stands
// beside it, in Menu and Order. Next: Percent.swift for what lowers it, MoneyShares.swift for how a discount is spread over lines.

/// A sum of money in minor units (cents), 0…9 × 10¹⁵. There is no negative money: what is taken off is a Money of its own.
///
/// Arithmetic is exact. That it stays within the bounds is proved by what the tables and a basket take, and not by cutting anything off:
///
/// - An item costs at most 10⁸, and so does a unit of an option, of which an entry has at most 99. A dish that comes to more than 2 × 10¹¹ with its
///   options is refused with them (Options/SelectionJudge.swift).
/// - A basket has 100 entries of options, and a line 99 units. Of dishes with two entries or more there are 50, which come to 9.9 × 10¹⁴; of those with
///   one, which cost at most 10¹⁰, there are 100, for 9.9 × 10¹³; of those with none, in 50 sets of at most 99 items each (sql/001_menu.sql), there are
///   4,950, for 4.9 × 10¹³. So a subtotal is less than 1.2 × 10¹⁵.
/// - Service is at most as much again and 10⁸, a fee 10⁸, taxes as much as all of that, a tip `highestTip`: a total is less than 6 × 10¹⁵.
///
/// Any number up to 9 × 10¹⁵ is exact in JavaScript too.
package struct Money: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The amount in minor units, 0…9 × 10¹⁵.
    package let minorUnits: Int64

    /// The highest amount, 9 × 10¹⁵ minor units: times 99 it still fits an Int64.
    package static let highest = Money(proved: 9_000_000_000_000_000)
    /// The highest tip whatever the basket costs, 10¹⁵ minor units.
    package static let highestTip = Money(proved: 1_000_000_000_000_000)
    /// The highest price of one menu item, 10⁸ minor units.
    package static let highestPrice = Money(proved: 100_000_000)
    /// The highest price of one unit with its options, 2 × 10¹¹ minor units.
    package static let highestUnitPrice = Money(proved: 200_000_000_000)
    /// Nothing to pay.
    package static let zero = Money(proved: 0)

    /// The amount, or nil if it lies outside 0…9 × 10¹⁵.
    package init?(minorUnits: Int64) {
        guard (0...9_000_000_000_000_000).contains(minorUnits) else { return nil }
        self.minorUnits = minorUnits
    }

    /// An amount of which it is proved that it is one: see above.
    init(proved minorUnits: Int64) {
        assert((0...9_000_000_000_000_000).contains(minorUnits), "\(minorUnits) is no amount")
        self.minorUnits = minorUnits
    }

    /// The sum.
    package static func + (left: Money, right: Money) -> Money { Money(proved: left.minorUnits + right.minorUnits) }

    /// What is left of the first when the second is taken off, which is not more.
    package static func - (left: Money, right: Money) -> Money { Money(proved: left.minorUnits - right.minorUnits) }

    /// The price of so many pieces, 0…99.
    package static func * (price: Money, count: Int) -> Money { Money(proved: price.minorUnits * Int64(count)) }

    /// All amounts together.
    package static func sum(_ amounts: some Sequence<Money>) -> Money { amounts.reduce(.zero, +) }

    package static func < (left: Money, right: Money) -> Bool { left.minorUnits < right.minorUnits }

    /// The minor units in digits, for logs and failures of tests.
    package var description: String { String(minorUnits) }
}
