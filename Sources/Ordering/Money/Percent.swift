// The percentage by which a discount item, a special item or a coupon reduces a price.

/// A whole percentage of reduction, 1…100.
package struct Percent: Sendable, Hashable, CustomStringConvertible {
    package let value: Int

    /// The percentage, or nil if it lies outside 1…100.
    package init?(_ value: Int) {
        guard (1...100).contains(value) else { return nil }
        self.value = value
    }

    /// The value with a percent sign: "15%".
    package var description: String { "\(value)%" }
}

extension Money {
    /// The amount × (100 − percent) / 100, rounded half up to the minor unit.
    package func reduced(by percent: Percent) -> Money {
        // At most 9 × 10¹⁵ × 99 + 50, which fits into Int64.
        Money(unchecked: (minorUnits * Int64(100 - percent.value) + 50) / 100)
    }
}
