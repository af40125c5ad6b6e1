/// The requests that a connection is admitted for; see ConnectionAdmission.
enum ConnectionUse: Sendable {
    case requests
    /// One health check. Every other request gets `overloaded`, which each route may return.
    case healthCheck
}
