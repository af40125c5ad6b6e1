// Validates the dishes of a request against the menu.

extension Menu {
    /// The validated dish, or all its errors.
    func validatedDish(_ chosen: RawDish) throws(BasketChangeRejection) -> Dish {
        try Dish(
            chosen.menuItemID, optionTree(of: chosen.menuItemID).validate(chosen.options, at: moment),
            chosen.texts.applied(to: DishTexts()))
    }

    /// The validated dish after an edit. Unchanged parts are not validated again.
    func validatedDish(_ old: Dish, applying edit: LineEdit) throws(BasketChangeRejection) -> Dish {
        let selection = edit.options.map { optionTree(of: old.menuItemID).validate($0, at: moment) }
        return try Dish(old.menuItemID, selection ?? .success(old.selection), edit.texts.applied(to: old.texts))
    }

    /// Whether the item is sold out for everyone. An item outside its serving hours can still be ordered for a later
    /// time.
    func isSoldOut(_ id: MenuItemID) -> Bool {
        resolvedItem(id).map { !Availability($0.availableFrom, at: moment).isAvailable } ?? true
    }

    /// Throws if more units of a dish in the basket cannot be ordered.
    func checkCanAddMore(of dish: Dish) throws(BasketChangeRejection) {
        guard !isSoldOut(dish.menuItemID) else { throw .itemSoldOut }
        let errors = optionTree(of: dish.menuItemID).errors(in: dish.selection, at: moment)
        if let errors = FieldErrors(errors) { throw .invalid(errors) }
    }
}

extension Dish {
    fileprivate init(
        _ item: MenuItemID, _ selection: Result<Selection, SelectionRejection>, _ texts: Result<DishTexts, FieldErrors>
    ) throws(BasketChangeRejection) {
        switch (selection, texts) {
        case (.success(let selection), .success(let texts)): self.init(item, selection: selection, texts: texts)
        case (.failure(.tooManyOptions), _): throw .tooManyOptions(limit: Selection.maximumEntryCount)
        case (.failure(.invalid(let errors)), .success): throw .invalid(errors)
        case (.failure(.invalid(let errors)), .failure(let others)):
            throw .invalid(others.all.reduce(errors) { FieldErrors($0, $1) })
        case (.success, .failure(let errors)): throw .invalid(errors)
        }
    }
}
