// Staff members, and the audit of their changes.

/// An authenticated staff member.
package struct StaffMember: Sendable, Hashable {
    package let name: String
    package let role: StaffRole

    package init(name: String, role: StaffRole) { (self.name, self.role) = (name, role) }

    /// The holder of the token in the settings. No staff member can have this name.
    package static let ofTheSettings = StaffMember(name: "token", role: .manager)

    package func may(_ permission: StaffPermission) -> Bool { role.may(permission) }
}

/// A row of the audit: a change by staff.
package struct AuditEntry: Sendable, Hashable {
    package let id: Int64
    package let at: Instant
    /// The name of the staff member or of the database user.
    package let who: String
    /// The role of the staff member; nil for changes in SQL.
    package let role: StaffRole?
    /// The changed table.
    package let what: String
    /// The changed row; nil if the table has only one.
    package let subject: String?
    /// The previous values of the changed columns, as text; nil: the row was inserted.
    package let before: [String: String?]?
    /// The new values of the changed columns, as text; nil: the row was deleted.
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
