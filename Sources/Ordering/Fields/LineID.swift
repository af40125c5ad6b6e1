// The number of a line in its basket, by which everything about the line is addressed: `lines/3`.
// Given by BasketApplying.swift; a path carries it as digits, and the order that a basket becomes keeps it.

/// 1, 2, 3 … in the order in which the lines of one basket were made; never given again.
package struct LineID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// Reads the id as we write it: decimal digits, no sign, no zero in front. Anything else is nil.
    package init?(_ text: some StringProtocol) {
        guard let number = Int64(canonicalDigits: text) else { return nil }
        self.init(rawValue: number)
    }

    /// By number, which is by age.
    package static func < (left: LineID, right: LineID) -> Bool { left.rawValue < right.rawValue }

    /// The number in digits, as in paths.
    package var description: String { String(rawValue) }
}
