// Lines as they go over the wire: what a guest sends of one, and as baskets, quotes and orders show it.
// Called by BasketRoutes and by the bodies that hold lines. Read next: Sources/Ordering/Lines.
import Ordering
import Wire

extension BasketLineBody {
    /// - Parameter showsNote: In an open basket, and to the guest who has ordered it.
    init(_ priced: PricedLine, showsNote: Bool) {
        let (line, food) = (priced.line, priced.food)
        self.init(
            menuItemId: line.dish.menuItemID.rawValue, kind: priced.item.kind.rawValue, title: priced.item.title, quantity: line.quantity,
            unitPrice: line.unitPrice.minorUnits, regularUnitPrice: priced.item.regularUnitPrice.minorUnits, total: line.total.minorUnits,
            isAvailable: priced.isAvailable, previousUnitPrice: priced.previousUnitPrice?.minorUnits, lineId: line.id.rawValue,
            options: line.options.map(LineOptionBody.init), note: showsNote ? line.dish.note?.text : nil,
            unavailable: UnavailableBody(priced.availability), contains: food.contains.written, mayContain: food.mayContain.written,
            allergensAreKnown: food.allergensAreKnown, diets: food.diets.written, minimumAge: food.minimumAge)
    }
}

extension OrderLineBody {
    /// - Parameter showsNote: Only to its guest, and to staff.
    init(_ charged: OrderLine, showsNote: Bool) {
        let line = charged.line
        self.init(
            menuItemId: line.dish.menuItemID.rawValue, kind: charged.item.kind.rawValue, title: charged.item.title, quantity: line.quantity,
            regularUnitPrice: charged.item.regularUnitPrice.minorUnits, unitPrice: line.unitPrice.minorUnits, total: line.total.minorUnits,
            discount: charged.discount.minorUnits, lineId: line.id.rawValue, options: line.options.map(LineOptionBody.init),
            note: showsNote ? line.dish.note?.text : nil, tax: charged.tax.minorUnits)
    }
}

extension OrderSaleBody {
    init(_ set: OrderSet, showsNotes: Bool) {
        self.init(
            salesGroupId: set.salesGroupID.rawValue, title: set.title, items: set.items.map { OrderLineBody($0, showsNote: showsNotes) },
            total: set.total.minorUnits)
    }
}

extension LineOptionBody {
    init(_ option: LineOption) {
        self.init(
            optionId: option.id.rawValue, groupId: option.groupID.rawValue, title: option.title, quantity: option.quantity,
            price: option.price.minorUnits, total: option.total, options: option.options.map(LineOptionBody.init))
    }
}

extension LineBody {
    /// The dish that is to be added.
    func dish() throws -> ChosenDish {
        guard let menuItemId else { throw Problem.missingField("menuItemId", "Please name the item to add.") }
        return ChosenDish(MenuItemID(rawValue: menuItemId), options: try options.map { try ChosenOption.all($0) }, note: note ?? nil)
    }

    /// What a line is to become.
    func edit() throws -> LineEdit {
        guard menuItemId == nil else { throw MalformedBody("A line can’t change its item.", path: "menuItemId", offset: 0) }
        return LineEdit(quantity: quantity, options: try options.map { try ChosenOption.all($0) }, note: note)
    }
}

extension SetBody {
    /// What was chosen for the set's units, in the order in which they were sent.
    func dishes() throws -> [ChosenDish] {
        try (items ?? []).map { item in
            guard item.quantity == nil else { throw MalformedBody("Each of these is one unit.", path: "items/quantity", offset: 0) }
            guard item.menuItemId != nil else { throw Problem.missingField("menuItemId", "Please name the item of the set.") }
            return try item.dish()
        }
    }
}

extension ChosenOption {
    /// A list of the request; JSONReader has bounded how deep it goes.
    /// - Parameter path: Where it stands in the body.
    fileprivate static func all(_ bodies: [ChosenOptionBody], at path: String = "options") throws(Problem) -> [ChosenOption] {
        var chosen: [ChosenOption] = []
        for (index, body) in bodies.enumerated() {
            guard let id = body.optionId else { throw Problem.missingField("\(path)/\(index)/optionId", "Please name the option.") }
            var below: [ChosenOption]?
            if let options = body.options { below = try all(options, at: "\(path)/\(index)/options") }
            chosen.append(ChosenOption(id, quantity: body.quantity ?? 1, options: below))
        }
        return chosen
    }
}
