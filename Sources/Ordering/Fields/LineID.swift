// The number of a line in its basket: `lines/3`. An order keeps the numbers of its basket.

/// 1, 2, 3 … in the order in which the lines of one basket were created; never reused.
package struct LineID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// Parses canonical decimal digits: no sign, no leading zero. Anything else gives nil.
    package init?(_ text: some StringProtocol) {
        guard let number = Int64(canonicalDigits: text) else { return nil }
        self.init(rawValue: number)
    }

    /// By number, which is the order of creation.
    package static func < (left: LineID, right: LineID) -> Bool { left.rawValue < right.rawValue }

    /// The number in decimal digits, as in paths.
    package var description: String { String(rawValue) }
}
