// An answer of the menu, which says how old it is: a menu of a while ago is better than none, as long as the guest is told.
// Made by MenuReading.swift.
import FoundationEssentials

/// Whether an answer is the server's of this moment.
public enum Freshness: Hashable, Sendable {
    /// It is.
    case fresh
    /// It held at this time; since then the server, or the server's database, could not be asked, or somebody else answered.
    case stale(since: Date)
}

/// Something of the menu, and whether it is of this moment.
public struct MenuAnswer<Body: Sendable>: Sendable {
    /// What was asked for.
    public let body: Body
    /// How old it is.
    public let freshness: Freshness
}

extension MenuAnswer: Equatable where Body: Equatable {}
