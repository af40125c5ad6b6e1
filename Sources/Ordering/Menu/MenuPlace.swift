// Where an item stands in a listed menu. MenuOrder makes it, MenuQuery sorts by it and goes on after it, Web carries it in a cursor.

/// An item's place in an order: a total order, since ids differ.
package struct MenuPlace: Sendable, Hashable, Comparable {
    /// Bytes of a title that count; a cursor stays short.
    package static let longestText = 120

    /// What the order goes by first: a price, or a place in the shuffle.
    package let number: Int64
    /// Then: the title's key.
    package let text: [UInt8]
    /// Then: the item's position.
    package let position: Int64
    /// And last.
    package let id: MenuItemID

    package init(number: Int64, text: [UInt8], position: Int64, id: MenuItemID) {
        (self.number, self.text, self.position, self.id) = (number, text, position, id)
    }

    package static func < (left: MenuPlace, right: MenuPlace) -> Bool {
        if left.number != right.number { return left.number < right.number }
        if left.text != right.text { return left.text.lexicographicallyPrecedes(right.text) }
        return (left.position, left.id) < (right.position, right.id)
    }
}
