// What staff say of an item's or an option's food, and what a dish made of several is. MenuItemFacts carries it; MenuQuery filters by it, and
// Checkout asks for the age. What is unknown is never told as free of anything.

/// What is known of a portion's food. No diet contradicts what it contains.
package struct FoodFacts: Sendable, Hashable {
    /// What it contains; there may be more where the allergens are not known.
    package let contains: Allergens
    /// What may have got into it.
    package let mayContain: Allergens
    /// Whether what is named is all there is.
    package let allergensAreKnown: Bool
    /// What it is right for.
    package let diets: Diets
    /// Of one portion.
    package let nutrition: Nutrition
    /// How old one has to be for it, 1…99; nil where anybody may have it.
    package let minimumAge: Int?

    /// What nobody has said anything of.
    package static let unknown = FoodFacts(
        contains: [], mayContain: [], allergensAreKnown: false, diets: [], nutrition: .unknown, age: nil)

    /// The facts, or nil if a diet contradicts what it contains, or if the age lies outside 0…99, of which 0 is none.
    package init?(
        contains: Allergens = [], mayContain: Allergens = [], allergensAreKnown: Bool = false, diets: Diets = [],
        nutrition: Nutrition = .unknown, minimumAge: Int? = nil
    ) {
        guard diets.all.allSatisfy({ $0.contradictions.isDisjoint(with: contains) }), (0...99).contains(minimumAge ?? 0) else { return nil }
        self.init(
            contains: contains, mayContain: mayContain, allergensAreKnown: allergensAreKnown, diets: diets, nutrition: nutrition,
            age: minimumAge == 0 ? nil : minimumAge)
    }

    private init(
        contains: Allergens, mayContain: Allergens, allergensAreKnown: Bool, diets: Diets, nutrition: Nutrition, age: Int?
    ) {
        (self.contains, self.mayContain, self.allergensAreKnown) = (contains, mayContain, allergensAreKnown)
        (self.diets, self.nutrition, minimumAge) = (diets, nutrition, age)
    }

    /// This together with so many portions of another, as a line shows an item and its options: the allergens of both, known if both are; the
    /// diets that both are right for; the sum of what they nourish with; the higher age. No portion, or fewer, adds nothing.
    package func adding(_ portions: Int, of other: FoodFacts) -> FoodFacts {
        guard portions > 0 else { return self }
        return FoodFacts(
            contains: contains.union(other.contains), mayContain: mayContain.union(other.mayContain),
            allergensAreKnown: allergensAreKnown && other.allergensAreKnown, diets: diets.together(with: other.diets),
            nutrition: nutrition.adding(Int64(portions), of: other.nutrition),
            age: [minimumAge, other.minimumAge].compactMap(\.self).max())
    }

    /// Whether it is known to hold none of these, not as traces either. Who asks for nothing is answered yes.
    package func isFree(of allergens: Allergens) -> Bool {
        allergens.isEmpty || allergensAreKnown && contains.isDisjoint(with: allergens) && mayContain.isDisjoint(with: allergens)
    }

    /// Whether staff say that it is right for all of these.
    package func suits(_ wanted: Diets) -> Bool { wanted.all.allSatisfy(diets.meet) }
}
