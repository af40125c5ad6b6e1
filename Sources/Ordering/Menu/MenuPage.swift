// One page of a listed menu. MenuQuery makes it, Web writes it out.

/// A page of the menu.
public struct MenuPage: Sendable {
    /// In the order asked for.
    public let items: [any MenuItem]
    /// What to send as `cursor` for the next page; nil after the last.
    public let nextCursor: String?
}
