// A menu response with its age. An old menu is better than none, if the guest can see its age.
import FoundationEssentials

/// The age of a response.
public enum Freshness: Hashable, Sendable {
    /// The server confirmed the response just now.
    case fresh
    /// The response was valid at this time. Since then the server or its database could not be reached.
    case stale(since: Date)
}

/// A part of the menu with its age.
public struct MenuResponse<Body: Sendable>: Sendable {
    /// The requested part of the menu.
    public let body: Body
    /// The age of the response.
    public let freshness: Freshness
}

extension MenuResponse: Equatable where Body: Equatable {}
