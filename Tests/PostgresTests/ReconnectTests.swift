// Restarts of the database, several hosts of which some are unreachable, and the back-off.

import EmbeddedPostgres
import Foundation
import Support
import Testing

@testable import Postgres

@Suite("Reconnecting")
struct ReconnectTests {
    private let echo = Statement("echo", "select $1::int8")

    @Test("Statements succeed within 3 s after the database restarts, and fail as unavailable until then")
    func restart() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let health = HealthRecorder()
            let first = try await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet)
            try await withPool(
                url: first.url, { $0.waitForConnection = .milliseconds(100) }, onHealthChange: { health.add($0) }
            ) { pool in
                _ = try await eventually("a read succeeds") { try? await pool.values(echo, .reads, 1) }
                await first.stop()
                let error = await postgresError { try await pool.values(echo, .reads, 2) }
                guard case .unavailable = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                // Long enough for the back-off to reach its longest delay.
                try await Task.sleep(for: .seconds(1))
                let second = try await EmbeddedPostgres.start(dataDirectory: directory, logger: quiet)
                let start = ContinuousClock.now
                let rows = try await eventually("a read succeeds after the restart") {
                    try? await pool.values(echo, .reads, 3)
                }
                #expect(rows == [3])
                #expect(ContinuousClock.now - start < .seconds(3))
                #expect(health.all.prefix(3).map { $0 == .healthy } == [true, false, true])
                await second.stop()
            }
        }
    }

    @Test("Of several hosts, the reachable one is used, and target_session_attrs is respected")
    func severalHosts() async throws {
        let url = try await testDatabaseURL()
        try #require(url.contains("host="))
        let hosts = url.replacingOccurrences(of: "host=", with: "host=/nowhere,")
        let connection = try await PostgresConnection.connect(hosts + "&target_session_attrs=read-write", logger: quiet)
        #expect(try await connection.values(echo, .reads, 1) == [1])
        await connection.close()
        let error = await postgresError {
            try await PostgresConnection.connect(hosts + "&target_session_attrs=standby", logger: quiet)
        }
        guard case .unavailable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("The back-off starts at 50 ms, doubles up to 1 s, and is randomised")
    func backoff() {
        var firsts: Set<Duration> = []
        for _ in 0..<100 {
            var backoff = Backoff()
            var longest = Duration.milliseconds(50)
            for step in 0..<20 {
                let pause = backoff.next()
                #expect(pause >= longest / 2 && pause <= longest)
                if step == 0 { firsts.insert(pause) }
                longest = min(longest * 2, .seconds(1))
            }
        }
        #expect(firsts.count > 50)
    }
}
