// Builds the option trees from the rows of groups and options, once per menu snapshot. Rows may name groups that do
// not exist or contain each other in a cycle; the trees have at most three levels.

/// Resolves the nested options of items and options, each group once per level.
struct OptionResolver {
    private struct Key: Hashable {
        let id: OptionGroupID
        let level: Int
    }

    private let groups: [OptionGroupID: OptionGroup]
    private let stock: StockLeft
    private var resolved: [Key: OfferedGroup] = [:]
    /// The times at which an option, its required nested options or enough units of a group become available again.
    private(set) var moments: Set<Instant> = []

    init(_ groups: [OptionGroup], _ stock: StockLeft) {
        self.stock = stock
        self.groups = Dictionary(groups.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The tree of these groups.
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
        if let cached = resolved[Key(id: id, level: level)] { return cached }
        guard let group = groups[id], !group.isRetired else { return nil }
        var seen: Set<OptionID> = []
        var resolvedOptions: [OfferedOption] = []
        for option in group.options.sorted(by: { ($0.position, $0.id) < ($1.position, $1.id) })
        where !option.isRetired && seen.insert(option.id).inserted {
            let ownAvailableFrom = max(option.availableFrom, stock.availableFrom(.option(option.id)))
            let resolvedOption = OfferedOption(option, stock[.option(option.id)], from: ownAvailableFrom, below: options(option.groups, level: level + 1))
            moments.formUnion([ownAvailableFrom.moment, resolvedOption.availableFrom.moment].compactMap(\.self))
            resolvedOptions.append(resolvedOption)
        }
        let resolvedGroup = OfferedGroup(group, resolvedOptions)
        if let moment = resolvedGroup.availableFrom.moment { moments.insert(moment) }
        resolved[Key(id: id, level: level)] = resolvedGroup
        return resolvedGroup
    }
}
