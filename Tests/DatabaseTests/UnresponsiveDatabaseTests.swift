// A PostgreSQL whose processes are suspended accepts connections and sends no response. Tests/Tools/Chaos measures
// how soon the server reports it: the experiment `frozen`.
import Database
import Support
import Testing

@Suite("A PostgreSQL that does not respond", .timeLimit(.minutes(5)))
struct UnresponsiveDatabaseTests {
    @Test("A probe without a new session reports `unresponsive` only while the open connections do not respond")
    func silent() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            var configuration = DatabaseConfiguration(url: database.serverURL)
            (configuration.connections, configuration.sessionName) = (1, "frozen")
            configuration.statementTimeout = .seconds(60)
            let pool = try ShopDatabase(configuration, logger: .silent)
            let service = Task { try await pool.run() }
            defer { service.cancel() }
            try await eventually("the connection is open") { pool.poolUsage.openConnections == 1 }
            let probe = OrderingProbe(DatabaseConfiguration(url: "postgresql:///x?host=/nowhere"), logger: .silent)
            try await eventually("the connection responds") { await Self.isUnknown(probe, pool) }
            let process = try await database.psql(
                "select pid from pg_stat_activity where datname = current_database() and application_name = 'frozen'")
            try await whileSuspended([try #require(Int32(process))]) {
                guard case .unresponsive = await probe.run(writes: false, fallback: pool) else {
                    Issue.record("a suspended process responds")
                    return
                }
            }
            try await eventually("the connection responds after the suspension") { await Self.isUnknown(probe, pool) }
        }
    }

    private static func isUnknown(_ probe: OrderingProbe, _ pool: ShopDatabase) async -> Bool {
        if case .unknown = await probe.run(writes: false, fallback: pool) { true } else { false }
    }
}
