// The pauses between attempts to reconnect a stream. They grow, up to the configured total.

/// The failures of a stream since its last event or heartbeat.
struct StreamPatience {
    /// The maximum of the first pause. The server may set another value.
    var retry: Duration = .seconds(2)
    private var failureCount = 0
    /// The time of the first failure, by the client's clock.
    private var firstFailureAt: Duration?

    /// Forgets the failures, because the stream works again.
    mutating func renew() { (failureCount, firstFailureAt) = (0, nil) }

    /// Waits before the next attempt. Rethrows the error if it is permanent or the total time is used up.
    mutating func pause(_ transport: Exchange, path: String, after error: StorefrontError) async throws(StorefrontError) {
        guard error.isPassing else { throw error }
        failureCount += 1
        let now = transport.timing.now()
        let start = firstFailureAt ?? now
        firstFailureAt = start
        var backoff = transport.configuration.backoff
        (backoff.base, backoff.cap) = (retry, max(retry, .seconds(30)))
        let pause = backoff.pause(afterFailures: failureCount, retryAfter: error.retryAfter)
        guard now - start + pause <= transport.configuration.streamPatience else { throw error }
        transport.configuration.logger.debug("Reconnecting to an event stream", metadata: ["path": "\(path)", "error": "\(error)"])
        try await transport.wait(pause)
    }
}
