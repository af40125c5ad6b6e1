// A primary and its streaming standby, created by pg_basebackup. ClusterGuard removes them with the process.
import Database
import EmbeddedPostgres
import FoundationEssentials
import Glibc
import Logging
import Subprocess

/// Two real servers. The second replays what the first writes.
package struct ReplicationPair: Sendable {
    /// The shipped shop, on the primary.
    package let database: TestDatabase
    /// The same database on the standby, for the role `welms`.
    package let standbyURL: String
    private let primary: Server
    private let standby: Server

    /// The pair of one serialised suite. A test that stops or pauses a server restores it before the next test.
    package static func shared() async throws -> ReplicationPair { try await made.value }

    private static let made = Task { try await make() }

    /// Creates a pair for one caller, independent of the pauses and locks of other pairs.
    package static func make() async throws -> ReplicationPair {
        let directories = (try TemporaryDirectory.make(), try TemporaryDirectory.make())
        try ClusterGuard.watch(dataDirectory: directories.0)
        try ClusterGuard.watch(dataDirectory: directories.1)
        let primary = try await Server(directories.0)
        try await TestDatabase.Template.seeded.build(primary.url)
        try await copy(primary, into: directories.1)
        let standby = try await Server(directories.1)
        return ReplicationPair(
            database: TestDatabase(name: "welms", url: primary.url), standbyURL: standby.url, primary: primary,
            standby: standby)
    }

    /// Creates a base backup with standby settings, in the directory of an embedded cluster.
    private static func copy(_ primary: Server, into directory: String) async throws {
        let script = """
            set -e
            cluster=$1/postgres
            if [ "$(id -u)" = 0 ]; then
                cluster=$(mktemp -d /var/lib/welms/standby-XXXXXX)
                chown postgres: "$cluster"
                ln -s "$cluster" "$1/postgres"
                as_owner="setpriv --reuid=postgres --regid=postgres --clear-groups"
            else
                mkdir -m 700 "$cluster"
            fi
            cd "$cluster"
            echo 'local replication all peer map=welms' >> "$2/data/pg_hba.conf"
            psql -qX -d "$3" -c 'select pg_reload_conf()' > /dev/null
            bin=$(psql -qAtX -d "$3" -c "select setting from pg_config where name = 'BINDIR'")
            $as_owner "$bin/pg_basebackup" -d "$3" -D "$cluster/data" -R -c fast
            """
        let result = try await run(
            .path("/bin/sh"), arguments: ["-c", script, "sh", directory, primary.cluster, primary.superuserURL],
            output: .string(limit: 1 << 16), error: .combinedWithOutput)
        guard result.terminationStatus.isSuccess else { throw PsqlFailed(output: result.standardOutput) }
    }

    /// Runs `body` while the standby receives the primary's writes and does not replay them.
    package func whileReplayIsPaused<T>(_ body: () async throws -> T) async throws -> T {
        try await catchUp()
        try await Psql.run("select pg_wal_replay_pause()", url: standby.superuserURL)
        do {
            try await eventually("the replay pauses") {
                try await Psql.run("select pg_get_wal_replay_pause_state()", url: standby.superuserURL) == "paused"
            }
            let value = try await body()
            try await Psql.run("select pg_wal_replay_resume()", url: standby.superuserURL)
            return value
        } catch {
            try await Psql.run("select pg_wal_replay_resume()", url: standby.superuserURL)
            throw error
        }
    }

    /// Waits until the standby has replayed everything that the primary has written so far.
    package func catchUp() async throws {
        let position = try await Psql.run("select pg_current_wal_lsn()", url: primary.superuserURL)
        try await eventually("the standby catches up", within: .seconds(30)) {
            try await Psql.run("select pg_last_wal_replay_lsn() >= '\(position)'", url: standby.superuserURL) == "t"
        }
    }

    /// Runs `body` while the standby is stopped, and starts the standby afterwards.
    package func whileStandbyIsStopped<T>(_ body: () async throws -> T) async throws -> T {
        try await standby.whileStopped(body)
    }

    /// Runs `body` while the primary is stopped, and starts the primary afterwards.
    package func whilePrimaryIsStopped<T>(_ body: () async throws -> T) async throws -> T {
        try await primary.whileStopped(body)
    }

    /// Runs `body` while all processes of the standby are suspended: its connections stay open and receive nothing.
    package func whileStandbyHangs<T>(_ body: () async throws -> T) async throws -> T {
        try await standby.whileSuspended(body)
    }

    /// Runs `body` while all processes of the primary are suspended.
    package func whilePrimaryHangs<T>(_ body: () async throws -> T) async throws -> T {
        try await primary.whileSuspended(body)
    }

    /// Runs the SQL as the standby's superuser and returns what psql prints.
    @discardableResult
    package func onStandby(_ sql: String) async throws -> String { try await Psql.run(sql, url: standby.superuserURL) }
}

/// One of the two servers, which can be stopped and started again.
private actor Server {
    let directory: String
    nonisolated let url: String
    nonisolated let superuserURL: String
    nonisolated let cluster: String
    private var postgres: EmbeddedPostgres

    init(_ directory: String) async throws {
        self.directory = directory
        postgres = try await EmbeddedPostgres.start(dataDirectory: directory, logger: .silent)
        (url, superuserURL, cluster) = (postgres.url, postgres.superuserURL, postgres.directory)
    }

    /// The id of the postmaster process.
    var processID: Int32? {
        (try? String(contentsOfFile: "\(cluster)/data/postmaster.pid", encoding: .utf8))?.split(separator: "\n").first
            .flatMap { Int32($0) }
    }

    func stop() async { await postgres.stop() }

    func start() async throws { postgres = try await EmbeddedPostgres.start(dataDirectory: directory, logger: .silent) }

    nonisolated func whileSuspended<T>(_ body: () async throws -> T) async throws -> T {
        let processes = try await Psql.run(
            "select pid from pg_stat_activity where pid <> pg_backend_pid()", url: superuserURL
        )
        .split(separator: "\n").compactMap { Int32($0) }
        let all = processes + (await processID.map { [$0] } ?? [])
        return try await Support.whileSuspended(all, body)
    }

    nonisolated func whileStopped<T>(_ body: () async throws -> T) async throws -> T {
        await stop()
        let result: Result<T, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        try await start()
        return try result.get()
    }
}
