// Which rows somebody holds, in a transaction that they may have forgotten. Whoever wants one of them waits here and not in the database, where a
// connection would wait along with all who share it; once one call has met such a row, no other one tries it until it is free.
// Asked by OrderPlacing, CancellationQueue, StaffDesk and AcceptanceWatch; run as a service by RunningShop. Read next: Sources/Database/Locks/LoadLockedRows.swift.
import Database
import ServiceLifecycle
import Synchronization

package final class LockedRows: Service {
    /// For how long a request waits for what somebody holds, in all: with the work itself a guest has an answer within a second.
    static let patience = Duration.milliseconds(900)
    /// How often it looks while something is held.
    private static let interval = Duration.milliseconds(250)
    /// For how long a transaction has to keep a row to be somebody who does not let go: longer than a call of ours waits for another row, with this one
    /// in its hands (lock_timeout, in sql/006_place_orders.sql).
    private static let keptFor = Duration.milliseconds(250)
    /// What is held for longer is told: staff's edits hold a row for a moment.
    private static let toldAfter = Duration.seconds(1)

    private struct Hold {
        let since: ContinuousClock.Instant
        /// The number of the transaction that does not let go.
        let holder: Int64
    }

    /// What is wrong for those who listen: told when it begins, and when nothing is any more.
    private enum Told { case held, unread }

    private struct State {
        /// What is known to be held.
        var rows: [ContestedRow: Hold] = [:]
        /// What was waited for in vain and is being looked at.
        var doubted: Set<ContestedRow> = []
        /// What was looked at and is not held, or not for long; until when whoever wants it is kept apart from those who do not.
        var suspected: [ContestedRow: ContinuousClock.Instant] = [:]
        /// What could not be looked at, and why, though the database is there.
        var unread: (rows: Set<ContestedRow>, reason: String)?
        var told: Told?

        mutating func clear(_ rows: Set<ContestedRow>) {
            for row in doubted.intersection(rows) { suspected[row] = .now + LockedRows.patience }
            doubted.subtract(rows)
        }
    }

    private let database: ShopDatabase
    private let between: @Sendable () async -> Void
    private let onHealthChange: @Sendable (Health) -> Void
    private let state = Mutex(State())
    private let found = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let doubts = AsyncStream.makeStream(of: Set<ContestedRow>.self)

    /// - Parameters:
    ///   - between: Waits between two looks at a row that may be held: our own calls hold one for a commit.
    ///   - onHealthChange: Told when something is held for long or can't be looked at, and when all is well again; it must not block.
    init(
        database: ShopDatabase, between: @escaping @Sendable () async -> Void = { try? await Task.sleep(for: .milliseconds(25)) },
        onHealthChange: @escaping @Sendable (Health) -> Void
    ) {
        (self.database, self.between, self.onHealthChange) = (database, between, onHealthChange)
    }

    /// Whether nothing is known to be held, or doubted, as nearly always.
    var isEmpty: Bool { state.withLock { $0.rows.isEmpty && $0.doubted.isEmpty } }

    /// Whether one of these is known to be held, or is being looked at.
    func holds(anyOf rows: Set<ContestedRow>) -> Bool {
        state.withLock { state in
            !(state.rows.isEmpty && state.doubted.isEmpty) && rows.contains { state.rows[$0] != nil || state.doubted.contains($0) }
        }
    }

    /// One of these was waited for in vain, and it isn't said which: they are looked at, and left alone until it is known. Those that are not held come
    /// back one by one, `suspected`, so that no other order waits with them again.
    func doubt(_ rows: Set<ContestedRow>) {
        let new = state.withLock { state in
            let new = rows.filter { state.rows[$0] == nil && !state.doubted.contains($0) }
            state.doubted.formUnion(new)
            return new
        }
        if !new.isEmpty { doubts.continuation.yield(new) }
    }

    /// Those that were waited for in vain a moment ago and were not held when they were looked at.
    var suspected: Set<ContestedRow> {
        state.withLock { state in
            if state.suspected.isEmpty { return [] }
            let now = ContinuousClock.now
            state.suspected = state.suspected.filter { now < $0.value }
            return Set(state.suspected.keys)
        }
    }

    /// They were taken: nobody holds them.
    func trust(_ rows: Set<ContestedRow>) {
        state.withLock { state in for row in rows { state.suspected[row] = nil } }
    }

    /// Those of the rows that somebody holds and does not let go, which are remembered until they are free. A row that is held by one call of ours after
    /// the other, because many want it, is none of them.
    func find(among rows: Set<ContestedRow>) async throws(DatabaseFault) -> Set<ContestedRow> {
        var locked = try await database.loadLockedRows(among: rows)
        state.withLock { $0.clear(rows.subtracting(locked.keys)) }
        let begin = ContinuousClock.now
        while !locked.isEmpty, .now - begin < Self.keptFor {
            await between()
            let still = try await database.loadLockedRows(among: Set(locked.keys)).filter { locked[$0.key] == $0.value }
            state.withLock { $0.clear(Set(locked.keys).subtracting(still.keys)) }
            locked = still
        }
        guard !locked.isEmpty else { return [] }
        let now = ContinuousClock.now
        state.withLock { state in
            for (row, holder) in locked where state.rows[row]?.holder != holder { state.rows[row] = Hold(since: now, holder: holder) }
            state.doubted.subtract(locked.keys)
        }
        found.continuation.yield()
        return Set(locked.keys)
    }

    /// Looks at what is doubted, and at what is held until it is free, until the server shuts down.
    package func run() async {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.watchHeld() }
                for await rows in self.doubts.stream {
                    group.addTask {
                        do throws(DatabaseFault) { _ = try await self.find(among: rows) } catch {
                            // It isn't known whether they are held: they are tried again.
                            self.state.withLock { $0.clear(rows) }
                            self.note(error, of: rows)
                            self.found.continuation.yield()
                        }
                    }
                }
            }
        }
    }

    private func watchHeld() async {
        for await _ in found.stream {
            while state.withLock({ !$0.rows.isEmpty || $0.unread != nil }), !Task.isCancelled {
                try? await Task.sleep(for: Self.interval)
                await forgetReleased()
                tell()
            }
        }
    }

    private func forgetReleased() async {
        let (known, unread) = state.withLock { ($0.rows, $0.unread?.rows ?? []) }
        let rows = unread.union(known.keys)
        do throws(DatabaseFault) {
            let locked = try await database.loadLockedRows(among: rows)
            state.withLock { state in
                state.rows = state.rows.filter { row, hold in known[row]?.holder != hold.holder || locked[row] == hold.holder }
                state.unread = nil
            }
        } catch {
            note(error, of: rows)
        }
    }

    /// Rows could not be looked at. The pool tells of a database that is away; what was held may be so still.
    private func note(_ fault: DatabaseFault, of rows: Set<ContestedRow>) {
        guard !fault.isAbsence else { return }
        state.withLock { state in state.unread = (rows.union(state.unread?.rows ?? []), fault.withRemedy) }
    }

    private func tell() {
        let health: Health? = state.withLock { state in
            let held = state.rows.filter { .now - $0.value.since >= Self.toldAfter }.keys
            let wrong: Told? = !held.isEmpty ? .held : state.unread != nil ? .unread : nil
            guard wrong != state.told else { return nil }
            state.told = wrong
            switch wrong {
            case nil: return .healthy
            case .unread: return .failing("it can't be seen which rows somebody holds: \(state.unread?.reason ?? "")")
            case .held:
                let names = held.map(\.description).sorted().joined(separator: ", ")
                return .failing(
                    "somebody has changed rows in a transaction that is still open, and whoever wants them is refused: \(names); "
                        + "pg_stat_activity says who is idle in transaction")
            }
        }
        if let health { onHealthChange(health) }
    }
}
