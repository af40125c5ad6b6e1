// Limits concurrent requests; requests beyond the limit get 503 within microseconds. Health checks and metrics are
// exempt. Queues behind the handlers shed load themselves with `Problem.overloaded()`. Hummingbird limits connections,
// not requests.
import Synchronization

/// Counts requests in flight against a limit.
final class LoadShedding: Sendable {
    private let limit: Int
    private let inFlight = Atomic<Int>(0)

    init(limit: Int) { self.limit = limit }

    /// Reserves a slot for a request; false if the limit is reached.
    func enter() -> Bool {
        guard inFlight.wrappingAdd(1, ordering: .relaxed).newValue > limit else { return true }
        leave()
        return false
    }

    func leave() { inFlight.wrappingSubtract(1, ordering: .relaxed) }
}
