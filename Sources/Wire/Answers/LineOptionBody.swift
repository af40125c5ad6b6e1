// An option of a line, as baskets, quotes and orders show it. Made by Web, read by StorefrontClient.
// Read next: LineBodies.swift; OptionBodies.swift for what there is to choose from.

/// So many units of an option in one unit of a dish, or of the option that it lies below.
public struct LineOptionBody: Hashable, Sendable, Decodable, JSONObject {
    /// Staff's number.
    public let optionId: Int64
    /// The group it was chosen from.
    public let groupId: Int64
    /// Up to 100 characters without markup, in the language of the answer.
    public let title: String
    /// 1…99, for one unit of what it lies below.
    public let quantity: Int
    /// What one unit adds, minor units; below zero if it takes off.
    public let price: Int64
    /// What all its units in one dish add, without those that were included, with all that lies below them.
    public let total: Int64
    /// What was chosen with it.
    public let options: [LineOptionBody]

    package init(
        optionId: Int64, groupId: Int64, title: String, quantity: Int, price: Int64, total: Int64, options: [LineOptionBody] = []
    ) {
        (self.optionId, self.groupId, self.title, self.quantity) = (optionId, groupId, title, quantity)
        (self.price, self.total, self.options) = (price, total, options)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("optionId", optionId)
        writer.field("groupId", groupId)
        writer.field("title", title)
        writer.field("quantity", quantity)
        writer.field("price", price)
        writer.field("total", total)
        writer.field("options", options)
    }
}
