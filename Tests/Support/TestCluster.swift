// The PostgreSQL of a test run: a fresh embedded cluster, started by the first test that asks, gone with the process.
// Used through TestDatabase; what clears it away is ClusterGuard.swift.
import EmbeddedPostgres
import FoundationEssentials
import Logging
import Subprocess

/// The cluster that all tests of this process share.
package enum TestCluster {
    /// The superuser's URL for the database `postgres`. The first call starts the cluster; a failed start fails every test that asks.
    package static func superuserURL() async throws -> String { try await started.value.superuserURL }

    /// The running cluster, for tests that need more than a database of it.
    package static func postgres() async throws -> EmbeddedPostgres { try await started.value }

    private static let started = Task {
        let directory = try TemporaryDirectory.make()
        try ClusterGuard.watch(dataDirectory: directory)
        var logger = Logger(label: "TestCluster")
        logger.logLevel = .warning
        // Tests run side by side, each with a pool or two of its own.
        return try await EmbeddedPostgres.start(dataDirectory: directory, settings: ["max_connections": "600"], logger: logger)
    }
}
