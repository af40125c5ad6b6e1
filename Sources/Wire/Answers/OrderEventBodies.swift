// What those who follow orders are sent, one body an event. Made by Web, read by StorefrontClient.
// Read next: OrderBody.swift.

/// A state that an order came to.
public struct OrderEventBody: Hashable, Sendable, Decodable, JSONObject {
    /// The order.
    public let orderId: String
    /// Its eight digits.
    public let number: String
    /// `placed`, `accepted`, `preparing`, `on_the_way`, `delivered`, `cancelled` or `rejected`.
    public let state: String
    /// When it came to it; RFC 3339, UTC.
    public let at: String
    /// What staff wrote when they rejected it.
    public let rejectionReason: String?
    /// Where the order is read.
    public let link: String

    package init(orderId: String, number: String, state: String, at: String, rejectionReason: String? = nil, link: String) {
        (self.orderId, self.number, self.state) = (orderId, number, state)
        (self.at, self.rejectionReason, self.link) = (at, rejectionReason, link)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("orderId", orderId)
        writer.field("number", number)
        writer.field("state", state)
        writer.field("at", at)
        writer.fieldIfPresent("rejectionReason", rejectionReason)
        writer.field("link", link)
    }
}

/// A list that may have changed without a word on each of its members: read it again.
public struct ListChangedBody: Hashable, Sendable, Decodable, JSONObject {
    /// Where the list is read.
    public let link: String

    package init(
        link: String
    ) {
        self.link = link
    }

    package func writeFields(to writer: inout JSONWriter) { writer.field("link", link) }
}
