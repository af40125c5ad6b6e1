// `welms doctor` on mistakes in the settings, the machine and the database.
import Database
import EmbeddedPostgres
import Foundation
import HTTPServing
import Postgres
import Support
import Testing
import Web

@testable import welms

@Suite("Doctor")
struct DoctorTests {
    @Test("doctor reports no problem for a migrated database, and a problem for an unmigrated or unreachable one")
    func doctor() async throws {
        try await TestDatabase.with { database in
            let environment = ["DATABASE_URL": database.url]
            let before = try await Program.run(["doctor", "--port", "0"], environment: environment)
            #expect(before.status == 1 && before.output.contains("run `welms migrate`"), "\(before)")
            _ = try await Program.run(["migrate"], environment: environment)
            _ = try await Program.run(["seed"], environment: environment)
            let after = try await Program.run(["doctor", "--port", "0"], environment: environment)
            #expect(after.status == 0 && !after.output.contains("PROBLEM"), "\(after)")
        }
        let away = try await Program.run(["doctor", "--port", "0", "--database-url", "postgres://127.0.0.1:1/none"])
        #expect(away.status == 1 && away.output.contains("PROBLEM  connection"), "\(away)")
    }

    /// Runs doctor on a seeded shop, after the owner has executed `sql`.
    private func runDoctor(_ sql: String, _ arguments: [String] = []) async throws -> Program.Outcome {
        try await TestDatabase.with(.seeded) { database in
            if !sql.isEmpty { try await database.psql(sql) }
            return try await Program.run(["doctor", "--port", "0"] + database.serveArguments + arguments)
        }
    }

    @Test(
        "A mistake of staff or operators in the database is reported as a problem with a remedy",
        arguments: [
            (
                "update menu_items set is_available = false where id in (select menu_item_id from sales_group_items)",
                "PROBLEM  sales: the set"
            ),
            (
                "update coupons set is_listed = true, ends_at = now() - interval '1 hour' where key = 'FRST'",
                "PROBLEM  coupons: FRST is listed"
            ),
            (
                """
                update coupons set condition = 'last_day_of_month',
                    starts_at = date_trunc('month', now()) + interval '1 month 3 days',
                    ends_at = date_trunc('month', now()) + interval '1 month 9 days' where key = 'FOLLOW'
                """, "PROBLEM  coupon windows: FOLLOW is for the last day of a month"
            ),
            (
                """
                update coupons set starts_at = now() - interval '1 day', ends_at = now() + interval '1 week'
                where key = 'HAPPY'
                """,
                "PROBLEM  birthday coupons: HAPPY is valid for less than a year"
            ),
            (
                "update coupons set guest_limit = null, ends_at = now() + interval '1 week' where key = 'HAPPY'",
                "PROBLEM  birthday coupons: HAPPY has no guest_limit"
            ),
            (
                "update coupons set starts_at = 'infinity' where key = 'HAPPY'",
                "PROBLEM  coupon openings: HAPPY never opens"
            ),
            (
                "update coupons set starts_at = '2206-11-01' where key = 'LAST'",
                "PROBLEM  coupon openings: LAST opens in the year 2206"
            ),
            (
                "do $$ begin execute format('alter database %I connection limit 20', current_database()); end $$",
                "permits 20 connections. Two servers (one takes over from the other) open up to 20"
            ),
            (
                "update coupons set guest_limit = 5, redemption_limit = 2 where key = 'FOLLOW'",
                "PROBLEM  coupon limits: FOLLOW can be redeemed 2 times in all and 5 times by one guest"
            ),
            (
                "update coupons set redemption_limit = 0 where key = 'FOLLOW'",
                "PROBLEM  coupon limits: FOLLOW can be redeemed by nobody"
            ),
            (
                """
                alter table shop disable trigger user; update shop set time_zone = 'Nowhere/City';
                alter table shop enable trigger user
                """,
                "PROBLEM  time zone: the shop's is Nowhere/City"
            ),
            (
                "revoke execute on function place_orders from welms_server",
                "PROBLEM  grants: welms_server may not call place_orders"
            ),
            (
                "revoke execute on function prune_slot_uses from welms_server",
                "PROBLEM  grants: welms_server may not call prune_slot_uses"
            ),
            (
                "revoke execute on function place_orders from welms_server",
                "PROBLEM  ordering: nobody can order: ERROR 42501"
            ),
            ("revoke select on coupons from welms_server", "PROBLEM  grants: welms_server may not read coupons"),
            (
                "set role welms_staff; select lo_create(0)",
                "PROBLEM  objects of roles: welms_staff owns 1 large objects"
            ),
            (
                "set role welms_staff; alter default privileges revoke execute on functions from public",
                "PROBLEM  objects of roles: welms_staff has default privileges of its own"
            ),
            ("update schema_migrations set checksum = 'edited' where name = '004_orders.sql'", "PROBLEM  migrations: "),
            (
                "delete from schema_migrations where name = '010_prune_baskets.sql'",
                "PROBLEM  migrations: 1 are not applied"
            ),
        ])
    func database(sql: String, words: String) async throws {
        let found = try await runDoctor(sql)
        #expect(found.status == 1 && found.output.contains(words), "\(found)")
    }

