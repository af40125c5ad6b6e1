// Limits how many shops the tests of one process open at the same time. Swift Testing starts all tests at once.
// A hundred servers with a hundred pools on two cores would time out and prove nothing.

/// A counting semaphore with a first-in, first-out queue.
actor ConcurrencyLimit {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Creates a limiter with this many permits.
    init(_ count: Int) { free = count }

    /// Runs the closure while it holds a permit.
    func run<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        await enter()
        defer { leave() }
        return try await body()
    }

    private func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
