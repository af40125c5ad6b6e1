// What every test of the client starts with: a configuration that waits for nobody, and a form in which everything is right.

import StorefrontClient
import Support
import Wire

extension ClientConfiguration {
    /// Waits take no time and pauses are as long as they may be.
    static func fast(_ clock: InstantClock = InstantClock(), menuFile: String? = nil) -> Self {
        var configuration = Self()
        configuration.clock = clock
        configuration.backoff = Backoff { $0 }
        configuration.menuFile = menuFile
        return configuration
    }
}

extension TestServer {
    /// The server's address.
    var address: String { "http://127.0.0.1:\(port)" }
}

/// What a call throws; nil if it goes well.
func failure(of call: () async throws(StorefrontError) -> Void) async -> StorefrontError? {
    do throws(StorefrontError) {
        try await call()
        return nil
    } catch {
        return error
    }
}
