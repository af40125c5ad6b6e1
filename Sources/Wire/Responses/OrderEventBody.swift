// The events of the order streams.

/// A change of an order: a new state, a new estimate or a delay.
public struct OrderEventBody: Hashable, Sendable, Decodable, JSONObject {
    /// The order's id.
    public let orderId: String
    /// The eight digits of the order.
    public let number: String
    /// The state, such as `placed` or `on_the_way`: `OrderState` of the API's description.
    public let state: String
    /// The time of the change, RFC 3339, UTC.
    public let at: String
    /// The reason that staff gave for the rejection; only with the access token.
    public let rejectionReason: String?
    /// The path of the order.
    public let link: String
    /// True if staff took a step back, so that the order has this earlier state again.
    public let isTakenBack: Bool?
    /// The estimate, if this change sets one; RFC 3339, UTC.
    public let readyAt: String?
    /// The reason of a delay, which keeps the state; only with the access token.
    public let delayReason: String?

    package init(
        orderId: String, number: String, state: String, at: String, rejectionReason: String? = nil, link: String,
        isTakenBack: Bool? = nil,
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

/// A list may have changed without an event for each member: the client has to read it again.
public struct ListChangedBody: Hashable, Sendable, Decodable, JSONObject {
    /// The path of the list.
    public let link: String

    package init(
        link: String
    ) {
        self.link = link
    }

    package func writeFields(to writer: inout JSONWriter) { writer.field("link", link) }
}
