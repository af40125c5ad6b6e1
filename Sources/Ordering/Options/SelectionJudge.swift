// Whether a choice is one that the kitchen can make: the one function that judges options, for what is added, changed, quoted and checked out
// alike. Called by Basket/ with what a request says and with what a basket keeps. Next: SelectionPrice.swift, what it costs.

/// Why a choice is refused.
package enum SelectionRefusal: Error, Sendable, Hashable {
    /// There are more entries than a basket can hold; they were not judged to the end.
    case tooManyOptions
    /// Everything that is wrong with it; the paths begin with the dish.
    case invalid(FieldErrors)
}

extension OfferedOptions {
    /// Judges what a request chooses; nil: as by default.
    package func judge(_ chosen: [ChosenOption]?, at now: Instant) -> Result<Selection, SelectionRefusal> {
        var judge = SelectionJudge(at: now)
        let entries = judge.judge(chosen, by: self, at: .top)
        guard !judge.isTooMuch else { return .failure(.tooManyOptions) }
        if let errors = FieldErrors(judge.errors) { return .failure(.invalid(errors)) }
        // What is right fits: on as many levels as are offered, no more of an option than its maximum.
        guard let selection = Selection(entries) else { return .failure(.tooManyOptions) }
        return tooDear(selection).map { .failure(.invalid(FieldErrors($0))) } ?? .success(selection)
    }

    /// What is wrong with a choice that a basket keeps, by what is offered now.
    package func errors(in selection: Selection, at now: Instant) -> [FieldError] {
        guard !groups.isEmpty || !selection.entries.isEmpty else { return [] }
        var judge = SelectionJudge(at: now)
        _ = judge.judge(selection.entries.map(ChosenOption.init), by: self, at: .top)
        return FieldErrors(judge.errors)?.all ?? [tooDear(selection)].compactMap(\.self)
    }

    /// What of a choice is too many, where all of it costs more than a dish can.
    private func tooDear(_ selection: Selection) -> FieldError? {
        // What so few come to need not be added up.
        guard selection.units > PricedSelection.highest / Money.highestPrice.minorUnits else { return nil }
        let priced = priced(selection)
        guard priced.total > PricedSelection.highest else { return nil }
        return Self.tooMany(of: priced.options, fittingInto: PricedSelection.highest, at: .top)
    }

    /// Of options that come to more than there is room for the dearest one, or what makes it so dear, with how many of it there is room for.
    private static func tooMany(of options: [LineOption], fittingInto room: Int64, at path: OptionPath) -> FieldError? {
        guard let dearest = options.max(by: { $0.total < $1.total }) else { return nil }
        let left = room - (options.reduce(0) { $0 + $1.total } - dearest.total)
        // They come to more than there is room for, so the dearest one costs something; of it alone some may be included.
        let each = (dearest.total + Int64(dearest.quantity) - 1) / Int64(dearest.quantity)
        let fitting = max(left / each, 0)
        let below = dearest.options.reduce(0) { $0 + $1.total }
        let leftBelow = left - (dearest.total - below)
        let path = path.group(dearest.groupID)
        if fitting == 0, leftBelow > 0 { return tooMany(of: dearest.options, fittingInto: leftBelow, at: path.option(dearest.id).list) }
        return FieldError(
            .dish(.request, .options(path)), .optionQuantityOutOfRange,
            ["optionId": .integer(dearest.id.rawValue), "maximum": .integer(fitting), "chosen": .integer(Int64(dearest.quantity))])
    }

    /// From when on all that was chosen can be had; what can't be chosen any more never.
    func availableFrom(_ selection: Selection) -> AvailableFrom {
        selection.entries.reduce(.always) { from, entry in
            guard let place = place(of: entry.option) else { return .never }
            let offered = self[place]
            return max(from, offered.itselfFrom, offered.below.availableFrom(entry.selection))
        }
    }

    /// Whether there is anything to choose.
    package var hasOptions: Bool { groups.contains { !$0.options.isEmpty } }

    /// Whether something must be chosen, for as it comes it would be refused.
    package func needsChoice(at now: Instant) -> Bool {
        if case .failure = judge(nil, at: now) { true } else { false }
    }
}

