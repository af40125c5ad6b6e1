/// The requests that a connection is admitted for; see ConnectionAdmission.
enum ConnectionUse: Sendable {
    case requests
    /// One health check. Every other request is refused as `overloaded`, which each route may answer with.
    case healthCheck
}
