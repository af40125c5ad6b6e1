// Something that can be chosen with an item, and the group of such things it is chosen from, as staff wrote them. Menu takes them from
// the database. Next: OfferedOptions.swift, what of them stands below an item.

/// One thing that can be chosen: extra cheese.
package struct Option: Sendable, Hashable {
    /// Staff's number.
    package let id: OptionID
    /// Up to 100 characters without markup.
    package private(set) var title: String
    /// What a unit of it adds.
    package let price: OptionPrice
    /// How many units of it one dish, or one unit of another option, can have: 1…99.
    package let maximum: Int
    /// Whether it is there where nobody chooses.
    package let isDefault: Bool
    /// False while it is sold out until further notice.
    package let isAvailable: Bool
    /// Until when it is sold out, exclusive; nil: it is not.
    package let soldOutUntil: Instant?
    /// True once it is gone for good; baskets may still name it.
    package let isRetired: Bool
    /// Its place in its group, lowest first.
    package let position: Int
    /// Its own groups, in staff's order.
    package let groups: [OptionGroupID]
    /// What is known of the food of one unit, without its own options.
    package let food: FoodFacts

    /// The option, or nil if the maximum lies outside 1…99.
    package init?(
        id: OptionID, title: String, price: OptionPrice, maximum: Int = 1, isDefault: Bool = false, isAvailable: Bool = true,
        soldOutUntil: Instant? = nil, isRetired: Bool = false, position: Int, groups: [OptionGroupID] = [],
        food: FoodFacts = .unknown
    ) {
        guard Selection.quantities.contains(maximum) else { return nil }
        (self.id, self.title, self.price, self.maximum, self.isDefault) = (id, title, price, maximum, isDefault)
        (self.isAvailable, self.soldOutUntil, self.isRetired) = (isAvailable, soldOutUntil, isRetired)
        (self.position, self.groups, self.food) = (position, groups, food)
    }

    /// The same in other words, where there are any.
    fileprivate func translated(_ text: TranslatedText) -> Option {
        var option = self
        option.title = text.title ?? title
        return option
    }

    /// From when on staff say that the kitchen has it, its own groups apart.
    var availableFrom: AvailableFrom { AvailableFrom(isAvailable: isAvailable, soldOutUntil: soldOutUntil) }
}

/// Options to choose from, and how many of them.
package struct OptionGroup: Sendable, Hashable {
    /// Staff's number.
    package let id: OptionGroupID
    /// Up to 100 characters without markup.
    package private(set) var title: String
    /// How many units must be chosen at least: 0…99.
    package let minimum: Int
    /// How many units can be chosen at most: 1 or more; nil: any number.
    package let maximum: Int?
    /// How many of the chosen units cost nothing: the cheapest of those that cost something.
    package let included: Int
    /// True once it is gone for good.
    package let isRetired: Bool
    /// All of them, in any order, retired ones too.
    package private(set) var options: [Option]

    /// The group, or nil if one of its numbers is none of those above.
    package init?(
        id: OptionGroupID, title: String, minimum: Int = 0, maximum: Int? = nil, included: Int = 0, isRetired: Bool = false,
        options: [Option]
    ) {
        guard (0...99).contains(minimum), maximum ?? 1 >= 1, included >= 0 else { return nil }
        (self.id, self.title, self.minimum, self.maximum) = (id, title, minimum, maximum)
        (self.included, self.isRetired, self.options) = (included, isRetired, options)
    }

    /// The same in other words, where there are any, of the group and of its options.
    func translated(_ text: (TranslationSubject, Int64) -> TranslatedText) -> OptionGroup {
        var group = self
        group.title = text(.optionGroups, id.rawValue).title ?? title
        group.options = options.map { $0.translated(text(.options, $0.id.rawValue)) }
        return group
    }
}
