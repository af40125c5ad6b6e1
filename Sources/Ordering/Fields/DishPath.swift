// Where in a dish something is wrong, or costs something else: among its options, or in its note. A FieldPath says of which dish.

/// The dish that is meant.
package enum DishPlace: Hashable, Sendable {
    /// The one that a request describes: its paths begin with the dish.
    case request
    /// A line's.
    case line(LineID)
    /// A unit of an item of a set, counted from 1 for each item.
    case unit(SalesGroupID, MenuItemID, Int)
}

/// What of it.
package enum DishPath: Hashable, Sendable {
    case options(OptionPath), note
}

/// A place among a dish's options: the group, the option and its group in turn, down to what is meant.
package struct OptionPath: Hashable, Sendable, CustomStringConvertible {
    private let ids: [Int64]
    /// Whether all that is chosen there is meant.
    private let isList: Bool

    /// What is chosen with the dish.
    package static let top = OptionPath(ids: [], isList: true)

    private init(ids: [Int64], isList: Bool) { (self.ids, self.isList) = (ids, isList) }

    /// A group of what is chosen here.
    package func group(_ id: OptionGroupID) -> OptionPath { OptionPath(ids: ids + [id.rawValue], isList: false) }

    /// An option of this group.
    package func option(_ id: OptionID) -> OptionPath { OptionPath(ids: ids + [id.rawValue], isList: false) }

    /// What is chosen with this option.
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
        case .note: "note"
        }
    }
}
