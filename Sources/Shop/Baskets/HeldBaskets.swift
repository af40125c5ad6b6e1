// The baskets that this server wrote last, so that the next change of one, or its checkout, needs not read it first, where a guest stays with one
// server: a tenth of a lone checkout's time (0.99 ms for 1.11, Tests/Data/Load/RESULTS.md). Filled by BasketQueue, used by it and CheckoutQueue.
//
// Nothing is ever answered from here alone. What was decided from a held basket is written only where write_baskets and place_orders find
// that the basket's version and the menu's revision still are those, and sent only while nothing was dropped since; where it is not so, and for every
// refusal, the facts are read.
import Ordering
import Synchronization

/// As many of the open baskets last written as there is room for.
final class HeldBaskets: Sendable {
    /// The baskets written last, and those before them, which are dropped when the first fill their room.
    private struct Generations {
        var young: [BasketID: Basket] = [:]
        var old: [BasketID: Basket] = [:]
        /// Of the young.
        var weight = 0
        /// How often all were dropped.
        var epoch = 0

        mutating func hold(_ basket: Basket) {
            if weight >= HeldBaskets.room { self = Generations(old: young, epoch: epoch) }
            weight += HeldBaskets.weight(basket)
            if let before = young.updateValue(basket, forKey: basket.id) { weight -= HeldBaskets.weight(before) }
        }

        mutating func forget(_ id: BasketID) {
            old[id] = nil
            if let basket = young.removeValue(forKey: id) { weight -= HeldBaskets.weight(basket) }
        }
    }

    /// How much weight a generation has: 10,000 baskets of three lines, which take 4 MB. At ten orders a second a guest may think about
    /// one for a quarter of an hour. Two generations of nothing but empty baskets take the most, 12 MB.
    static let room = 40_000
    private let generations = Mutex(Generations())
    private let isUsed: Bool

    /// - Parameter isUsed: Not on Citus, whose workers can't compare the menu's revision: then none is ever held.
    init(isUsed: Bool = true) { self.isUsed = isUsed }

    /// The baskets with these ids, or nil if one is not held.
    func baskets(_ ids: some Sequence<BasketID>) -> [BasketID: Basket]? {
        guard isUsed else { return nil }
        return generations.withLock { generations in
            var found: [BasketID: Basket] = [:]
            for id in ids where found[id] == nil {
                guard let basket = generations.young[id] ?? generations.old[id] else { return nil }
                found[id] = basket
            }
            return found
        }
    }

    /// The present epoch, taken before baskets are asked for or something is written: it ends when all are dropped.
    var epoch: Int { generations.withLock(\.epoch) }

    /// Asks whether an epoch still is the present one.
    func lasts(_ epoch: Int) -> @Sendable () -> Bool { { self.epoch == epoch } }

    /// Keeps baskets as they were written, unless all were dropped since the epoch in which they were sent.
    func hold(_ baskets: some Sequence<Basket>, of epoch: Int) {
        guard isUsed else { return }
        generations.withLock { generations in
            guard generations.epoch == epoch else { return }
            for basket in baskets { generations.hold(basket) }
        }
    }

    /// Drops baskets that became orders, or that somebody else has changed.
    func forget(_ ids: some Sequence<BasketID>) {
        generations.withLock { generations in
            for id in ids { generations.forget(id) }
        }
    }

    /// Drops all of them.
    func forgetAll() { generations.withLock { $0 = Generations(epoch: $0.epoch + 1) } }

    /// One for the basket and one for each item and option in it.
    private static func weight(_ basket: Basket) -> Int {
        basket.sets.reduce(1 + weight(basket.lines)) { $0 + weight($1.items) }
    }

    private static func weight(_ lines: [Line]) -> Int { lines.reduce(0) { $0 + 1 + $1.dish.selection.count } }
}
