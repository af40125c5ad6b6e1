// Validates selections of options, in the same way for adding, changing, quoting and checking out.

/// The reason why a selection is rejected.
package enum SelectionRejection: Error, Sendable, Hashable {
    /// More entries than a basket can hold; the rest was not validated.
    case tooManyOptions
    /// All errors; their paths begin with the dish.
    case invalid(FieldErrors)
}

extension OptionTree {
    /// Validates the choices of a request; nil means the defaults.
    package func validate(_ chosen: [RawOptionChoice]?, at now: Instant) -> Result<Selection, SelectionRejection> {
        var validator = SelectionValidator(at: now)
        let entries = validator.validate(chosen, by: self, at: .top)
        guard !validator.exceedsLimit else { return .failure(.tooManyOptions) }
        if let errors = FieldErrors(validator.errors) { return .failure(.invalid(errors)) }
        // Never fails on valid entries: their depth and their units are within the limits.
        guard let selection = Selection(entries) else { return .failure(.tooManyOptions) }
        return priceLimitError(selection).map { .failure(.invalid(FieldErrors($0))) } ?? .success(selection)
    }

    /// The errors of a stored selection, validated with the current options.
    package func errors(in selection: Selection, at now: Instant) -> [FieldError] {
        guard !groups.isEmpty || !selection.entries.isEmpty else { return [] }
        var validator = SelectionValidator(at: now)
        _ = validator.validate(selection.entries.map(RawOptionChoice.init), by: self, at: .top)
        return FieldErrors(validator.errors)?.all ?? [priceLimitError(selection)].compactMap(\.self)
    }

    /// The error for options that cost more than `PricedSelection.highestTotal`; nil if they do not.
    private func priceLimitError(_ selection: Selection) -> FieldError? {
        // The fast path: so few units cannot exceed the limit, even at the highest price of an option.
        guard selection.units > PricedSelection.highestTotal / Money.highestPrice.minorUnits else { return nil }
        let priced = priced(selection)
        guard priced.total > PricedSelection.highestTotal else { return nil }
        return Self.priceLimitError(of: priced.options, within: PricedSelection.highestTotal, at: .top)
    }

    /// The error for the most expensive option, with the number of its units that fit. If not even one unit fits
    /// because of nested options, the error for a nested option.
    private static func priceLimitError(of options: [LineOption], within limit: Int64, at path: OptionPath)
        -> FieldError?
    {
        guard let mostExpensive = options.max(by: { $0.total < $1.total }) else { return nil }
        let remaining = limit - (options.reduce(0) { $0 + $1.total } - mostExpensive.total)
        // The average price of its units, rounded up. It is above zero, because the options exceed the limit.
        let each = (mostExpensive.total + Int64(mostExpensive.quantity) - 1) / Int64(mostExpensive.quantity)
        let fitting = max(remaining / each, 0)
        let nested = mostExpensive.options.reduce(0) { $0 + $1.total }
        let remainingNested = remaining - (mostExpensive.total - nested)
        let path = path.group(mostExpensive.groupID)
        if fitting == 0, remainingNested > 0 {
            return priceLimitError(
                of: mostExpensive.options, within: remainingNested, at: path.option(mostExpensive.id).list)
        }
        return FieldError(
            .dish(.request, .options(path)), .optionQuantityOutOfRange,
            [
                "optionId": .integer(mostExpensive.id.rawValue), "maximum": .integer(fitting),
                "chosen": .integer(Int64(mostExpensive.quantity)),
            ])
    }

    /// The time from which the whole selection is available; never, if an option cannot be chosen any more.
    func availableFrom(_ selection: Selection) -> AvailableFrom {
        selection.entries.reduce(.always) { latest, entry in
            guard let index = index(of: entry.option) else { return .never }
            let offered = self[index]
            return max(latest, offered.ownAvailableFrom, offered.nestedOptions.availableFrom(entry.selection))
        }
    }

    /// Whether there is any option.
    package var hasOptions: Bool { groups.contains { !$0.options.isEmpty } }

    /// Whether the guest must choose something, because the default selection would be rejected.
    package func needsChoice(at now: Instant) -> Bool {
        if case .failure = validate(nil, at: now) { true } else { false }
    }
}

/// Validates choices level by level. Stops if there are more than any basket can hold.
private struct SelectionValidator {
    /// A choice and the index of its option.
    private typealias LocatedChoice = (index: OptionIndex, entry: RawOptionChoice)

