// The error channel and the server's health: for the error screen, and for those who look after a storefront.
// Read next: ErrorEvents.swift.
import Wire

extension StorefrontClient {
    /// The system's condition and its newest faults and recoveries.
    public func errors() async throws(StorefrontError) -> ErrorsBody { try await exchange.read("/v1/errors") }

    /// Faults and recoveries as they happen, after the condition as it is.
    /// - Parameter known: The id of an event to go on after; the condition is not told then.
    public func errorEvents(after known: String? = nil) -> ErrorEvents {
        ErrorEvents(exchange: exchange, known: known)
    }

    /// Throws unless the server's process answers. Asked once.
    public func liveness() async throws(StorefrontError) {
        _ = try await exchange.send(Outgoing(.GET, "/livez", .never))
    }

    /// Whether the server should get guests, with each check. Asked once; a server that says no has answered as well.
    public func readiness() async throws(StorefrontError) -> ReadinessBody {
        var outgoing = Outgoing(.GET, "/readyz", .never)
        outgoing.takes = 503
        return try await exchange.send(outgoing)
    }
}