    @Test("Every check passes on a healthy shop")
    func good() async throws {
        let found = try await runDoctor("")
        #expect(found.status == 0 && !found.output.contains("PROBLEM"), "\(found)")
        for name in [
            "settings", "port", "connection", "migrations", "roles", "clock", "ordering", "grants", "open transactions",
            "objects of roles", "time zone", "coupon windows", "coupon limits", "coupon openings", "birthday coupons",
            "connections", "old snapshots",
        ] {
            #expect(found.output.contains("ok       \(name)\n"), "\(name) in \(found.output)")
        }
        #expect(found.output.contains("ok       versions: PostgreSQL "), "\(found.output)")
    }

    @Test(
        "doctor reports contradictory limits, a port in use, an invalid address, and an unusable replica"
    )
    func settings() async throws {
        let limits = try await runDoctor("", ["--rate-limit-baskets", "5", "--rate-limit-checkouts", "10"])
        #expect(
            limits.status == 1
                && limits.output.contains("PROBLEM  settings: --rate-limit-checkouts 10 is never reached"), "\(limits)")
        let address = try await runDoctor("", ["--host", "203.0.113.1"])
        #expect(
            address.status == 1 && address.output.contains("PROBLEM  port: cannot listen on 203.0.113.1"), "\(address)")
        let away = try await runDoctor("", ["--replica-url", "postgres://127.0.0.1:1/replica"])
        #expect(
            away.status == 1 && away.output.contains("PROBLEM  replica 1: ")
                && away.output.contains("check --replica-url"), "\(away)")
        try await TestDatabase.with(.seeded) { database in
            let same = try await Program.run(
                ["doctor", "--port", "0"] + database.serveArguments + ["--replica-url", database.serverURL])
            #expect(same.status == 1 && same.output.contains("PROBLEM  replica 1: it is not a standby"), "\(same)")
            _ = try await Program.serve(database.serveArguments + ["--port", "0"]) { server in
                let port = server.url.split(separator: ":").last.map(String.init) ?? ""
                let taken = try await Program.run(["doctor", "--port", port] + database.serveArguments)
                #expect(
                    taken.status == 1 && taken.output.contains("PROBLEM  port: \(port) on 127.0.0.1 is taken"),
                    "\(taken)")
            }
        }
    }

    @Test(
        "doctor reports a clock that is an hour behind or ahead of the database's", arguments: [-3600, 3600] as [Int64])
    func clock(seconds: Int64) async throws {
        try await TestDatabase.with(.seeded) { database in
            let checks = ShopChecks(
                url: database.url, ownerURL: nil, replicaURLs: [], replicaLagLimit: .seconds(5),
                connectionsPerServer: 8,
                now: {
                    Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970 * 1_000_000) + seconds * 1_000_000)
                }, logger: .silent)
            let clock = try #require(await checks.run().first { $0.name == "clock" })
            #expect(clock.problem?.hasPrefix("it is 3") == true && clock.problem?.contains("NTP") == true, "\(clock)")
        }
    }

    @Test("A birthday coupon that is valid for a year, also across a leap day, or without an end passes the check")
    func birthdays() async throws {
        for (start, end) in [("'2027-03-01'", "'2028-03-01'"), ("null", "'2200-01-01'"), ("now()", "null")] {
            let found = try await runDoctor(
                "update coupons set starts_at = \(start), ends_at = \(end) where key = 'HAPPY'")
            #expect(found.status == 0, "\(start) to \(end): \(found)")
        }
    }

    @Test("The checks report a PostgreSQL with too few connections, and one that is older than its installed programs")
    func cluster() async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let small = try await EmbeddedPostgres.start(
                dataDirectory: directory, settings: ["max_connections": "20", "max_wal_senders": "2"], logger: .silent)
            let checks = ShopChecks(
                url: small.url, ownerURL: nil, replicaURLs: [], replicaLagLimit: .seconds(5), connectionsPerServer: 8,
                programs: "15.0",
                now: { Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970 * 1_000_000)) }, logger: .silent)
            let findings = await checks.run()
            await small.stop()
            let connections = findings.first { $0.name == "connections" }?.problem ?? ""
            #expect(
                connections.hasPrefix("max_connections leaves room for 17")
                    && connections.contains("alter system set max_connections"), "\(connections)")
            let versions = findings.first { $0.name == "versions" }?.problem ?? ""
            #expect(versions.contains("but 15.0 is installed: stop the server and start it again"), "\(versions)")
        }
    }

    @Test("doctor reports a certificate that is missing, of another key, expired, not yet valid or about to expire")
    func certificate() async throws {
        try await TemporaryDirectory.with { directory in
            let authority = try await TestCertificateAuthority.make(in: directory, name: "authority")
            let (one, other) = (
                try await authority.sign("localhost", name: "one"), try await authority.sign("localhost", name: "other")
            )
            for (certificate, key, words) in [
                (directory + "/none.pem", one.key, "none.pem can't be read"),
                (one.certificate, other.key, "does not match the first certificate"),
                (one.certificate, one.key, "PROBLEM  TLS certificate: it expires in "),
            ] {
                let found = try await runDoctor("", ["--tls-certificate", certificate, "--tls-key", key])
                #expect(found.status == 1 && found.output.contains(words), "\(found)")
            }
            let read = try ServerCertificate.read(certificate: one.certificate, key: one.key)
            let (from, until) = (read.validity.lowerBound, read.validity.upperBound)
            #expect(
                DoctorCommand.checkValidity(of: read, at: until - 86_400).problem?.hasPrefix("it expires in 1 days: ")
                    == true)
            #expect(DoctorCommand.checkValidity(of: read, at: until).problem?.contains("expired") == true)
            #expect(DoctorCommand.checkValidity(of: read, at: from - 10).problem?.contains("not valid yet") == true)
            #expect(
                DoctorCommand.checkValidity(of: read, at: until - 15 * 86_400 - 1).problem?.contains("not valid yet")
                    == true)
        }
    }

    @Test("Without a database URL doctor finds the server programs, and reports that no cluster is running")
    func embedded() async throws {
        try await TemporaryDirectory.with { directory in
            let found = try await Program.run(["doctor", "--port", "0", "--data-dir", directory + "/data"])
            #expect(found.status == 1 && found.output.contains("ok       server programs"), "\(found)")
            #expect(found.output.contains("PROBLEM  embedded PostgreSQL"), "\(found)")
            #expect(!FileManager.default.fileExists(atPath: directory + "/data"))
        }
    }

    @Test("doctor reports no problem for a standby that is up to date, and reports a standby whose replay is paused")
    func standby() async throws {
        let pair = try await ReplicationPair.make()
        let arguments = [
            "doctor", "--port", "0", "--database-url", pair.database.url, "--replica-url", pair.standbyURL,
        ]
        let good = try await Program.run(arguments)
        #expect(good.output.contains("ok       replica 1"), "\(good)")
        try await pair.whileReplayIsPaused {
            try await pair.database.psql("update shop set currency = currency")
            let behind = try await Program.run(arguments)
            #expect(
                behind.status == 1 && behind.output.contains("PROBLEM  replica 1: it is more than 5 s behind"),
                "\(behind)")
        }
    }
}