    private let now: Instant
    private var remainingEntries = Selection.maximumEntryCount
    /// In the order in which they are reported.
    private(set) var errors: [FieldError] = []

    init(at now: Instant) { self.now = now }

    var exceedsLimit: Bool { remainingEntries < 0 }

    /// Validates the choices for one dish or one entry; returns those that can be entries of a selection.
    mutating func validate(_ chosen: [RawOptionChoice]?, by offered: OptionTree, at path: OptionPath) -> [Selection
        .Entry]
    {
        let chosen = chosen ?? offered.defaults
        remainingEntries -= chosen.count
        guard !exceedsLimit else { return [] }
        var found: [LocatedChoice] = []
        for entry in chosen {
            if let index = offered.index(of: OptionID(rawValue: entry.optionID)) {
                found.append((index, entry))
            } else {
                report(.optionUnknown, path, ["optionId": .integer(entry.optionID)])
            }
        }
        // Choices of the same option keep the order of the request.
        found.sort { $0.index < $1.index }
        var (rest, entries) = (found[...], [Selection.Entry]())
        for (index, group) in offered.groups.enumerated() where !exceedsLimit {
            let groupChoices = rest.prefix { $0.index.group == index }
            rest = rest.dropFirst(groupChoices.count)
            entries += validate(groupChoices, from: group, at: path)
        }
        return entries
    }

    private mutating func validate(
        _ found: ArraySlice<LocatedChoice>, from offered: ResolvedOptionGroup, at path: OptionPath
    )
        -> [Selection.Entry]
    {
        let (group, chosen) = (offered.group, Self.units(found.lazy.map(\.entry)))
        if chosen < group.minimum {
            report(
                .optionGroupMinimum, path.group(group.id),
                ["minimum": .integer(Int64(group.minimum)), "chosen": .integer(chosen)])
        }
        if let maximum = group.maximum, chosen > maximum {
            report(
                .optionGroupMaximum, path.group(group.id),
                ["maximum": .integer(Int64(maximum)), "chosen": .integer(chosen)])
        }
        var (rest, entries) = (found, [Selection.Entry]())
        while let index = rest.first?.index, !exceedsLimit {
            let optionChoices = rest.prefix { $0.index == index }
            rest = rest.dropFirst(optionChoices.count)
            entries += validate(optionChoices.map(\.entry), of: offered.options[index.option], in: group, at: path)
        }
        return entries
    }

    private mutating func validate(
        _ chosen: [RawOptionChoice], of offered: ResolvedOption, in group: OptionGroup, at path: OptionPath
    ) -> [Selection.Entry] {
        let (option, units) = (offered.option, Self.units(chosen))
        if units > option.maximum || chosen.contains(where: { $0.quantity < 1 }) {
            report(
                .optionQuantityOutOfRange, path.group(group.id),
                [
                    "optionId": .integer(option.id.rawValue), "maximum": .integer(Int64(option.maximum)),
                    "chosen": .integer(units),
                ])
        }
        if units > 0, !offered.ownAvailableFrom.isReached(at: now) {
            report(.optionSoldOut, path.group(group.id), ["optionId": .integer(option.id.rawValue)])
        }
        var entries: [Selection.Entry] = []
        for entry in chosen where !exceedsLimit {
            var nested = Selection.none
            // Most options have no nested options.
            if !offered.nestedOptions.groups.isEmpty || entry.options?.isEmpty == false {
                nested =
                    Selection(
                        validate(
                            entry.options, by: offered.nestedOptions, at: path.group(group.id).option(option.id).list))
                    ?? .none
            }
            if let quantity = Int(exactly: entry.quantity),
                let selected = Selection.Entry(option.id, quantity: quantity, selection: nested)
            {
                entries.append(selected)
            }
        }
        return entries
    }

    private mutating func report(_ code: FieldErrorCode, _ path: OptionPath, _ params: [String: FieldParameter]) {
        errors.append(FieldError(.dish(.request, .options(path)), code, params))
    }

    /// The sum of all units, limited to Int64; negative quantities count as zero.
    private static func units(_ chosen: some Sequence<RawOptionChoice>) -> Int64 {
        chosen.reduce(0) { sum, entry in
            let (units, isTooMany) = sum.addingReportingOverflow(max(entry.quantity, 0))
            return isTooMany ? .max : units
        }
    }
}
