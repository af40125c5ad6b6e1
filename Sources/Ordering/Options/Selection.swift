// What was chosen with a dish, so that equal choices are equal values. Made of a request by SelectionJudge.swift, and of what a row keeps.
// Whether it can be had is another question, asked again at each moment that counts.

/// The options chosen with an item or with an option: sorted, equal ones together. Titles, prices and places play no part.
package struct Selection: Sendable, Hashable, Comparable {
    /// So many units of an option, all with the same choice of its own.
    package struct Entry: Sendable, Hashable, Comparable {
        package let option: OptionID
        /// 1…99.
        package let quantity: Int
        /// What was chosen with it.
        package let selection: Selection

        /// The entry, or nil if the quantity lies outside 1…99.
        package init?(_ option: OptionID, quantity: Int, selection: Selection = .none) {
            guard Selection.quantities.contains(quantity) else { return nil }
            (self.option, self.quantity, self.selection) = (option, quantity, selection)
        }

        fileprivate func more(_ units: Int) -> Entry? { Entry(option, quantity: quantity + units, selection: selection) }

        /// By option, then by what is below it.
        package static func < (left: Entry, right: Entry) -> Bool {
            if left.option != right.option { return left.option < right.option }
            return left.selection == right.selection ? left.quantity < right.quantity : left.selection < right.selection
        }
    }

    /// Nothing chosen.
    package static let none = Selection()
    /// How many units an entry can have.
    package static let quantities = 1...99
    /// How deep options can lie in each other.
    package static let levels = 3
    /// How many entries a basket can hold, on all levels together.
    package static let limit = 100

    /// Sorted, none equal to another but for the quantity.
    package let entries: [Entry]
    /// How many entries there are, on all levels.
    package let count: Int
    private let depth: Int

    private init() { (entries, count, depth) = ([], 0, 0) }

    /// The entries in their order, equal ones together; nil if they are more than a basket can hold, lie too deep in each other, or come to
    /// more than 99 units of one.
    package init?(_ chosen: [Entry]) {
        var entries: [Entry] = []
        entries.reserveCapacity(chosen.count)
        for entry in chosen.sorted() {
            if let last = entries.last, last.option == entry.option, last.selection == entry.selection {
                guard let both = last.more(entry.quantity) else { return nil }
                entries[entries.count - 1] = both
            } else {
                entries.append(entry)
            }
        }
        self.entries = entries
        count = entries.reduce(0) { $0 + 1 + $1.selection.count }
        depth = entries.map { 1 + $0.selection.depth }.max() ?? 0
        guard count <= Selection.limit, depth <= Selection.levels else { return nil }
    }

    /// How many units of options one dish has, on all levels: at most 100 × 99³.
    var units: Int64 { entries.reduce(0) { $0 + Int64($1.quantity) * (1 + $1.selection.units) } }

    /// Entry by entry.
    package static func < (left: Selection, right: Selection) -> Bool { left.entries.lexicographicallyPrecedes(right.entries) }
}
