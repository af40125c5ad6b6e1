// What staff say of how many there are. Made of a request, written by Database's SetStock.swift.

/// How many there are of a thing that is counted.
package enum CountMark: Sendable, Hashable {
    /// So many are left.
    case remaining(Int64)
    /// So many are there on each business day.
    case perDay(Int64)
}
