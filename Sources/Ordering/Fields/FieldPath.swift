// Where in a checkout something is wrong: a field of the form, the basket, or one of its lines.
// Every FieldError carries one, and the order of the cases is the order in which errors are told.
// Read next: FieldError.swift.

/// The place an error or a price change belongs to. Sorted as the contract lists them: the form from top to bottom, the totals that were
/// shown, the basket, its lines by id, its sales by id.
package enum FieldPath: Hashable, Sendable {
    case name, phone, email, address, comment, coupon, birthday, tip, ageConfirmed, expectedTotal, currency, expectedTotals
    case total(TotalKey)
    case basket
    case line(LineID)
    case saleItem(SalesGroupID, MenuItemID)
    /// Of the dish that a request describes: its options, its note.
    case options, note
}

extension FieldPath: CustomStringConvertible {
    /// The path as clients read it: `phone`, `lines/3`, `sales/400/items/1003`.
    package var description: String {
        switch self {
        case .name: "name"
        case .phone: "phone"
        case .email: "email"
        case .address: "address"
        case .comment: "comment"
        case .coupon: "coupon"
        case .birthday: "birthday"
        case .tip: "tip"
        case .ageConfirmed: "ageConfirmed"
        case .expectedTotal: "expectedTotal"
        case .currency: "currency"
        case .expectedTotals: "expectedTotals"
        case .total(let key): "totals/\(key)"
        case .basket: "basket"
        case .line(let id): "lines/\(id.rawValue)"
        case .saleItem(let sale, let item): "sales/\(sale.rawValue)/items/\(item.rawValue)"
        case .options: "options"
        case .note: "note"
        }
    }
}

extension FieldPath: Comparable {
    private var position: (Int, Int64, Int64) {
        switch self {
        case .name: (0, 0, 0)
        case .phone: (1, 0, 0)
        case .email: (2, 0, 0)
        case .address: (3, 0, 0)
        case .comment: (4, 0, 0)
        case .coupon: (5, 0, 0)
        case .birthday: (6, 0, 0)
        case .tip: (7, 0, 0)
        case .ageConfirmed: (8, 0, 0)
        case .expectedTotal: (9, 0, 0)
        case .currency: (10, 0, 0)
        case .expectedTotals: (11, 0, 0)
        case .total: (12, 0, 0)
        case .basket: (13, 0, 0)
        case .line(let id): (14, id.rawValue, 0)
        case .saleItem(let sale, let item): (15, sale.rawValue, item.rawValue)
        case .options: (16, 0, 0)
        case .note: (17, 0, 0)
        }
    }

    /// The order of the contract.
    package static func < (left: FieldPath, right: FieldPath) -> Bool {
        if case .total(let left) = left, case .total(let right) = right { return left < right }
        return left.position < right.position
    }
}
