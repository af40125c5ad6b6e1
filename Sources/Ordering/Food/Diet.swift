// The diets that staff say a dish is right for, and what contradicts one. Read next: FoodFacts.swift.

/// A diet, by its name in SQL and JSON.
package enum Diet: String, FoodName {
    case vegan, vegetarian, halal, kosher
    case glutenFree = "gluten_free"
    case lactoseFree = "lactose_free"

    /// What nothing that is right for this diet contains. Traces, which a dish may contain, contradict no diet.
    package var contradictions: Allergens {
        switch self {
        case .vegan: [.milk, .eggs, .fish, .crustaceans, .molluscs]
        case .vegetarian: [.fish, .crustaceans, .molluscs]
        case .halal, .kosher, .glutenFree, .lactoseFree: []
        }
    }
}

/// Some of the diets.
package typealias Diets = FoodNames<Diet>

extension Diets {
    /// Whether what is right for these is right for a diet: what is vegan is vegetarian, also where staff wrote the one word only.
    package func meet(_ diet: Diet) -> Bool { contains(diet) || diet == .vegetarian && contains(.vegan) }

    /// What two things together are right for: what both are, by the words of either.
    func together(with other: Diets) -> Diets {
        withImplied.intersection(other.withImplied).intersection(union(other))
    }

    /// These, and what is meant with them.
    private var withImplied: Diets { contains(.vegan) ? union([.vegetarian]) : self }
}
