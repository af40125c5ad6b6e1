// An option choice as a request sends it, not validated.

/// One entry of the raw option choices.
package struct RawOptionChoice: Sendable, Hashable {
    /// The id of the option, which may not exist.
    package let optionID: Int64
    /// The number of units.
    package let quantity: Int64
    /// The choices for this option. Nil: the defaults; a list: exactly these.
    package let options: [RawOptionChoice]?

    /// The default is one unit with its default options.
    package init(_ optionID: Int64, quantity: Int64 = 1, options: [RawOptionChoice]? = nil) {
        (self.optionID, self.quantity, self.options) = (optionID, quantity, options)
    }

    /// The choice that gives an entry of an earlier selection.
    init(_ entry: Selection.Entry) {
        self.init(
            entry.option.rawValue, quantity: Int64(entry.quantity),
            options: entry.selection.entries.map(RawOptionChoice.init))
    }
}
