// Food information in the rows of items and options (sql/013_food.sql).
import Ordering

/// A row and its food information, which are in the same JSON object.
struct WithFood<Row: Decodable>: Decodable {
    let row: Row
    let food: StoredFood

    init(from decoder: any Decoder) throws {
        row = try Row(from: decoder)
        food = try StoredFood(from: decoder)
    }
}

/// The columns, with the same names.
struct StoredFood: Decodable {
    let contains: [String], may_contain: [String], allergens_are_known: Bool, diets: [String], minimum_age: Int?
    let kilojoules: Int64?, kilocalories: Int64?, fat: Int64?, saturates: Int64?, carbohydrate: Int64?, sugars: Int64?
    let protein: Int64?, salt: Int64?

    /// The validated food information; nil if it is contradictory.
    var facts: FoodInformation? {
        guard let contains = Allergens(rawValues: contains), let mayContain = Allergens(rawValues: may_contain),
            let diets = Diets(rawValues: diets),
            let nutrition = Nutrition(
                kilojoules: kilojoules, kilocalories: kilocalories, fat: fat, saturates: saturates,
                carbohydrate: carbohydrate, sugars: sugars, protein: protein, salt: salt)
        else { return nil }
        return FoodInformation(
            contains: contains, mayContain: mayContain, allergensAreKnown: allergens_are_known, diets: diets,
            nutrition: nutrition, minimumAge: minimum_age)
    }
}
