// Shared helpers of the client's tests.

import StorefrontClient
import Support
import Wire

extension ClientConfiguration {
    /// A configuration whose pauses take no real time and have the maximum length.
    static func fast(_ clock: InstantClock = InstantClock(), menuFile: String? = nil) -> Self {
        var configuration = Self()
        configuration.clock = clock
        configuration.backoff = RetryBackoff { $0 }
        configuration.menuFilePath = menuFile
        return configuration
    }
}

extension TestServer {
    /// The URL of the server.
    var address: String { "http://127.0.0.1:\(port)" }
}

/// Returns the error of a call, or nil if it succeeds.
func failure(of call: () async throws(StorefrontError) -> Void) async -> StorefrontError? {
    do throws(StorefrontError) {
        try await call()
        return nil
    } catch {
        return error
    }
}
