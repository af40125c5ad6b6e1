// Liveness and readiness for orchestrators. Never rejected by load shedding.
import HTTPServing
import ServiceLifecycle
import Wire

/// `GET /livez` and `GET /readyz`.
struct HealthRoutes: Routes {
    let readiness: Readiness
    let version: ProgramVersion

    func add(to routes: inout RouteTable) {
        routes.get("/livez", "Whether the process is alive, independent of the database", bypassesLoadShedding: true) {
            _, _ in
            .json(
                LivenessBody(version: version.number, commit: version.commit, isChanged: version.hasUncommittedChanges))
        }
        routes.get("/readyz", "Whether this server should receive guests, with each check", bypassesLoadShedding: true)
        { _, _ in
            let (isReady, status, checks) = readiness.report(isShuttingDown: Task.isShuttingDownGracefully)
            let body = ReadinessBody(
                status: status,
                checks: checks.map { name, result in
                    switch result {
                    case .ok: ReadinessCheckBody(name: name, status: "ok")
                    case .degraded(let detail): ReadinessCheckBody(name: name, status: "degraded", detail: detail)
                    case .failed(let detail): ReadinessCheckBody(name: name, status: "failed", detail: detail)
                    }
                })
            return .json(body, status: isReady ? .ok : .serviceUnavailable)
        }
    }
}
