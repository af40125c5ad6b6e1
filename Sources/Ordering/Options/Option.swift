// The options that can be chosen for an item, and their groups, as staff wrote them.

/// One option, such as extra cheese.
package struct Option: Sendable, Hashable {
    /// The number that staff assigned.
    package let id: OptionID
    /// Up to 100 characters without markup.
    package private(set) var title: String
    /// The price of one unit.
    package let price: OptionPrice
    /// The largest number of units in one dish, or in one unit of the option above it: 1…99.
    package let maximum: Int
    /// Whether the option is selected by default.
    package let isDefault: Bool
    /// False while it is sold out until further notice.
    package let isAvailable: Bool
    /// The end of being sold out, exclusive; nil if it is not.
    package let soldOutUntil: Instant?
    /// True once it is permanently removed; baskets may still contain it.
    package let isRetired: Bool
    /// The position in its group, lowest first.
    package let position: Int
    /// The nested groups, by position.
    package let groups: [OptionGroupID]
    /// The food information of one unit, without nested options.
    package let food: FoodInformation

    /// The option, or nil if the maximum lies outside 1…99.
    package init?(
        id: OptionID, title: String, price: OptionPrice, maximum: Int = 1, isDefault: Bool = false,
        isAvailable: Bool = true,
        soldOutUntil: Instant? = nil, isRetired: Bool = false, position: Int, groups: [OptionGroupID] = [],
        food: FoodInformation = .unknown
    ) {
        guard Selection.quantities.contains(maximum) else { return nil }
        (self.id, self.title, self.price, self.maximum, self.isDefault) = (id, title, price, maximum, isDefault)
        (self.isAvailable, self.soldOutUntil, self.isRetired) = (isAvailable, soldOutUntil, isRetired)
        (self.position, self.groups, self.food) = (position, groups, food)
    }

    /// The option with a translated title, if there is one.
    fileprivate func translated(_ text: TranslatedText) -> Option {
        var option = self
        option.title = text.title ?? title
        return option
    }

    /// The time from which staff offer the option, without regard to its nested groups.
    var availableFrom: AvailableFrom { AvailableFrom(isAvailable: isAvailable, soldOutUntil: soldOutUntil) }
}

/// A group of options with the number of units to choose.
package struct OptionGroup: Sendable, Hashable {
    /// The number that staff assigned.
    package let id: OptionGroupID
    /// Up to 100 characters without markup.
    package private(set) var title: String
    /// The minimum of chosen units: 0…99.
    package let minimum: Int
    /// The maximum of chosen units: 1 or more; nil: unlimited.
    package let maximum: Int?
    /// The number of chosen units that are free: the cheapest of those with a price above zero.
    package let included: Int
    /// True once it is permanently removed.
    package let isRetired: Bool
    /// All options in any order, retired ones too.
    package private(set) var options: [Option]

    /// The group, or nil if a number is out of the range given above.
    package init?(
        id: OptionGroupID, title: String, minimum: Int = 0, maximum: Int? = nil, included: Int = 0,
        isRetired: Bool = false,
        options: [Option]
    ) {
        guard (0...99).contains(minimum), maximum ?? 1 >= 1, included >= 0 else { return nil }
        (self.id, self.title, self.minimum, self.maximum) = (id, title, minimum, maximum)
        (self.included, self.isRetired, self.options) = (included, isRetired, options)
    }

    /// The group and its options with translated titles, as far as there are translations.
    func translated(_ text: (TranslationSubject, Int64) -> TranslatedText) -> OptionGroup {
        var group = self
        group.title = text(.optionGroups, id.rawValue).title ?? title
        group.options = options.map { $0.translated(text(.options, $0.id.rawValue)) }
        return group
    }
}
