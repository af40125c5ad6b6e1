// Runs an action at intervals, and at once on request, one run after the other.
import ServiceLifecycle

/// Runs an action repeatedly. Requests during a run are merged into one.
struct Poller: Sendable {
    private let requests = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Requests a run.
    func trigger() { requests.continuation.yield() }

    /// Runs the action on request and at intervals until the server shuts down.
    /// - Parameter isDue: Called at the start and after each interval, with the number of intervals so far.
    ///   Returns whether to run the action.
    func run(
        every interval: Duration = .seconds(1), isDue: @escaping @Sendable (Int) -> Bool = { _ in true },
        _ action: @escaping @Sendable () async -> Void
    ) async {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    var count = 0
                    while !Task.isCancelled {
                        if isDue(count) { trigger() }
                        try? await Task.sleep(for: interval)
                        count += 1
                    }
                    requests.continuation.finish()
                }
                for await _ in requests.stream { await action() }
                group.cancelAll()
            }
        }
    }
}
