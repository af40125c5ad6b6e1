// The roles as an operator meets them on the command line: --owner-url, and `welms url --role`. Read next: sql/009_roles.sql.
import Foundation
import Logging
import Postgres
import Support
import Testing

@Suite("Commands: roles")
struct RoleCommandTests {
    private static let users =
        "select string_agg(distinct usename, ',') from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"

    @Test("The server connects as welms_server; what that role may not do is done over --owner-url, or refused in one line")
    func ownerURL() async throws {
        try await TestDatabase.with { database in
            let alone = try await Program.run(["serve", "--database-url", database.serverURL, "--port", "0"])
            #expect(alone.status == 1 && alone.error.trimmed.split(separator: "\n").count == 1, "\(alone.error)")
            #expect(alone.error.contains("not applied") && alone.error.contains("--owner-url"), "\(alone.error)")

            _ = try await Program.serve(
                ["--database-url", database.serverURL, "--port", "0"], environment: ["WELMS_OWNER_URL": database.url]
            ) {
                _ in
                try await eventually("only the server is connected") { try await database.psql(Self.users) == "welms_server" }
            }
            let (log, _) = try await Program.serve(["--database-url", database.serverURL, "--port", "0"]) { $0.log() }
            #expect(log.count { $0.contains("only checked") } == 1, "\(log)")
        }
        let lonely = try await Program.run(["serve", "--owner-url", "postgresql://nowhere", "--data-dir", "/nowhere"])
        #expect(lonely.status == 1 && lonely.error.contains("--database-url"), "\(lonely.error)")
    }

    @Test("migrate and seed use --owner-url before the server's URL")
    func migrate() async throws {
        try await TestDatabase.with { database in
            let environment = ["DATABASE_URL": database.serverURL, "WELMS_OWNER_URL": database.url]
            let applied = try await Program.run(["migrate"], environment: environment)
            #expect(applied.status == 0 && applied.output.contains("applied 009_roles.sql"), "\(applied)")
            let seeded = try await Program.run(["seed"], environment: environment)
            #expect(seeded.status == 0, "\(seeded)")
            let doctor = try await Program.run(["doctor", "--port", "0"], environment: environment)
            #expect(doctor.status == 0 && doctor.output.contains("ok       roles"), "\(doctor)")

            let mixed = try await Program.run(
                ["doctor", "--port", "0"], environment: ["DATABASE_URL": database.url, "WELMS_OWNER_URL": database.serverURL])
            #expect(mixed.status == 1 && mixed.output.contains("PROBLEM  roles: welms_server"), "\(mixed)")
            let loose = try await Program.run(
                ["doctor", "--port", "0"], environment: ["DATABASE_URL": database.url, "WELMS_OWNER_URL": database.url])
            #expect(loose.status == 1 && loose.output.contains("PROBLEM  roles: the server's role welms_owner"), "\(loose)")
        }
    }

    @Test("Neither migrate nor a start of the server changes how long an operator lets staff's transactions stay open")
    func openTransactions() async throws {
        try await TestDatabase.with { database in
            let environment = ["DATABASE_URL": database.serverURL, "WELMS_OWNER_URL": database.url]
            @Sendable func timeout() async throws -> String {
                try await database.staff("show idle_in_transaction_session_timeout")
            }
            _ = try await Program.run(["migrate"], environment: environment)
            #expect(try await timeout() == "10min")
            try await database.staff(
                """
                alter role welms_staff in database "\(database.name)" set idle_in_transaction_session_timeout = '90min'
                """)
            _ = try await Program.run(["migrate"], environment: environment)
            _ = try await Program.serve(["--port", "0"], environment: environment) { _ in
                let kept = try await timeout()
                #expect(kept == "90min")
            }
            #expect(try await timeout() == "90min")
        }
    }

    @Test("The embedded cluster's server is welms_server, its owner has migrated, and url names each role")
    func embedded() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            _ = try await Program.serve(["--data-dir", directory, "--port", "0"]) { _ in
                func url(_ arguments: String...) async throws -> String {
                    try await Program.run(["url", "--data-dir", directory] + arguments).output.trimmed
                }
                for (role, name) in [("owner", "welms_owner"), ("staff", "welms_staff"), ("server", "welms_server")] {
                    let user = try await Psql.run("select current_user", url: url("--role", role))
                    #expect(user == name)
                }
                try await Psql.run("update shop set time_zone = 'Asia/Kolkata'", url: url("--role", "staff"))
                let staff = try await PostgresConnection.connect(url("--role", "staff"), logger: .silent)
                let midnight = try await staff.query(
                    Statement("midnight", "select '2027-01-01'::timestamptz = '2026-12-31 18:30Z'"), .reads
                ) {
                    row in try row.next(Bool.self)
                }
                await staff.close()
                #expect(midnight == [true], "a date without a zone is one of the shop's")
                let owner = try await url()
                // A session ends some moments after its connection is closed.
                try await eventually("only the server is connected") { try await Psql.run(Self.users, url: owner) == "welms_server" }
                let seen = try await Psql.run(
                    "select distinct tableowner from pg_tables where schemaname = 'public'; select count(*) > 0 from menu_items", url: owner
                )
                #expect(seen == "welms_owner\nt")
            }
        }
    }
}
