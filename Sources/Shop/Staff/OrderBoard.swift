// Publishes new and changed orders to the staff board. Changes arrive as notifications. New orders are polled twice a
// second while a client is connected, so that placing an order costs nothing more.
//
// An order becomes visible when its transaction commits, which is later than its placement time. So a poll begins some
// seconds before the newest known order, and skips the orders of the previous poll. An order with a time in the future
// does not hide later orders.
import Database
import Logging
import Ordering
import ServiceLifecycle
import Synchronization

/// Publishes orders to staff, whichever server or session placed or changed them.
package final class OrderBoard: Service {
    /// The maximum number of clients of one server. HTTPServerConfiguration sets a lower maximum for each address.
    package static let watcherLimit = 1024
    /// How many events are buffered for a slow client.
    static let bufferSize = 256
    /// The maximum number of new orders, and of changes, that one poll sends as events. Beyond that, clients reload the
    /// list.
    static let eventLimit = 1000

    private struct State {
        var watchers: [Int64: AsyncStream<NumberedBoardEvent>.Continuation] = [:]
        var lastWatcher: Int64 = 0
        /// The clients that still need their first `listChanged`.
        var newcomers: [Int64] = []
        var newsCount: Int64 = 0
        var announced: [(order: OrderID, step: Int)] = []
        /// Whether events were lost.
        var hasGap = false
        /// The orders of the newest poll; nil while no client is connected.
        var lastPoll: Poll?
    }

    private struct Poll {
        let seen: Set<OrderID>
        let newest: Instant?
    }

    private let database: ShopDatabase
    /// The longest time between an order's placement time and its commit. Orders of a failed batch, which are placed
    /// one by one, may take longer.
    private let lateness: Duration
    private let logger: Logger
    private let state = Mutex(State())
    private let poller = Poller()

    init(database: ShopDatabase, lateness: Duration, logger: Logger) {
        (self.database, self.lateness, self.logger) = (database, lateness, logger)
    }

    /// The number of connected clients.
    package var watcherCount: Int { state.withLock { $0.watchers.count } }

    /// Opens an event stream; nil if there are too many. Its first event is `listChanged`. Later changes are sent, or
    /// replaced by another `listChanged`.
    package func watch() -> BoardEventStream? {
        let (news, continuation) = AsyncStream.makeStream(
            of: NumberedBoardEvent.self, bufferingPolicy: .bufferingNewest(Self.bufferSize))
        let started: (watcher: Int64, known: Int64)? = state.withLock { state in
            guard state.watchers.count < Self.watcherLimit else { return nil }
            state.lastWatcher += 1
            state.watchers[state.lastWatcher] = continuation
            state.newcomers.append(state.lastWatcher)
            return (state.lastWatcher, state.newsCount)
        }
        guard let started else { return nil }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.watchers.removeValue(forKey: started.watcher) }
        }
        poller.trigger()
        return BoardEventStream(news: news, continuation: continuation, lastNumber: started.known)
    }

    /// Polls until the server shuts down.
    package func run() async throws {
        await poller.run(every: .milliseconds(500)) {
            await self.readNewest()
            // Changes of a burst are sent together.
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    private func readNewest() async {
        let (isWatched, announced, hasGap, newcomers, lastPoll) = state.withLock { state in
            if state.watchers.isEmpty { state.lastPoll = nil }
            defer { (state.announced, state.hasGap, state.newcomers) = ([], false, []) }
            return (!state.watchers.isEmpty, state.announced, state.hasGap, state.newcomers, state.lastPoll)
        }
        guard isWatched else { return }
        do throws(DatabaseFault) {
            let newest = try await database.loadNewestOrders(
                after: lastPoll?.newest, lateness: lateness, limit: Self.eventLimit)
            var placed: [OrderID] = []
            var isCut = false
            if let lastPoll {
                placed = newest.reversed().map(\.id).filter { !lastPoll.seen.contains($0) }
                isCut = newest.count == Self.eventLimit && newest.last.map { !lastPoll.seen.contains($0.id) } == true
            }
            let histories = Dictionary(
                try await database.loadHistories(Array(Set(placed + announced.map(\.order)))).map { ($0.id, $0) },
                uniquingKeysWith: { $1 })
            state.withLock {
                $0.lastPoll = Poll(seen: Set(newest.map(\.id)), newest: newest.first?.placedAt ?? lastPoll?.newest)
            }
            publish(placed.compactMap { histories[$0]?.event(number: 1) }.map(BoardEvent.placed))
            publish(announced.compactMap { histories[$0.order]?.event(number: $0.step) }.map(BoardEvent.moved))
            if hasGap || isCut { publish([.listChanged]) }
            sendFirstEvent(newcomers)
        } catch {
            logger.debug("the newest orders can't be read", metadata: ["reason": "\(error)"])
            state.withLock { state in
                state.hasGap = true
                state.newcomers += newcomers
            }
        }
    }

    /// Runs under the lock, so that every client gets the events in order. Yielding never blocks.
    private func publish(_ news: [BoardEvent]) {
        state.withLock { state in
            for event in news {
                state.newsCount += 1
                for watcher in state.watchers.values {
                    watcher.yield(NumberedBoardEvent(number: state.newsCount, news: event))
                }
            }
        }
    }

    private func sendFirstEvent(_ newcomers: [Int64]) {
        state.withLock { state in
            for newcomer in newcomers {
                state.watchers[newcomer]?.yield(NumberedBoardEvent(number: state.newsCount, news: .listChanged))
            }
        }
    }
}

extension OrderBoard: NotificationObserver {
    func listeningBegan() {
        state.withLock { if !$0.watchers.isEmpty { $0.hasGap = true } }
        poller.trigger()
    }

    func listeningEnded() {}

    func received(_ announcement: DatabaseNotification) {
        guard case .orderMoved(let order, let step) = announcement else { return }
        let isWatched = state.withLock { state in
            guard !state.watchers.isEmpty else { return false }
            if state.announced.count < Self.eventLimit {
                state.announced.append((order, step))
            } else {
                state.hasGap = true
            }
            return true
        }
        if isWatched { poller.trigger() }
    }
}
