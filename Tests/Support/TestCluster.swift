// The PostgreSQL of a test run: a fresh embedded cluster, started by the first test that needs it.
// ClusterGuard removes it with the process.
import EmbeddedPostgres
import FoundationEssentials
import Logging
import Subprocess

/// The cluster that all tests of this process share.
package enum TestCluster {
    /// The superuser's URL for the database `postgres`. The first call starts the cluster.
    /// If the start fails, every test that needs the cluster fails.
    package static func superuserURL() async throws -> String { try await started.value.superuserURL }

    /// The running cluster, for tests that need more than a database of it.
    package static func postgres() async throws -> EmbeddedPostgres { try await started.value }

    private static let started = Task {
        let directory = try TemporaryDirectory.make()
        try ClusterGuard.watch(dataDirectory: directory)
        var logger = Logger(label: "TestCluster")
        logger.logLevel = .warning
        // Tests run concurrently, each with one or two pools.
        return try await EmbeddedPostgres.start(
            dataDirectory: directory, settings: ["max_connections": "600"], logger: logger)
    }
}
