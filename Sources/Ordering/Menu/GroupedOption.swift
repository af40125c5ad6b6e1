// Options for staff: each option once with its group, independent of the items that offer the group.

/// An option and its group, neither of them retired.
package struct GroupedOption: Sendable, Identifiable {
    package let option: Option
    package let group: OptionGroup
    /// The availability of the option, without its required nested options.
    package let availability: Availability
    /// The units that are left; nil if the option is not counted.
    package let remaining: Int64?

    package var id: OptionID { option.id }
}

extension Menu {
    /// All options that are not retired, by group, and within a group by position.
    package var options: [GroupedOption] {
        optionGroups.filter { !$0.isRetired }.sorted { $0.id < $1.id }.flatMap { group in
            group.options.filter { !$0.isRetired }.sorted { ($0.position, $0.id) < ($1.position, $1.id) }.map {
                grouped($0, group)
            }
        }
    }

    /// The option with this id; nil if it does not exist or is retired.
    package func option(_ id: OptionID) -> GroupedOption? { options.first { $0.id == id } }

    private func grouped(_ option: Option, _ group: OptionGroup) -> GroupedOption {
        let availableFrom = max(option.availableFrom, stock.availableFrom(.option(option.id)))
        return GroupedOption(
            option: option, group: group, availability: Availability(availableFrom, at: moment),
            remaining: stock[.option(option.id)]?.remaining)
    }
}