/// Judges a choice level by level, and stops where it is larger than any basket could hold.
private struct SelectionJudge {
    /// An entry, and where its option stands.
    private typealias Found = (place: OptionPlace, entry: ChosenOption)

    private let now: Instant
    private var left = Selection.limit
    /// In the order in which they are told.
    private(set) var errors: [FieldError] = []

    init(at now: Instant) { self.now = now }

    var isTooMuch: Bool { left < 0 }

    /// Judges what was chosen below one dish or one entry, and gives back what of it can be an entry of a selection.
    mutating func judge(_ chosen: [ChosenOption]?, by offered: OfferedOptions, at path: OptionPath) -> [Selection.Entry] {
        let chosen = chosen ?? offered.defaults
        left -= chosen.count
        guard !isTooMuch else { return [] }
        var found: [Found] = []
        for entry in chosen {
            if let place = offered.place(of: OptionID(rawValue: entry.optionID)) {
                found.append((place, entry))
            } else {
                tell(.optionUnknown, path, ["optionId": .integer(entry.optionID)])
            }
        }
        // Those of one option stay in the order in which they were sent.
        found.sort { $0.place < $1.place }
        var (rest, entries) = (found[...], [Selection.Entry]())
        for (index, group) in offered.groups.enumerated() where !isTooMuch {
            let ofGroup = rest.prefix { $0.place.group == index }
            rest = rest.dropFirst(ofGroup.count)
            entries += judge(ofGroup, from: group, at: path)
        }
        return entries
    }

    private mutating func judge(_ found: ArraySlice<Found>, from offered: OfferedGroup, at path: OptionPath) -> [Selection.Entry] {
        let (group, chosen) = (offered.group, Self.units(found.lazy.map(\.entry)))
        if chosen < group.minimum {
            tell(.optionGroupMinimum, path.group(group.id), ["minimum": .integer(Int64(group.minimum)), "chosen": .integer(chosen)])
        }
        if let maximum = group.maximum, chosen > maximum {
            tell(.optionGroupMaximum, path.group(group.id), ["maximum": .integer(Int64(maximum)), "chosen": .integer(chosen)])
        }
        var (rest, entries) = (found, [Selection.Entry]())
        while let place = rest.first?.place, !isTooMuch {
            let ofOption = rest.prefix { $0.place == place }
            rest = rest.dropFirst(ofOption.count)
            entries += judge(ofOption.map(\.entry), of: offered.options[place.option], in: group, at: path)
        }
        return entries
    }

    private mutating func judge(
        _ chosen: [ChosenOption], of offered: OfferedOption, in group: OptionGroup, at path: OptionPath
    ) -> [Selection.Entry] {
        let (option, units) = (offered.option, Self.units(chosen))
        if units > option.maximum || chosen.contains(where: { $0.quantity < 1 }) {
            tell(
                .optionQuantityOutOfRange, path.group(group.id),
                ["optionId": .integer(option.id.rawValue), "maximum": .integer(Int64(option.maximum)), "chosen": .integer(units)])
        }
        if units > 0, !offered.itselfFrom.isReached(at: now) {
            tell(.optionSoldOut, path.group(group.id), ["optionId": .integer(option.id.rawValue)])
        }
        var entries: [Selection.Entry] = []
        for entry in chosen where !isTooMuch {
            var below = Selection.none
            // Most options have nothing to choose from.
            if !offered.below.groups.isEmpty || entry.options?.isEmpty == false {
                below = Selection(judge(entry.options, by: offered.below, at: path.group(group.id).option(option.id).list)) ?? .none
            }
            if let quantity = Int(exactly: entry.quantity), let made = Selection.Entry(option.id, quantity: quantity, selection: below) {
                entries.append(made)
            }
        }
        return entries
    }

    private mutating func tell(_ code: FieldErrorCode, _ path: OptionPath, _ params: [String: FieldParameter]) {
        errors.append(FieldError(.dish(.request, .options(path)), code, params))
    }

    /// All units together, as far as can be counted; an entry of less than one has none.
    private static func units(_ chosen: some Sequence<ChosenOption>) -> Int64 {
        chosen.reduce(0) { sum, entry in
            let (units, isTooMany) = sum.addingReportingOverflow(max(entry.quantity, 0))
            return isTooMany ? .max : units
        }
    }
}
