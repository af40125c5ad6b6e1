// Looks at something again and again while the server runs: at intervals, and at once where somebody asks; one look after the other.
// Run by whatever in Shop keeps an eye on the database.
import ServiceLifecycle

/// Makes the looks that are asked for; those asked for while one is under way are one.
struct Poller: Sendable {
    private let asked = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    func ask() { asked.continuation.yield() }

    /// Looks when it is asked for, until the server shuts down.
    /// - Parameter isDue: Asked at the beginning and after each interval, with the number of intervals until then, whether to look.
    func run(
        every interval: Duration = .seconds(1), isDue: @escaping @Sendable (Int) -> Bool = { _ in true },
        _ look: @escaping @Sendable () async -> Void
    ) async {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    var count = 0
                    while !Task.isCancelled {
                        if isDue(count) { ask() }
                        try? await Task.sleep(for: interval)
                        count += 1
                    }
                    asked.continuation.finish()
                }
                for await _ in asked.stream { await look() }
                group.cancelAll()
            }
        }
    }
}
