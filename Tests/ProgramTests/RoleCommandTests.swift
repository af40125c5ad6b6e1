// The database roles on the command line: --owner-url and `welms url --role`.
import Foundation
import Logging
import Postgres
import Support
import Testing

@Suite("Commands: roles")
struct RoleCommandTests {
    private static let users = """
        select string_agg(distinct usename, ',') from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
        """

    @Test("The server connects as welms_server; on an unmigrated database it needs --owner-url, or fails with one line")
    func ownerURL() async throws {
        try await TestDatabase.with { database in
            let withoutOwner = try await Program.run(["serve", "--database-url", database.serverURL, "--port", "0"])
            #expect(
                withoutOwner.status == 1 && withoutOwner.error.trimmed.split(separator: "\n").count == 1,
                "\(withoutOwner.error)")
            #expect(
                withoutOwner.error.contains("not applied") && withoutOwner.error.contains("--owner-url"),
                "\(withoutOwner.error)")

            _ = try await Program.serve(
                ["--database-url", database.serverURL, "--port", "0"], environment: ["WELMS_OWNER_URL": database.url]
            ) {
                _ in
                try await eventually("only the server is connected") {
                    try await database.psql(Self.users) == "welms_server"
                }
            }
            let (log, _) = try await Program.serve(["--database-url", database.serverURL, "--port", "0"]) { $0.log() }
            #expect(log.count { $0.contains("checked only") } == 1, "\(log)")
        }
        let ownerOnly = try await Program.run([
            "serve", "--owner-url", "postgresql://nowhere", "--data-dir", "/nowhere",
        ])
        #expect(ownerOnly.status == 1 && ownerOnly.error.contains("--database-url"), "\(ownerOnly.error)")
    }

    @Test("migrate and seed prefer --owner-url to the server's URL, and doctor reports exchanged or equal roles")
    func migrate() async throws {
        try await TestDatabase.with { database in
            let environment = ["DATABASE_URL": database.serverURL, "WELMS_OWNER_URL": database.url]
            let applied = try await Program.run(["migrate"], environment: environment)
            #expect(applied.status == 0 && applied.output.contains("applied 009_roles.sql"), "\(applied)")
            let seeded = try await Program.run(["seed"], environment: environment)
            #expect(seeded.status == 0, "\(seeded)")
            let doctor = try await Program.run(["doctor", "--port", "0"], environment: environment)
            #expect(doctor.status == 0 && doctor.output.contains("ok       roles"), "\(doctor)")

            let exchanged = try await Program.run(
                ["doctor", "--port", "0"],
                environment: ["DATABASE_URL": database.url, "WELMS_OWNER_URL": database.serverURL])
            #expect(exchanged.status == 1 && exchanged.output.contains("PROBLEM  roles: welms_server"), "\(exchanged)")
            let equal = try await Program.run(
                ["doctor", "--port", "0"], environment: ["DATABASE_URL": database.url, "WELMS_OWNER_URL": database.url])
            #expect(
                equal.status == 1 && equal.output.contains("PROBLEM  roles: the server's role welms_owner"), "\(equal)")
        }
    }

    @Test("migrate and the start of a server keep an operator's timeout for open transactions of staff")
    func openTransactions() async throws {
        try await TestDatabase.with { database in
            let environment = ["DATABASE_URL": database.serverURL, "WELMS_OWNER_URL": database.url]
            @Sendable func timeout() async throws -> String {
                try await database.psqlAsStaff("show idle_in_transaction_session_timeout")
            }
            _ = try await Program.run(["migrate"], environment: environment)
            #expect(try await timeout() == "10min")
            try await database.psqlAsStaff(
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

    @Test("With an embedded cluster the server connects as welms_server, and welms url prints a URL for each role")
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
                #expect(midnight == [true], "a date without a time zone is in the shop's time zone")
                let owner = try await url()
                // A session ends a moment after its connection is closed.
                try await eventually("only the server is connected") {
                    try await Psql.run(Self.users, url: owner) == "welms_server"
                }
                let seen = try await Psql.run(
                    """
                    select distinct tableowner from pg_tables where schemaname = 'public';
                    select count(*) > 0 from menu_items
                    """, url: owner)
                #expect(seen == "welms_owner\nt")
            }
        }
    }
}
