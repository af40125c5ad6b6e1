// One page of the listed menu.

/// A page of the menu.
package struct MenuPage: Sendable {
    /// In the requested order.
    package let items: [any MenuItem]
    /// The sort key after which the next page continues; nil on the last page.
    package let next: MenuSortKey?
}
