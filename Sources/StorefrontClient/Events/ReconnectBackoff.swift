// The growing pauses between attempts to reconnect a stream, up to `streamReconnectTimeout` in total.

/// The failures of a stream since its last event or heartbeat.
struct ReconnectBackoff {
    /// The maximum of the first pause. The server may set another value.
    var baseDelay: Duration = .seconds(2)
    private var failureCount = 0
    /// The time of the first failure, by the client's clock.
    private var firstFailureAt: Duration?

    /// Forgets the failures, because the stream works again.
    mutating func reset() { (failureCount, firstFailureAt) = (0, nil) }

    /// Waits before the next attempt. Rethrows the error if it is permanent or the total time is used up.
    mutating func waitBeforeReconnecting(_ transport: Transport, path: String, after error: StorefrontError)
        async throws(StorefrontError)
    {
        guard error.isTransient else { throw error }
        failureCount += 1
        let now = transport.clock.now()
        let start = firstFailureAt ?? now
        firstFailureAt = start
        var backoff = transport.configuration.backoff
        (backoff.base, backoff.cap) = (baseDelay, max(baseDelay, .seconds(30)))
        let pause = backoff.pause(afterFailures: failureCount, retryAfter: error.retryAfter)
        guard now - start + pause <= transport.configuration.streamReconnectTimeout else { throw error }
        transport.configuration.logger.debug(
            "Reconnecting to an event stream", metadata: ["path": "\(path)", "error": "\(error)"])
        try await transport.sleep(pause)
    }
}
