// The options of an item as a tree: groups, their options, and the nested groups of these.

/// The option groups of an item, or of an option.
package struct OptionTree: Sendable {
    /// By position; none is retired.
    package let groups: [ResolvedOptionGroup]
    /// The time from which a selection is possible that satisfies the minimum of every group.
    let availableFrom: AvailableFrom

    /// No options.
    package static let none = OptionTree([])

    init(_ groups: [ResolvedOptionGroup]) {
        self.groups = groups
        availableFrom = groups.map(\.availableFrom).max() ?? .always
    }

    /// The default choices: one unit of each default option.
    var defaults: [RawOptionChoice] {
        groups.flatMap { group in
            group.options.filter(\.option.isDefault).map { RawOptionChoice($0.option.id.rawValue) }
        }
    }

    /// The index of an option; nil if it cannot be chosen here.
    func index(of id: OptionID) -> OptionIndex? {
        for (group, offered) in groups.enumerated() {
            if let option = offered.indices[id] { return OptionIndex(group: group, option: option) }
        }
        return nil
    }

    subscript(_ index: OptionIndex) -> ResolvedOption { groups[index.group].options[index.option] }
}

/// The index of an option: its group, and its position within the group.
struct OptionIndex: Hashable, Comparable {
    let group: Int
    let option: Int

    static func < (left: OptionIndex, right: OptionIndex) -> Bool {
        (left.group, left.option) < (right.group, right.option)
    }
}

/// A group with its options that are not retired.
package struct ResolvedOptionGroup: Sendable {
    package let group: OptionGroup
    /// By position, then id.
    package let options: [ResolvedOption]
    fileprivate let indices: [OptionID: Int]
    /// The time from which the required number of units is available.
    let availableFrom: AvailableFrom

    init(_ group: OptionGroup, _ options: [ResolvedOption]) {
        (self.group, self.options) = (group, options)
        indices = Dictionary(options.enumerated().map { ($1.option.id, $0) }, uniquingKeysWith: { first, _ in first })
        availableFrom = ResolvedOptionGroup.availableFrom(group, options)
    }

    private static func availableFrom(_ group: OptionGroup, _ options: [ResolvedOption]) -> AvailableFrom {
        guard group.minimum > 0 else { return .always }
        // Staff can store a maximum below the minimum. No selection satisfies such a group.
        if let maximum = group.maximum, maximum < group.minimum { return .never }
        var units = 0
        for portion in options.flatMap(\.portions).sorted(by: { $0.from < $1.from }) {
            units += portion.units
            if units >= group.minimum { return portion.from }
        }
        return .never
    }
}

/// An option with its nested option groups.
package struct ResolvedOption: Sendable {
    package let option: Option
    /// The nested option groups.
    package let nestedOptions: OptionTree
    /// The time from which the option alone is available, without its required nested options.
    let ownAvailableFrom: AvailableFrom
    /// The time from which the option is available with its required nested options.
    let availableFrom: AvailableFrom
    /// The stock count; nil if the option is not counted.
    private let count: StockCount?

    init(
        _ option: Option, _ count: StockCount? = nil, from ownAvailableFrom: AvailableFrom,
        nested nestedOptions: OptionTree
    ) {
        (self.option, self.count, self.ownAvailableFrom, self.nestedOptions) = (
            option, count, ownAvailableFrom, nestedOptions
        )
        availableFrom = max(ownAvailableFrom, nestedOptions.availableFrom)
    }

    /// The units that one dish can have, with the time from which they are available: now, and after restocking.
    fileprivate var portions: [(from: AvailableFrom, units: Int)] {
        guard let count, count.remaining < option.maximum else { return [(availableFrom, option.maximum)] }
        return [
            (availableFrom, Int(count.remaining)),
            (max(availableFrom, count.restockedFrom), option.maximum - Int(count.remaining)),
        ]
    }

    /// The availability at a time.
    package func availability(at now: Instant) -> Availability { Availability(availableFrom, at: now) }
}
