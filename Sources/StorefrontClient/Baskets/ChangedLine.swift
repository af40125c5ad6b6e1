// What a line's edit makes of a basket, so that one whose answer was lost can be found in the basket that is there now.
// Used by StorefrontClient.changeLine. The server's own rule is Ordering's BasketApplying.swift.
import Wire

/// A line's edit, and the basket that it was sent for.
struct ChangedLine {
    private let known: BasketBody
    private let line: BasketLineBody
    private let edit: LineBody

    /// Nil where the basket that is known has no such line.
    init?(_ id: Int64, of known: BasketBody, by edit: LineBody) {
        guard let line = known.lines.first(where: { $0.lineId == id }) else { return nil }
        (self.known, self.line, self.edit) = (known, line, edit)
    }

    /// Whether a basket has the line as it was wanted: in the place of the lower id where it became equal to another.
    func isMade(in now: BasketBody) -> Bool {
        let twin = known.lines.first { $0.lineId != line.lineId && isWanted($0) }
        let id = min(line.lineId, twin?.lineId ?? line.lineId)
        let quantity = (edit.quantity ?? Int64(line.quantity)) + Int64(twin?.quantity ?? 0)
        return now.lines.contains { $0.lineId == id && $0.quantity == quantity && isWanted($0) }
    }

    private func isWanted(_ other: BasketLineBody) -> Bool {
        guard other.menuItemId == line.menuItemId, Self.words(other.note) == Self.words(edit.note ?? line.note) else { return false }
        let (chosen, before) = (Chosen(other.options), Chosen(line.options))
        guard let options = edit.options else { return chosen == before }
        let wanted = Chosen(options)
        // What comes by default the menu tells, and not the basket: then it only counts where something has changed.
        return wanted.isWhole ? chosen == wanted : chosen.top == wanted.top && chosen != before
    }

    /// The server trims a note and writes its lines' ends anew.
    private static func words(_ note: String?) -> [Substring] { note?.split(whereSeparator: \.isWhitespace) ?? [] }
}

/// What was chosen, in no order and equal ones together.
private struct Chosen: Hashable {
    struct Unit: Hashable {
        let option: Int64?
        /// Nil: by default.
        let below: Chosen?
    }

    private var units: [Unit: Int64] = [:]

    init(_ options: [LineOptionBody]) {
        for one in options { units[Unit(option: one.optionId, below: Chosen(one.options)), default: 0] += Int64(one.quantity) }
    }

    init(_ options: [ChosenOptionBody]) {
        for one in options { units[Unit(option: one.optionId, below: one.options.map { Chosen($0) }), default: 0] += one.quantity ?? 1 }
    }

    /// Whether nothing is left to the defaults.
    var isWhole: Bool { units.keys.allSatisfy { $0.below?.isWhole ?? false } }

    /// Without what was chosen with each.
    var top: [Int64?: Int64] { units.reduce(into: [:]) { $0[$1.key.option, default: 0] += $1.value } }
}
