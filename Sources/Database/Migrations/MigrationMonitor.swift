// Reports the progress of a step of a migration. The migrator's own connection is busy, so this uses a second one.
import Logging
import Postgres

/// Logs what a step waits for, how far the creation of an index is, or that the step still runs.
struct MigrationMonitor: Sendable {
    let url: String
    /// The server process of the migrator's connection.
    let processID: Int32
    /// The file and its position.
    let metadata: Logger.Metadata
    let timing: MigrationTiming
    let logger: Logger

    /// The activity of the step at one moment.
    private enum Report: Sendable, Hashable {
        case waits(for: [String])
        case createsIndex(phase: String, done: String)
        case runs
    }

    private static let interval = Duration.seconds(1)
    /// An unchanged report is repeated after this many looks.
    private static let repetition = 10

    /// Reports until the task is cancelled. A short step opens no connection.
    /// - Returns: The sessions for which the step waited last.
    func run() async -> [String] {
        guard (try? await timing.sleep(.progress, Self.interval)) != nil else { return [] }
        do throws(PostgresError) {
            return try await PostgresConnection.with(
                url, sessionSettings: ["application_name": "welms migrate progress"], statementTimeout: .seconds(5),
                logger: logger, orThrow: { $0 }, watch)
        } catch {
            logger.debug("the progress of the migration is unknown", metadata: ["error": "\(error)"])
            return []
        }
    }

    private func watch(over connection: PostgresConnection) async throws(PostgresError) -> [String] {
        var last = Report.runs
        var lookCount = 0
        var blockers: [String] = []
        repeat {
            lookCount += 1
            let report: Report
            do throws(PostgresError) { report = try await look(over: connection) } catch {
                // The task may have been cancelled during the query.
                if Task.isCancelled { break }
                throw error
            }
            if case .waits(let names) = report { blockers = names }
            if report != last || lookCount.isMultiple(of: Self.repetition) { log(report) }
            last = report
        } while (try? await timing.sleep(.progress, Self.interval)) != nil
        return blockers
    }

    private func look(over connection: PostgresConnection) async throws(PostgresError) -> Report {
        let blockers = try await connection.query(LockHolder.ofBlockers, .reads, processID) {
            row throws(PostgresError) in try LockHolder(&row).description
        }
        // A concurrent creation of an index waits in several of its phases, so the wait is the better report.
        if !blockers.isEmpty { return .waits(for: blockers) }
        let progress = try await connection.query(Self.indexProgress, .reads, processID) { row throws(PostgresError) in
            Report.createsIndex(phase: try row.next(), done: try row.next())
        }
        return progress.first ?? .runs
    }

    private func log(_ report: Report) {
        var metadata = metadata
        switch report {
        case .waits(let holders):
            metadata["holders"] = "\(holders.joined(separator: "; "))"
            logger.notice("a migration waits for a lock", metadata: metadata)
        case .createsIndex(let phase, let done):
            metadata["phase"] = "\(phase)"
            metadata["done"] = "\(done)"
            logger.info("a migration creates an index", metadata: metadata)
        case .runs:
            logger.info("a migration is running", metadata: metadata)
        }
    }

    private static let indexProgress = Statement(
        "migration_index_progress",
        """
        select phase, case
            when blocks_total > 0 then format('%s of %s blocks', blocks_done, blocks_total)
            when tuples_total > 0 then format('%s of %s rows', tuples_done, tuples_total)
            when lockers_total > 0 then format('%s of %s transactions', lockers_done, lockers_total)
            else 'unknown' end
        from pg_stat_progress_create_index where pid = $1
        """)
}

/// A session that holds a lock. PostgreSQL hides the time from roles that may not see the session.
struct LockHolder: Sendable, CustomStringConvertible {
    let processID: Int32
    let application: String?
    let user: String?
    let since: String?

    init(_ row: inout Row) throws(PostgresError) {
        (processID, application) = (try row.next(), try row.next())
        (user, since) = (try row.next(), try row.next())
    }

    var description: String {
        if processID == 0 { return "a prepared transaction" }
        let details = [application, user.map { "user \($0)" }, since.map { "since \($0)" }].compactMap { $0 }
        return details.isEmpty ? "process \(processID)" : "process \(processID) (\(details.joined(separator: ", ")))"
    }

    private static let columns = """
        holder.pid, nullif(application_name, ''), usename::text,
            to_char(coalesce(xact_start, state_change) at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SSZ')
        """
    /// The sessions that block a server process. The process id of a prepared transaction is 0.
    static let ofBlockers = Statement(
        "migration_blockers",
        """
        select \(columns) from (select distinct unnest(pg_blocking_pids($1)) as pid) as holder
            left join pg_stat_activity using (pid)
        order by 1
        """)
    /// The session that holds an advisory lock.
    static let ofAdvisoryLock = Statement(
        "migration_lock_holder",
        """
        select \(columns) from pg_locks as holder left join pg_stat_activity using (pid)
        where locktype = 'advisory' and granted and objsubid = 1
            and holder.classid::bigint << 32 | holder.objid::bigint = $1
            and holder.database = (select oid from pg_database where datname = current_database())
        """)
}
