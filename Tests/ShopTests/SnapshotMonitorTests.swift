// The server warns about old snapshots, once each, and logs their end. Tests Sources/Shop/Snapshots. HeldSnapshotTests
// covers the kinds of holders.
import Database
import EmbeddedPostgres
import Postgres
import Support
import Testing

@testable import Shop

@Suite("Monitoring of old snapshots", .timeLimit(.minutes(5)))
struct SnapshotMonitorTests {
    @Test("The log warns once of an open transaction that is older than the limit, and says when it has ended")
    func openTransaction() async throws {
        try await ShopFixture.with { fixture async throws in
            try await expectReport(fixture, role: .owner, text: "0 minutes and ")
        }
    }

    @Test("A transaction whose begin is hidden is reported when it was observed for longer than the limit")
    func hiddenBegin() async throws {
        try await ShopFixture.with { fixture async throws in
            try await expectReport(fixture, role: nil, text: "database \(fixture.database.name)) has held a snapshot")
        }
    }

    /// Holds a snapshot and expects the warning, the metric and the end.
    /// - Parameter role: nil: the superuser, whose sessions the owner may not see.
    private func expectReport(_ fixture: ShopFixture, role: ClusterRole?, text: String) async throws {
        let log = LogRecorder()
        let monitor = SnapshotMonitor(
            database: fixture.storage, ageLimit: .seconds(1), interval: .milliseconds(50), logger: log.logger)
        let service = Task { try await monitor.run() }
        let name = "dump of \(fixture.database.name)"
        let user = role?.rawValue ?? "postgres"
        let dump = try await PostgresConnection.connect(
            fixture.database.url.replacing("//\(ClusterRole.owner.rawValue)@", with: "//\(user)@"),
            sessionSettings: ["application_name": name], logger: .silent)
        try await dump.run(script: "begin isolation level repeatable read; select count(*) from orders")
        // An unknown age counts only if the snapshot has a cost.
        try await fixture.database.psql(
            "do $$ begin for n in 1..1001 loop perform pg_current_xact_id(); commit; end loop; end $$")
        func lines(_ level: String) -> [String] {
            log.lines.withLock { $0.filter { $0.hasPrefix(level) && $0.contains(name) } }
        }
        try await eventually("the log warns") { !lines("warning a snapshot is old").isEmpty }
        #expect(monitor.oldestAgeSeconds >= 1)
        let warning = lines("warning").first ?? ""
        #expect(warning.contains(text) && warning.contains("user \(user)"), "\(warning)")
        #expect(warning.contains("select pg_terminate_backend(\(dump.processID))"), "\(warning)")
        try await dump.run(script: "commit")
        await dump.close()
        try await eventually("the log says that it has ended") { !lines("notice the old snapshot has ended").isEmpty }
        #expect(lines("warning").count == 1)
        service.cancel()
        _ = await service.result
    }
}
