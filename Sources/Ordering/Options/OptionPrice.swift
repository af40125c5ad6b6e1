// The price of one unit of an option. Unlike Money, it can be negative.

/// Signed minor units, −10⁸…10⁸.
package struct OptionPrice: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let minorUnits: Int64

    /// A free option.
    package static let zero = OptionPrice(0)

    /// The price, or nil if it lies outside −10⁸…10⁸.
    package init?(minorUnits: Int64) {
        guard (-100_000_000...100_000_000).contains(minorUnits) else { return nil }
        self.init(minorUnits)
    }

    private init(_ minorUnits: Int64) { self.minorUnits = minorUnits }

    package static func < (left: OptionPrice, right: OptionPrice) -> Bool { left.minorUnits < right.minorUnits }

    /// The minor units in digits, for test failures.
    package var description: String { String(minorUnits) }
}
