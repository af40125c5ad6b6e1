// A selected option of a line.

/// An option with its quantity in one unit of its dish or of its parent option.
public struct LineOptionBody: Hashable, Sendable, Decodable, JSONObject {
    /// The number that staff gave it.
    public let optionId: Int64
    /// The option group.
    public let groupId: Int64
    /// Up to 100 characters without markup, in the language of the response.
    public let title: String
    /// 1…99, for one unit of the dish or of the parent option.
    public let quantity: Int
    /// The price of one unit, minor units; negative if it reduces the price.
    public let price: Int64
    /// The price of all its units in one dish, minor units. Included units are free; nested options are added.
    public let total: Int64
    /// The nested options.
    public let options: [LineOptionBody]

    package init(
        optionId: Int64, groupId: Int64, title: String, quantity: Int, price: Int64, total: Int64,
        options: [LineOptionBody] = []
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
