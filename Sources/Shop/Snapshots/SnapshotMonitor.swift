// Warns about old snapshots: while a dump or a forgotten transaction holds one, PostgreSQL keeps all versions of the
// counters that checkouts change, and checkouts get slower.
import Database
import Logging
import ServiceLifecycle
import Synchronization

/// Checks once a minute which sessions, standbys, prepared transactions and slots hold an old snapshot.
package final class SnapshotMonitor: Service {
    private let database: ShopDatabase
    private let ageLimit: Duration
    private let interval: Duration
    private let logger: Logger

    private struct Observations {
        /// When each held snapshot was first observed. PostgreSQL hides the age of some.
        var firstSeen: [HeldSnapshot.Identity: ContinuousClock.Instant] = [:]
        /// The logged snapshots, with the name of the holder.
        var reported: [HeldSnapshot.Identity: String] = [:]
        var oldestAge = Duration.zero
    }

    private let state = Mutex(Observations())

    /// - Parameters:
    ///   - ageLimit: The age from which a snapshot is reported.
    ///   - interval: The time between two checks.
    init(
        database: ShopDatabase, ageLimit: Duration = HeldSnapshot.ageLimit, interval: Duration = .seconds(60),
        logger: Logger
    ) {
        (self.database, self.ageLimit, self.interval, self.logger) = (database, ageLimit, interval, logger)
    }

    /// The age of the oldest snapshot that slows checkouts, at the last check; 0: none is held.
    package var oldestAgeSeconds: Int { state.withLock { Int($0.oldestAge.components.seconds) } }

    /// Checks until the server shuts down. Keeps the last result while the database is unreachable.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do throws(DatabaseFault) {
                    let held = try await self.database.loadHeldSnapshots()
                    self.record(held, at: .now)
                } catch {
                    self.logger.debug("held snapshots can't be read", metadata: ["reason": "\(error)"])
                }
                try? await Task.sleep(for: self.interval)
            }
        }
    }

    /// Logs each snapshot that has become old, and the end of each logged one.
    private func record(_ held: [HeldSnapshot], at now: ContinuousClock.Instant) {
        let (old, ended) = state.withLock { state in
            var firstSeen: [HeldSnapshot.Identity: ContinuousClock.Instant] = [:]
            var reported: [HeldSnapshot.Identity: String] = [:]
            var old: [(snapshot: HeldSnapshot, age: Duration)] = []
            state.oldestAge = .zero
            for snapshot in held {
                let since = state.firstSeen[snapshot.identity] ?? now
                firstSeen[snapshot.identity] = since
                let age = snapshot.age(observed: now - since)
                if snapshot.slowsCheckouts { state.oldestAge = max(state.oldestAge, age) }
                guard age >= ageLimit else { continue }
                reported[snapshot.identity] = snapshot.holderDescription
                if state.reported[snapshot.identity] == nil { old.append((snapshot, age)) }
            }
            let ended = state.reported.filter { reported[$0.key] == nil }
            (state.firstSeen, state.reported) = (firstSeen, reported)
            return (old, ended.values.sorted())
        }
        for (snapshot, age) in old {
            logger.warning(
                "a snapshot is old",
                metadata: [
                    "holder": "\(snapshot.description(age: age))", "cost": "\(snapshot.cost)",
                    "remedy": "\(snapshot.remedy)",
                ])
        }
        for holder in ended { logger.notice("the old snapshot has ended", metadata: ["holder": "\(holder)"]) }
    }
}
