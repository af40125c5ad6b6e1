// An amount of the shop's currency in minor units.

/// A sum of money in minor units (cents), 0…9 × 10¹⁵. Never negative: a reduction is a Money of its own.
///
/// Arithmetic is exact. The limits of the tables and of a basket prove that no amount overflows:
///
/// - An item costs at most 10⁸, and so does a unit of an option; an entry has at most 99 units. A dish above 2 × 10¹¹
///   with its options is rejected (Options/SelectionValidator.swift).
/// - A basket has at most 100 entries of options, and a line at most 99 units. At most 50 dishes have two or more
///   entries, together 9.9 × 10¹⁴. At most 100 dishes have one entry and cost up to 10¹⁰, together 9.9 × 10¹³.
/// - 50 sets of at most 99 items (sql/001_menu.sql) contain at most 4,950 dishes without options: 4,950 × 99 × 10⁸
///   is 4.9 × 10¹³. Hence a subtotal is below 1.2 × 10¹⁵.
/// - The service charge is at most the subtotal plus 10⁸, and a fee is at most 10⁸. Taxes at most double this sum, and
///   a tip is at most `highestTip`. Hence a total is below 6 × 10¹⁵.
///
/// Every integer up to 9 × 10¹⁵ is exact in JavaScript too.
package struct Money: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The amount in minor units, 0…9 × 10¹⁵.
    package let minorUnits: Int64

    /// The highest amount, 9 × 10¹⁵ minor units. Multiplied by 99 it still fits into Int64.
    package static let highest = Money(unchecked: 9_000_000_000_000_000)
    /// The highest tip for any basket, 10¹⁵ minor units.
    package static let highestTip = Money(unchecked: 1_000_000_000_000_000)
    /// The highest price of one menu item, 10⁸ minor units.
    package static let highestPrice = Money(unchecked: 100_000_000)
    /// The highest price of one unit with its options, 2 × 10¹¹ minor units.
    package static let highestUnitPrice = Money(unchecked: 200_000_000_000)
    /// No money.
    package static let zero = Money(unchecked: 0)

    /// The amount, or nil if it lies outside 0…9 × 10¹⁵.
    package init?(minorUnits: Int64) {
        guard (0...9_000_000_000_000_000).contains(minorUnits) else { return nil }
        self.minorUnits = minorUnits
    }

    /// Skips the range check in release builds. The caller must prove that the amount is within the range.
    init(unchecked minorUnits: Int64) {
        assert((0...9_000_000_000_000_000).contains(minorUnits), "\(minorUnits) is outside the range of Money")
        self.minorUnits = minorUnits
    }

    package static func + (left: Money, right: Money) -> Money { Money(unchecked: left.minorUnits + right.minorUnits) }

    /// The difference. The second amount must not exceed the first.
    package static func - (left: Money, right: Money) -> Money { Money(unchecked: left.minorUnits - right.minorUnits) }

    /// The price of 0…99 units.
    package static func * (price: Money, count: Int) -> Money { Money(unchecked: price.minorUnits * Int64(count)) }

    /// The sum of all amounts.
    package static func sum(_ amounts: some Sequence<Money>) -> Money { amounts.reduce(.zero, +) }

    package static func < (left: Money, right: Money) -> Bool { left.minorUnits < right.minorUnits }

    /// The minor units in digits, for logs and test failures.
    package var description: String { String(minorUnits) }
}
