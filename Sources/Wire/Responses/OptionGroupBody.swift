// The options of a menu item, as `GET /v1/menu/{id}` returns them.

/// A question about a dish, with its options.
public struct OptionGroupBody: Hashable, Sendable, Decodable, JSONObject {
    /// The number that staff gave it.
    public let id: Int64
    /// Up to 100 characters without markup, in the language of the response.
    public let title: String
    /// The minimum number of units.
    public let minimum: Int
    /// The maximum number of units; null: no limit.
    public let maximum: Int?
    /// The number of selected units that are free: the cheapest ones with a price above zero.
    public let included: Int
    /// The options in the order that staff chose.
    public let options: [OptionBody]
    /// The languages of its own texts that differ from the response's language; left out if empty.
    public let languages: TextLanguagesBody?

    package init(
        id: Int64, title: String, minimum: Int, maximum: Int?, included: Int, options: [OptionBody],
        languages: TextLanguagesBody? = nil
    ) {
        (self.id, self.title, self.minimum, self.maximum) = (id, title, minimum, maximum)
        (self.included, self.options, self.languages) = (included, options, languages)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("title", title)
        writer.field("minimum", minimum)
        writer.field("maximum", maximum)
        writer.field("included", included)
        writer.field("options", options)
        writer.fieldIfPresent("languages", languages)
    }
}

/// An option of a group.
public struct OptionBody: Hashable, Sendable, Decodable, JSONObject {
    /// The number that staff gave it.
    public let id: Int64
    /// Up to 100 characters without markup, in the language of the response.
    public let title: String
    /// The price of one unit, minor units of the item's currency; negative if it reduces the price.
    public let price: Int64
    /// The maximum number of units for one dish or for one unit of the parent option.
    public let maximum: Int
    /// Whether it is selected by default.
    public let isDefault: Bool
    /// False while the option, or a required nested option, is unavailable.
    public let isAvailable: Bool
    /// Why it is unavailable; null while it is available.
    public let unavailable: UnavailableBody?
    /// The units that are left; null if they are not counted.
    public let left: Int64?
    /// The names of the allergens in it.
    public let contains: [String]
    /// The allergens that it may contain as traces.
    public let mayContain: [String]
    /// Whether `contains` and `mayContain` are complete; if false, there may be more allergens.
    public let allergensAreKnown: Bool
    /// The diets that it suits, such as `vegan`.
    public let diets: [String]
    /// The minimum age of the buyer; null: none.
    public let minimumAge: Int?
    /// The nutrition of one portion; null if it is unknown.
    public let nutrition: NutritionBody?
    /// The nested option groups.
    public let optionGroups: [OptionGroupBody]
    /// The languages of its own texts that differ from the response's language; left out if empty.
    public let languages: TextLanguagesBody?

    package init(
        id: Int64, title: String, price: Int64, maximum: Int, isDefault: Bool, isAvailable: Bool,
        unavailable: UnavailableBody? = nil,
        left: Int64? = nil, contains: [String] = [], mayContain: [String] = [], allergensAreKnown: Bool = false,
        diets: [String] = [],
        minimumAge: Int? = nil, nutrition: NutritionBody? = nil, optionGroups: [OptionGroupBody] = [],
        languages: TextLanguagesBody? = nil
    ) {
        (self.id, self.title, self.price, self.maximum, self.isDefault) = (id, title, price, maximum, isDefault)
        (self.isAvailable, self.unavailable, self.left) = (isAvailable, unavailable, left)
        (self.contains, self.mayContain, self.allergensAreKnown) = (contains, mayContain, allergensAreKnown)
        (self.diets, self.minimumAge, self.nutrition, self.optionGroups) = (diets, minimumAge, nutrition, optionGroups)
        self.languages = languages
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("title", title)
        writer.field("price", price)
        writer.field("maximum", maximum)
        writer.field("isDefault", isDefault)
        writer.field("isAvailable", isAvailable)
        writer.field("unavailable", unavailable)
        writer.field("left", left)
        writer.field("contains", contains)
        writer.field("mayContain", mayContain)
        writer.field("allergensAreKnown", allergensAreKnown)
        writer.field("diets", diets)
        writer.field("minimumAge", minimumAge)
        writer.field("nutrition", nutrition)
        writer.field("optionGroups", optionGroups)
        writer.fieldIfPresent("languages", languages)
    }
}

/// The nutrition of one portion. A value that is unknown is null.
public struct NutritionBody: Hashable, Sendable, Decodable, JSONObject {
    /// Energy in kJ.
    public let kilojoules: Int64?
    /// Energy in kcal.
    public let kilocalories: Int64?
    /// Milligrams.
    public let fat, saturates, carbohydrate, sugars, protein, salt: Int64?

    package init(
        kilojoules: Int64? = nil, kilocalories: Int64? = nil, fat: Int64? = nil, saturates: Int64? = nil,
        carbohydrate: Int64? = nil,
        sugars: Int64? = nil, protein: Int64? = nil, salt: Int64? = nil
    ) {
        (self.kilojoules, self.kilocalories, self.fat, self.saturates) = (kilojoules, kilocalories, fat, saturates)
        (self.carbohydrate, self.sugars, self.protein, self.salt) = (carbohydrate, sugars, protein, salt)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("kilojoules", kilojoules)
        writer.field("kilocalories", kilocalories)
        writer.field("fat", fat)
        writer.field("saturates", saturates)
        writer.field("carbohydrate", carbohydrate)
        writer.field("sugars", sugars)
        writer.field("protein", protein)
        writer.field("salt", salt)
    }
}
