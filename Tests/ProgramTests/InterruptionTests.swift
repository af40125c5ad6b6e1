// SIGTERM, Ctrl-C and SIGKILL while a command runs or a server starts.
// CommandTests has the shutdown of a serving server.
import Database
import EmbeddedPostgres
import Foundation
import Postgres
import Subprocess
import Support
import Testing

@testable import welms

@Suite("Interruption", .timeLimit(.minutes(5)))
struct InterruptionTests {
    /// A command that loads a seed file for ten minutes, and the signal that interrupts it.
    struct Case: Sendable {
        let command: [String]
        let signal: Int32
    }

    private static let cases = [
        Case(command: ["seed"], signal: SIGINT), Case(command: ["serve", "--port", "0", "--seed"], signal: SIGTERM),
    ]

    @Test(
        "A signal ends a running command with the status 128 + signal, and stops its embedded PostgreSQL",
        arguments: cases)
    func embedded(interruption: Case) async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let status = try await interrupted(interruption, ["--data-dir", directory]) {
                try? EmbeddedPostgres.url(dataDirectory: directory)
            }
            #expect(status == .exited(128 + interruption.signal))
            #expect(throws: EmbeddedPostgresError.notRunning(directory: directory)) {
                try EmbeddedPostgres.url(dataDirectory: directory)
            }
        }
    }

    @Test("A signal ends a command on the operator's own database with the status 128 + signal", arguments: cases)
    func ownDatabase(interruption: Case) async throws {
        try await TestDatabase.with(.seeded) { database in
            let status = try await interrupted(interruption, ["--database-url", database.url]) { database.url }
            #expect(status == .exited(128 + interruption.signal))
        }
    }

    @Test("A migration whose process is killed is rolled back by PostgreSQL, and the next run applies it")
    func killedMigration() async throws {
        try await TestDatabase.with { database in
            let shipped = try Migration.shipped()
            try await Migrator(url: database.url, migrations: Array(shipped.dropLast()), logger: .silent).migrate()
            // The migration can be executed, but not recorded.
            let holder = try await PostgresConnection.connect(database.url, logger: .silent)
            try await holder.run(script: "begin; lock table schema_migrations in share mode")
            let sessions = """
                from pg_stat_activity where datname = current_database() and application_name = 'welms migrate'
                """
            let status = try await Subprocess.run(
                .path(.init(Program.path)), arguments: ["migrate", "--database-url", database.url],
                input: .none, output: .discarded, error: .discarded
            ) { execution in
                try await eventually("the migration waits", within: .seconds(120)) {
                    try await database.psql("select count(*) \(sessions) and wait_event_type = 'Lock'") == "1"
                }
                kill(execution.processIdentifier.value, SIGKILL)
            }.terminationStatus
            #expect(status == .signaled(SIGKILL))
            // The lock is still held: PostgreSQL notices the end of the process while the migration waits.
            try await eventually("the session of the killed process ends") {
                try await database.psql("select count(*) \(sessions)") == "0"
            }
            await holder.close()
            let again = try await Program.run(["migrate", "--database-url", database.url])
            #expect(again.status == 0 && again.output.trimmed == "applied \(shipped.last?.name ?? "")", "\(again)")
        }
    }

    @Test("PostgreSQL's shutdown timeout is the rest of nine seconds, at least one second and at most five")
    func patience() {
        let left = [Duration.zero, .seconds(5), .seconds(8), .seconds(20)].map(Interruption.shutdownTimeout)
        #expect(left == [.seconds(5), .seconds(4), .seconds(1), .seconds(1)])
    }

    /// Runs the command with a file that takes ten minutes, signals it meanwhile, and returns the exit status.
    private func interrupted(
        _ interruption: Case, _ database: [String], _ url: @Sendable @escaping () -> String?
    ) async throws -> TerminationStatus {
        try await TemporaryDirectory.with { folder in
            let file = folder + "/long.sql"
            try Data("select pg_sleep(600);".utf8).write(to: URL(fileURLWithPath: file))
            return try await Subprocess.run(
                .path(.init(Program.path)), arguments: Arguments(interruption.command + [file] + database),
                input: .none, output: .discarded,
                error: .discarded
            ) { execution in
                let sleeping = """
                    select count(*) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'
                    """
                try await eventually("the file is being loaded", within: .seconds(120)) {
                    guard let url = url() else { return false }
                    return try await Psql.run(sleeping, url: url) == "1"
                }
                kill(execution.processIdentifier.value, interruption.signal)
            }.terminationStatus
        }
    }
}
