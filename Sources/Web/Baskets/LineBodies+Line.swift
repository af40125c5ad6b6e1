// Lines as they go over the wire: what a guest sends of one, and as baskets, quotes and orders show it.
// Called by BasketRoutes and by the bodies that hold lines. Read next: Sources/Ordering/Lines.
import Ordering
import Wire

extension BasketLineBody {
    init(_ priced: PricedLine) {
        let line = priced.line
        self.init(
            menuItemId: line.dish.menuItemID.rawValue, kind: priced.item.kind.rawValue, title: priced.item.title, quantity: line.quantity,
            unitPrice: line.unitPrice.minorUnits, regularUnitPrice: priced.item.regularUnitPrice.minorUnits, total: line.total.minorUnits,
            isAvailable: priced.isAvailable, previousUnitPrice: priced.previousUnitPrice?.minorUnits, lineId: line.id.rawValue,
            note: line.dish.note?.text, unavailable: UnavailableBody(priced.availability))
    }
}

extension OrderLineBody {
    /// - Parameter showsNote: Only to its guest, and to staff.
    init(_ charged: OrderLine, showsNote: Bool) {
        let line = charged.line
        self.init(
            menuItemId: line.dish.menuItemID.rawValue, kind: charged.item.kind.rawValue, title: charged.item.title, quantity: line.quantity,
            regularUnitPrice: charged.item.regularUnitPrice.minorUnits, unitPrice: line.unitPrice.minorUnits, total: line.total.minorUnits,
            discount: charged.discount.minorUnits, lineId: line.id.rawValue, note: showsNote ? line.dish.note?.text : nil)
    }
}

extension OrderSaleBody {
    init(_ set: OrderSet, showsNotes: Bool) {
        self.init(
            salesGroupId: set.salesGroupID.rawValue, title: set.title, items: set.items.map { OrderLineBody($0, showsNote: showsNotes) },
            total: set.total.minorUnits)
    }
}

extension LineBody {
    /// The dish that is to be added.
    func dish() throws -> Dish {
        guard let menuItemId else { throw Problem.missingField("menuItemId", "Which item is to be added?") }
        return try Dish.parse(MenuItemID(rawValue: menuItemId), options: optionIDs, note: note ?? nil).mapError(Problem.init).get()
    }

    /// What a line is to become.
    func edit() throws -> LineEdit {
        guard menuItemId == nil else { throw MalformedBody("A line keeps its item.", path: "menuItemId", offset: 0) }
        return try LineEdit.parse(quantity: quantity, options: optionIDs, note: note).mapError(Problem.init).get()
    }

    fileprivate var optionIDs: [Int64]? { options?.map { $0.optionId ?? 0 } }
}

extension SetBody {
    /// What was chosen for the set's units; all that is wrong at once, each at its unit, counted from 1 for each item.
    func dishes(of sale: SalesGroupID) throws -> [Dish] {
        var (dishes, errors, units) = ([Dish](), [FieldErrorBody](), [Int64: Int]())
        for item in items ?? [] {
            guard item.quantity == nil else { throw MalformedBody("Each of these is one unit.", path: "items/quantity", offset: 0) }
            guard let id = item.menuItemId else { throw Problem.missingField("menuItemId", "Which item of the set is meant?") }
            units[id, default: 0] += 1
            switch Dish.parse(MenuItemID(rawValue: id), options: item.optionIDs, note: item.note ?? nil) {
            case .success(let dish): dishes.append(dish)
            case .failure(let wrong): errors += wrong.all.map { FieldErrorBody($0, in: "sales/\(sale)/items/\(id)/\(units[id] ?? 1)/") }
            }
        }
        guard errors.isEmpty else { throw Problem.validationFailed(errors) }
        return dishes
    }
}
