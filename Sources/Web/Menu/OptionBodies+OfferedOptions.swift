// Converts option groups to their JSON bodies.
import Ordering
import Wire

extension OptionGroupBody {
    /// The option groups of an item or an option, with availability at the menu's time.
    static func all(_ options: OptionTree, in menu: Menu) -> [OptionGroupBody] {
        options.groups.map { offered in
            let group = offered.group
            return OptionGroupBody(
                id: group.id.rawValue, title: group.title, minimum: group.minimum, maximum: group.maximum,
                included: group.included,
                options: offered.options.map { OptionBody($0, in: menu) },
                languages: TextLanguagesBody(.optionGroups, group.id.rawValue, in: menu))
        }
    }
}

extension OptionBody {
    fileprivate init(_ offered: ResolvedOption, in menu: Menu) {
        let (option, food, availability) = (offered.option, offered.option.food, offered.availability(at: menu.moment))
        self.init(
            id: option.id.rawValue, title: option.title, price: option.price.minorUnits, maximum: option.maximum,
            isDefault: option.isDefault, isAvailable: availability.isAvailable,
            unavailable: UnavailableBody(availability),
            left: menu.stock[.option(option.id)]?.remaining, contains: food.contains.rawValues,
            mayContain: food.mayContain.rawValues,
            allergensAreKnown: food.allergensAreKnown, diets: food.diets.rawValues, minimumAge: food.minimumAge,
            nutrition: NutritionBody(food.nutrition),
            optionGroups: OptionGroupBody.all(offered.nestedOptions, in: menu),
            languages: TextLanguagesBody(.options, option.id.rawValue, in: menu))
    }
}

extension NutritionBody {
    /// Nil if no value is known.
    init?(_ known: Nutrition) {
        guard known != .unknown else { return nil }
        self.init(
            kilojoules: known.kilojoules, kilocalories: known.kilocalories, fat: known.fat, saturates: known.saturates,
            carbohydrate: known.carbohydrate, sugars: known.sugars, protein: known.protein, salt: known.salt)
    }
}
