// An option for staff, without the menu items that offer it.

/// An element of `GET /v1/staff/options`.
public struct StaffOptionBody: Hashable, Sendable, Decodable, JSONObject {
    /// The number of the option.
    public let id: Int64
    /// Up to 100 characters without markup, in the language of the response.
    public let title: String
    /// The number of the option group.
    public let groupId: Int64
    /// Up to 100 characters without markup, in the language of the response.
    public let groupTitle: String
    /// False while it is sold out or not served.
    public let isAvailable: Bool
    /// Why it is unavailable; null while it is available.
    public let unavailable: UnavailableBody?
    /// The units that are left; null if they are not counted.
    public let left: Int64?

    package init(
        id: Int64, title: String, groupId: Int64, groupTitle: String, isAvailable: Bool, unavailable: UnavailableBody?,
        left: Int64?
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
