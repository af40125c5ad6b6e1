// An option of a line as baskets and orders store it, with its title and its price at that time.

/// An option with its quantity in one unit of a dish, or of the option above it.
package struct LineOption: Sendable, Hashable {
    package let id: OptionID
    /// The group from which the option was chosen.
    package let groupID: OptionGroupID
    /// Up to 100 characters without markup.
    package let title: String
    /// 1…99, per unit of the dish or the option above it.
    package let quantity: Int
    /// The price of one unit.
    package let price: OptionPrice
    /// The price of all units in one unit of the dish, without included ones and with all nested options.
    /// In signed minor units.
    package let total: Int64
    /// The options chosen for this option, in display order.
    package let options: [LineOption]

    /// The valid totals: 100 entries × 99³ units (three levels) × the highest price of 10⁸ is below 10¹⁶.
    private static let validTotals: ClosedRange<Int64> = -10_000_000_000_000_000...10_000_000_000_000_000

    /// The stored option; nil if a number is out of range.
    package init?(
        id: OptionID, groupID: OptionGroupID, title: String, quantity: Int, price: OptionPrice, total: Int64,
        options: [LineOption] = []
    ) {
        guard Selection.quantities.contains(quantity), LineOption.validTotals.contains(total) else { return nil }
        (self.id, self.groupID, self.title, self.quantity) = (id, groupID, title, quantity)
        (self.price, self.total, self.options) = (price, total, options)
    }

    /// The option of an entry, with its price.
    init(
        _ entry: Selection.Entry, in groupID: OptionGroupID, title: String, price: OptionPrice, total: Int64,
        options: [LineOption]
    ) {
        (self.id, self.groupID, self.title, self.quantity) = (entry.option, groupID, title, entry.quantity)
        (self.price, self.total, self.options) = (price, total, options)
    }
}

extension Selection.Entry {
    /// Whether this entry is the choice of the option of a line.
    fileprivate func isChoice(of line: LineOption) -> Bool {
        option == line.id && quantity == line.quantity && selection.matches(line.options)
    }
}

extension Selection {
    /// The selection of stored options; nil if they cannot be a valid selection.
    package init?(_ options: [LineOption]) {
        guard !options.isEmpty else {
            self = .none
            return
        }
        var entries: [Entry] = []
        for option in options {
            guard let nested = Selection(option.options),
                let entry = Entry(option.id, quantity: option.quantity, selection: nested)
            else {
                return nil
            }
            entries.append(entry)
        }
        self.init(entries)
    }

    /// Whether these are the options of this selection, in any order.
    func matches(_ options: [LineOption]) -> Bool { aligned(options) != nil }

    /// The options in the order of the entries; nil if they are not the options of this selection.
    func aligned(_ options: [LineOption]) -> [LineOption]? {
        guard entries.count == options.count else { return nil }
        // The fast path: most lines have at most one option.
        if zip(entries, options).allSatisfy({ $0.isChoice(of: $1) }) { return options }
        var remaining = options
        var aligned: [LineOption] = []
        for entry in entries {
            guard let index = remaining.firstIndex(where: entry.isChoice(of:)) else { return nil }
            aligned.append(remaining.remove(at: index))
        }
        return aligned
    }
}
