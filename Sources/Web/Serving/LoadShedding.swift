// How many requests are answered at one time; what comes beyond is told to come back at once, which costs microseconds.
// Asked by Responder for each request but health checks. Queues of their own (the checkout's) shed by throwing `Problem.overloaded()`.
import Synchronization

/// Counts what is in flight against a limit.
final class LoadShedding: Sendable {
    private let limit: Int
    private let inFlight = Atomic<Int>(0)

    init(limit: Int) { self.limit = limit }

    /// Takes a place; false if there is none, and nothing was taken.
    func enter() -> Bool {
        guard inFlight.wrappingAdd(1, ordering: .relaxed).newValue > limit else { return true }
        leave()
        return false
    }

    func leave() { inFlight.wrappingSubtract(1, ordering: .relaxed) }
}
