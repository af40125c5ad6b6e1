// The way of a basket change: changes that wait at the same moment are applied and written together. Called by Web's BasketRoutes; run as a
// service by RunningShop.
//
//     BasketRoutes: change -> queue -> baskets (HeldBaskets, or LoadBaskets) -> rules (ChangedBaskets: Basket.applying) -> row (WriteBaskets, sql/005) -> answer
import Database
import Metrics
import Ordering
import ServiceLifecycle
import Tracing

package final class BasketQueue: Service {
    private let database: ShopDatabase
    private let menu: CurrentMenu
    private let queue: BatchQueue<BasketJob, Result<PricedBasket, BasketRejection>>

    /// Changes are smaller than checkouts, so a batch takes more of them; and only another server can make one lose, where one of the two
    /// always gets on: patience ends before the attempts do.
    package static let limits = limits(for: .one)

    static func limits(for shards: Shards) -> QueueLimits {
        var limits = QueueLimits(for: shards)
        limits.batch = 128
        limits.attempts = 100
        return limits
    }

    /// A queue that writes baskets in `database` at the prices of `menu`, and keeps them in `held`. Those of a batch lie on one of the `shards`.
    init(
        database: ShopDatabase, menu: CurrentMenu, held: HeldBaskets, limits: QueueLimits = BasketQueue.limits, shards: Shards = .one,
        metrics: any MetricsFactory, tracer: (any Tracer)? = nil
    ) {
        let batch = BasketBatch(database: database, menu: menu, held: held)
        (self.database, self.menu) = (database, menu)
        queue = BatchQueue(
            "baskets", limits: limits, on: database, firstConnection: 2, metrics: metrics, tracer: tracer, shard: shards.shard
        ) { jobs, times in
            do throws(DatabaseFault) {
                return try await batch.answer(jobs, times)
            } catch {
                times?.fail()
                return jobs.map { _ in .failed(ShopFault(error)) }
            }
        }
    }

    package func create(
        _ id: BasketID, in language: LanguageTag? = nil
    ) async throws(ShopFault) -> Result<PricedBasket, BasketRejection> {
        try await queue.submit(BasketJob(kind: .create, subject: id, language: language))
    }

    /// Changes a basket, if `precondition` holds.
    /// - Parameter language: what the answer is in; nil: the shop's own.
    package func change(
        _ id: BasketID, _ change: BasketChange, if precondition: BasketPrecondition? = nil, in language: LanguageTag? = nil
    ) async throws(ShopFault) -> Result<PricedBasket, BasketRejection> {
        try await queue.submit(BasketJob(kind: .change(change, precondition), subject: id, language: language))
    }

    package var waitingCount: Int { queue.waitingCount }

    /// Reads a basket at the menu's current prices; nil where there is none.
    package func load(_ id: BasketID, in language: LanguageTag? = nil) async throws(ShopFault) -> PricedBasket? {
        try await ShopFault.of { () throws(DatabaseFault) in
            let facts = try await database.loadBaskets([id])
            if let fault = facts.faults[id] { throw fault }
            guard let basket = facts.baskets[id] else { return nil }
            let now = try await menu.menu(atLeast: facts.menuRevision).menu.at(facts.now)
            return PricedBasket(basket, menu: menu.menu(now, in: language))
        }
    }

    package func run() async throws { try await queue.run() }
}

private struct BasketBatch: Sendable {
    let database: ShopDatabase
    let menu: CurrentMenu
    let held: HeldBaskets

    typealias Answers = [BatchResult<Result<PricedBasket, BasketRejection>>]

    func answer(_ jobs: [BasketJob], _ times: BatchTimes?) async throws(DatabaseFault) -> Answers {
        let ids = jobs.compactMap(\.changed)
        let epoch = held.epoch
        // Without a read, if every answer is one that the write proves.
        if let now = menu.current?.menu, let baskets = held.baskets(ids) {
            let gathered = times?.now
            let changes = ChangedBaskets(jobs, baskets, now) { menu.menu(now, in: $0) }
            if changes.areAllToBeWritten {
                times?.endFacts(heldAt: gathered)
                // An empty basket costs the same by every menu.
                return try await write(changes, ifMenuIs: ids.isEmpty ? nil : now.revision, of: epoch, times)
            }
        }
        let facts = try await database.loadBaskets(ids)
        times?.end(.facts)
        let now = try await menu.menu(atLeast: facts.menuRevision).menu.at(facts.now)
        // What can't be read is the failure of who asked for it.
        func fault(_ job: BasketJob) -> DatabaseFault? { job.changed.flatMap { facts.faults[$0] } }
        let readable = jobs.filter { fault($0) == nil }
        let changed = ChangedBaskets(readable, facts.baskets, now) { menu.menu(now, in: $0) }
        var answers = try await write(changed, times)[...]
        return jobs.map { job in fault(job).map { .failed(ShopFault($0)) } ?? answers.popFirst() ?? .lost }
    }

    /// - Parameter epoch: That in which the baskets were held; nil: they were read.
    private func write(
        _ changes: ChangedBaskets, ifMenuIs revision: Int64? = nil, of epoch: Int? = nil, _ times: BatchTimes?
    ) async throws(DatabaseFault) -> Answers {
        times?.end(.decision)
        let sent = epoch ?? held.epoch
        var written: Set<BasketID> = []
        do throws(DatabaseFault) {
            written = try await database.writeBaskets(changes.writes, ifMenuIs: revision, ifStill: epoch.map(held.lasts))
        } catch {
            // What was held counts no longer: the next time it is read.
            guard epoch != nil, error.kind == .race else { throw error }
        }
        if !changes.writes.isEmpty { times?.end(.statement) }
        let lost = Set(changes.writes.map(\.basket.id)).subtracting(written)
        held.hold(changes.writes.lazy.map(\.basket).filter { !lost.contains($0.id) }, of: sent)
        held.forget(lost)
        return changes.outcomes.map { lost.contains($0.id) ? .lost : .done($0.result) }
    }
}
