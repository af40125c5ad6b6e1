// Where in a checkout something is wrong: a field of the form, the basket, one of its lines, or what was chosen with a dish.
// Every FieldError carries one, and the order of the cases is the order in which errors are told.
// Read next: DishPath.swift, FieldError.swift.

/// The place an error or a price change belongs to. Sorted as the contract lists them: the form from top to bottom, the totals that were
/// shown, the basket, its lines by id, its sales by id; of a dish its options, then its note.
package enum FieldPath: Hashable, Sendable {
    case name, phone, email, address, comment, coupon, birthday, fulfilment, wantedAt, postcode, tip, ageConfirmed, expectedTotal, currency
    case expectedTotals
    case total(TotalKey)
    case basket
    case line(LineID)
    case saleItem(SalesGroupID, MenuItemID)
    case dish(DishPlace, DishPath)

    /// The options of the dish that a request describes.
    package static let options = FieldPath.dish(.request, .options(.top))
    /// Its note.
    package static let note = FieldPath.dish(.request, .note)
}

extension FieldPath: CustomStringConvertible {
    /// The path as clients read it: `phone`, `lines/3`, `lines/3/options/91`, `sales/400/items/1003`, `sales/400/items/1003/1/note`.
    package var description: String {
        switch self {
        case .name: "name"
        case .phone: "phone"
        case .email: "email"
        case .address: "address"
        case .comment: "comment"
        case .coupon: "coupon"
        case .birthday: "birthday"
        case .fulfilment: "fulfilment"
        case .wantedAt: "wantedAt"
        case .postcode: "postcode"
        case .tip: "tip"
        case .ageConfirmed: "ageConfirmed"
        case .expectedTotal: "expectedTotal"
        case .currency: "currency"
        case .expectedTotals: "expectedTotals"
        case .total(let key): "totals/\(key)"
        case .basket: "basket"
        case .line(let id): "lines/\(id.rawValue)"
        case .saleItem(let sale, let item): "sales/\(sale.rawValue)/items/\(item.rawValue)"
        case .dish(.request, let path): path.description
        case .dish(.line(let id), let path): "lines/\(id.rawValue)/\(path)"
        case .dish(.unit(let sale, let item, let unit), let path): "sales/\(sale.rawValue)/items/\(item.rawValue)/\(unit)/\(path)"
        }
    }
}

extension FieldPath: Comparable {
    /// Whether the contract lists it before the other. What is chosen with one dish has no order by its path: there it stands as it was judged.
    func isBefore(_ other: FieldPath) -> Bool {
        if case .total(let left) = self, case .total(let right) = other { return left < right }
        return position < other.position
    }

    private var position: (Int, Int64, Int64, Int, Int) {
        switch self {
        case .name: (0, 0, 0, 0, 0)
        case .phone: (1, 0, 0, 0, 0)
        case .email: (2, 0, 0, 0, 0)
        case .address: (3, 0, 0, 0, 0)
        case .comment: (4, 0, 0, 0, 0)
        case .coupon: (5, 0, 0, 0, 0)
        case .birthday: (6, 0, 0, 0, 0)
        case .fulfilment: (7, 0, 0, 0, 0)
        case .wantedAt: (8, 0, 0, 0, 0)
        case .postcode: (9, 0, 0, 0, 0)
        case .tip: (10, 0, 0, 0, 0)
        case .ageConfirmed: (11, 0, 0, 0, 0)
        case .expectedTotal: (12, 0, 0, 0, 0)
        case .currency: (13, 0, 0, 0, 0)
        case .expectedTotals: (14, 0, 0, 0, 0)
        case .total: (15, 0, 0, 0, 0)
        case .basket: (16, 0, 0, 0, 0)
        case .line(let id): (17, id.rawValue, 0, 0, 0)
        case .dish(.line(let id), let path): (17, id.rawValue, 0, 1, path.position)
        case .saleItem(let sale, let item): (18, sale.rawValue, item.rawValue, 0, 0)
        case .dish(.unit(let sale, let item, let unit), let path): (18, sale.rawValue, item.rawValue, unit, path.position)
        case .dish(.request, let path): (19, 0, 0, 0, path.position)
        }
    }

    /// The order of the contract; the options of one dish by their numbers.
    package static func < (left: FieldPath, right: FieldPath) -> Bool {
        guard case .dish(let place, .options(let one)) = left, case .dish(place, .options(let other)) = right else {
            return left.isBefore(right)
        }
        return one.precedes(other)
    }
}

extension DishPath {
    fileprivate var position: Int { self == .note ? 1 : 0 }
}
