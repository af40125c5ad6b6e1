// How many files and connections the process may have open. The limit that is in force (ulimit -n) is often 1,024 and may be
// raised up to the hard limit; beyond it the listener could accept no connection, not even that of a health check.
import Glibc
import Logging
import Web

enum DescriptorLimit {
    /// Descriptors that the process needs besides connections of clients on --port: --operations-port, the database,
    /// files.
    private static let ownUse = 512

    /// Raises the limit to what the plan needs, and lowers the limit of connections to what fits.
    static func fitting(_ plan: ServePlan, _ logger: Logger) -> ServePlan {
        // The port of operations has a few connections and a reserve of its own.
        let besides = ownUse + 2 * plan.web.reservedConnections
        let most = raise(to: plan.web.maxConnections + besides)
        let fitting = max(1, most - besides)
        guard fitting < plan.web.maxConnections else { return plan }
        logger.warning(
            "Fewer connections than --connection-limit-total: the limit of open files (ulimit -n) is too low",
            metadata: ["connections": "\(fitting)", "files": "\(most)"])
        var plan = plan
        plan.web.maxConnections = fitting
        return plan
    }

    /// The limit after it was raised as far as allowed.
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
