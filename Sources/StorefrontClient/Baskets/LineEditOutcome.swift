// Predicts the result of a line's edit, to find out from the current basket whether an edit without a response was
// made. The server's rule is in Ordering's BasketEditor.swift.
import Wire

/// An edit of a line, and the basket before the edit.
struct LineEditOutcome {
    private let known: BasketBody
    private let line: BasketLineBody
    private let edit: LineBody

    /// Returns nil if the basket has no such line.
    init?(_ id: Int64, of known: BasketBody, by edit: LineBody) {
        guard let line = known.lines.first(where: { $0.lineId == id }) else { return nil }
        (self.known, self.line, self.edit) = (known, line, edit)
    }

    /// Whether a basket contains the edited line. An edited line that equals another one is merged into the lower id.
    func isApplied(in now: BasketBody) -> Bool {
        let equalLine = known.lines.first { $0.lineId != line.lineId && matchesEdit($0) }
        let id = min(line.lineId, equalLine?.lineId ?? line.lineId)
        let quantity = (edit.quantity ?? Int64(line.quantity)) + Int64(equalLine?.quantity ?? 0)
        return now.lines.contains { $0.lineId == id && $0.quantity == quantity && matchesEdit($0) }
    }

    private func matchesEdit(_ other: BasketLineBody) -> Bool {
        guard other.menuItemId == line.menuItemId, Self.noteWords(other.note) == Self.noteWords(edit.note ?? line.note)
        else { return false }
        let (selection, before) = (Selection(other.options), Selection(line.options))
        guard let options = edit.options else { return selection == before }
        let requested = Selection(options)
        // Nested options of nil mean the defaults, which the basket does not show. Then only the top level is compared,
        // and the selection must have changed.
        return requested.isComplete
            ? selection == requested : selection.topLevel == requested.topLevel && selection != before
    }

    /// The words of a note. The server trims a note and normalises its line ends, so that only the words are
    /// comparable.
    private static func noteWords(_ note: String?) -> [Substring] { note?.split(whereSeparator: \.isWhitespace) ?? [] }
}

/// The selected options without an order. Equal options are counted together.
private struct Selection: Hashable {
    struct Unit: Hashable {
        let option: Int64?
        /// The nested selection; nil: the defaults.
        let nested: Selection?
    }

    private var units: [Unit: Int64] = [:]

    init(_ options: [LineOptionBody]) {
        for option in options {
            units[Unit(option: option.optionId, nested: Selection(option.options)), default: 0] += Int64(
                option.quantity)
        }
    }

    init(_ options: [SelectedOptionBody]) {
        for option in options {
            let unit = Unit(option: option.optionId, nested: option.options.map { Selection($0) })
            units[unit, default: 0] += option.quantity ?? 1
        }
    }

    /// Whether no nested selection is left to the defaults.
    var isComplete: Bool { units.keys.allSatisfy { $0.nested?.isComplete ?? false } }

    /// The quantities by option, without the nested selections.
    var topLevel: [Int64?: Int64] { units.reduce(into: [:]) { $0[$1.key.option, default: 0] += $1.value } }
}
