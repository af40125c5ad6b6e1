// What is in a dish with its options: the one function that adds them up. Called by Menu's OfferedItem, for lines and for the filters of the menu.
// Next: Food/FoodFacts.swift.

extension OfferedOptions {
    /// What is known of a dish with a selection of these. Of what can't be chosen any more nothing is known.
    /// - Parameter units: how many of what this selection lies below one dish has.
    func food(of dish: FoodFacts, with selection: Selection, units: Int) -> FoodFacts {
        selection.entries.reduce(dish) { food, entry in
            guard let place = place(of: entry.option) else { return food.adding(1, of: .unknown) }
            // At most 99³.
            let portions = units * entry.quantity
            let offered = self[place]
            return offered.below.food(of: food.adding(portions, of: offered.option.food), with: entry.selection, units: portions)
        }
    }

    /// What is known of a dish with one of each default, on all levels.
    func foodAsItComes(_ dish: FoodFacts, units: Int) -> FoodFacts {
        groups.reduce(dish) { food, group in
            group.options.lazy.filter(\.option.isDefault).reduce(food) { food, offered in
                offered.below.foodAsItComes(food.adding(units, of: offered.option.food), units: units)
            }
        }
    }
}
