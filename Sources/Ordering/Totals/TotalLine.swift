// One line of the totals of an order.

/// A total line: subtotal, discount, fee, tip, tax or total.
package struct TotalLine: Sendable, Hashable {
    /// The kind and the code.
    package let key: TotalKey
    /// For the guest, plain text.
    package let title: String
    /// Signed, in minor units.
    package let amount: Int64
    /// Whether the prices include it, so that it adds nothing to the total.
    package let isIncluded: Bool
    /// The tax rate in percent as a decimal number, such as "8.875"; nil for other kinds.
    package let rate: String?
    /// The amount that is taxed, without the tax; nil for other kinds.
    package let net: Int64?

    package init(
        _ kind: TotalKind, code: String? = nil, title: String, amount: Int64, isIncluded: Bool = false,
        rate: String? = nil,
        net: Int64? = nil
    ) {
        key = TotalKey(kind, code: code)
        (self.title, self.amount, self.isIncluded, self.rate, self.net) = (title, amount, isIncluded, rate, net)
    }

    /// The same line with another title.
    func titled(_ title: String) -> TotalLine {
        TotalLine(key.kind, code: key.code, title: title, amount: amount, isIncluded: isIncluded, rate: rate, net: net)
    }
}
