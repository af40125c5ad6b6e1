// One page of a list, the shape of every list route. Made by Web, read by StorefrontClient.
// Read next: MenuBodies.swift.

/// Up to `limit` items and where the next ones begin.
public struct Page<Item: Decodable & Hashable & Sendable>: Hashable, Sendable, Decodable {
    /// The items in the list's order.
    public let items: [Item]
    /// What to send as `cursor` for the next page; nil at the end.
    public let nextCursor: String?

    package init(items: [Item], nextCursor: String? = nil) { (self.items, self.nextCursor) = (items, nextCursor) }
}

extension Page: JSONObject, JSONWritable where Item: JSONWritable {
    package func writeFields(to writer: inout JSONWriter) {
        writer.field("items", items)
        writer.field("nextCursor", nextCursor)
    }
}
