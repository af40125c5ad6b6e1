// An order as staff see it: what its guest sees, by when somebody has to accept it, and where it is brought to. Written by Web's StaffRoutes.

/// Every order of the staff's routes.
public struct StaffOrderBody: Hashable, Sendable, JSONObject {
    /// With its customer.
    public let order: OrderBody
    /// By when it has to be accepted, RFC 3339, UTC; null: it is, or there is no deadline.
    public let acceptBy: String?
    /// The area that its postcode lies in by now; null where there is none, where nobody told one, and where it is picked up.
    public let area: AreaBody?

    package init(_ order: OrderBody, acceptBy: String?, area: AreaBody?) {
        (self.order, self.acceptBy, self.area) = (order, acceptBy, area)
    }

    package func writeFields(to writer: inout JSONWriter) {
        order.writeFields(to: &writer)
        writer.field("acceptBy", acceptBy)
        writer.field("area", area)
    }
}

extension StaffOrderBody: Decodable {
    private enum CodingKeys: CodingKey { case acceptBy, area }

    /// The order's members and this one's stand side by side.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try OrderBody(from: decoder), acceptBy: try container.decodeIfPresent(String.self, forKey: .acceptBy),
            area: try container.decodeIfPresent(AreaBody.self, forKey: .area))
    }
}
