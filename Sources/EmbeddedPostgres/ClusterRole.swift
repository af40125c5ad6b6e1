// The roles that a new cluster has besides its superuser. The database schema grants their privileges.

/// A role of the embedded cluster. A system user who may connect may connect as any role. The roles protect against
/// mistakes and against a compromised server, not against the user who runs the cluster.
package enum ClusterRole: String, Sendable, CaseIterable {
    /// Owns the database `welms`, and is a member of the other two.
    case owner = "welms_owner"
    /// The role for staff members.
    case staff = "welms_staff"
    /// The role for the server.
    case server = "welms_server"

    /// The commands that create the roles and the database, one per line, as single-user mode requires.
    static let creationScript =
        allCases.map { "create role \($0.rawValue) login\n" }.joined()
        + "grant \(staff.rawValue), \(server.rawValue) to \(owner.rawValue)\n"
        + "create database welms owner \(owner.rawValue)\n"

    /// The lines of pg_ident.conf that map a system user to all roles and to the superuser.
    static func identLines(for systemUser: String) -> String {
        (allCases.map(\.rawValue) + ["postgres"]).map { "welms   \(systemUser)   \($0)\n" }.joined()
    }
}
