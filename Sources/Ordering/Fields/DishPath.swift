// The part of a dish that an error or a price change refers to: one of its options, or one of its texts.

/// The dish that a path refers to.
package enum DishLocation: Hashable, Sendable {
    /// The dish that a request describes: its paths have no prefix.
    case request
    /// The dish of a line.
    case line(LineID)
    /// A unit of an item of a set, counted from 1 per item.
    case unit(SalesGroupID, MenuItemID, Int)
}

/// The part of the dish.
package enum DishPath: Hashable, Sendable {
    case options(OptionPath), text(DishText)

    /// The kitchen note.
    package static let note = DishPath.text(.note)

    /// The options come first.
    var index: Int {
        switch self {
        case .options: 0
        case .text(let text): 1 + (DishText.allCases.firstIndex(of: text) ?? 0)
        }
    }
}

/// A path among a dish's options: group and option ids in turn, from the dish down.
package struct OptionPath: Hashable, Sendable, CustomStringConvertible {
    private let ids: [Int64]
    /// Whether the path means all options chosen at this level.
    private let isList: Bool

    /// The options chosen for the dish itself.
    package static let top = OptionPath(ids: [], isList: true)

    private init(ids: [Int64], isList: Bool) { (self.ids, self.isList) = (ids, isList) }

    /// The path of a group at this level.
    package func group(_ id: OptionGroupID) -> OptionPath { OptionPath(ids: ids + [id.rawValue], isList: false) }

    /// The path of an option of this group.
    package func option(_ id: OptionID) -> OptionPath { OptionPath(ids: ids + [id.rawValue], isList: false) }

    /// The path of all options chosen for this option.
    package var list: OptionPath { OptionPath(ids: ids, isList: true) }

    /// `options`, `options/91`, `options/91/9101`, `options/91/9101/options`.
    package var description: String {
        ids.reduce("options") { "\($0)/\($1)" } + (isList && !ids.isEmpty ? "/options" : "")
    }

    func precedes(_ other: OptionPath) -> Bool {
        ids == other.ids ? !isList && other.isList : ids.lexicographicallyPrecedes(other.ids)
    }
}

extension DishPath: CustomStringConvertible {
    /// `options/91`, `note`.
    package var description: String {
        switch self {
        case .options(let path): path.description
        case .text(let text): text.rawValue
        }
    }
}
