// Identifies a total line by its kind and its code. A kind declares its order, its titles and its id.

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

extension TotalKind {
    /// The id in the table `totals`, by which staff translate it. Ids never change; a new kind gets the next free one.
    package var translationID: Int64 {
        switch self {
        case .subtotal: 1
        case .discount: 2
        case .deliveryFee: 3
        case .smallOrderFee: 4
        case .serviceCharge: 5
        case .tax: 6
        case .tip: 7
        case .total: 8
        }
    }

    /// The built-in titles by language. Staff write the titles of the other kinds.
    static let titles: [String: [TotalKind: String]] = [
        "en": [
            .subtotal: "Subtotal", .deliveryFee: "Delivery", .smallOrderFee: "Small order", .serviceCharge: "Service",
            .tip: "Tip",
            .total: "Total",
        ],
        "de": [
            .subtotal: "Zwischensumme", .deliveryFee: "Lieferung", .smallOrderFee: "Mindermengenzuschlag",
            .serviceCharge: "Service",
            .tip: "Trinkgeld", .total: "Gesamt",
        ],
        "es": [
            .subtotal: "Subtotal", .deliveryFee: "Entrega", .smallOrderFee: "Suplemento por pedido pequeño",
            .serviceCharge: "Servicio",
            .tip: "Propina", .total: "Total",
        ],
    ]
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
