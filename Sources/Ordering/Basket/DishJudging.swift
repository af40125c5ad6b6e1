// Validates the dishes of a request against the menu.

extension Menu {
    /// The validated dish, or all its errors.
    func dish(_ chosen: ChosenDish) throws(BasketRefusal) -> Dish {
        try Dish(chosen.menuItemID, options(of: chosen.menuItemID).judge(chosen.options, at: moment), chosen.note)
    }

    /// The validated dish after an edit. Unchanged parts are not validated again.
    func dish(_ old: Dish, changedBy edit: LineEdit) throws(BasketRefusal) -> Dish {
        let selection = edit.options.map { options(of: old.menuItemID).judge($0, at: moment) }
        return try Dish(old.menuItemID, selection ?? .success(old.selection), edit.note ?? .success(old.note))
    }

    /// Whether the item is sold out for everyone. An item outside its serving hours can still be ordered for a later
    /// time.
    func isSoldOut(_ id: MenuItemID) -> Bool { offered(id).map { !Availability($0.availableFrom, at: moment).isAvailable } ?? true }

    /// Throws if more units of a dish in the basket cannot be ordered.
    func checkMore(of dish: Dish) throws(BasketRefusal) {
        guard !isSoldOut(dish.menuItemID) else { throw .itemSoldOut }
        let errors = options(of: dish.menuItemID).errors(in: dish.selection, at: moment)
        if let errors = FieldErrors(errors) { throw .invalid(errors) }
    }
}

extension Dish {
    fileprivate init(
        _ item: MenuItemID, _ selection: Result<Selection, SelectionRefusal>, _ note: Result<KitchenNote?, FieldError>
    ) throws(BasketRefusal) {
        switch (selection, note) {
        case (.success(let selection), .success(let note)): self.init(item, selection: selection, note: note)
        case (.failure(.tooManyOptions), _): throw .tooManyOptions(limit: Selection.limit)
        case (.failure(.invalid(let errors)), .success): throw .invalid(errors)
        case (.failure(.invalid(let errors)), .failure(let error)): throw .invalid(FieldErrors(errors, error))
        case (.success, .failure(let error)): throw .invalid(FieldErrors(error))
        }
    }
}
