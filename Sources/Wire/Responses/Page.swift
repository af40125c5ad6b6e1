// One page of a list, the shape of every list route.

/// Up to `limit` items and the cursor of the next page.
public struct Page<Item: Decodable & Hashable & Sendable>: Hashable, Sendable, Decodable {
    /// The items in the order of the list.
    public let items: [Item]
    /// The `cursor` of the next page; nil on the last page.
    public let nextCursor: String?

    package init(items: [Item], nextCursor: String? = nil) { (self.items, self.nextCursor) = (items, nextCursor) }
}

extension Page: JSONObject, JSONWritable where Item: JSONWritable {
    package func writeFields(to writer: inout JSONWriter) {
        writer.field("items", items)
        writer.field("nextCursor", nextCursor)
    }
}
