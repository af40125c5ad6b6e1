// The error channel and the server's health, for error screens and for operators.
import Wire

extension StorefrontClient {
    /// Returns the condition of the system and its latest faults and recoveries.
    public func errors() async throws(StorefrontError) -> ErrorsBody { try await transport.read("/v1/errors") }

    /// Follows the error channel: the current condition, then faults and recoveries as they occur.
    /// - Parameter known: The id of the event to resume after. The condition is then omitted.
    public func errorEvents(after known: String? = nil) -> ErrorEventSequence {
        ErrorEventSequence(transport: transport, known: known)
    }

    /// Throws unless the server's process responds. The request is not retried.
    public func liveness() async throws(StorefrontError) {
        _ = try await transport.send(OutgoingRequest(.GET, "/livez", .never))
    }

    /// Returns the readiness with each health check, also from a server that is not ready. The request is not retried.
    public func readiness() async throws(StorefrontError) -> ReadinessBody {
        var outgoing = OutgoingRequest(.GET, "/readyz", .never)
        outgoing.additionalSuccessStatus = 503
        return try await transport.send(outgoing)
    }
}
