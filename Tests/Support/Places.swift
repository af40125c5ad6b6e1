// How many shops the tests of one process have open at the same moment. Swift Testing starts all tests at once; a hundred servers
// with a hundred pools on two cores would time out against each other and prove nothing. Used by TestShop.

/// So many may be in; who comes later waits for somebody to leave, in the order of coming.
actor Places {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// So many places, all free.
    init(_ count: Int) { free = count }

    /// Runs the closure with a place of its own.
    func with<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
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
