// Who works with the orders, and what was written down of what they have changed. Loaded by Database, asked for by Web.

/// Somebody who was let in.
package struct StaffMember: Sendable, Hashable {
    package let name: String
    package let role: StaffRole

    package init(name: String, role: StaffRole) { (self.name, self.role) = (name, role) }

    /// Whoever shows the token of the settings; no member has this name.
    package static let ofTheSettings = StaffMember(name: "token", role: .manager)

    package func may(_ permission: StaffPermission) -> Bool { role.may(permission) }
}

/// One row of the audit: something that staff have changed.
package struct AuditEntry: Sendable, Hashable {
    package let id: Int64
    package let at: Instant
    /// A member's name, or the database user's.
    package let who: String
    /// The member's; nil for who did it in SQL.
    package let role: StaffRole?
    /// The table.
    package let what: String
    /// The row in it; nil where there is only one.
    package let subject: String?
    /// The columns that were others, as text; nil: there was no such row.
    package let before: [String: String?]?
    /// What they became; nil: there is none any more.
    package let after: [String: String?]?
    package let why: String?

    package init(
        id: Int64, at: Instant, who: String, role: StaffRole?, what: String, subject: String?, before: [String: String?]?,
        after: [String: String?]?, why: String?
    ) {
        (self.id, self.at, self.who, self.role, self.what, self.subject) = (id, at, who, role, what, subject)
        (self.before, self.after, self.why) = (before, after, why)
    }
}
