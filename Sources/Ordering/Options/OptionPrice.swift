// What one unit of an option adds to a dish, or takes off it. Option has one, LineOption keeps it.
// Money can't be below zero; this can.

/// Signed minor units, −10⁸…10⁸.
package struct OptionPrice: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let minorUnits: Int64

    /// An option that costs nothing.
    package static let zero = OptionPrice(0)

    /// The price, or nil if it lies outside −10⁸…10⁸.
    package init?(minorUnits: Int64) {
        guard (-100_000_000...100_000_000).contains(minorUnits) else { return nil }
        self.init(minorUnits)
    }

    private init(_ minorUnits: Int64) { self.minorUnits = minorUnits }

    package static func < (left: OptionPrice, right: OptionPrice) -> Bool { left.minorUnits < right.minorUnits }

    /// The minor units in digits, for failures of tests.
    package var description: String { String(minorUnits) }
}
