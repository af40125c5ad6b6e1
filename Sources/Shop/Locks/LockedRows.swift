// Tracks rows that other sessions keep locked, such as in a forgotten transaction. Jobs that need such a row wait in
// the server. In the database, they would occupy a shared connection. A row that a statement of a server keeps until
// its commit is no such row, however long the commit takes.
import Database
import ServiceLifecycle
import Synchronization

/// The rows that other sessions keep locked.
package final class LockedRows: Service {
    /// The maximum time that a request waits for locked rows. Including its own work, it ends within a second.
    static let waitLimit = Duration.milliseconds(900)
    /// How long a job repeats its statement while only statements of servers hold its rows. With commits of 150 ms,
    /// some twenty statements of several servers may come first.
    static let commitLimit = Duration.seconds(6)
    /// How often locked rows are checked.
    private static let interval = Duration.milliseconds(250)
    /// How long one transaction has to keep a row until the row counts as locked. Longer than our own statements wait
    /// for another row while they hold this one (lock_timeout, in sql/006_place_orders.sql).
    private static let minimumLockTime = Duration.milliseconds(250)
    /// The age at which a lock is reported. Ordinary edits by staff lock a row only for a moment.
    private static let reportDelay = Duration.seconds(1)

    private struct Lock {
        let since: ContinuousClock.Instant
        /// The id of the transaction that keeps the lock; 0 for orders and baskets.
        let holder: Int64
    }

    /// A problem that is reported.
    private enum Report { case locked, unchecked }

    private struct Observations {
        /// The rows that are known to be locked.
        var rows: [ContestedRow: Lock] = [:]
        /// The rows that may have caused a lock timeout and are being checked.
        var rowsUnderCheck: Set<ContestedRow> = []
        /// The rows that a check did not find locked or could not check. Until the given time, their jobs run apart
        /// from the others.
        var suspects: [ContestedRow: ContinuousClock.Instant] = [:]
        /// The rows that could not be checked although the database is reachable, and the reason.
        var unchecked: (rows: Set<ContestedRow>, reason: String)?
        var reported: Report?

        mutating func finishCheck(_ rows: Set<ContestedRow>) {
            for row in rowsUnderCheck.intersection(rows) { suspects[row] = .now + LockedRows.waitLimit }
            rowsUnderCheck.subtract(rows)
        }
    }

    private let database: ShopDatabase
    private let waitBetweenChecks: @Sendable () async -> Void
    private let onHealthChange: @Sendable (ComponentHealth) -> Void
    private let state = Mutex(Observations())
    private let commits = CommitLine()
    private let lockFound = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let checks = AsyncStream.makeStream(of: Set<ContestedRow>.self)

    /// - Parameters:
    ///   - waitBetweenChecks: Waits between two checks of a row, because our own statements lock a row until they
    ///     commit.
    ///   - onHealthChange: Called when rows stay locked or can't be checked, and on recovery. Must not block.
    init(
        database: ShopDatabase,
        waitBetweenChecks: @escaping @Sendable () async -> Void = { try? await Task.sleep(for: .milliseconds(25)) },
        onHealthChange: @escaping @Sendable (ComponentHealth) -> Void
    ) {
        (self.database, self.waitBetweenChecks, self.onHealthChange) = (database, waitBetweenChecks, onHealthChange)
    }

    /// Whether no row is locked or being checked, as nearly always.
    var isEmpty: Bool { state.withLock { $0.rows.isEmpty && $0.rowsUnderCheck.isEmpty } }

    /// Whether one of the rows is locked or being checked.
    func isLocked(anyOf rows: Set<ContestedRow>) -> Bool {
        state.withLock { state in
            !(state.rows.isEmpty && state.rowsUnderCheck.isEmpty)
                && rows.contains { state.rows[$0] != nil || state.rowsUnderCheck.contains($0) }
        }
    }

    /// Checks rows of which one caused a time-out. During the check, jobs that need them wait. Rows that are not locked
    /// become `suspects`, so that their jobs run apart from the others.
    func markSuspect(_ rows: Set<ContestedRow>) {
        let new = state.withLock { state in
            let new = rows.filter { state.rows[$0] == nil && !state.rowsUnderCheck.contains($0) }
            state.rowsUnderCheck.formUnion(new)
            return new
        }
        if !new.isEmpty { checks.continuation.yield(new) }
    }

    /// The rows that may have caused a recent time-out, although a check did not find them locked.
    var suspects: Set<ContestedRow> {
        state.withLock { state in
            if state.suspects.isEmpty { return [] }
            let now = ContinuousClock.now
            state.suspects = state.suspects.filter { now < $0.value }
            return Set(state.suspects.keys)
        }
    }

    /// Removes rows from the suspects, because an order could lock them.
    func clear(_ rows: Set<ContestedRow>) {
        state.withLock { state in for row in rows { state.suspects[row] = nil } }
    }

    /// Repeats `work` after a lock timeout while only statements of servers hold the rows. Their commits may take
    /// longer than the timeout, for example with a distant standby. Of the jobs that need the same row, one repeats its
    /// statement at a time. Throws any other lock timeout.
    /// - Parameters:
    ///   - database: The database that `work` gets. While it repeats its statement, it waits longer for a row.
    ///   - rows: The rows that `work` may wait for; loaded after a lock timeout, or if jobs wait for commits.
    func waitingForCommits<Value>(
        on database: ShopDatabase, of rows: () async throws(DatabaseFault) -> Set<ContestedRow>,
        _ work: (ShopDatabase) async throws(DatabaseFault) -> Value
    ) async throws(DatabaseFault) -> Value {
        let end = ContinuousClock.now + Self.commitLimit
        var place: (ticket: CommitLine.Ticket, rows: Set<ContestedRow>)?
        defer { if let place { commits.leave(place.ticket) } }
        if !commits.isEmpty, case let wanted = try await rows(), commits.contains(anyOf: wanted) {
            place = (commits.join(for: wanted), wanted)
        }
        var wereFree = false
        while true {
            do throws(DatabaseFault) {
                guard let place else { return try await work(database) }
                while !commits.isFirst(place.ticket), .now < end { await waitForTurn() }
                let waitsLonger = !wereFree && !isLocked(anyOf: place.rows)
                return try await work(waitsLonger ? database.waitingLonger : database)
            } catch {
                guard error.kind == .locked, .now < end else { throw error }
                let wanted = if let place { place.rows } else { try await rows() }
                // A server may have just released the rows. If they are free twice, `work` waits for another lock.
                let areHeld = await areHeldByServers(wanted)
                guard areHeld ?? !wereFree else { throw error }
                wereFree = areHeld == nil
                if place == nil { place = (commits.join(for: wanted), wanted) }
            }
        }
    }

    private func waitForTurn() async { try? await Task.sleep(for: .milliseconds(5)) }

    /// The result of the check; false if it fails, because the caller then checks the rows and reports the failure.
    private func areHeldByServers(_ rows: Set<ContestedRow>) async -> Bool? {
        do throws(DatabaseFault) { return try await database.areHeldByServers(rows) } catch { return false }
    }

    /// Finds the rows that one transaction keeps locked, and remembers them until they are free. Ignores a row that
    /// several of our own transactions lock one after the other.
    func findLocked(among rows: Set<ContestedRow>) async throws(DatabaseFault) -> Set<ContestedRow> {
        var locked = try await database.loadLockedRows(among: rows)
        state.withLock { $0.finishCheck(rows.subtracting(locked.keys)) }
        let begin = ContinuousClock.now
        while !locked.isEmpty, .now - begin < Self.minimumLockTime {
            await waitBetweenChecks()
            let stillLocked = try await database.loadLockedRows(among: Set(locked.keys)).filter {
                locked[$0.key] == $0.value
            }
            state.withLock { $0.finishCheck(Set(locked.keys).subtracting(stillLocked.keys)) }
            locked = stillLocked
        }
        guard !locked.isEmpty else { return [] }
        let now = ContinuousClock.now
        state.withLock { state in
            for (row, holder) in locked where state.rows[row]?.holder != holder {
                state.rows[row] = Lock(since: now, holder: holder)
            }
            state.rowsUnderCheck.subtract(locked.keys)
        }
        lockFound.continuation.yield()
        return Set(locked.keys)
    }

    /// Checks the rows that `markSuspect` adds, and checks locked rows until they are free. Runs until the server shuts
    /// down.
    package func run() async {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.watchLockedRows() }
                for await rows in self.checks.stream {
                    group.addTask {
                        do throws(DatabaseFault) { _ = try await self.findLocked(among: rows) } catch {
                            // The check failed, so it is unknown whether the rows are locked: jobs try them again.
                            self.state.withLock { $0.finishCheck(rows) }
                            self.recordFailedCheck(error, of: rows)
                            self.lockFound.continuation.yield()
                        }
                    }
                }
            }
        }
    }

    private func watchLockedRows() async {
        for await _ in lockFound.stream {
            while state.withLock({ !$0.rows.isEmpty || $0.unchecked != nil }), !Task.isCancelled {
                try? await Task.sleep(for: Self.interval)
                await removeReleased()
                reportHealth()
            }
        }
    }

    private func removeReleased() async {
        let (known, unchecked) = state.withLock { ($0.rows, $0.unchecked?.rows ?? []) }
        let rows = unchecked.union(known.keys)
        do throws(DatabaseFault) {
            let locked = try await database.loadLockedRows(among: rows)
            state.withLock { state in
                state.rows = state.rows.filter { row, hold in
                    known[row]?.holder != hold.holder || locked[row] == hold.holder
                }
                state.unchecked = nil
            }
        } catch {
            recordFailedCheck(error, of: rows)
        }
    }

    /// Records that rows could not be checked. Ignores an unreachable database, because the pool reports that.
    private func recordFailedCheck(_ fault: DatabaseFault, of rows: Set<ContestedRow>) {
        guard !fault.isConnectivityFailure else { return }
        state.withLock { state in
            state.unchecked = (rows.union(state.unchecked?.rows ?? []), fault.descriptionWithRemedy)
        }
    }

    private func reportHealth() {
        let health: ComponentHealth? = state.withLock { state in
            let lockedRows = state.rows.filter { .now - $0.value.since >= Self.reportDelay }.keys
            let problem: Report? = !lockedRows.isEmpty ? .locked : state.unchecked != nil ? .unchecked : nil
            guard problem != state.reported else { return nil }
            state.reported = problem
            switch problem {
            case nil: return .healthy
            case .unchecked: return .failing("the locked rows can't be read: \(state.unchecked?.reason ?? "")")
            case .locked:
                let names = lockedRows.map(\.description).sorted().joined(separator: ", ")
                return .failing(
                    "another session has locked rows in a transaction that is still open, "
                        + "and requests that need them fail: \(names); "
                        + "find the session in pg_stat_activity, where its state is idle in transaction")
            }
        }
        if let health { onHealthChange(health) }
    }
}
