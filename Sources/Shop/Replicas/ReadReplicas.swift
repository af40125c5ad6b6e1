// Reads from replicas of the primary, whose lag is checked once a second. A read that a replica does not answer in time
// goes to the primary. So a stuck replica delays a read by 0.25 s and not by the statement timeout of 5 s. libpq can't
// do this, because it chooses a host only when it connects and ignores the lag.
import Database
import Logging
import Metrics
import ServiceLifecycle
import Synchronization

/// Connection pools of the replicas.
package final class ReadReplicas: Service {
    private struct State {
        var conditions: [ReplicaCondition]
        var lag = ReplicaLag()
        var lastUsedIndex = 0
    }

    /// The maximum lag of a replica in use: the limit, plus the time until the next check.
    let staleness: Duration
    private let configuration: ReplicaConfiguration
    private let primary: ShopDatabase
    private let logger: Logger
    private let replicas: [ShopDatabase]
    private let state: Mutex<State>
    private let answeredByReplica: Counter
    private let answeredByPrimary: Counter
    private let poller = Poller()

    /// - Parameter primaryConfiguration: The configuration of the primary. Replicas share it except for the URL, the
    ///   number of connections and the connection timeout.
    init(
        _ configuration: ReplicaConfiguration, primaryConfiguration: DatabaseConfiguration, primary: ShopDatabase,
        metrics: any MetricsFactory,
        logger: Logger
    ) throws(DatabaseFault) {
        (self.configuration, self.primary, self.logger) = (configuration, primary, logger)
        staleness = configuration.lagLimit + .seconds(3)
        state = Mutex(State(conditions: configuration.urls.map { _ in .unreachable("not connected yet") }))
        answeredByReplica = Counter(
            label: "welms_replica_reads_total", dimensions: [("answered_by", "replica")], factory: metrics)
        answeredByPrimary = Counter(
            label: "welms_replica_reads_total", dimensions: [("answered_by", "primary")], factory: metrics)
        var replicas: [ShopDatabase] = []
        for url in configuration.urls {
            var primaryConfiguration = primaryConfiguration
            (primaryConfiguration.url, primaryConfiguration.isReadOnly) = (url, true)
            // Two connections for guests, and one for the daily report.
            primaryConfiguration.connections = 3
            primaryConfiguration.connectionTimeout = configuration.readTimeout
            replicas.append(
                try ShopDatabase(
                    primaryConfiguration, logger: logger, onHealthChange: { [poller] _ in poller.trigger() }))
        }
        self.replicas = replicas
    }

    /// The condition of each replica, in the order of their URLs.
    package var conditions: [ReplicaCondition] { state.withLock { $0.conditions } }

    /// Reads from a replica; nil if no replica is in use or the read failed. The caller then reads from the primary.
    func read<Value: Sendable>(
        within patience: Duration? = nil,
        _ work: @escaping @Sendable (ShopDatabase) async throws(DatabaseFault) -> Value
    ) async -> Value? {
        guard let index = nextReplica() else { return nil }
        do throws(DatabaseFault) {
            let value = try await replicas[index].answer(within: patience ?? configuration.readTimeout, work)
            answeredByReplica.increment()
            return value
        } catch {
            answeredByPrimary.increment()
            // Any other failure concerns the statement, such as a conflict with WAL replay, or its caller. A replica
            // that is slow with a report is still reachable.
            if error.isConnectivityFailure, patience == nil {
                set(.unreachable("\(error)"), of: index)
                poller.trigger()
            }
            return nil
        }
    }

    /// The next usable replica, round robin.
    private func nextReplica() -> Int? {
        state.withLock { state in
            for step in 1...max(1, replicas.count) {
                let index = (state.lastUsedIndex + step) % max(1, replicas.count)
                guard replicas.indices.contains(index), case .inUse = state.conditions[index] else { continue }
                state.lastUsedIndex = index
                return index
            }
            return nil
        }
    }

    /// Keeps the connections open. Checks the replicas once a second and when a connection opens or closes.
    package func run() async throws {
        guard !replicas.isEmpty else {
            return await cancelWhenGracefulShutdown { try? await Task.sleep(for: .seconds(1_000_000_000)) }
        }
        try await withThrowingDiscardingTaskGroup { group in
            for replica in replicas { group.addTask { try await replica.run() } }
            group.addTask { await self.poller.run { await self.checkAll() } }
        }
    }

    private func checkAll() async {
        // Queries the primary before the replicas, so that an up-to-date replica does not seem late.
        let asked = ContinuousClock.now
        let position = try? await primary.answer(within: .seconds(1)) { database throws(DatabaseFault) in
            try await database.loadLogPosition()
        }
        if let position { state.withLock { $0.lag.recordPrimary(at: position, asked) } }
        // While the primary is unreachable, the lag is measured at its last known position. A slow primary may still
        // write, so the lag keeps growing.
        let isUnreachable = position == nil && primary.poolUsage.openConnections == 0
        await withDiscardingTaskGroup { group in
            for index in replicas.indices {
                group.addTask { await self.check(at: index, isPrimaryUnreachable: isUnreachable) }
            }
        }
    }

    private func check(at index: Int, isPrimaryUnreachable: Bool) async {
        let condition: ReplicaCondition
        do throws(DatabaseFault) {
            let position = try await replicas[index].answer(within: .seconds(1)) { database throws(DatabaseFault) in
                try await database.loadLogPosition()
            }
            let lag = state.withLock { $0.lag.lag(at: position, isPrimaryUnreachable ? nil : .now) }
            if let lag, lag <= configuration.lagLimit {
                condition = .inUse(secondsBehind: Int(lag.components.seconds))
            } else {
                condition = .behind(seconds: lag.map { Int($0.components.seconds) })
            }
        } catch {
            condition = .unreachable("\(error)")
        }
        set(condition, of: index)
    }

    private func set(_ condition: ReplicaCondition, of index: Int) {
        let before = state.withLock { state in
            defer { state.conditions[index] = condition }
            return state.conditions[index]
        }
        switch (before, condition) {
        case (.inUse, .inUse), (.behind, .behind), (.unreachable, .unreachable): break
        case (_, .inUse): logger.notice("a replica is read", metadata: ["replica": "\(index + 1)"])
        case (_, .behind): logger.warning("a replica is \(condition)", metadata: ["replica": "\(index + 1)"])
        case (_, .unreachable(let reason)):
            logger.warning("a replica is not read", metadata: ["replica": "\(index + 1)", "reason": "\(reason)"])
        }
    }
}

extension ShopDatabase {
    /// Returns the result of `work`. After `patience`, cancels it and throws `unavailable`.
    fileprivate func answer<Value: Sendable>(
        within patience: Duration, _ work: @escaping @Sendable (ShopDatabase) async throws(DatabaseFault) -> Value
    ) async throws(DatabaseFault) -> Value {
        let result = await withTaskGroup(of: Result<Value, DatabaseFault>.self) { group in
            group.addTask {
                do throws(DatabaseFault) { return .success(try await work(self)) } catch { return .failure(error) }
            }
            group.addTask {
                try? await Task.sleep(for: patience)
                return .failure(.unavailable("no answer within \(patience)"))
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(.unavailable("not asked"))
        }
        return try result.get()
    }
}
