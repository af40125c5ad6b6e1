// The selected options of a dish, as a value: equal selections are equal values.

/// The selected options of an item or of an option: sorted, equal entries merged, without titles and prices.
package struct Selection: Sendable, Hashable, Comparable {
    /// Units of one option that have the same nested selection.
    package struct Entry: Sendable, Hashable, Comparable {
        package let option: OptionID
        /// 1…99.
        package let quantity: Int
        /// The nested selection.
        package let selection: Selection

        /// The entry, or nil if the quantity lies outside 1…99.
        package init?(_ option: OptionID, quantity: Int, selection: Selection = .none) {
            guard Selection.quantities.contains(quantity) else { return nil }
            (self.option, self.quantity, self.selection) = (option, quantity, selection)
        }

        fileprivate func adding(_ units: Int) -> Entry? {
            Entry(option, quantity: quantity + units, selection: selection)
        }

        /// By option, then by the nested selection.
        package static func < (left: Entry, right: Entry) -> Bool {
            if left.option != right.option { return left.option < right.option }
            return left.selection == right.selection ? left.quantity < right.quantity : left.selection < right.selection
        }
    }

    /// The empty selection.
    package static let none = Selection()
    /// The permitted units of an entry.
    package static let quantities = 1...99
    /// The maximum depth of nested options.
    package static let maximumDepth = 3
    /// The maximum number of entries in a basket, on all levels together.
    package static let maximumEntryCount = 100

    /// Sorted; no two differ only in the quantity.
    package let entries: [Entry]
    /// The number of entries on all levels.
    package let count: Int
    private let depth: Int

    private init() { (entries, count, depth) = ([], 0, 0) }

    /// Sorts the entries and merges equal ones. Nil if they exceed the limit of a basket or the maximum depth, or if an
    /// entry has more than 99 units.
    package init?(_ chosen: [Entry]) {
        var entries: [Entry] = []
        entries.reserveCapacity(chosen.count)
        for entry in chosen.sorted() {
            if let last = entries.last, last.option == entry.option, last.selection == entry.selection {
                guard let merged = last.adding(entry.quantity) else { return nil }
                entries[entries.count - 1] = merged
            } else {
                entries.append(entry)
            }
        }
        self.entries = entries
        count = entries.reduce(0) { $0 + 1 + $1.selection.count }
        depth = entries.map { 1 + $0.selection.depth }.max() ?? 0
        guard count <= Selection.maximumEntryCount, depth <= Selection.maximumDepth else { return nil }
    }

    /// The units of all options in one dish, on all levels: at most 100 × 99³.
    var units: Int64 { entries.reduce(0) { $0 + Int64($1.quantity) * (1 + $1.selection.units) } }

    /// Lexicographically by entry.
    package static func < (left: Selection, right: Selection) -> Bool {
        left.entries.lexicographicallyPrecedes(right.entries)
    }
}
