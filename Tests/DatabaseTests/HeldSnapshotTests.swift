// Old snapshots of sessions, standbys and prepared transactions: how the server finds them and how `welms doctor`
// reports them. Tests sql/028_old_snapshots.sql and Sources/Database/Snapshots. The tests have their own clusters,
// because other tests hold snapshots, too.
import Database
import EmbeddedPostgres
import Logging
import Postgres
import Support
import Testing

@Suite("Held snapshots", .timeLimit(.minutes(5)))
struct HeldSnapshotTests {
    @Test("doctor names an open transaction of the owner with its process, user, state and age, until it ends")
    func dump() async throws {
        try await Self.withCluster { cluster async throws in
            let dump = try await Self.open(cluster.url, "pg_dump")
            let problem = await Self.problem(cluster.url(for: .server)) ?? ""
            #expect(
                problem.contains(
                    "pg_dump (process \(dump.processID), user welms_owner, database welms, idle in transaction) has "
                        + "held a snapshot for 0 minutes and "), "\(problem)")
            #expect(problem.contains("checkouts that need them get slower; take dumps from a standby"), "\(problem)")
            #expect(
                problem.contains("to end the session: select pg_terminate_backend(\(dump.processID))"), "\(problem)")
            let inTime = await Self.problem(cluster.url(for: .server), limit: .seconds(600))
            #expect(inTime == nil)
            try await dump.run(script: "commit")
            let afterwards = await Self.problem(cluster.url(for: .server)) ?? ""
            #expect(!afterwards.contains("pg_dump"), "\(afterwards)")
            await dump.close()
        }
    }

    @Test("doctor names a superuser's transaction, whose begin is hidden, after 50,000 further transactions")
    func hiddenBegin() async throws {
        try await Self.withCluster { cluster async throws in
            let dump = try await Self.open(Self.superuserURL(cluster.url), "pg_dump")
            let begin = await Self.problem(cluster.url(for: .server)) ?? ""
            #expect(!begin.contains("pg_dump"), "\(begin)")
            try await Psql.run(Self.transactions, url: cluster.url)
            let hidden = await Self.problem(cluster.url(for: .server)) ?? ""
            let details = "pg_dump (process \(dump.processID), user postgres, database welms"
            #expect(hidden.contains("\(details)) has held a snapshot for 5"), "\(hidden)")
            // With this role, the owner sees the begin.
            try await Psql.run("grant pg_read_all_stats to welms_owner", url: cluster.superuserURL)
            let shown = await Self.problem(cluster.url(for: .server)) ?? ""
            #expect(
                shown.contains("\(details), idle in transaction) has held a snapshot for 0 minutes and 5"), "\(shown)")
            await dump.close()
        }
    }

    @Test("doctor names a prepared transaction and the statements that end it")
    func prepared() async throws {
        try await Self.withCluster { cluster async throws in
            try await Psql.run(
                "begin; select pg_current_xact_id(); prepare transaction 'Ann''s till'", url: cluster.url)
            let problem = await Self.problem(cluster.url(for: .server)) ?? ""
            #expect(
                problem.contains(
                    "the prepared transaction 'Ann''s till' (user welms_owner, database welms, prepared) has held"),
                "\(problem)")
            let remedy = "commit prepared 'Ann''s till' or rollback prepared 'Ann''s till' in the database welms"
            #expect(problem.contains(remedy), "\(problem)")
            try await Psql.run("rollback prepared 'Ann''s till'", url: cluster.url)
            let afterwards = await Self.problem(cluster.url(for: .server)) ?? ""
            #expect(!afterwards.contains("till"), "\(afterwards)")
        }
    }

    @Test("A transaction in another database counts only if it writes, because a reading one keeps nothing here")
    func otherDatabase() async throws {
        try await Self.withCluster { cluster async throws in
            try await Psql.run("create database other owner welms_owner", url: cluster.superuserURL)
            let other = cluster.url.replacing("@/welms?", with: "@/other?")
            let (reader, writer) = (try await Self.open(other, "reader"), try await Self.open(other, "writer"))
            try await writer.run(script: "select pg_current_xact_id()")
            let database = try ShopDatabase(
                DatabaseConfiguration(url: cluster.url(for: .server)), logger: .silent)
            let service = Task { try await database.run() }
            let held = try await database.loadHeldSnapshots().map(\.holderDescription)
            service.cancel()
            _ = await service.result
            let details = "process \(writer.processID), user welms_owner, database other, idle in transaction"
            #expect(held.contains("writer (\(details))"), "\(held)")
            #expect(!held.contains { $0.hasPrefix("reader") }, "\(held)")
            for connection in [reader, writer] { await connection.close() }
        }
    }

    @Test("doctor names a standby whose query holds a snapshot by hot_standby_feedback, and then the slot of a standby")
    func standby() async throws {
        let pair = try await ReplicationPair.make()
        for setting in ["hot_standby_feedback = on", "wal_receiver_status_interval = '1s'"] {
            try await pair.onStandby("alter system set \(setting)")
        }
        try await pair.onStandby("select pg_reload_conf()")
        let query = try await Self.open(pair.standbyURL, "report")
        try await eventually("the standby reports its snapshot") {
            try await Psql.run(
                "select count(*) from pg_stat_replication where backend_xmin is not null",
                url: Self.superuserURL(pair.database.url)) == "1"
        }
        try await pair.database.psql(Self.transactions)
        let problem = await Self.problem(pair.database.serverURL) ?? ""
        #expect(problem.contains("the standby walreceiver (process "), "\(problem)")
        #expect(
            problem.contains("end the long query on the standby, or set hot_standby_feedback = off there"),
            "\(problem)")

        try await Psql.run(
            "select pg_create_physical_replication_slot('copy')", url: Self.superuserURL(pair.database.url))
        try await pair.onStandby("alter system set primary_slot_name = 'copy'")
        try await pair.onStandby("select pg_reload_conf()")
        try await eventually("the slot holds the snapshot") {
            await Self.problem(pair.database.serverURL)?.contains("the replication slot 'copy' (") == true
        }
        let slot = await Self.problem(pair.database.serverURL) ?? ""
        #expect(slot.contains("if the standby is gone: select pg_drop_replication_slot('copy')"), "\(slot)")
        await query.close()
        try await eventually("the snapshot of the slot ends") {
            await Self.problem(pair.database.serverURL)?.contains("the replication slot") != true
        }
    }

    /// 50,001 transactions.
    private static let transactions =
        "do $$ begin for n in 1..50001 loop perform pg_current_xact_id(); commit; end loop; end $$"

    /// Opens a transaction that holds a snapshot, as pg_dump does.
    private static func open(_ url: String, _ application: String) async throws -> PostgresConnection {
        let connection = try await PostgresConnection.connect(
            url, sessionSettings: ["application_name": application], logger: .silent)
        try await connection.run(script: "begin isolation level repeatable read; select count(*) from pg_class")
        return connection
    }

    /// The problem of old snapshots that doctor reports; nil: none.
    private static func problem(_ url: String, limit: Duration = .zero) async -> String? {
        let checks = ShopChecks(
            url: url, ownerURL: nil, replicaURLs: [], replicaLagLimit: .seconds(5), connectionsPerServer: 8,
            snapshotAgeLimit: limit, now: { Timestamp(microseconds: 0) }, logger: .silent)
        return await checks.run().first { $0.name == "old snapshots" }?.problem
    }

    /// The same URL for the superuser.
    private static func superuserURL(_ url: String) -> String {
        url.replacing("//\(ClusterRole.owner.rawValue)@", with: "//postgres@")
    }

    /// Runs `body` on a cluster with a migrated database.
    private static func withCluster(_ body: (EmbeddedPostgres) async throws -> Void) async throws {
        try await ClusterGuard.withDataDirectory { directory in
            let cluster = try await EmbeddedPostgres.start(
                dataDirectory: directory, settings: ["max_prepared_transactions": "2"], logger: .silent)
            do {
                try await Migrator(url: cluster.url, migrations: Migration.shipped(), logger: .silent).migrate()
                try await body(cluster)
                await cluster.stop()
            } catch {
                await cluster.stop()
                throw error
            }
        }
    }
}
