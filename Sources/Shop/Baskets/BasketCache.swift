// Caches the baskets that this server wrote last, so that the next change or checkout of a basket need not read it.
// Saves a tenth of a lone checkout's time (0.99 ms instead of 1.11 ms, Tests/Data/Load/RESULTS.md).
//
// No response depends on the cache alone: write_baskets and place_orders check the basket's version and the menu
// revision. If the generation has changed, nothing is sent. After a conflict, and before every rejection, the facts are
// read.
import Ordering
import Synchronization

/// A cache of open baskets, limited by weight.
final class BasketCache: Sendable {
    /// The recent baskets, and the previous ones, which are evicted when the recent ones reach the weight limit.
    private struct Storage {
        var recent: [BasketID: Basket] = [:]
        var previous: [BasketID: Basket] = [:]
        /// The weight of the recent baskets.
        var weight = 0
        /// How often the whole cache was invalidated.
        var generation = 0

        mutating func store(_ basket: Basket) {
            if weight >= BasketCache.weightLimit { self = Storage(previous: recent, generation: generation) }
            weight += BasketCache.weight(basket)
            if let before = recent.updateValue(basket, forKey: basket.id) { weight -= BasketCache.weight(before) }
        }

        mutating func remove(_ id: BasketID) {
            previous[id] = nil
            if let basket = recent.removeValue(forKey: id) { weight -= BasketCache.weight(basket) }
        }
    }

    /// The weight limit: 10,000 baskets of three lines, which take 4 MB. At ten orders a second, a basket stays for a
    /// quarter of an hour. The maximum is 12 MB: empty baskets only, in `recent` and in `previous`.
    static let weightLimit = 40_000
    private let storage = Mutex(Storage())
    private let isUsed: Bool

    /// - Parameter isUsed: False on Citus, whose workers can't compare the menu revision. Nothing is cached then.
    init(isUsed: Bool = true) { self.isUsed = isUsed }

    /// The baskets with these ids; nil if one is not cached.
    func baskets(_ ids: some Sequence<BasketID>) -> [BasketID: Basket]? {
        guard isUsed else { return nil }
        return storage.withLock { storage in
            var found: [BasketID: Basket] = [:]
            for id in ids where found[id] == nil {
                guard let basket = storage.recent[id] ?? storage.previous[id] else { return nil }
                found[id] = basket
            }
            return found
        }
    }

    /// The current generation. Read it before a query or a write; it changes when the cache is invalidated.
    var generation: Int { storage.withLock(\.generation) }

    /// Returns a closure that checks whether the generation is still the current one.
    func isCurrent(_ generation: Int) -> @Sendable () -> Bool { { self.generation == generation } }

    /// Caches written baskets, unless the cache was invalidated since `generation`.
    func store(_ baskets: some Sequence<Basket>, since generation: Int) {
        guard isUsed else { return }
        storage.withLock { storage in
            guard storage.generation == generation else { return }
            for basket in baskets { storage.store(basket) }
        }
    }

    /// Removes baskets that became orders or that another server changed.
    func remove(_ ids: some Sequence<BasketID>) {
        storage.withLock { storage in
            for id in ids { storage.remove(id) }
        }
    }

    /// Invalidates the whole cache and begins a new generation.
    func removeAll() { storage.withLock { $0 = Storage(generation: $0.generation + 1) } }

    /// One for the basket, and one for each item and option in it.
    private static func weight(_ basket: Basket) -> Int {
        basket.sets.reduce(1 + weight(basket.lines)) { $0 + weight($1.items) }
    }

    private static func weight(_ lines: [Line]) -> Int { lines.reduce(0) { $0 + 1 + $1.dish.selection.count } }
}
