// Blocks a handler until a test continues it.

/// Suspends its callers until it is opened, and lets a test await the first caller.
package final class Gate: Sendable {
    private let opening: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation) =
        AsyncStream.makeStream()
    private let arrived: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation) =
        AsyncStream.makeStream()

    package init() {}

    package func wait() async {
        arrived.continuation.yield()
        for await _ in opening.stream {}
    }

    package func waitForCaller() async {
        var iterator = arrived.stream.makeAsyncIterator()
        await iterator.next()
    }

    package func open() {
        opening.continuation.finish()
    }
}
