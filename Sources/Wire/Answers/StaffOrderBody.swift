// An order as staff see it: what its guest sees, by when somebody has to accept it, and where it is brought to. Written by Web's StaffRoutes.

/// Every order of the staff's routes.
public struct StaffOrderBody: Hashable, Sendable, JSONObject {
    /// With its customer.
    public let order: OrderBody
    /// By when it has to be accepted, RFC 3339, UTC; null: it is, or there is no deadline.
    public let acceptBy: String?
    /// The area that its postcode lies in by now; null where there is none, where nobody told one, and where it is picked up.
    public let area: AreaBody?
    /// The mails that its guest did not get; left out if there are none.
    public let unsentMails: [UnsentMailBody]?
    /// The rejection or delivery that the server executes in some seconds; left out if there is none.
    public let pendingStep: PendingStepBody?

    package init(
        _ order: OrderBody, acceptBy: String?, area: AreaBody?, unsentMails: [UnsentMailBody]? = nil,
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

/// A step that is held back. Any member of staff can withdraw it before `until`.
public struct PendingStepBody: Hashable, Sendable, Decodable, JSONObject {
    /// `rejected` or `delivered`.
    public let state: String
    /// When the server executes it, RFC 3339, UTC.
    public let until: String
    /// The name of the member who requested it.
    public let by: String

    package init(state: String, until: String, by: String) { (self.state, self.until, self.by) = (state, until, by) }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("state", state)
        writer.field("until", until)
        writer.field("by", by)
    }
}

/// A mail that was given up.
public struct UnsentMailBody: Hashable, Sendable, Decodable, JSONObject {
    /// The state that the mail reports.
    public let state: String
    /// `address_limit`, `refused`, `expired` or `unwritable`.
    public let reason: String
    /// When it was given up, RFC 3339, UTC.
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

    /// The order's members and this one's stand side by side.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try OrderBody(from: decoder), acceptBy: try container.decodeIfPresent(String.self, forKey: .acceptBy),
            area: try container.decodeIfPresent(AreaBody.self, forKey: .area),
            unsentMails: try container.decodeIfPresent([UnsentMailBody].self, forKey: .unsentMails),
            pendingStep: try container.decodeIfPresent(PendingStepBody.self, forKey: .pendingStep))
    }
}
