// Those who follow an order, and what they are told: its history, each time it has grown. Fed by Announcements; run as a service by RunningShop,
// asked by Web. A follower's buffer is the newest history, in which the older ones are contained: nothing is lost by being slow.
// Read next: OrderEvents.swift.
import Database
import Logging
import Ordering
import ServiceLifecycle
import Synchronization

/// What becomes of someone who wants to follow an order.
package enum OrderFollowing: Sendable {
    case events(OrderEvents)
    /// There is nothing left to tell: the order is at its end, and the follower knows it all.
    case over
    case unknown
    case tooMany
}

/// Tells each follower the steps of an order.
package final class OrderWatch: Service {
    /// How many histories are read in one statement.
    private static let batch = 500
    /// Every so many seconds all followed orders are read again, as there are poolers that drop LISTEN. In between announcements do.
    private static let secondsBetweenSweeps = 5

    private struct State {
        var followers: [OrderID: [Int64: AsyncStream<OrderHistory>.Continuation]] = [:]
        var followerCount = 0
        var lastFollower: Int64 = 0
        /// The followed orders whose history has to be read.
        var moved: Set<OrderID> = []
        var isListening = false
    }

    private let database: ShopDatabase
    private let logger: Logger
    private let followerLimit: Int
    private let state = Mutex(State())
    private let poller = Poller()

    /// - Parameter followerLimit: How many may follow orders at one time on this server.
    init(database: ShopDatabase, logger: Logger, followerLimit: Int = 4096) {
        (self.database, self.logger, self.followerLimit) = (database, logger, followerLimit)
    }

    package var followerCount: Int { state.withLock { $0.followerCount } }

    /// The steps of an order after the one of number `known`, as far as there are any, and those to come. A number that the order
    /// has not got to is nobody's: all steps are told then.
    package func follow(_ id: OrderID, after known: Int) async throws(ShopFault) -> OrderFollowing {
        // Before the history is read, so that no step falls between.
        guard let (histories, continuation) = register(id) else { return .tooMany }
        do throws(DatabaseFault) {
            guard let history = try await database.loadHistories([id]).first else {
                continuation.finish()
                return .unknown
            }
            let known = known >= 1 && known <= history.steps.count ? known : 0
            if history.isOver, known == history.steps.count {
                continuation.finish()
                return .over
            }
            return .events(OrderEvents(first: history, rest: histories, continuation: continuation, known: known))
        } catch {
            continuation.finish()
            throw ShopFault(error)
        }
    }

    private func register(_ id: OrderID) -> (AsyncStream<OrderHistory>, AsyncStream<OrderHistory>.Continuation)? {
        let (histories, continuation) = AsyncStream.makeStream(of: OrderHistory.self, bufferingPolicy: .bufferingNewest(1))
        let follower: Int64? = state.withLock { state in
            guard state.followerCount < followerLimit else { return nil }
            state.followerCount += 1
            state.lastFollower += 1
            state.followers[id, default: [:]][state.lastFollower] = continuation
            return state.lastFollower
        }
        guard let follower else { return nil }
        // Set outside the lock, which the handler takes.
        continuation.onTermination = { [weak self] _ in self?.forget(follower, of: id) }
        return (histories, continuation)
    }

    private func forget(_ follower: Int64, of id: OrderID) {
        state.withLock { state in
            guard state.followers[id]?.removeValue(forKey: follower) != nil else { return }
            state.followerCount -= 1
            if state.followers[id]?.isEmpty == true { state.followers[id] = nil }
        }
    }

    package func run() async throws {
        await poller.run(isDue: { second in
            self.sweep(second)
            return true
        }) {
            await self.readMoved()
            // Steps that come in a burst are read together.
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Each second while nothing is heard, seldom otherwise. Each second what has moved is read, too: the second try after a reading that failed.
    private func sweep(_ second: Int) {
        state.withLock { state in
            if second.isMultiple(of: Self.secondsBetweenSweeps) || !state.isListening { state.moved.formUnion(state.followers.keys) }
        }
    }

    private func readMoved() async {
        let moved = state.withLock { state in
            defer { state.moved = [] }
            return state.moved.filter { state.followers[$0] != nil }
        }
        var rest = Array(moved)[...]
        while !rest.isEmpty {
            do throws(DatabaseFault) {
                for history in try await database.loadHistories(Array(rest.prefix(Self.batch))) { tell(history) }
                rest = rest.dropFirst(Self.batch)
            } catch {
                logger.debug("the histories of orders can't be read", metadata: ["reason": "\(error)"])
                state.withLock { state in state.moved.formUnion(rest) }
                return
            }
        }
    }

    private func tell(_ history: OrderHistory) {
        let followers = state.withLock { $0.followers[history.id].map { Array($0.values) } ?? [] }
        for follower in followers { follower.yield(history) }
    }
}

extension OrderWatch: AnnouncementListener {
    func listeningBegan() {
        state.withLock { state in
            state.isListening = true
            state.moved.formUnion(state.followers.keys)
        }
        poller.ask()
    }

    func listeningEnded() { state.withLock { $0.isListening = false } }

    func announced(_ announcement: Announcement) {
        guard case .orderMoved(let order, _) = announcement else { return }
        let isFollowed = state.withLock { state in
            guard state.followers[order] != nil else { return false }
            state.moved.insert(order)
            return true
        }
        if isFollowed { poller.ask() }
    }
}
