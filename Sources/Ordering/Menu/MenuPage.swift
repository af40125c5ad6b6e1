// One page of a listed menu. MenuQuery makes it, Web writes it out.

/// A page of the menu.
package struct MenuPage: Sendable {
    /// In the order asked for.
    package let items: [any MenuItem]
    /// What to send as `cursor` for the next page; nil after the last.
    package let nextCursor: String?
}
