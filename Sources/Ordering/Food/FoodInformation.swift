// The food information of an item or an option, and its combination for a dish. Unknown food is never reported as free
// of an allergen.

/// The food information of one portion. None of its diets contradicts its allergens.
package struct FoodInformation: Sendable, Hashable {
    /// The allergens that it contains; incomplete unless `allergensAreKnown`.
    package let contains: Allergens
    /// The allergens of which it may contain traces.
    package let mayContain: Allergens
    /// Whether the named allergens are complete.
    package let allergensAreKnown: Bool
    /// The diets for which it is suitable.
    package let diets: Diets
    /// The nutrition of one portion.
    package let nutrition: Nutrition
    /// The minimum age of the guest, 1…99; nil if there is no minimum.
    package let minimumAge: Int?

    /// No information.
    package static let unknown = FoodInformation(
        contains: [], mayContain: [], allergensAreKnown: false, diets: [], nutrition: .unknown, age: nil)

    /// Nil if a diet contradicts an allergen, or if the age lies outside 0…99; 0 means no minimum age.
    package init?(
        contains: Allergens = [], mayContain: Allergens = [], allergensAreKnown: Bool = false, diets: Diets = [],
        nutrition: Nutrition = .unknown, minimumAge: Int? = nil
    ) {
        guard diets.all.allSatisfy({ $0.excludedAllergens.isDisjoint(with: contains) }),
            (0...99).contains(minimumAge ?? 0)
        else { return nil }
        self.init(
            contains: contains, mayContain: mayContain, allergensAreKnown: allergensAreKnown, diets: diets,
            nutrition: nutrition,
            age: minimumAge == 0 ? nil : minimumAge)
    }

    private init(
        contains: Allergens, mayContain: Allergens, allergensAreKnown: Bool, diets: Diets, nutrition: Nutrition,
        age: Int?
    ) {
        (self.contains, self.mayContain, self.allergensAreKnown) = (contains, mayContain, allergensAreKnown)
        (self.diets, self.nutrition, minimumAge) = (diets, nutrition, age)
    }

    /// Combines this food with portions of another, as an item with its options. Zero portions or fewer change nothing.
    /// Allergens are united, and known if both are; diets must suit both; nutrition is summed; the higher age applies.
    package func adding(_ portions: Int, of other: FoodInformation) -> FoodInformation {
        guard portions > 0 else { return self }
        return FoodInformation(
            contains: contains.union(other.contains), mayContain: mayContain.union(other.mayContain),
            allergensAreKnown: allergensAreKnown && other.allergensAreKnown, diets: diets.combined(with: other.diets),
            nutrition: nutrition.adding(Int64(portions), of: other.nutrition),
            age: [minimumAge, other.minimumAge].compactMap(\.self).max())
    }

    /// Whether the food is known to contain none of these allergens, traces included. True for an empty set.
    package func isFree(of allergens: Allergens) -> Bool {
        allergens.isEmpty
            || allergensAreKnown && contains.isDisjoint(with: allergens) && mayContain.isDisjoint(with: allergens)
    }

    /// Whether staff marked the food as suitable for all of these diets.
    package func suits(_ wanted: Diets) -> Bool { wanted.all.allSatisfy(diets.satisfies) }
}
