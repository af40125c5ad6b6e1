// The sort key of an item, by which the menu is sorted and paged.

/// An item's sort key: a total order, because ids are unique.
package struct MenuSortKey: Sendable, Hashable, Comparable {
    /// The bytes of a title that are compared; limits the length of a cursor.
    package static let maximumTextLength = 120

    /// The first criterion: a price, or a shuffled number.
    package let number: Int64
    /// The second criterion: the title's key.
    package let text: [UInt8]
    /// The third criterion: the item's position.
    package let position: Int64
    /// The last criterion.
    package let id: MenuItemID

    package init(number: Int64, text: [UInt8], position: Int64, id: MenuItemID) {
        (self.number, self.text, self.position, self.id) = (number, text, position, id)
    }

    package static func < (left: MenuSortKey, right: MenuSortKey) -> Bool {
        if left.number != right.number { return left.number < right.number }
        if left.text != right.text { return left.text.lexicographicallyPrecedes(right.text) }
        return (left.position, left.id) < (right.position, right.id)
    }
}
