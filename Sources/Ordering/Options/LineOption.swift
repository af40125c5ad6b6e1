// An option of a line as baskets and orders keep it and answers show it: with the title and the price it had then.
// Made by SelectionPrice.swift, stored with the line. Next: Selection.swift, which is what of it makes two lines equal.

/// So many units of an option in one unit of a dish, or of the option that it lies below.
package struct LineOption: Sendable, Hashable {
    package let id: OptionID
    /// The group it was chosen from.
    package let groupID: OptionGroupID
    /// Up to 100 characters without markup.
    package let title: String
    /// 1…99, for one unit of what it lies below.
    package let quantity: Int
    /// Of one unit.
    package let price: OptionPrice
    /// What all its units in one unit of the dish cost, those left out that were included, with all that lies below them; signed minor units.
    package let total: Int64
    /// What was chosen with it, in the order in which it is shown.
    package let options: [LineOption]

    /// What a total can be. A hundred entries of the highest price, 99 units each and on three levels, come to less.
    private static let totals: ClosedRange<Int64> = -10_000_000_000_000_000...10_000_000_000_000_000

    /// The option as it is stored; nil if a number can't be one.
    package init?(
        id: OptionID, groupID: OptionGroupID, title: String, quantity: Int, price: OptionPrice, total: Int64, options: [LineOption] = []
    ) {
        guard Selection.quantities.contains(quantity), LineOption.totals.contains(total) else { return nil }
        (self.id, self.groupID, self.title, self.quantity) = (id, groupID, title, quantity)
        (self.price, self.total, self.options) = (price, total, options)
    }

    /// What was chosen, at a price.
    init(_ entry: Selection.Entry, in groupID: OptionGroupID, title: String, price: OptionPrice, total: Int64, options: [LineOption]) {
        (self.id, self.groupID, self.title, self.quantity) = (entry.option, groupID, title, entry.quantity)
        (self.price, self.total, self.options) = (price, total, options)
    }
}

extension Selection.Entry {
    /// Whether the option of a line was chosen by this entry.
    fileprivate func isChoice(of line: LineOption) -> Bool {
        option == line.id && quantity == line.quantity && selection.agrees(with: line.options)
    }
}

extension Selection {
    /// What was chosen, of what a row keeps of it; nil if that can't have been chosen.
    package init?(_ options: [LineOption]) {
        guard !options.isEmpty else {
            self = .none
            return
        }
        var entries: [Entry] = []
        for option in options {
            guard let below = Selection(option.options), let entry = Entry(option.id, quantity: option.quantity, selection: below) else {
                return nil
            }
            entries.append(entry)
        }
        self.init(entries)
    }

    /// Whether these are the options of this choice, in any order.
    func agrees(with options: [LineOption]) -> Bool { aligned(options) != nil }

    /// These options in the order of the entries; nil if they are not the options of this choice.
    func aligned(_ options: [LineOption]) -> [LineOption]? {
        guard entries.count == options.count else { return nil }
        // Most lines have at most one option.
        if zip(entries, options).allSatisfy({ $0.isChoice(of: $1) }) { return options }
        var left = options
        var aligned: [LineOption] = []
        for entry in entries {
            guard let index = left.firstIndex(where: entry.isChoice(of:)) else { return nil }
            aligned.append(left.remove(at: index))
        }
        return aligned
    }
}
