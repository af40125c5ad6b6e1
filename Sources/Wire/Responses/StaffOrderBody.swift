// An order for staff: the guest's view, the acceptance deadline and the delivery area.

/// An order in the responses of the staff routes.
public struct StaffOrderBody: Hashable, Sendable, JSONObject {
    /// The order with the guest's details.
    public let order: OrderBody
    /// The acceptance deadline, RFC 3339, UTC; null: the order is accepted, or there is no deadline.
    public let acceptBy: String?
    /// The current delivery area of the postcode; null without one, without a postcode, and for a pickup.
    public let area: DeliveryAreaBody?
    /// The mails that could not be sent to the guest; left out if empty.
    public let unsentMails: [UnsentMailBody]?
    /// The rejection or delivery that the server executes in a few seconds; else left out.
    public let pendingStep: PendingStepBody?

    package init(
        _ order: OrderBody, acceptBy: String?, area: DeliveryAreaBody?, unsentMails: [UnsentMailBody]? = nil,
        pendingStep: PendingStepBody? = nil
    ) {
        (self.order, self.acceptBy, self.area, self.unsentMails) = (order, acceptBy, area, unsentMails)
        self.pendingStep = pendingStep
    }

    package func writeFields(to writer: inout JSONWriter) {
        order.writeFields(to: &writer)
        writer.field("acceptBy", acceptBy)
        writer.field("area", area)
        writer.fieldIfPresent("unsentMails", unsentMails)
        writer.fieldIfPresent("pendingStep", pendingStep)
    }
}

/// A pending step. Every staff member can take it back before `until`.
public struct PendingStepBody: Hashable, Sendable, Decodable, JSONObject {
    /// `rejected` or `delivered`.
    public let state: String
    /// When the server executes it, RFC 3339, UTC.
    public let until: String
    /// The name of the staff member who requested it.
    public let by: String

    package init(state: String, until: String, by: String) { (self.state, self.until, self.by) = (state, until, by) }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("state", state)
        writer.field("until", until)
        writer.field("by", by)
    }
}

/// A mail that was not sent.
public struct UnsentMailBody: Hashable, Sendable, Decodable, JSONObject {
    /// The state that the mail reports.
    public let state: String
    /// `address_limit`, `refused`, `expired` or `unwritable`.
    public let reason: String
    /// The time at which the server gave up, RFC 3339, UTC.
    public let at: String

    package init(state: String, reason: String, at: String) { (self.state, self.reason, self.at) = (state, reason, at) }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("state", state)
        writer.field("reason", reason)
        writer.field("at", at)
    }
}

extension StaffOrderBody: Decodable {
    private enum CodingKeys: CodingKey { case acceptBy, area, unsentMails, pendingStep }

    /// Decodes the order and the members for staff from the same object.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try OrderBody(from: decoder), acceptBy: try container.decodeIfPresent(String.self, forKey: .acceptBy),
            area: try container.decodeIfPresent(DeliveryAreaBody.self, forKey: .area),
            unsentMails: try container.decodeIfPresent([UnsentMailBody].self, forKey: .unsentMails),
            pendingStep: try container.decodeIfPresent(PendingStepBody.self, forKey: .pendingStep))
    }
}
