// The first phase of a shutdown: /readyz fails while requests are still served, so that load balancers redirect new
// guests. This service is the last in the list and therefore stops first.
import ServiceLifecycle

/// Waits for the shutdown, marks the server as draining, and delays the shutdown of the other services.
struct Draining: Service {
    let readiness: Readiness
    let notice: Duration

    func run() async throws {
        // Cancelled without a graceful shutdown: nothing to drain.
        guard (try? await gracefulShutdown()) != nil else { return }
        readiness.markDraining()
        try? await Task.sleep(for: notice)
    }
}
