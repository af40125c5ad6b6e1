// Executes basket changes in batches: changes that wait at the same time are applied and written together.
//
//     change -> queue -> baskets (BasketCache, or LoadBaskets) -> rules (AppliedBasketChanges: Basket.applying)
//            -> rows (WriteBaskets, sql/005) -> result
import Database
import Metrics
import Ordering
import ServiceLifecycle
import Tracing

/// Creates and changes baskets in batches.
package final class BasketQueue: Service {
    private let database: ShopDatabase
    private let menu: CurrentMenu
    private let queue: BatchQueue<BasketJob, Result<PricedBasket, BasketRejection>>

    /// The limits of a single-shard queue. Changes are smaller than checkouts, so a batch takes more of them. Only a
    /// successful change on another server causes a conflict, so a job times out before it uses 100 attempts.
    package static let limits = limits(for: .single)

    static func limits(for shards: Shards) -> QueueLimits {
        var limits = QueueLimits(for: shards)
        limits.batchSize = 128
        limits.attemptLimit = 100
        return limits
    }

    /// Makes a queue that prices baskets with `menu` and caches them. The baskets of a batch are on one shard.
    init(
        database: ShopDatabase, menu: CurrentMenu, cache: BasketCache, limits: QueueLimits = BasketQueue.limits,
        shards: Shards = .single,
        metrics: any MetricsFactory, tracer: (any Tracer)? = nil
    ) {
        let batch = BasketBatch(database: database, menu: menu, cache: cache)
        (self.database, self.menu) = (database, menu)
        queue = BatchQueue(
            "baskets", limits: limits, on: database, firstConnection: 2, metrics: metrics, tracer: tracer,
            shard: shards.shard
        ) { jobs, times in
            do throws(DatabaseFault) {
                return try await batch.answer(jobs, times)
            } catch {
                times?.fail()
                return jobs.map { _ in .failed(ShopFault(error)) }
            }
        }
    }

    /// Creates an empty basket.
    package func create(
        _ id: BasketID, in language: LanguageTag? = nil
    ) async throws(ShopFault) -> Result<PricedBasket, BasketRejection> {
        try await queue.submit(BasketJob(kind: .create, subject: id, language: language))
    }

    /// Changes a basket if it meets the precondition.
    /// - Parameter language: The language of the response; nil: the shop's language.
    package func change(
        _ id: BasketID, _ change: BasketChange, if precondition: BasketPrecondition? = nil,
        in language: LanguageTag? = nil
    ) async throws(ShopFault) -> Result<PricedBasket, BasketRejection> {
        try await queue.submit(BasketJob(kind: .change(change, precondition), subject: id, language: language))
    }

    /// How many jobs wait for their batch.
    package var waitingCount: Int { queue.waitingCount }

    /// Loads a basket at the current prices; nil if it does not exist.
    package func load(_ id: BasketID, in language: LanguageTag? = nil) async throws(ShopFault) -> PricedBasket? {
        try await ShopFault.wrapping { () throws(DatabaseFault) in
            let facts = try await database.loadBaskets([id])
            if let fault = facts.faults[id] { throw fault }
            guard let basket = facts.baskets[id] else { return nil }
            let now = try await menu.menu(atLeast: facts.menuRevision).menu.evaluated(at: facts.now)
            return PricedBasket(basket, menu: menu.menu(now, in: language))
        }
    }

    /// Works until the server shuts down.
    package func run() async throws { try await queue.run() }
}

private struct BasketBatch: Sendable {
    let database: ShopDatabase
    let menu: CurrentMenu
    let cache: BasketCache

    typealias Answers = [BatchResult<Result<PricedBasket, BasketRejection>>]

    func answer(_ jobs: [BasketJob], _ times: BatchTimes?) async throws(DatabaseFault) -> Answers {
        let ids = jobs.compactMap(\.changedBasketID)
        let generation = cache.generation
        // Skips the read if every job writes its basket, because the write checks the basket's version and the menu
        // revision.
        if let now = menu.current?.menu, let baskets = cache.baskets(ids) {
            let gathered = times?.now
            let changes = AppliedBasketChanges(jobs, baskets, now) { menu.menu(now, in: $0) }
            if changes.isEveryJobWritten {
                times?.endFacts(cachedAt: gathered)
                // A batch that only creates empty baskets does not depend on the menu revision.
                return try await write(changes, ifMenuIs: ids.isEmpty ? nil : now.revision, of: generation, times)
            }
        }
        let facts = try await database.loadBaskets(ids)
        times?.end(.facts)
        let now = try await menu.menu(atLeast: facts.menuRevision).menu.evaluated(at: facts.now)
        // A decoding error fails only the jobs of its own basket.
        func fault(_ job: BasketJob) -> DatabaseFault? { job.changedBasketID.flatMap { facts.faults[$0] } }
        let readable = jobs.filter { fault($0) == nil }
        let changed = AppliedBasketChanges(readable, facts.baskets, now) { menu.menu(now, in: $0) }
        var answers = try await write(changed, times)[...]
        return jobs.map { job in fault(job).map { .failed(ShopFault($0)) } ?? answers.popFirst() ?? .conflict }
    }

    /// - Parameter generation: The generation of the cached baskets; nil: the baskets were read from the database.
    private func write(
        _ changes: AppliedBasketChanges, ifMenuIs revision: Int64? = nil, of generation: Int? = nil,
        _ times: BatchTimes?
    ) async throws(DatabaseFault) -> Answers {
        times?.end(.decision)
        let current = generation ?? cache.generation
        var written: Set<BasketID> = []
        do throws(DatabaseFault) {
            written = try await database.writeBaskets(
                changes.writes, ifMenuRevisionIs: revision, ifStill: generation.map(cache.isCurrent))
        } catch {
            // The cached baskets were outdated. The retry reads them from the database.
            guard generation != nil, error.kind == .conflict else { throw error }
        }
        if !changes.writes.isEmpty { times?.end(.statement) }
        let conflicts = Set(changes.writes.map(\.basket.id)).subtracting(written)
        cache.store(changes.writes.lazy.map(\.basket).filter { !conflicts.contains($0.id) }, since: current)
        cache.remove(conflicts)
        return changes.outcomes.map { conflicts.contains($0.id) ? .conflict : .done($0.result) }
    }
}
