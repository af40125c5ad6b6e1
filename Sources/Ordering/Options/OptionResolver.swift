// Makes the trees of what can be chosen from the rows of groups and options, once for each snapshot of the menu. Used by Menu only.
// Rows may name groups that don't exist or lie in each other in a circle: what comes out has three levels at most.

/// Finds what stands below items and options, each group once for each level.
struct OptionResolver {
    private struct Key: Hashable {
        let id: OptionGroupID
        let level: Int
    }

    private let groups: [OptionGroupID: OptionGroup]
    private let stock: StockLeft
    private var resolved: [Key: OfferedGroup] = [:]
    /// The moments at which one of the options found so far, what must be chosen with it, or enough of a group can be had again.
    private(set) var moments: Set<Instant> = []

    init(_ groups: [OptionGroup], _ stock: StockLeft) {
        self.stock = stock
        self.groups = Dictionary(groups.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// What can be chosen from these groups.
    mutating func options(_ ids: [OptionGroupID], level: Int = 1) -> OfferedOptions {
        guard level <= Selection.levels, !ids.isEmpty else { return .none }
        var seen: Set<OptionGroupID> = []
        var found: [OfferedGroup] = []
        for id in ids where seen.insert(id).inserted {
            if let group = group(id, level) { found.append(group) }
        }
        return OfferedOptions(found)
    }

    private mutating func group(_ id: OptionGroupID, _ level: Int) -> OfferedGroup? {
        if let known = resolved[Key(id: id, level: level)] { return known }
        guard let group = groups[id], !group.isRetired else { return nil }
        var seen: Set<OptionID> = []
        var offered: [OfferedOption] = []
        for option in group.options.sorted(by: { ($0.position, $0.id) < ($1.position, $1.id) })
        where !option.isRetired && seen.insert(option.id).inserted {
            let from = max(option.availableFrom, stock.availableFrom(.option(option.id)))
            let one = OfferedOption(option, stock[.option(option.id)], from: from, below: options(option.groups, level: level + 1))
            moments.formUnion([from.moment, one.availableFrom.moment].compactMap(\.self))
            offered.append(one)
        }
        let made = OfferedGroup(group, offered)
        if let moment = made.availableFrom.moment { moments.insert(moment) }
        resolved[Key(id: id, level: level)] = made
        return made
    }
}
