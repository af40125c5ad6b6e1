// An option as a request chooses it: nothing is checked yet. Web makes them, SelectionJudge.swift judges them.

/// One entry of what was chosen, with raw numbers.
package struct ChosenOption: Sendable, Hashable {
    /// The option that is meant, if there is one.
    package let optionID: Int64
    /// How many.
    package let quantity: Int64
    /// What is chosen with it; nil: as by default, a list: exactly that.
    package let options: [ChosenOption]?

    /// An entry; one unit, as it comes, if nothing is said.
    package init(_ optionID: Int64, quantity: Int64 = 1, options: [ChosenOption]? = nil) {
        (self.optionID, self.quantity, self.options) = (optionID, quantity, options)
    }

    /// What was chosen before.
    init(_ entry: Selection.Entry) {
        self.init(entry.option.rawValue, quantity: Int64(entry.quantity), options: entry.selection.entries.map(ChosenOption.init))
    }
}
