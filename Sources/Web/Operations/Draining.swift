// The beginning of a shutdown: /readyz says no while everybody is still served, so that a load balancer sends new guests elsewhere
// before connections are refused. The last of the services, so the first to be stopped. Started by ShopApplication.swift.
import ServiceLifecycle

/// Waits for the shutdown, tells the readiness, and holds the other services' shutdown back for a moment.
struct Draining: Service {
    let readiness: Readiness
    let notice: Duration

    func run() async throws {
        // Cancelled: there is no shutdown to prepare.
        guard (try? await gracefulShutdown()) != nil else { return }
        readiness.drain()
        try? await Task.sleep(for: notice)
    }
}
