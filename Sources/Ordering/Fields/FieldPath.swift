// Where in a checkout something is wrong: a field of the form, the basket, one of its lines, or what was chosen with a dish.
// Every FieldError carries one, and the order of the cases is the order in which errors are told.
// Read next: DishPath.swift, FieldError.swift.

/// A field of the form, by its name in JSON: from top to bottom, and then the totals that were shown.
package enum FormField: String, CaseIterable, Sendable {
    case name, phone, email, address, comment, coupon, birthday, fulfilment, wantedAt, postcode, tip, payment,
        ageConfirmed
    case expectedTotal, currency, expectedTotals

    /// Its place among all, counted from 0.
    fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The place an error or a price change belongs to. Sorted as the contract lists them: the form from top to bottom, the totals that were
/// shown, the basket, its lines by id, its sales by id; of a dish its options, then its note.
package enum FieldPath: Hashable, Sendable {
    case form(FormField)
    case total(TotalKey)
    case basket
    case line(LineID)
    case sale(SalesGroupID)
    case saleItem(SalesGroupID, MenuItemID)
    case dish(DishPlace, DishPath)

    /// The options of the dish that a request describes.
    package static let options = FieldPath.dish(.request, .options(.top))
    /// Its note.
    package static let note = FieldPath.dish(.request, .note)
}

extension FieldPath: CustomStringConvertible {
    /// The path as clients read it: `phone`, `lines/3`, `lines/3/options/91`, `sales/400`, `sales/400/items/1003`,
    /// `sales/400/items/1003/1/note`.
    package var description: String {
        switch self {
        case .form(let field): field.rawValue
        case .total(let key): "totals/\(key)"
        case .basket: "basket"
        case .line(let id): "lines/\(id.rawValue)"
        case .sale(let sale): "sales/\(sale.rawValue)"
        case .saleItem(let sale, let item): "sales/\(sale.rawValue)/items/\(item.rawValue)"
        case .dish(.request, let path): path.description
        case .dish(.line(let id), let path): "lines/\(id.rawValue)/\(path)"
        case .dish(.unit(let sale, let item, let unit), let path): "sales/\(sale.rawValue)/items/\(item.rawValue)/\(unit)/\(path)"
        }
    }
}

extension FieldPath: Comparable {
    /// Where the contract lists it, in the order of the cases; a line and its dish stand together, and so do a sale's item and its units.
    private enum Place: Comparable {
        case form(Int), total(TotalKey), basket
        case line(LineID, dish: Int, Int)
        case saleItem(SalesGroupID, MenuItemID, unit: Int, Int)
        case request(Int)
    }

    /// Whether the contract lists it before the other. What is chosen with one dish has no order by its path: there it stands as it was judged.
    func isBefore(_ other: FieldPath) -> Bool { place < other.place }

    private var place: Place {
        switch self {
        case .form(let field): .form(field.place)
        case .total(let key): .total(key)
        case .basket: .basket
        case .line(let id): .line(id, dish: 0, 0)
        case .dish(.line(let id), let path): .line(id, dish: 1, path.place)
        // Ids of items are positive, so a set stands before its items.
        case .sale(let sale): .saleItem(sale, MenuItemID(rawValue: 0), unit: 0, 0)
        case .saleItem(let sale, let item): .saleItem(sale, item, unit: 0, 0)
        case .dish(.unit(let sale, let item, let unit), let path): .saleItem(sale, item, unit: unit, path.place)
        case .dish(.request, let path): .request(path.place)
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
    fileprivate var place: Int { self == .note ? 1 : 0 }
}
