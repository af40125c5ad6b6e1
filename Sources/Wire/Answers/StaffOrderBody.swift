// An order as staff see it: what its guest sees, and by when somebody has to accept it. Written by Web's StaffRoutes.

/// Every order of the staff's routes.
public struct StaffOrderBody: Hashable, Sendable, JSONObject {
    /// With its customer.
    public let order: OrderBody
    /// By when it has to be accepted, RFC 3339, UTC; null: it is, or there is no deadline.
    public let acceptBy: String?

    package init(_ order: OrderBody, acceptBy: String?) { (self.order, self.acceptBy) = (order, acceptBy) }

    package func writeFields(to writer: inout JSONWriter) {
        order.writeFields(to: &writer)
        writer.field("acceptBy", acceptBy)
    }
}

extension StaffOrderBody: Decodable {
    private enum CodingKeys: CodingKey { case acceptBy }

    /// The order's members and this one's stand side by side.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(try OrderBody(from: decoder), acceptBy: try container.decodeIfPresent(String.self, forKey: .acceptBy))
    }
}
