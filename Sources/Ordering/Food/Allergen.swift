// The allergens that must be declared by Regulation (EU) No 1169/2011, annex II.

/// One of the 14 allergens, by its name in SQL and JSON.
package enum Allergen: String, FoodLabel {
    case celery, gluten, crustaceans, eggs, fish, lupin, milk, molluscs, mustard, nuts, peanuts, sesame, soya, sulphites
}

/// A set of allergens.
package typealias Allergens = FoodLabelSet<Allergen>
