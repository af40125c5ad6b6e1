// What can be wrong with the PostgreSQL itself: its versions, its clock, its limits, its settings. Part of ShopChecks.
import Postgres

extension ShopChecks {
    /// What runs, what is installed, and what this program speaks to it with.
    func versions(_ connection: PostgresConnection) async -> Finding {
        do throws(PostgresError) {
            let found = try await connection.query(Self.serverVersion, .reads) { row throws(PostgresError) in
                Versions(server: Int(try row.next(Int32.self)), serverRelease: try row.next())
            }
            guard var versions = found.first else { throw .undecodable("the database has no version") }
            versions.programs = programs
            return Finding(name: "versions", problem: versions.problem, note: versions.description)
        } catch {
            return Finding(name: "versions", problem: "\(error)")
        }
    }

    /// Whether all connections that servers open can be had: those of two, for while one takes over from another both run.
    func connections(_ connection: PostgresConnection) async -> Finding {
        do throws(PostgresError) {
            let found = try await connection.query(Self.room, .reads) { row throws(PostgresError) in
                Room(
                    role: try row.next(), database: try row.next(), all: try row.next(), ofRole: try row.next(),
                    ofDatabase: try row.next())
            }
            guard let room = found.first else { throw .undecodable("a session has no database") }
            return Finding(name: "connections", problem: room.problem(servers: 2 * connectionsPerServer))
        } catch {
            return Finding(name: "connections", problem: "\(error)")
        }
    }

    /// Coupons and orders go by the database's clock, logs and the prune of old baskets by this one's.
    func clock(_ connection: PostgresConnection) async -> Finding {
        do throws(PostgresError) {
            let before = now()
            let times = try await connection.query(Self.time, .reads) { row throws(PostgresError) in try row.next(Timestamp.self) }
            guard let time = times.first else { throw .undecodable("the database has no time") }
            // The answer was on its way for a while.
            let apart = max(before.microseconds - time.microseconds, time.microseconds - now().microseconds) / 1_000_000
            return Finding(
                name: "clock", problem: apart < 2 ? nil : "it is \(apart) s apart from the database's: set both machines' by NTP")
        } catch {
            return Finding(name: "clock", problem: "\(error)")
        }
    }

    private static let serverVersion = Statement(
        "doctor server version", "select current_setting('server_version_num')::integer, current_setting('server_version')")
    // reserved_connections is there since PostgreSQL 16; -1 is no limit.
    private static let room = Statement(
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

/// How many connections may be had, by whom; nil where nobody says.
private struct Room: Sendable {
    /// psql, a backup, doctor itself.
    static let forPeople: Int32 = 5

    let role: String
    let database: String
    let all: Int32
    let ofRole: Int32?
    let ofDatabase: Int32?

    func problem(servers: Int) -> String? {
        if all < Int32(clamping: servers) + Self.forPeople {
            return """
                max_connections leaves room for \(all), and two servers, of which one takes over from the other, open up to \(servers), people \
                some more: alter system set max_connections = 100, then restart PostgreSQL
                """
        }
        if let ofDatabase, ofDatabase < Int32(clamping: servers) + Self.forPeople {
            return """
                the database \(database) takes \(ofDatabase), and two servers, of which one takes over from the other, open up to \(servers), \
                people some more: alter database "\(database)" connection limit -1
                """
        }
        if let ofRole, ofRole < servers {
            return """
                the role \(role) may have \(ofRole), and two servers, of which one takes over from the other, open up to \(servers): \
                alter role "\(role)" connection limit -1
                """
        }
        return nil
    }
}
