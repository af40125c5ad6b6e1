// Converts lines between their JSON bodies and the domain, for baskets, quotes and orders.
import HTTPServing
import Ordering
import Wire

extension BasketLineBody {
    /// - Parameter showsNote: True for an open basket, and for the guest who placed the order.
    init(_ priced: PricedLine, showsNote: Bool) {
        let (line, food) = (priced.line, priced.food)
        self.init(
            menuItemId: line.dish.menuItemID.rawValue, kind: priced.item.kind.rawValue, title: priced.item.title,
            quantity: line.quantity,
            unitPrice: line.unitPrice.minorUnits, regularUnitPrice: priced.item.regularUnitPrice.minorUnits,
            total: line.total.minorUnits,
            isAvailable: priced.isAvailable, previousUnitPrice: priced.previousUnitPrice?.minorUnits,
            lineId: line.id.rawValue,
            options: line.options.map(LineOptionBody.init), note: showsNote ? line.dish.note?.text : nil,
            unavailable: UnavailableBody(priced.availability), contains: food.contains.rawValues,
            mayContain: food.mayContain.rawValues,
            allergensAreKnown: food.allergensAreKnown, diets: food.diets.rawValues, minimumAge: food.minimumAge)
    }
}

extension OrderLineBody {
    /// - Parameter showsNote: True only for the order's guest and for staff.
    init(_ charged: OrderLine, showsNote: Bool) {
        let line = charged.line
        self.init(
            menuItemId: line.dish.menuItemID.rawValue, kind: charged.item.kind.rawValue, title: charged.item.title,
            quantity: line.quantity,
            regularUnitPrice: charged.item.regularUnitPrice.minorUnits, unitPrice: line.unitPrice.minorUnits,
            total: line.total.minorUnits,
            discount: charged.discount.minorUnits, lineId: line.id.rawValue,
            options: line.options.map(LineOptionBody.init),
            note: showsNote ? line.dish.note?.text : nil, tax: charged.tax.minorUnits)
    }
}

extension OrderSetBody {
    init(_ set: OrderSet, showsNotes: Bool) {
        self.init(
            salesGroupId: set.salesGroupID.rawValue, title: set.title,
            items: set.items.map { OrderLineBody($0, showsNote: showsNotes) },
            total: set.total.minorUnits)
    }
}

extension LineOptionBody {
    init(_ option: LineOption) {
        self.init(
            optionId: option.id.rawValue, groupId: option.groupID.rawValue, title: option.title,
            quantity: option.quantity,
            price: option.price.minorUnits, total: option.total, options: option.options.map(LineOptionBody.init))
    }
}

extension LineBody {
    /// The dish to add.
    func dish() throws -> RawDish {
        guard let menuItemId else { throw Problem.missingField("menuItemId", "Please name the item to add.") }
        return RawDish(
            MenuItemID(rawValue: menuItemId), options: try options.map { try RawOptionChoice.parse($0) }, texts: texts)
    }

    /// The requested changes to a line.
    func edit() throws -> LineEdit {
        guard menuItemId == nil else {
            throw MalformedBody(
                "The item of a line cannot change. Remove this line and add the other item.", path: "menuItemId",
                offset: 0)
        }
        return LineEdit(quantity: quantity, options: try options.map { try RawOptionChoice.parse($0) }, texts: texts)
    }

    private var texts: RawDishTexts { RawDishTexts(note: note) }
}

extension SetBody {
    /// The dishes chosen for the set, in the order of the request.
    func dishes() throws -> [RawDish] {
        try (items ?? []).map { item in
            guard item.quantity == nil else {
                throw MalformedBody(
                    "Each item of a set is one unit. Leave out the quantity and repeat the item instead.",
                    path: "items/quantity", offset: 0)
            }
            guard item.menuItemId != nil else {
                throw Problem.missingField("menuItemId", "Please name the item of the set.")
            }
            return try item.dish()
        }
    }
}

extension RawOptionChoice {
    /// Parses a list of options. JSONReader has already limited the nesting depth.
    /// - Parameter path: The path of the list in the body.
    fileprivate static func parse(_ bodies: [SelectedOptionBody], at path: String = "options") throws(Problem)
        -> [RawOptionChoice]
    {
        var chosen: [RawOptionChoice] = []
        for (index, body) in bodies.enumerated() {
            guard let id = body.optionId else {
                throw Problem.missingField("\(path)/\(index)/optionId", "Please name the option.")
            }
            var below: [RawOptionChoice]?
            if let options = body.options { below = try parse(options, at: "\(path)/\(index)/options") }
            chosen.append(RawOptionChoice(id, quantity: body.quantity ?? 1, options: below))
        }
        return chosen
    }
}
