// What staff's live page is told: every order that is placed or moves. Moves are announced; new orders are looked for twice a second, while
// someone is watching, so that placing one costs nothing more. Run as a service by RunningShop, asked by Web. Read next: BoardNews.swift.
//
// An order carries the moment at which it was decided, and is visible a moment later. So a look goes back some seconds before the newest
// order that it knows, and leaves out what it saw there last time. An order from a clock that was ahead hides none that came after it.
import Database
import Logging
import Ordering
import ServiceLifecycle
import Synchronization

/// Tells staff of orders, as they are placed and moved by any server or in SQL.
package final class OrderBoard: Service {
    /// How many may watch at one time on one server: more than one client address may (WebConfiguration).
    package static let watcherLimit = 1024
    /// How many events wait for a watcher that is slow.
    static let buffer = 256
    /// How many new orders, and how many announced steps, are told one by one in half a second; beyond, staff read the list anew.
    static let lookLimit = 1000

    private struct State {
        var watchers: [Int64: AsyncStream<NumberedNews>.Continuation] = [:]
        var lastWatcher: Int64 = 0
        /// Those who have not been told yet from when on they miss nothing.
        var newcomers: [Int64] = []
        var newsCount: Int64 = 0
        var announced: [(order: OrderID, step: Int)] = []
        /// Whether something happened that nobody can be told one by one.
        var hasGap = false
        /// What the newest look saw; nil while nobody watches.
        var look: Look?
    }

    private struct Look {
        let seen: Set<OrderID>
        let newest: Instant?
    }

    private let database: ShopDatabase
    /// An order is in the database so long after its moment at most; one of a refused batch, which are placed one by one, can be later.
    private let lateness: Duration
    private let logger: Logger
    private let state = Mutex(State())
    private let poller = Poller()

    init(database: ShopDatabase, lateness: Duration, logger: Logger) {
        (self.database, self.lateness, self.logger) = (database, lateness, logger)
    }

    package var watcherCount: Int { state.withLock { $0.watchers.count } }

    /// Starts to watch; nil if too many do. The first news is `listChanged`: from then on nothing is missed.
    package func watch() -> BoardNews? {
        let (news, continuation) = AsyncStream.makeStream(of: NumberedNews.self, bufferingPolicy: .bufferingNewest(Self.buffer))
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
        poller.ask()
        return BoardNews(news: news, continuation: continuation, known: started.known)
    }

    package func run() async throws {
        await poller.run(every: .milliseconds(500)) {
            await self.readNewest()
            // Steps that come in a burst are told together.
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    private func readNewest() async {
        let (isWatched, announced, hasGap, newcomers, look) = state.withLock { state in
            if state.watchers.isEmpty { state.look = nil }
            defer { (state.announced, state.hasGap, state.newcomers) = ([], false, []) }
            return (!state.watchers.isEmpty, state.announced, state.hasGap, state.newcomers, state.look)
        }
        guard isWatched else { return }
        do throws(DatabaseFault) {
            let newest = try await database.loadNewestOrders(after: look?.newest, lateness: lateness, limit: Self.lookLimit)
            var placed: [OrderID] = []
            var isCut = false
            if let look {
                placed = newest.reversed().map(\.id).filter { !look.seen.contains($0) }
                isCut = newest.count == Self.lookLimit && newest.last.map { !look.seen.contains($0.id) } == true
            }
            let histories = Dictionary(
                try await database.loadHistories(Array(Set(placed + announced.map(\.order)))).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
            state.withLock { $0.look = Look(seen: Set(newest.map(\.id)), newest: newest.first?.placedAt ?? look?.newest) }
            tell(placed.compactMap { histories[$0]?.event(1) }.map(StaffNews.placed))
            tell(announced.compactMap { histories[$0.order]?.event($0.step) }.map(StaffNews.moved))
            if hasGap || isCut { tell([.listChanged]) }
            welcome(newcomers)
        } catch {
            logger.debug("the newest orders can't be read", metadata: ["reason": "\(error)"])
            state.withLock { state in
                state.hasGap = true
                state.newcomers += newcomers
            }
        }
    }

    /// Under the lock, so that the numbers are in order for everyone; yielding never waits.
    private func tell(_ news: [StaffNews]) {
        state.withLock { state in
            for one in news {
                state.newsCount += 1
                for watcher in state.watchers.values { watcher.yield(NumberedNews(number: state.newsCount, news: one)) }
            }
        }
    }

    private func welcome(_ newcomers: [Int64]) {
        state.withLock { state in
            for newcomer in newcomers { state.watchers[newcomer]?.yield(NumberedNews(number: state.newsCount, news: .listChanged)) }
        }
    }
}

extension OrderBoard: AnnouncementListener {
    func listeningBegan() {
        state.withLock { if !$0.watchers.isEmpty { $0.hasGap = true } }
        poller.ask()
    }

    func listeningEnded() {}

    func announced(_ announcement: Announcement) {
        guard case .orderMoved(let order, let step) = announcement else { return }
        let isWatched = state.withLock { state in
            guard !state.watchers.isEmpty else { return false }
            if state.announced.count < Self.lookLimit { state.announced.append((order, step)) } else { state.hasGap = true }
            return true
        }
        if isWatched { poller.ask() }
    }
}
