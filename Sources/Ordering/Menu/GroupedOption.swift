// Options as staff look after them: each once, with the group that it is chosen from, wherever that stands. Listed by Web's staff routes.

/// An option and its group, neither of them retired.
package struct GroupedOption: Sendable, Identifiable {
    package let option: Option
    package let group: OptionGroup
    /// Whether the kitchen has it, whatever must be chosen with it.
    package let availability: Availability
    /// How many there are; nil: nobody counts.
    package let left: Int64?

    package var id: OptionID { option.id }
}

extension Menu {
    /// All options that are not retired, by group, in staff's order within each.
    package var options: [GroupedOption] {
        optionGroups.filter { !$0.isRetired }.sorted { $0.id < $1.id }.flatMap { group in
            group.options.filter { !$0.isRetired }.sorted { ($0.position, $0.id) < ($1.position, $1.id) }.map { grouped($0, group) }
        }
    }

    /// The option of this number; nil if there is none or it is retired.
    package func option(_ id: OptionID) -> GroupedOption? { options.first { $0.id == id } }

    private func grouped(_ option: Option, _ group: OptionGroup) -> GroupedOption {
        let from = max(option.availableFrom, stock.availableFrom(.option(option.id)))
        return GroupedOption(
            option: option, group: group, availability: Availability(from, at: moment), left: stock[.option(option.id)]?.left)
    }
}
