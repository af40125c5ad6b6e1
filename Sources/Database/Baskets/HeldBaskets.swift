// The baskets that this server wrote last, so that the next change of one, or its checkout, needs not read it first: with one server, or with
// several where a guest stays with one, that saves a round trip in most requests. Filled by BasketQueue, used by it and by CheckoutQueue.
//
// Nothing is ever answered from here alone. What was decided from a held basket is written only where write_baskets and place_orders find
// that the basket's version and the menu's revision still are those; where they are not, and for every refusal, the facts are read.
import Ordering
import Synchronization

/// As many of the open baskets last written as there is room for.
final class HeldBaskets: Sendable {
    /// The baskets used last, and those before them, which are dropped when the first are so many. 8,192 in all: 3 MB with three lines
    /// each, 15 if all had their 50; and at ten orders a second a guest may look at the basket for ten minutes.
    private struct Generations {
        var young: [BasketID: Basket] = [:]
        var old: [BasketID: Basket] = [:]
    }

    private static let limit = 4096
    private let generations = Mutex(Generations())

    /// The baskets with these ids, or nil if one is not held.
    func baskets(_ ids: some Sequence<BasketID>) -> [BasketID: Basket]? {
        generations.withLock { generations in
            var found: [BasketID: Basket] = [:]
            for id in ids where found[id] == nil {
                guard let basket = generations.young[id] ?? generations.old[id] else { return nil }
                found[id] = basket
            }
            return found
        }
    }

    /// Keeps baskets as they were written.
    func hold(_ baskets: some Sequence<Basket>) {
        generations.withLock { generations in
            for basket in baskets {
                if generations.young.count >= Self.limit { generations = Generations(old: generations.young) }
                generations.young[basket.id] = basket
            }
        }
    }

    /// Drops baskets that became orders, or that somebody else has changed.
    func forget(_ ids: some Sequence<BasketID>) {
        generations.withLock { generations in
            for id in ids {
                generations.young[id] = nil
                generations.old[id] = nil
            }
        }
    }
}
