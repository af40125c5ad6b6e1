// Fits the number of connections to the limit of open files.
import Glibc
import Logging
import Web

/// The limit of open files (ulimit -n). It is often 1,024 and can be raised up to the hard limit.
///
/// Beyond it the listener cannot accept any connection, not even that of a health check.
enum DescriptorLimit {
    /// Descriptors for everything but guests' connections: --operations-port, the database and files.
    private static let internalDescriptors = 512

    /// Raises the limit to what the plan needs, and returns the plan with as many connections as the limit allows.
    static func raise(for plan: ServePlan, _ logger: Logger) -> ServePlan {
        // The operations port has a reserve of its own.
        let otherDescriptors = internalDescriptors + 2 * plan.web.server.reservedConnections
        let limit = raise(to: plan.web.server.maxConnections + otherDescriptors)
        let connections = max(1, limit - otherDescriptors)
        guard connections < plan.web.server.maxConnections else { return plan }
        logger.warning(
            "The limit of open files (ulimit -n) is too low for --connection-limit-total: raise it",
            metadata: ["connections": "\(connections)", "files": "\(limit)"])
        var plan = plan
        plan.web.server.maxConnections = connections
        return plan
    }

    /// Raises the limit as far as the hard limit allows, and returns it.
    private static func raise(to wanted: Int) -> Int {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(kind, &limit) == 0 else { return .max }
        if limit.rlim_cur < wanted {
            var raised = rlimit(rlim_cur: min(rlim_t(wanted), limit.rlim_max), rlim_max: limit.rlim_max)
            if setrlimit(kind, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
