// Which line of a bill an amount is: its kind, and its code among those of its kind. Used by Totals/ and by the paths of what is wrong.

/// What a total is, in the order in which they stand.
package enum TotalKind: String, Sendable, Hashable, CaseIterable {
    /// All items at their prices.
    case subtotal
    /// What a coupon takes off; below zero.
    case discount
    /// What the way costs; where staff have areas it stands also at nothing.
    case deliveryFee = "delivery_fee"
    /// What little costs more.
    case smallOrderFee = "small_order_fee"
    case serviceCharge = "service_charge"
    /// One of staff's rates; the prices hold it, or it is added to them.
    case tax
    /// What the guest adds for those who cook and carry; nothing is taken off it.
    case tip
    /// What the guest pays.
    case total

    /// Whether it is the sum of others.
    package var isSum: Bool { self == .subtotal || self == .total }

    /// Whether the shop adds it to the prices by a rule of its own: no guest's choice, and no coupon's.
    var isCharge: Bool { !isSum && self != .discount && self != .tip }

    /// Its place among all, counted from 0.
    var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
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
        (left.kind.place, left.code ?? "") < (right.kind.place, right.code ?? "")
    }

    /// `tip`, `discount/FRST`.
    package var description: String { code.map { "\(kind.rawValue)/\($0)" } ?? kind.rawValue }
}
