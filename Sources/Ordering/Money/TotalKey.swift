// Identifies a total line by its kind and its code.

/// The kinds of total lines, in display order.
package enum TotalKind: String, Sendable, Hashable, CaseIterable {
    /// All items at their prices.
    case subtotal
    /// The reduction by a coupon; negative.
    case discount
    /// The delivery fee; also shown at zero if the shop has delivery areas.
    case deliveryFee = "delivery_fee"
    /// The fee for a subtotal below the threshold.
    case smallOrderFee = "small_order_fee"
    case serviceCharge = "service_charge"
    /// One of the tax rates of staff; included in the prices or added to them.
    case tax
    /// The guest's tip; never reduced by a coupon.
    case tip
    /// The amount that the guest pays.
    case total

    /// Whether it is a sum of other lines.
    package var isSum: Bool { self == .subtotal || self == .total }

    /// Whether it is a fee, a service charge or a tax: not a sum, a discount or a tip.
    var isCharge: Bool { !isSum && self != .discount && self != .tip }

    /// Its index in display order.
    var displayIndex: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The identity of a total line; lines of the same kind differ in their codes.
package struct TotalKey: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let kind: TotalKind
    /// Distinguishes lines of one kind, such as a coupon's key; nil if there is at most one.
    package let code: String?

    package init(_ kind: TotalKind, code: String? = nil) {
        (self.kind, self.code) = (kind, code)
    }

    /// By the order of the kinds, then by code.
    package static func < (left: TotalKey, right: TotalKey) -> Bool {
        (left.kind.displayIndex, left.code ?? "") < (right.kind.displayIndex, right.code ?? "")
    }

    /// `tip`, `discount/FRST`.
    package var description: String { code.map { "\(kind.rawValue)/\($0)" } ?? kind.rawValue }
}
