// Staff members, and the audit of their changes.

/// An authenticated staff member.
package struct StaffMember: Sendable, Hashable {
    package let name: String
    package let role: StaffRole

    package init(name: String, role: StaffRole) { (self.name, self.role) = (name, role) }

    /// The holder of the token in the settings. No staff member can have this name.
    package static let settingsToken = StaffMember(name: "token", role: .manager)

    package func may(_ permission: StaffPermission) -> Bool { role.may(permission) }
}

/// A row of the audit: a change by staff.
package struct AuditEntry: Sendable, Hashable {
    package let id: Int64
    package let changedAt: Instant
    /// The name of the staff member or of the database user.
    package let author: String
    /// The role of the staff member; nil for changes in SQL.
    package let role: StaffRole?
    /// The changed table.
    package let table: String
    /// The changed row; nil if the table has only one.
    package let rowID: String?
    /// The previous values of the changed columns, as text; nil: the row was inserted.
    package let before: [String: String?]?
    /// The new values of the changed columns, as text; nil: the row was deleted.
    package let after: [String: String?]?
    package let reason: String?

    package init(
        id: Int64, changedAt: Instant, author: String, role: StaffRole?, table: String, rowID: String?,
        before: [String: String?]?,
        after: [String: String?]?, reason: String?
    ) {
        (self.id, self.changedAt, self.author, self.role, self.table, self.rowID) = (
            id, changedAt, author, role, table, rowID
        )
        (self.before, self.after, self.reason) = (before, after, reason)
    }
}
