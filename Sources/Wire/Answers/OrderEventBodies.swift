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
    /// The reason that staff gave for the rejection; with the access token only.
    public let rejectionReason: String?
    /// Where the order is read.
    public let link: String
    /// True where a step was a mistake, and the order has this state again.
    public let isTakenBack: Bool?
    /// When it is ready, where staff said so with this step; RFC 3339, UTC.
    public let readyAt: String?
    /// Why it takes longer, in the words of staff; with the access token only. The order keeps its state.
    public let delayReason: String?

    package init(
        orderId: String, number: String, state: String, at: String, rejectionReason: String? = nil, link: String, isTakenBack: Bool? = nil,
        readyAt: String? = nil, delayReason: String? = nil
    ) {
        (self.orderId, self.number, self.state) = (orderId, number, state)
        (self.at, self.rejectionReason, self.link) = (at, rejectionReason, link)
        (self.isTakenBack, self.readyAt, self.delayReason) = (isTakenBack, readyAt, delayReason)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("orderId", orderId)
        writer.field("number", number)
        writer.field("state", state)
        writer.field("at", at)
        writer.fieldIfPresent("rejectionReason", rejectionReason)
        writer.field("link", link)
        writer.fieldIfPresent("isTakenBack", isTakenBack)
        writer.fieldIfPresent("readyAt", readyAt)
        writer.fieldIfPresent("delayReason", delayReason)
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
