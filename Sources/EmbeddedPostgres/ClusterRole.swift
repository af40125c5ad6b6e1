// The roles that a cluster of ours is born with, beside its superuser. What each may do is decided by who fills the database.
// Made by NewCluster, named by EmbeddedPostgres.url.

/// A role of the embedded cluster. Whoever may connect may connect as any of them: they guard against slips and against a server that was
/// taken over, not against the user who runs it all.
package enum ClusterRole: String, Sendable, CaseIterable {
    /// Owns the database `welms`, and is a member of the other two.
    case owner = "welms_owner"
    /// For people.
    case staff = "welms_staff"
    /// For the server.
    case server = "welms_server"

    /// In the words of single-user mode: a command a line.
    static let birth =
        allCases.map { "create role \($0.rawValue) login\n" }.joined()
        + "grant \(staff.rawValue), \(server.rawValue) to \(owner.rawValue)\n"
        + "create database welms owner \(owner.rawValue)\n"

    /// The lines of pg_ident.conf that let a system user be any of them, and the superuser.
    static func lines(for systemUser: String) -> String {
        (allCases.map(\.rawValue) + ["postgres"]).map { "welms   \(systemUser)   \($0)\n" }.joined()
    }
}
