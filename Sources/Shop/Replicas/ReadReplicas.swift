// The replicas of the primary that take reads, looked at once a second. A read that a replica can't answer in time is asked of the primary: one that
// hangs costs a read 0.25 s, where a statement's limit is 5 s. By hand: libpq chooses a host when it connects, and asks nothing of its lag. Run as a service by
// RunningShop; read by Orders/GuestOrders.swift and Menu/CurrentMenu.swift. Read next: ReplicaLag.swift.
import Database
import Logging
import Metrics
import ServiceLifecycle
import Synchronization

/// Pools to the replicas, looked at once a second.
package final class ReadReplicas: Service {
    private struct State {
        var conditions: [ReplicaCondition]
        var lag = ReplicaLag()
        var turn = 0
    }

    /// How far a replica that is read can be behind: the limit, and what passes until the next look has told.
    let staleness: Duration
    private let configuration: ReplicaConfiguration
    private let primary: ShopDatabase
    private let logger: Logger
    private let replicas: [ShopDatabase]
    private let state: Mutex<State>
    private let answered: Counter
    private let passedOn: Counter
    private let poller = Poller()

    /// - Parameter place: How the primary is reached; the replicas are reached alike, but for the URL.
    init(
        _ configuration: ReplicaConfiguration, place: DatabaseConfiguration, primary: ShopDatabase, metrics: any MetricsFactory,
        logger: Logger
    ) throws(DatabaseFault) {
        (self.configuration, self.primary, self.logger) = (configuration, primary, logger)
        staleness = configuration.lagLimit + .seconds(3)
        state = Mutex(State(conditions: configuration.urls.map { _ in .away("not connected yet") }))
        answered = Counter(label: "welms_replica_reads_total", dimensions: [("answered_by", "replica")], factory: metrics)
        passedOn = Counter(label: "welms_replica_reads_total", dimensions: [("answered_by", "primary")], factory: metrics)
        var replicas: [ShopDatabase] = []
        for url in configuration.urls {
            var place = place
            (place.url, place.isReadOnly) = (url, true)
            // Two for guests, and one that the report of the day may keep busy.
            place.connections = 3
            place.waitForConnection = configuration.patience
            replicas.append(try ShopDatabase(place, logger: logger, onHealthChange: { [poller] _ in poller.ask() }))
        }
        self.replicas = replicas
    }

    /// How each replica does, in the order of their URLs.
    package var conditions: [ReplicaCondition] { state.withLock { $0.conditions } }

    /// Reads on a replica; nil where none can be read or this one could not answer: the primary has to.
    func read<Value: Sendable>(
        within patience: Duration? = nil, _ work: @escaping @Sendable (ShopDatabase) async throws(DatabaseFault) -> Value
    ) async -> Value? {
        guard let index = takeTurn() else { return nil }
        do throws(DatabaseFault) {
            let value = try await replicas[index].answer(within: patience ?? configuration.patience, work)
            answered.increment()
            return value
        } catch {
            passedOn.increment()
            // Any other failure is about this statement, such as a conflict with what is replayed, or about who asked.
            // And one that takes its time over a report is still there.
            if error.isAbsence, patience == nil {
                set(.away("\(error)"), of: index)
                poller.ask()
            }
            return nil
        }
    }

    /// The next replica that can be read, one after the other.
    private func takeTurn() -> Int? {
        state.withLock { state in
            for step in 1...max(1, replicas.count) {
                let index = (state.turn + step) % max(1, replicas.count)
                guard replicas.indices.contains(index), case .inUse = state.conditions[index] else { continue }
                state.turn = index
                return index
            }
            return nil
        }
    }

    /// Keeps the connections open, and looks at the replicas once a second and when a connection comes or goes.
    package func run() async throws {
        guard !replicas.isEmpty else { return await cancelWhenGracefulShutdown { try? await Task.sleep(for: .seconds(1_000_000_000)) } }
        try await withThrowingDiscardingTaskGroup { group in
            for replica in replicas { group.addTask { try await replica.run() } }
            group.addTask { await self.poller.run { await self.checkAll() } }
        }
    }

    private func checkAll() async {
        // Before the replicas are asked, so that one that has all is not called late.
        let asked = ContinuousClock.now
        let position = try? await primary.answer(within: .seconds(1)) { database throws(DatabaseFault) in
            try await database.loadLogPosition()
        }
        if let position { state.withLock { $0.lag.recordPrimary(at: position, asked) } }
        // While the primary is away the last word stands. One that is there and slow writes on, and its last word gets old.
        let isAway = position == nil && primary.use.openConnections == 0
        await withDiscardingTaskGroup { group in
            for index in replicas.indices { group.addTask { await self.check(at: index, isPrimaryAway: isAway) } }
        }
    }

    private func check(at index: Int, isPrimaryAway: Bool) async {
        let condition: ReplicaCondition
        do throws(DatabaseFault) {
            let position = try await replicas[index].answer(within: .seconds(1)) { database throws(DatabaseFault) in
                try await database.loadLogPosition()
            }
            let lag = state.withLock { $0.lag.lag(at: position, isPrimaryAway ? nil : .now) }
            if let lag, lag <= configuration.lagLimit {
                condition = .inUse(secondsBehind: Int(lag.components.seconds))
            } else {
                condition = .behind(seconds: lag.map { Int($0.components.seconds) })
            }
        } catch {
            condition = .away("\(error)")
        }
        set(condition, of: index)
    }

    private func set(_ condition: ReplicaCondition, of index: Int) {
        let before = state.withLock { state in
            defer { state.conditions[index] = condition }
            return state.conditions[index]
        }
        switch (before, condition) {
        case (.inUse, .inUse), (.behind, .behind), (.away, .away): break
        case (_, .inUse): logger.notice("a replica is read", metadata: ["replica": "\(index + 1)"])
        case (_, .behind): logger.warning("a replica is \(condition)", metadata: ["replica": "\(index + 1)"])
        case (_, .away(let reason)): logger.warning("a replica is not read", metadata: ["replica": "\(index + 1)", "reason": "\(reason)"])
        }
    }
}

extension ShopDatabase {
    /// What `work` answers in time; it is cancelled and `unavailable` otherwise, whatever the connection waits for.
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
