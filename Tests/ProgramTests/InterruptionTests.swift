// SIGTERM and Ctrl-C before the server serves, and in the commands that end by themselves: the program ends soon, and so does a PostgreSQL of
// its own. Tests Sources/welms/Interruption.swift. How a server that serves ends is in CommandTests.swift.
import EmbeddedPostgres
import Foundation
import Subprocess
import Support
import Testing

@testable import welms

@Suite("Interruption", .timeLimit(.minutes(5)))
struct InterruptionTests {
    /// A command that is at a file for ten minutes, and the signal that it gets there.
    struct Case: Sendable {
        let command: [String]
        let signal: Int32
    }

    private static let cases = [
        Case(command: ["seed"], signal: SIGINT), Case(command: ["serve", "--port", "0", "--seed"], signal: SIGTERM),
    ]

    @Test("A command that is told to end at its work ends with 128 and the signal, and its own PostgreSQL with it", arguments: cases)
    func embedded(one: Case) async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let status = try await interrupted(one, ["--data-dir", directory]) { try? EmbeddedPostgres.url(dataDirectory: directory) }
            #expect(status == .exited(128 + one.signal))
            #expect(throws: EmbeddedPostgresError.notRunning(directory: directory)) { try EmbeddedPostgres.url(dataDirectory: directory) }
        }
    }

    @Test("On a database of one's own it ends at once", arguments: cases)
    func ownDatabase(one: Case) async throws {
        try await TestDatabase.with(.seeded) { database in
            let status = try await interrupted(one, ["--database-url", database.url]) { database.url }
            #expect(status == .exited(128 + one.signal))
        }
    }

    @Test("What is left of ten seconds is for PostgreSQL: five at most, one at least")
    func patience() {
        let left = [Duration.zero, .seconds(5), .seconds(8), .seconds(20)].map(Interruption.patience)
        #expect(left == [.seconds(5), .seconds(4), .seconds(1), .seconds(1)])
    }

    /// Runs the command with a file that takes ten minutes, sends the signal when the database is at it, and answers how the command ended.
    private func interrupted(
        _ one: Case, _ place: [String], _ url: @Sendable @escaping () -> String?
    ) async throws -> TerminationStatus {
        try await TemporaryDirectory.with { folder in
            let file = folder + "/long.sql"
            try Data("select pg_sleep(600);".utf8).write(to: URL(fileURLWithPath: file))
            return try await Subprocess.run(
                .path(.init(Program.path)), arguments: Arguments(one.command + [file] + place), input: .none, output: .discarded,
                error: .discarded
            ) { execution in
                let asleep = "select count(*) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'"
                try await eventually("it is at the file", within: .seconds(120)) {
                    guard let url = url() else { return false }
                    return try await Psql.run(asleep, url: url) == "1"
                }
                kill(execution.processIdentifier.value, one.signal)
            }.terminationStatus
        }
    }
}
