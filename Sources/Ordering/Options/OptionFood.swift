// Adds up the food information of a dish and its options.

extension OptionTree {
    /// The food information of a dish with a selection. Options that cannot be chosen any more count as unknown food.
    /// - Parameter units: the number of units of the selection's parent in one dish; 1 for the dish itself.
    func food(of dish: FoodInformation, with selection: Selection, units: Int) -> FoodInformation {
        selection.entries.reduce(dish) { food, entry in
            guard let index = index(of: entry.option) else { return food.adding(1, of: .unknown) }
            // At most 99³.
            let portions = units * entry.quantity
            let offered = self[index]
            return offered.nestedOptions.food(
                of: food.adding(portions, of: offered.option.food), with: entry.selection, units: portions)
        }
    }

    /// The food information of a dish with one unit of each default option, on all levels.
    func foodWithDefaults(_ dish: FoodInformation, units: Int) -> FoodInformation {
        groups.reduce(dish) { food, group in
            group.options.lazy.filter(\.option.isDefault).reduce(food) { food, offered in
                offered.nestedOptions.foodWithDefaults(food.adding(units, of: offered.option.food), units: units)
            }
        }
    }
}
