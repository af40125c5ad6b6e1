// A staff member, and the audit.

/// `GET /v1/staff/me`.
public struct StaffMemberBody: Hashable, Sendable, Decodable, JSONObject {
    /// The name given to `welms staff add`; `token` for the token in the settings.
    public let name: String
    /// `kitchen`, `counter` or `manager`.
    public let role: String
    /// The permissions of the role, such as `move_orders`.
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

/// An element of `GET /v1/staff/audit`: a change by staff.
public struct AuditEntryBody: Hashable, Sendable, Decodable, JSONObject {
    /// Higher than the id of every earlier entry, with gaps.
    public let id: Int64
    /// The time of the change, RFC 3339, UTC.
    public let at: String
    /// The staff member's name, or `token` for the token in the settings. If `role` is null: the database user, or
    /// `the shop itself`.
    public let who: String
    /// The staff member's role; null for a change in SQL.
    public let role: String?
    /// The table, such as `menu_items`.
    public let what: String
    /// The key of the row; null for a table with a single row, such as `shop`.
    public let subject: String?
    /// The old values of the changed columns, as text; null: the row was inserted.
    public let before: [String: String?]?
    /// The new values; null: the row was deleted.
    public let after: [String: String?]?
    /// The reason, if staff gave one.
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
