// How long a stream that was lost is tried for, and with what pauses: they grow, up to the configuration's patience.
// Used by ResumingStream and, before there is a stream to resume, by ErrorEvents.

/// The failures of a stream since it was last heard of.
struct StreamPatience {
    /// The longest first pause; the server may say another one.
    var retry: Duration = .seconds(2)
    private var failures = 0
    /// When the stream was lost, by the client's clock.
    private var lostAt: Duration?

    /// The stream was heard of.
    mutating func renew() { (failures, lostAt) = (0, nil) }

    /// Waits before the path is asked for again. Throws the error where there is no point in it.
    mutating func pause(_ exchange: Exchange, path: String, after error: StorefrontError) async throws(StorefrontError) {
        guard error.isPassing else { throw error }
        failures += 1
        let now = exchange.timing.now()
        let lost = lostAt ?? now
        lostAt = lost
        var backoff = exchange.configuration.backoff
        (backoff.base, backoff.cap) = (retry, max(retry, .seconds(30)))
        let pause = backoff.pause(afterFailures: failures, retryAfter: error.retryAfter)
        guard now - lost + pause <= exchange.configuration.streamPatience else { throw error }
        exchange.configuration.logger.debug("Coming back to a stream", metadata: ["path": "\(path)", "error": "\(error)"])
        try await exchange.wait(pause)
    }
}
