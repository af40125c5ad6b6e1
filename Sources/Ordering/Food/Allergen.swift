// The allergens that a guest has to be told of: Regulation (EU) No 1169/2011, annex II. Read next: FoodFacts.swift.

/// One of the 14, by its name in SQL and JSON.
package enum Allergen: String, FoodName {
    case celery, gluten, crustaceans, eggs, fish, lupin, milk, molluscs, mustard, nuts, peanuts, sesame, soya, sulphites
}

/// Some of the 14.
package typealias Allergens = FoodNames<Allergen>
