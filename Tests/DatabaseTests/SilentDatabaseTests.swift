// A PostgreSQL whose processes are stopped: it accepts connections and answers nothing. How soon the server reports it
// is measured by the experiment `frozen` in Tests/Tools/Chaos.
import Database
import Support
import Testing

@Suite("A PostgreSQL that does not answer", .timeLimit(.minutes(5)))
struct SilentDatabaseTests {
    @Test("Without a new session, a probe finds PostgreSQL silent only while the open connections give no answer")
    func silent() async throws {
        try await TestDatabase.with(.migrated) { database async throws in
            var place = DatabaseConfiguration(url: database.serverURL)
            (place.connections, place.sessionName) = (1, "frozen")
            place.statementTimeout = .seconds(60)
            let pool = try ShopDatabase(place, logger: .silent)
            let service = Task { try await pool.run() }
            defer { service.cancel() }
            try await eventually("the connection is open") { pool.use.openConnections == 1 }
            let probe = OrderingProbe(DatabaseConfiguration(url: "postgresql:///x?host=/nowhere"), logger: .silent)
            try await eventually("the connection answers") { await Self.isUnknown(probe, pool) }
            let process = try await database.psql(
                "select pid from pg_stat_activity where datname = current_database() and application_name = 'frozen'")
            try await whileStandingStill([try #require(Int32(process))]) {
                guard case .silent = await probe.finding(writes: false, asking: pool) else {
                    Issue.record("a stopped process answers")
                    return
                }
            }
            try await eventually("the connection answers again") { await Self.isUnknown(probe, pool) }
        }
    }

    private static func isUnknown(_ probe: OrderingProbe, _ pool: ShopDatabase) async -> Bool {
        if case .unknown = await probe.finding(writes: false, asking: pool) { true } else { false }
    }
}
