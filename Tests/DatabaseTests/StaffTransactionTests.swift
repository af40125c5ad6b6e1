// PostgreSQL ends idle transactions of staff after ten minutes, or after the time that an operator sets.
// Tests the setting of sql/009_roles.sql, and how `welms doctor` reports that it is missing.
import Database
import EmbeddedPostgres
import Logging
import Postgres
import Support
import Testing

@Suite("Idle transactions of staff")
struct StaffTransactionTests {
    private static let setting = "show idle_in_transaction_session_timeout"

    @Test("A session of staff that idles in a transaction longer than the setting ends and releases its locks")
    func idleTimeout() async throws {
        try await TestDatabase.with(.seeded) { database async throws in
            #expect(try await database.psqlAsStaff(Self.setting) == "10min")
            for url in [database.serverURL, database.url] { #expect(try await Psql.run(Self.setting, url: url) == "0") }
            // A role may change its own settings.
            try await database.psqlAsStaff(
                """
                alter role welms_staff in database "\(database.name)" set idle_in_transaction_session_timeout = '200ms'
                """)
            let idle = try await PostgresConnection.connect(database.staffURL, logger: .silent)
            try await idle.run(script: "begin; update menu_items set price = 1 where id = 2001")
            try await database.psqlAsStaff("update menu_items set price = 849 where id = 2001")
            await #expect(throws: PostgresError.self) { try await idle.run(script: "commit") }
            await idle.close()
            #expect(try await database.psql("select price from menu_items where id = 2001") == "849")
        }
    }

    @Test("Migrations set the cluster's default if the owner may, and never change an operator's setting")
    func keptSettings() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let cluster = try await EmbeddedPostgres.start(dataDirectory: directory, logger: .silent)
            func superuser(_ sql: String) async throws { try await Psql.run(sql, url: cluster.superuserURL) }
            func url(_ database: String, _ role: ClusterRole = .owner) -> String {
                cluster.url(for: role).replacing("@/welms?", with: "@/\(database)?")
            }
            func migrate(_ database: String) async throws {
                try await Migrator(url: url(database), migrations: Migration.shipped(), logger: .silent).migrate()
            }
            func timeout(_ database: String) async throws -> String {
                try await Psql.run(Self.setting, url: url(database, .staff))
            }
            func finding(_ database: String) async throws -> ShopChecks.Finding? {
                let checks = ShopChecks(
                    url: url(database, .server), ownerURL: nil, replicaURLs: [], replicaLagLimit: .seconds(5),
                    connectionsPerServer: 8, now: { Timestamp(microseconds: 0) }, logger: .silent)
                return await checks.run().first { $0.name == "open transactions" }
            }
            do {
                for name in ["one", "two", "three"] { try await superuser("create database \(name) owner welms_owner") }
                // The owner may not change roles, but is a member of welms_staff.
                try await migrate("one")
                #expect(try await timeout("one") == "10min")

                try await superuser(
                    "alter role welms_staff in database one set idle_in_transaction_session_timeout = '1h'")
                try await migrate("one")
                try await migrate("two")
                #expect(try await timeout("one") == "1h")
                #expect(try await timeout("two") == "10min")
                try await superuser("alter role welms_staff set idle_in_transaction_session_timeout = 0")
                try await migrate("welms")
                #expect(try await timeout("welms") == "0")
                #expect(try await timeout("one") == "1h")
                // A value of 0 is an operator's decision, and thus no problem.
                #expect(try await finding("two")?.problem == nil)

                try await superuser("alter role welms_staff reset idle_in_transaction_session_timeout")
                try await superuser("revoke welms_staff from welms_owner")
                try await migrate("three")
                #expect(try await timeout("three") == "0")
                let problem = try await finding("three")?.problem ?? ""
                #expect(problem.contains("alter role welms_staff set idle_in_transaction_session_timeout = '10min'"))
                #expect(try await finding("one")?.problem == nil)
                await cluster.stop()
            } catch {
                await cluster.stop()
                throw error
            }
        }
    }
}
