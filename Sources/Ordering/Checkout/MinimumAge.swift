// How old one has to be for what a basket holds. JudgedBasket asks the guest for it, and the order tells the courier.

extension Menu {
    /// What a dish is made of, as far as it is known.
    func food(of dish: Dish) -> FoodFacts { item(dish.menuItemID)?.facts.food ?? .unknown }

    /// The highest age that a dish of the basket asks for, those in sets too; nil where anybody may have them all.
    func minimumAge(of basket: Basket) -> Int? {
        let lines = [basket.lines] + basket.sets.map(\.items)
        return lines.joined().compactMap { food(of: $0.dish).minimumAge }.max().flatMap { $0 > 0 ? $0 : nil }
    }
}

extension FieldError {
    /// The guest has not said to be this old.
    static func ageConfirmationRequired(_ age: Int) -> FieldError {
        FieldError(.ageConfirmed, .ageConfirmationRequired, ["age": .integer(Int64(age))])
    }
}
