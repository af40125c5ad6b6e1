// Random option groups and options for property tests, random choices of them, and a reference check of a choice.
import TestBasics

@testable import Ordering

extension MenuFixture {
    /// A menu whose items 2001 and 2002 have random groups: cyclic, unknown, retired or impossible to satisfy.
    static func withRandomOptions(_ random: inout SeededRandom) -> MenuFixture {
        var app = MenuFixture()
        app.items.removeAll { ![2001, 2002, 4001].contains($0.id) }
        app.sales.removeAll { $0.id != 200 }
        app.groups = (91...95).map { OptionGroupRow.random($0, &random) }.shuffled(using: &random)
        for item: Int64 in [2001, 2002] {
            app.itemGroups[item] = (91...97).filter { _ in Int.random(in: 0..<3, using: &random) == 0 }.shuffled(
                using: &random)
        }
        return app
    }

    /// Changes one random group or option, as staff might.
    mutating func changeRandomOption(_ random: inout SeededRandom) {
        guard let group = groups.indices.randomElement(using: &random) else { return }
        let option = groups[group].options.indices.randomElement(using: &random)
        switch (Int.random(in: 0..<11, using: &random), option) {
        case (0, _): groups[group].minimum = .random(in: 0...2, using: &random)
        case (1, _): groups[group].maximum = [nil, 1, 2, 3].randomElement(using: &random) ?? nil
        case (2, _): groups[group].included = .random(in: 0...2, using: &random)
        case (3, _): groups[group].isRetired.toggle()
        case (4, _): itemGroups[2001]?.append(.random(in: 91...97, using: &random))
        case (5, _): _ = itemGroups[2002]?.popLast()
        case (6, let option?): groups[group].options[option].price = .random(in: -200...200, using: &random)
        case (7, let option?): groups[group].options[option].isAvailable.toggle()
        case (8, let option?): groups[group].options[option].isRetired.toggle()
        case (9, let option?): groups[group].options[option].groups.append(.random(in: 91...97, using: &random))
        default: groups[group] = .random(groups[group].id, &random)
        }
    }
}

extension MenuFixture.OptionGroupRow {
    static func random(_ id: Int64, _ random: inout SeededRandom) -> MenuFixture.OptionGroupRow {
        MenuFixture.OptionGroupRow(
            id: id, minimum: max(0, .random(in: -2...2, using: &random)),
            maximum: [nil, 1, 2, 3, 4].randomElement(using: &random) ?? nil,
            included: .random(in: 0...2, using: &random),
            isRetired: Int.random(in: 0..<12, using: &random) == 0,
            options: (0..<Int64.random(in: 0...4, using: &random)).map { .random(id * 100 + $0, &random) })
    }
}

extension MenuFixture.OptionRow {
    static func random(_ id: Int64, _ random: inout SeededRandom) -> MenuFixture.OptionRow {
        var choice = MenuFixture.OptionRow(
            id: id, price: ([-100, -50, 0, 0, 30, 50, 50, 100, 150] as [Int64]).randomElement(using: &random) ?? 0,
            maximum: .random(in: 1...3, using: &random), isDefault: Int.random(in: 0..<5, using: &random) == 0,
            isAvailable: Int.random(in: 0..<10, using: &random) > 0,
            isRetired: Int.random(in: 0..<12, using: &random) == 0)
        if Int.random(in: 0..<6, using: &random) == 0 {
            choice.soldOutUntil = Instant(
                microseconds: MenuFixture().moment.microseconds + .random(in: -3...3, using: &random))
        }
        choice.groups = (91...97).filter { _ in Int.random(in: 0..<8, using: &random) == 0 }
        choice.position = .random(in: 0...2, using: &random)
        return choice
    }
}

