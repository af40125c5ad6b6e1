// The diets for which staff mark dishes as suitable, and the allergens that contradict them.

/// A diet, by its name in SQL and JSON.
package enum Diet: String, FoodLabel {
    case vegan, vegetarian, halal, kosher
    case glutenFree = "gluten_free"
    case lactoseFree = "lactose_free"

    /// The allergens that no suitable dish contains. Traces do not contradict a diet.
    package var excludedAllergens: Allergens {
        switch self {
        case .vegan: [.milk, .eggs, .fish, .crustaceans, .molluscs]
        case .vegetarian: [.fish, .crustaceans, .molluscs]
        case .halal, .kosher, .glutenFree, .lactoseFree: []
        }
    }
}

/// A set of diets.
package typealias Diets = FoodLabelSet<Diet>

extension Diets {
    /// Whether food suitable for these diets is suitable for another. Vegan food is vegetarian, even if staff only
    /// marked it as vegan.
    package func satisfies(_ diet: Diet) -> Bool { contains(diet) || diet == .vegetarian && contains(.vegan) }

    /// The diets that suit both foods, named or implied, and that at least one of the foods names.
    func combined(with other: Diets) -> Diets {
        includingImplied.intersection(other.includingImplied).intersection(union(other))
    }

    /// These diets and those that they imply.
    private var includingImplied: Diets { contains(.vegan) ? union([.vegetarian]) : self }
}
