// One page of a listed menu. MenuQuery makes it, Web writes it out.

/// A page of the menu.
package struct MenuPage: Sendable {
    /// In the order asked for.
    package let items: [any MenuItem]
    /// Where the next page goes on; nil after the last.
    package let next: MenuPlace?
}
