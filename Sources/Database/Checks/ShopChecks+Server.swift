// Health checks of PostgreSQL: versions, clock, connection limits and settings.
import Postgres

extension ShopChecks {
    /// Checks the versions of the server, the installed programs and libpq.
    func versions(_ connection: PostgresConnection) async -> Finding {
        do throws(PostgresError) {
            let found = try await connection.query(Self.serverVersion, .reads) { row throws(PostgresError) in
                PostgresVersions(server: Int(try row.next(Int32.self)), serverRelease: try row.next())
            }
            guard var versions = found.first else { throw .undecodable("the database has no version") }
            versions.programs = programs
            return Finding(name: "versions", problem: versions.problem, note: versions.description)
        } catch {
            return Finding(name: "versions", problem: "\(error)")
        }
    }

    /// Checks the connection limits for two servers, because both run during a takeover.
    func connections(_ connection: PostgresConnection) async -> Finding {
        do throws(PostgresError) {
            let found = try await connection.query(Self.limits, .reads) { row throws(PostgresError) in
                ConnectionLimits(
                    role: try row.next(), database: try row.next(), all: try row.next(), roleLimit: try row.next(),
                    databaseLimit: try row.next())
            }
            guard let limits = found.first else { throw .undecodable("a session has no database") }
            return Finding(name: "connections", problem: limits.problem(servers: 2 * connectionsPerServer))
        } catch {
            return Finding(name: "connections", problem: "\(error)")
        }
    }

    /// Checks the clocks: coupons and orders use the database's clock, logs and pruning use this machine's.
    func clock(_ connection: PostgresConnection) async -> Finding {
        do throws(PostgresError) {
            let before = now()
            let times = try await connection.query(Self.time, .reads) { try $0.next(Timestamp.self) }
            guard let time = times.first else { throw .undecodable("the database has no time") }
            // The query takes time, so the database's time should lie between two readings of the local clock.
            let difference =
                max(before.microseconds - time.microseconds, time.microseconds - now().microseconds) / 1_000_000
            return Finding(
                name: "clock",
                problem: difference < 2
                    ? nil : "it is \(difference) s apart from the database's: synchronise both clocks by NTP")
        } catch {
            return Finding(name: "clock", problem: "\(error)")
        }
    }

    private static let serverVersion = Statement(
        "doctor server version",
        "select current_setting('server_version_num')::integer, current_setting('server_version')")
    // reserved_connections exists since PostgreSQL 16; -1 means no limit.
    private static let limits = Statement(
        "doctor room",
        """
        select current_user::text, current_database()::text,
               current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
                   - coalesce(current_setting('reserved_connections', true)::integer, 0),
               (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
               (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
        """)
    private static let time = Statement("doctor time", "select clock_timestamp()")

    static let serverChecks = [
        Check(
            "durability", remedy: "an acknowledged order can be lost in a crash; turn it on in postgresql.conf",
            """
            select name || ' is off' from pg_settings
            where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'
            """),
        Check(
            "encoding", remedy: "make the database with encoding UTF8",
            "select 'it is ' || current_setting('server_encoding') where current_setting('server_encoding') <> 'UTF8'"),
    ]
}

/// The connection limits; nil: unlimited.
private struct ConnectionLimits: Sendable {
    /// Reserved for psql, a backup and `welms doctor`.
    static let reservedForPeople: Int32 = 5

    let role: String
    let database: String
    let all: Int32
    let roleLimit: Int32?
    let databaseLimit: Int32?

    func problem(servers: Int) -> String? {
        if all < Int32(clamping: servers) + Self.reservedForPeople {
            return """
                max_connections leaves room for \(all) connections. Two servers (one takes over from the other) open \
                up to \(servers), and people some more: alter system set max_connections = 100, then restart PostgreSQL
                """
        }
        if let databaseLimit, databaseLimit < Int32(clamping: servers) + Self.reservedForPeople {
            return """
                the database \(database) permits \(databaseLimit) connections. Two servers (one takes over from the \
                other) open up to \(servers), and people some more: alter database "\(database)" connection limit -1
                """
        }
        if let roleLimit, roleLimit < servers {
            return """
                the role \(role) permits \(roleLimit) connections. Two servers (one takes over from the other) open up \
                to \(servers): alter role "\(role)" connection limit -1
                """
        }
        return nil
    }
}
