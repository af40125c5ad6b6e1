// What can be chosen with an item, as the item itself shows it. Made by Web from Ordering's menu, read by StorefrontClient.
// Read next: MenuBodies.swift; Requests/ChosenOptionBody.swift for how it is chosen.

/// Options to choose from, and how many of them.
public struct OptionGroupBody: Hashable, Sendable, Decodable, JSONObject {
    /// Staff's number.
    public let id: Int64
    /// Up to 100 characters without markup, in the language of the answer.
    public let title: String
    /// How many units must be chosen at least.
    public let minimum: Int
    /// How many units can be chosen at most; null: any number.
    public let maximum: Int?
    /// So many of the chosen units cost nothing: the cheapest of those that cost something.
    public let included: Int
    /// In staff's order.
    public let options: [OptionBody]
    /// What its own texts are in, where that is another language than the answer's; nil where none is.
    public let languages: TextLanguagesBody?

    package init(
        id: Int64, title: String, minimum: Int, maximum: Int?, included: Int, options: [OptionBody], languages: TextLanguagesBody? = nil
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

/// An option that can be chosen.
public struct OptionBody: Hashable, Sendable, Decodable, JSONObject {
    /// Staff's number.
    public let id: Int64
    /// Up to 100 characters without markup, in the language of the answer.
    public let title: String
    /// What one unit adds, minor units of the item's currency; below zero if it takes off.
    public let price: Int64
    /// How many units of it one dish, or one unit of another option, can have.
    public let maximum: Int
    /// Whether it is there where nobody chooses.
    public let isDefault: Bool
    /// False while it, or what must be chosen with it, is sold out.
    public let isAvailable: Bool
    /// Why it can't be had; null where it can.
    public let unavailable: UnavailableBody?
    /// How many there are; null where nobody counts.
    public let left: Int64?
    /// The allergens in it, by name.
    public let contains: [String]
    /// Those that may have got into it.
    public let mayContain: [String]
    /// Whether what is named is all there is; if not, there may be more.
    public let allergensAreKnown: Bool
    /// What it is right for, such as `vegan`.
    public let diets: [String]
    /// How old one has to be for it; null where anybody may have it.
    public let minimumAge: Int?
    /// Of one portion; null where nothing is known.
    public let nutrition: NutritionBody?
    /// What can be chosen with it.
    public let optionGroups: [OptionGroupBody]
    /// What its own texts are in, where that is another language than the answer's; nil where none is.
    public let languages: TextLanguagesBody?

    package init(
        id: Int64, title: String, price: Int64, maximum: Int, isDefault: Bool, isAvailable: Bool, unavailable: UnavailableBody? = nil,
        left: Int64? = nil, contains: [String] = [], mayContain: [String] = [], allergensAreKnown: Bool = false, diets: [String] = [],
        minimumAge: Int? = nil, nutrition: NutritionBody? = nil, optionGroups: [OptionGroupBody] = [], languages: TextLanguagesBody? = nil
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

/// What a portion nourishes with; null where it is not known.
public struct NutritionBody: Hashable, Sendable, Decodable, JSONObject {
    /// Energy in kJ.
    public let kilojoules: Int64?
    /// Energy in kcal.
    public let kilocalories: Int64?
    /// Milligrams.
    public let fat, saturates, carbohydrate, sugars, protein, salt: Int64?

    package init(
        kilojoules: Int64? = nil, kilocalories: Int64? = nil, fat: Int64? = nil, saturates: Int64? = nil, carbohydrate: Int64? = nil,
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
