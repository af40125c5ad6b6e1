// One line of what an order comes to. Bill makes them, Totals holds them; quotes, orders and what was shown to a guest are lists of these.

/// What a total is, in the order in which they stand.
package enum TotalKind: String, Sendable, Hashable, CaseIterable {
    /// All items at their prices.
    case subtotal
    /// What a coupon takes off; below zero.
    case discount
    /// What the guest adds for those who cook and carry; nothing is taken off it.
    case tip
    /// What the guest pays.
    case total

    /// Whether it is the sum of others.
    package var isSum: Bool { self == .subtotal || self == .total }
}

/// Which total it is: a bill may have several of one kind, told apart by their codes.
package struct TotalKey: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// What it is.
    package let kind: TotalKind
    /// Which of its kind: a coupon's key; nil where there is one at most.
    package let code: String?

    /// A total's key.
    package init(_ kind: TotalKind, code: String? = nil) {
        (self.kind, self.code) = (kind, code)
    }

    /// By the order of the kinds, then by code.
    package static func < (left: TotalKey, right: TotalKey) -> Bool {
        (left.place, left.code ?? "") < (right.place, right.code ?? "")
    }

    /// `tip`, `discount/FRST`.
    package var description: String { code.map { "\(kind.rawValue)/\($0)" } ?? kind.rawValue }

    private var place: Int { TotalKind.allCases.firstIndex(of: kind) ?? 0 }
}

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

    /// A line.
    package init(_ kind: TotalKind, code: String? = nil, title: String, amount: Int64, isIncluded: Bool = false, rate: String? = nil) {
        key = TotalKey(kind, code: code)
        (self.title, self.amount, self.isIncluded, self.rate) = (title, amount, isIncluded, rate)
    }
}
