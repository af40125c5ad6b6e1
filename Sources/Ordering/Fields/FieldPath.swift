// The part of a checkout that an error refers to: a field of the form, the basket, a line or a part of a dish.
// The order of the cases is the order in which the API lists errors.

/// The path of an error or a price change. Sorted as in the API: the form from top to bottom, the totals that were
/// shown, the basket, its lines by id, its sets by id; within a dish its options, then its note.
package enum FieldPath: Hashable, Sendable {
    case form(FormField)
    case total(TotalKey)
    case basket
    case line(LineID)
    case sale(SalesGroupID)
    case saleItem(SalesGroupID, MenuItemID)
    case dish(DishLocation, DishPath)

    /// The options of the dish that a request describes.
    package static let options = FieldPath.dish(.request, .options(.top))
    /// The note of the dish that a request describes.
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
        case .dish(.unit(let sale, let item, let unit), let path):
            "sales/\(sale.rawValue)/items/\(item.rawValue)/\(unit)/\(path)"
        }
    }
}

extension FieldPath: Comparable {
    /// The order of the API. A line precedes its dish, and an item of a set precedes its units.
    private enum SortKey: Comparable {
        case form(Int), total(TotalKey), basket
        case line(LineID, dish: Int, Int)
        case saleItem(SalesGroupID, MenuItemID, unit: Int, Int)
        case request(Int)
    }

    /// Whether the API lists this path before the other. Paths of the options of one dish have no order.
    func isBefore(_ other: FieldPath) -> Bool { sortKey < other.sortKey }

    private var sortKey: SortKey {
        switch self {
        case .form(let field): .form(field.index)
        case .total(let key): .total(key)
        case .basket: .basket
        case .line(let id): .line(id, dish: 0, 0)
        case .dish(.line(let id), let path): .line(id, dish: 1, path.index)
        // Item ids are positive, so a set precedes its items.
        case .sale(let sale): .saleItem(sale, MenuItemID(rawValue: 0), unit: 0, 0)
        case .saleItem(let sale, let item): .saleItem(sale, item, unit: 0, 0)
        case .dish(.unit(let sale, let item, let unit), let path): .saleItem(sale, item, unit: unit, path.index)
        case .dish(.request, let path): .request(path.index)
        }
    }

    /// The order of the API; the options of one dish by their ids.
    package static func < (left: FieldPath, right: FieldPath) -> Bool {
        guard case .dish(let location, .options(let leftOptions)) = left,
            case .dish(location, .options(let rightOptions)) = right
        else {
            return left.isBefore(right)
        }
        return leftOptions.precedes(rightOptions)
    }
}
