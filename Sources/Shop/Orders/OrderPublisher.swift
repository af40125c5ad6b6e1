// Publishes the history of orders to subscribers. A subscriber buffers only the newest history. A history contains all
// earlier steps, so a slow subscriber loses none.
import Database
import Logging
import Ordering
import ServiceLifecycle
import Synchronization

/// The result of a subscription.
package enum OrderSubscription: Sendable {
    /// The stream of the steps that the subscriber does not know yet.
    case events(OrderEventStream)
    /// The order is in a final state, and the subscriber knows all its steps.
    case finished
    /// The order does not exist.
    case orderNotFound
    /// The server has too many subscribers.
    case limitReached
}

/// Publishes the steps of orders to their subscribers.
package final class OrderPublisher: Service {
    /// How many histories one statement reads.
    private static let batch = 500
    /// How often all subscribed orders are read, because some poolers drop LISTEN. Notifications arrive earlier.
    private static let secondsBetweenSweeps = 5

    private struct State {
        var subscribers: [OrderID: [Int64: AsyncStream<OrderHistory>.Continuation]] = [:]
        var subscriberCount = 0
        var lastSubscriber: Int64 = 0
        /// The subscribed orders whose history has to be read.
        var moved: Set<OrderID> = []
        var isListening = false
    }

    private let database: ShopDatabase
    private let logger: Logger
    private let followerLimit: Int
    private let state = Mutex(State())
    private let poller = Poller()

    /// - Parameter subscriberLimit: The maximum number of subscribers of this server.
    init(database: ShopDatabase, logger: Logger, subscriberLimit: Int = 4096) {
        (self.database, self.logger, self.followerLimit) = (database, logger, subscriberLimit)
    }

    /// The number of subscribers.
    package var subscriberCount: Int { state.withLock { $0.subscriberCount } }

    /// Subscribes to the steps of an order after step `known`. If the order has no such step, all steps are sent.
    package func subscribe(to id: OrderID, after known: Int) async throws(ShopFault) -> OrderSubscription {
        // Registers before the history is read, so that no step is missed.
        guard let (histories, continuation) = register(id) else { return .limitReached }
        do throws(DatabaseFault) {
            guard let history = try await database.loadHistories([id]).first else {
                continuation.finish()
                return .orderNotFound
            }
            let known = known >= 1 && known <= history.steps.count ? known : 0
            if history.isOver, known == history.steps.count {
                continuation.finish()
                return .finished
            }
            return .events(OrderEventStream(first: history, rest: histories, continuation: continuation, known: known))
        } catch {
            continuation.finish()
            throw ShopFault(error)
        }
    }

    private func register(_ id: OrderID) -> (AsyncStream<OrderHistory>, AsyncStream<OrderHistory>.Continuation)? {
        let (histories, continuation) = AsyncStream.makeStream(
            of: OrderHistory.self, bufferingPolicy: .bufferingNewest(1))
        let subscriber: Int64? = state.withLock { state in
            guard state.subscriberCount < followerLimit else { return nil }
            state.subscriberCount += 1
            state.lastSubscriber += 1
            state.subscribers[id, default: [:]][state.lastSubscriber] = continuation
            return state.lastSubscriber
        }
        guard let subscriber else { return nil }
        // Sets the handler outside the lock, because the handler takes the lock.
        continuation.onTermination = { [weak self] _ in self?.forget(subscriber, of: id) }
        return (histories, continuation)
    }

    private func forget(_ subscriber: Int64, of id: OrderID) {
        state.withLock { state in
            guard state.subscribers[id]?.removeValue(forKey: subscriber) != nil else { return }
            state.subscriberCount -= 1
            if state.subscribers[id]?.isEmpty == true { state.subscribers[id] = nil }
        }
    }

    /// Reads and publishes histories until the server shuts down.
    package func run() async throws {
        await poller.run(isDue: { second in
            self.sweep(second)
            return true
        }) {
            await self.readMoved()
            // Steps of a burst are read together.
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Reads all subscribed orders every five seconds, or every second without notifications. Also retries failed
    /// reads.
    private func sweep(_ second: Int) {
        state.withLock { state in
            if second.isMultiple(of: Self.secondsBetweenSweeps) || !state.isListening {
                state.moved.formUnion(state.subscribers.keys)
            }
        }
    }

    private func readMoved() async {
        let moved = state.withLock { state in
            defer { state.moved = [] }
            return state.moved.filter { state.subscribers[$0] != nil }
        }
        var rest = Array(moved)[...]
        while !rest.isEmpty {
            do throws(DatabaseFault) {
                for history in try await database.loadHistories(Array(rest.prefix(Self.batch))) { publish(history) }
                rest = rest.dropFirst(Self.batch)
            } catch {
                logger.debug("order histories can't be read", metadata: ["reason": "\(error)"])
                state.withLock { state in state.moved.formUnion(rest) }
                return
            }
        }
    }

    private func publish(_ history: OrderHistory) {
        let subscribers = state.withLock { $0.subscribers[history.id].map { Array($0.values) } ?? [] }
        for subscriber in subscribers { subscriber.yield(history) }
    }
}

extension OrderPublisher: NotificationObserver {
    func listeningBegan() {
        state.withLock { state in
            state.isListening = true
            state.moved.formUnion(state.subscribers.keys)
        }
        poller.trigger()
    }

    func listeningEnded() { state.withLock { $0.isListening = false } }

    func received(_ announcement: DatabaseNotification) {
        guard case .orderMoved(let order, _) = announcement else { return }
        let isSubscribed = state.withLock { state in
            guard state.subscribers[order] != nil else { return false }
            state.moved.insert(order)
            return true
        }
        if isSubscribed { poller.trigger() }
    }
}
