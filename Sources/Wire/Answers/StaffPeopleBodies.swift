// Who a member of staff is, and what staff have changed. Written by Web's StaffPeopleRoutes.

/// `GET /v1/staff/me`.
public struct StaffMemberBody: Hashable, Sendable, Decodable, JSONObject {
    /// As `welms staff add` was told it; `token` for the token of the settings.
    public let name: String
    /// `kitchen`, `counter` or `manager`.
    public let role: String
    /// What the role may do, such as `move_orders`.
    public let permissions: [String]

    package init(name: String, role: String, permissions: [String]) {
        (self.name, self.role, self.permissions) = (name, role, permissions)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("name", name)
        writer.field("role", role)
        writer.field("permissions", permissions)
    }
}

/// One of the elements of `GET /v1/staff/audit`: something that staff have changed.
public struct AuditEntryBody: Hashable, Sendable, Decodable, JSONObject {
    /// Higher than those of all earlier entries, with gaps.
    public let id: Int64
    /// When; RFC 3339, UTC.
    public let at: String
    /// A member's name; `token` for the token of the settings; the database user's where `role` is null, or `the shop itself`.
    public let who: String
    /// The member's; null for what was done in SQL.
    public let role: String?
    /// The table, such as `menu_items`.
    public let what: String
    /// The row's key in it; null where there is only one row, as in `shop`.
    public let subject: String?
    /// The columns that are others now, as text; null: there was no such row.
    public let before: [String: String?]?
    /// What they became; null: there is no such row any more.
    public let after: [String: String?]?
    /// The reason, where one was given.
    public let why: String?

    package init(
        id: Int64, at: String, who: String, role: String?, what: String, subject: String?, before: [String: String?]?,
        after: [String: String?]?, why: String?
    ) {
        (self.id, self.at, self.who, self.role, self.what, self.subject) = (id, at, who, role, what, subject)
        (self.before, self.after, self.why) = (before, after, why)
    }

    package func writeFields(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("at", at)
        writer.field("who", who)
        writer.field("role", role)
        writer.field("what", what)
        writer.field("subject", subject)
        writer.field("before", before)
        writer.field("after", after)
        writer.field("why", why)
    }
}
