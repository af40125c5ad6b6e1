// What can be chosen with an item, as a tree: its groups, their options, and what can be chosen with these. Menu has one for each item, made by
// OptionResolver.swift. Next: SelectionJudge.swift, which judges a choice by it, and SelectionPrice.swift, which prices one.

/// What can be chosen with an item, or below an option.
package struct OfferedOptions: Sendable {
    /// In staff's order, none of them retired.
    package let groups: [OfferedGroup]
    /// From when on a choice is possible that leaves no group wanting.
    let availableFrom: AvailableFrom

    /// Nothing to choose from.
    package static let none = OfferedOptions([])

    init(_ groups: [OfferedGroup]) {
        self.groups = groups
        availableFrom = groups.map(\.availableFrom).max() ?? .always
    }

    /// What is there where nobody chooses: one of each default.
    var defaults: [ChosenOption] {
        groups.flatMap { group in group.options.filter(\.option.isDefault).map { ChosenOption($0.option.id.rawValue) } }
    }

    /// Where an option stands; nil if it can't be chosen here.
    func place(of id: OptionID) -> OptionPlace? {
        for (group, offered) in groups.enumerated() {
            if let option = offered.places[id] { return OptionPlace(group: group, option: option) }
        }
        return nil
    }

    subscript(_ place: OptionPlace) -> OfferedOption { groups[place.group].options[place.option] }
}

/// An option's place among what is offered.
struct OptionPlace: Hashable, Comparable {
    let group: Int
    let option: Int

    static func < (left: OptionPlace, right: OptionPlace) -> Bool { (left.group, left.option) < (right.group, right.option) }
}

/// A group with those of its options that are not retired.
package struct OfferedGroup: Sendable {
    /// As staff wrote it.
    package let group: OptionGroup
    /// By position, then id.
    package let options: [OfferedOption]
    fileprivate let places: [OptionID: Int]
    /// From when on as many units can be had as must be chosen.
    let availableFrom: AvailableFrom

    init(_ group: OptionGroup, _ options: [OfferedOption]) {
        (self.group, self.options) = (group, options)
        places = Dictionary(options.enumerated().map { ($1.option.id, $0) }, uniquingKeysWith: { first, _ in first })
        availableFrom = OfferedGroup.availableFrom(group, options)
    }

    private static func availableFrom(_ group: OptionGroup, _ options: [OfferedOption]) -> AvailableFrom {
        guard group.minimum > 0 else { return .always }
        // Whatever rows say: of such a group no number of units is right.
        if let maximum = group.maximum, maximum < group.minimum { return .never }
        var units = 0
        for portion in options.flatMap(\.portions).sorted(by: { $0.from < $1.from }) {
            units += portion.units
            if units >= group.minimum { return portion.from }
        }
        return .never
    }
}

/// An option with what can be chosen with it.
package struct OfferedOption: Sendable {
    /// As staff wrote it.
    package let option: Option
    /// Its own groups.
    package let below: OfferedOptions
    /// From when on it can be had itself, whatever must be chosen with it.
    let itselfFrom: AvailableFrom
    /// From when on it can be had with all that must be chosen with it.
    let availableFrom: AvailableFrom
    /// How many there are; nil: it is not counted.
    private let count: StockCount?

    init(_ option: Option, _ count: StockCount? = nil, from itselfFrom: AvailableFrom, below: OfferedOptions) {
        (self.option, self.count, self.itselfFrom, self.below) = (option, count, itselfFrom, below)
        availableFrom = max(itselfFrom, below.availableFrom)
    }

    /// How many units of it one dish can have, and from when on: what is left now, and the rest once there are some again.
    fileprivate var portions: [(from: AvailableFrom, units: Int)] {
        guard let count, count.left < option.maximum else { return [(availableFrom, option.maximum)] }
        return [(availableFrom, Int(count.left)), (max(availableFrom, count.moreFrom), option.maximum - Int(count.left))]
    }

    /// Whether it can be chosen at a moment.
    package func availability(at now: Instant) -> Availability { Availability(availableFrom, at: now) }
}
