// Maps the options of lines to order_option (sql/003_baskets.sql). One array has the options of all lines of a basket
// or an order.
import Ordering
import Postgres

/// A chosen option of a line.
struct StoredOption: PostgresComposite, Equatable {
    static let compositeName = "order_option"

    var id: Int64 = 0
    var groupID: Int64 = 0
    var price: Int64 = 0
    var total: Int64 = 0
    /// The position of its line, from 1.
    var line: Int16 = 0
    /// The position of the option above it in the array, from 1; nil for an option of the dish.
    var parent: Int16?
    var quantity: Int16 = 0
    var title = ""

    mutating func code(with record: inout RecordCoder) throws(CodingError) {
        try record.field("option_id", &id)
        try record.field("group_id", &groupID)
        try record.field("price", &price)
        try record.field("total", &total)
        try record.field("line", &line)
        try record.field("parent", &parent)
        try record.field("quantity", &quantity)
        try record.field("title", &title)
    }
}

extension [StoredOption] {
    /// Appends the options of the line at a position (from 1), each before the options below it.
    mutating func append(_ options: [LineOption], ofLine line: Int) {
        append(options, ofLine: Int16(clamping: line), below: nil)
    }

    private mutating func append(_ options: [LineOption], ofLine line: Int16, below parent: Int16?) {
        for option in options {
            append(
                StoredOption(
                    id: option.id.rawValue, groupID: option.groupID.rawValue, price: option.price.minorUnits,
                    total: option.total, line: line, parent: parent, quantity: Int16(clamping: option.quantity),
                    title: option.title))
            append(option.options, ofLine: line, below: Int16(clamping: count))
        }
    }
}

extension StoredOption {
    /// Returns the options of each line, with the options below them. Throws if they cannot be those of `lineCount`
    /// lines.
    static func trees(_ stored: [StoredOption]?, lineCount: Int) throws(PostgresError) -> [[LineOption]] {
        var trees: [[LineOption]] = Array(repeating: [], count: lineCount)
        guard let stored, !stored.isEmpty else { return trees }
        try validate(stored, lineCount: lineCount)
        // Reads from the end, so that the options below an option are complete when it is read.
        var below: [[LineOption]] = Array(repeating: [], count: stored.count)
        for index in stored.indices.reversed() {
            let option = try stored[index].lineOption(below: below[index].reversed())
            if let parent = stored[index].parent {
                below[Int(parent) - 1].append(option)
            } else {
                trees[Int(stored[index].line) - 1].append(option)
            }
        }
        for line in trees.indices where trees[line].count > 1 { trees[line].reverse() }
        return trees
    }

    /// Checks the order of the lines, that each parent is an earlier option of the same line, the depth, and the number
    /// of options of each line.
    private static func validate(_ stored: [StoredOption], lineCount: Int) throws(PostgresError) {
        var levels: [Int] = []
        var (line, first) = (0, 0)
        for (index, option) in stored.enumerated() {
            if option.line > line { (line, first) = (Int(option.line), index) }
            let parent = option.parent.map { Int($0) - 1 }
            guard option.line == line, line >= 1, line <= lineCount, index - first < Selection.maximumEntryCount,
                parent.map({ $0 >= first && $0 < index }) ?? true
            else { throw .undecodable("option \(index + 1) of \(stored.count) has an impossible place") }
            let level = parent.map { levels[$0] + 1 } ?? 1
            guard level <= Selection.maximumDepth else { throw .undecodable("option \(index + 1) is too deep") }
            levels.append(level)
        }
    }

    private func lineOption(below options: [LineOption]) throws(PostgresError) -> LineOption {
        guard let price = OptionPrice(minorUnits: price),
            let option = LineOption(
                id: OptionID(rawValue: id), groupID: OptionGroupID(rawValue: groupID), title: title,
                quantity: Int(quantity), price: price, total: total, options: options)
        else { throw .undecodable("option \(id) of line \(line) is out of range") }
        return option
    }
}

extension Array {
    /// The array, or nil if it is empty: the tables store an empty list as null.
    var nilIfEmpty: Self? { isEmpty ? nil : self }
}
