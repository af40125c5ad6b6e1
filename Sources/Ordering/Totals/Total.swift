// One line of what an order comes to. Bill makes them, Totals holds them; quotes, orders and what was shown to a guest are lists of these.

/// A line of the list.
package struct Total: Sendable, Hashable {
    /// Which it is.
    package let key: TotalKey
    /// For the guest, plain text.
    package let title: String
    /// Signed, in minor units.
    package let amount: Int64
    /// Whether the prices hold it already, so that it adds nothing to the total.
    package let isIncluded: Bool
    /// In percent as a decimal number, such as "8.875"; nil for what has none.
    package let rate: String?
    /// What a tax is of, without it; nil for all else.
    package let net: Int64?

    /// A line.
    package init(
        _ kind: TotalKind, code: String? = nil, title: String, amount: Int64, isIncluded: Bool = false, rate: String? = nil,
        net: Int64? = nil
    ) {
        key = TotalKey(kind, code: code)
        (self.title, self.amount, self.isIncluded, self.rate, self.net) = (title, amount, isIncluded, rate, net)
    }

    /// The same in other words.
    func titled(_ title: String) -> Total {
        Total(key.kind, code: key.code, title: title, amount: amount, isIncluded: isIncluded, rate: rate, net: net)
    }
}