extension OptionTree {
    /// A choice as a guest might send it: mostly offered options in random quantities, sometimes an unknown option.
    func randomChoice(_ random: inout SeededRandom) -> [RawOptionChoice]? {
        if Int.random(in: 0..<6, using: &random) == 0 { return nil }
        var chosen: [RawOptionChoice] = []
        for group in groups {
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                guard let offered = group.options.randomElement(using: &random) else { continue }
                let quantity = ([0, 1, 1, 1, 1, 1, 2, 3, 4] as [Int64]).randomElement(using: &random) ?? 1
                chosen.append(.of(offered.option.id.rawValue, quantity, offered.nestedOptions.randomChoice(&random)))
            }
        }
        if Int.random(in: 0..<15, using: &random) == 0 { chosen.append(.of(.random(in: 9090...9199, using: &random))) }
        return chosen.shuffled(using: &random)
    }

    /// A random valid choice, or nil if no choice is valid.
    func randomValidChoice(at now: Instant, _ random: inout SeededRandom) -> [RawOptionChoice]? {
        guard let least = smallestValidChoice(at: now) else { return nil }
        var chosen: [RawOptionChoice] = []
        for group in groups {
            let wanted = min(group.group.minimum + Int.random(in: 0...2, using: &random), group.group.maximum ?? .max)
            var units: [OptionID: Int] = [:]
            var ofGroup: [RawOptionChoice] = []
            for _ in 0..<9 where ofGroup.count < wanted {
                guard let offered = group.options.randomElement(using: &random),
                    offered.option.availableFrom.isReached(at: now),
                    units[offered.option.id, default: 0] < offered.option.maximum,
                    let below = offered.nestedOptions.randomValidChoice(at: now, &random)
                else { continue }
                units[offered.option.id, default: 0] += 1
                ofGroup.append(.of(offered.option.id.rawValue, 1, below))
            }
            let ids = Set(group.options.map(\.option.id.rawValue))
            chosen += ofGroup.count < group.group.minimum ? least.filter { ids.contains($0.optionID) } : ofGroup
        }
        return chosen.shuffled(using: &random)
    }

    /// The smallest valid choice, or nil if no choice is valid.
    func smallestValidChoice(at now: Instant) -> [RawOptionChoice]? {
        var chosen: [RawOptionChoice] = []
        for group in groups {
            var missing = group.group.minimum
            if let maximum = group.group.maximum, maximum < missing { return nil }
            for offered in group.options where missing > 0 && offered.option.availableFrom.isReached(at: now) {
                guard let below = offered.nestedOptions.smallestValidChoice(at: now) else { continue }
                let units = min(missing, offered.option.maximum)
                chosen.append(.of(offered.option.id.rawValue, Int64(units), below))
                missing -= units
            }
            if missing > 0 { return nil }
        }
        return chosen
    }

    /// Whether a choice is valid, computed without collecting errors.
    func isValid(_ chosen: [RawOptionChoice]?, at now: Instant) -> Bool {
        let options = groups.flatMap(\.options)
        let chosen = chosen ?? options.filter(\.option.isDefault).map { .of($0.option.id.rawValue) }
        func units(_ id: OptionID) -> Int64 {
            chosen.filter { $0.optionID == id.rawValue }.reduce(0) { $0 + $1.quantity }
        }
        for entry in chosen {
            guard let offered = options.first(where: { $0.option.id.rawValue == entry.optionID }) else { return false }
            let option = offered.option
            guard entry.quantity >= 1, units(option.id) <= option.maximum, option.isAvailable,
                option.soldOutUntil.map({ $0 <= now }) ?? true, offered.nestedOptions.isValid(entry.options, at: now)
            else { return false }
        }
        return groups.allSatisfy { group in
            let units = group.options.reduce(Int64(0)) { $0 + units($1.option.id) }
            return units >= group.group.minimum && units <= group.group.maximum ?? .max
        }
    }

    /// The price that a choice adds, summed unit by unit.
    func referencePrice(_ selection: Selection) -> Int64 {
        var sum: Int64 = 0
        for group in groups {
            var units: [Int64] = []
            for entry in selection.entries {
                guard let offered = group.options.first(where: { $0.option.id == entry.option }) else { continue }
                for _ in 0..<entry.quantity {
                    units.append(offered.option.price.minorUnits)
                    sum += offered.nestedOptions.referencePrice(entry.selection)
                }
            }
            let costly = units.filter { $0 > 0 }.sorted()
            sum += costly.dropFirst(group.group.included).reduce(0, +) + units.filter { $0 < 0 }.reduce(0, +)
        }
        return sum
    }
}
