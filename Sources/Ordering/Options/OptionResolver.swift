// Builds the option trees from the rows of groups and options, once per menu snapshot. Rows may name groups that do
// not exist or contain each other in a cycle; the trees have at most three levels.

/// Resolves the nested options of items and options, each group once per level.
struct OptionResolver {
    private struct Key: Hashable {
        let id: OptionGroupID
        let level: Int
    }

    private let groups: [OptionGroupID: OptionGroup]
    private let stock: StockLevels
    private var resolved: [Key: ResolvedOptionGroup] = [:]
    /// The times at which an option, its required nested options or enough units of a group become available again.
    private(set) var changeTimes: Set<Instant> = []

    init(_ groups: [OptionGroup], _ stock: StockLevels) {
        self.stock = stock
        self.groups = Dictionary(groups.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The tree of these groups.
    mutating func options(_ ids: [OptionGroupID], level: Int = 1) -> OptionTree {
        guard level <= Selection.maximumDepth, !ids.isEmpty else { return .none }
        var seen: Set<OptionGroupID> = []
        var found: [ResolvedOptionGroup] = []
        for id in ids where seen.insert(id).inserted {
            if let group = group(id, level) { found.append(group) }
        }
        return OptionTree(found)
    }

    private mutating func group(_ id: OptionGroupID, _ level: Int) -> ResolvedOptionGroup? {
        if let cached = resolved[Key(id: id, level: level)] { return cached }
        guard let group = groups[id], !group.isRetired else { return nil }
        var seen: Set<OptionID> = []
        var resolvedOptions: [ResolvedOption] = []
        for option in group.options.sorted(by: { ($0.position, $0.id) < ($1.position, $1.id) })
        where !option.isRetired && seen.insert(option.id).inserted {
            let ownAvailableFrom = max(option.availableFrom, stock.availableFrom(.option(option.id)))
            let resolvedOption = ResolvedOption(
                option, stock[.option(option.id)], from: ownAvailableFrom,
                nested: options(option.groups, level: level + 1))
            changeTimes.formUnion([ownAvailableFrom.moment, resolvedOption.availableFrom.moment].compactMap(\.self))
            resolvedOptions.append(resolvedOption)
        }
        let resolvedGroup = ResolvedOptionGroup(group, resolvedOptions)
        if let moment = resolvedGroup.availableFrom.moment { changeTimes.insert(moment) }
        resolved[Key(id: id, level: level)] = resolvedGroup
        return resolvedGroup
    }
}
