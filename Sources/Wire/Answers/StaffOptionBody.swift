// An option as staff see it, apart from the items that it is chosen with. Written by Web.

/// One of the elements of `GET /v1/staff/options`.
public struct StaffOptionBody: Hashable, Sendable, Decodable, JSONObject {
    /// The option's number.
    public let id: Int64
    /// Up to 100 characters without markup, in the language of the answer.
    public let title: String
    /// The number of the group that it is chosen from.
    public let groupId: Int64
    /// Up to 100 characters without markup, in the language of the answer.
    public let groupTitle: String
    /// False while it is sold out.
    public let isAvailable: Bool
    /// Why it can't be had; null where it can.
    public let unavailable: UnavailableBody?
    /// How many there are; null where nobody counts.
    public let left: Int64?

    package init(
        id: Int64, title: String, groupId: Int64, groupTitle: String, isAvailable: Bool, unavailable: UnavailableBody?, left: Int64?
    ) {
        (self.id, self.title, self.groupId, self.groupTitle) = (id, title, groupId, groupTitle)
        (self.isAvailable, self.unavailable, self.left) = (isAvailable, unavailable, left)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("title", title)
        writer.field("groupId", groupId)
        writer.field("groupTitle", groupTitle)
        writer.field("isAvailable", isAvailable)
        writer.field("unavailable", unavailable)
        writer.field("left", left)
    }
}
