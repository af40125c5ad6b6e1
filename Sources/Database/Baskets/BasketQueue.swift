// The way of a basket change: changes that wait at the same moment are read, applied and written together; several changes of one
// basket are applied one after the other to what was read once, and written once.
// Called by Web; run as a service by the executable. The rules of a change are Ordering's Basket.applying.
import Metrics
import Ordering
import Postgres
import ServiceLifecycle
import Tracing

/// Why a basket was not changed when nothing is broken.
public enum BasketRejection: Error, Sendable, Hashable {
    case basketNotFound
    /// The caller's precondition does not hold for the basket as it is.
    case preconditionFailed
    case refused(BasketRefusal)
}

/// Why a change of a basket has no answer: the database is away, or the queue is at its limits.
public enum BasketFault: Error, Sendable, Hashable {
    case database(PostgresError)
    case refused(QueueRefusal)
}

/// Makes and changes baskets in batches.
public final class BasketQueue: Service {
    /// What has to hold of a basket before it is changed; If-Match on the wire.
    public typealias Precondition = @Sendable (PricedBasket) -> Bool
    typealias Answer = Result<Result<PricedBasket, BasketRejection>, PostgresError>

    enum Job: QueuedJob {
        case create(BasketID)
        case change(BasketID, BasketChange, Precondition?)

        var subject: BasketID {
            switch self {
            case .create(let id), .change(let id, _, _): id
            }
        }
    }

    private let database: ShopDatabase
    private let menu: CurrentMenu
    private let queue: BatchQueue<Job, Answer>

    /// Changes are smaller than checkouts, so a batch takes more of them; and only another server can make one lose, where one of the two
    /// always gets on: patience ends before the attempts do.
    public static let limits = limits(for: .one)

    static func limits(for shards: Shards) -> QueueLimits {
        var limits = QueueLimits(for: shards)
        limits.batch = 128
        limits.attempts = 100
        return limits
    }

    /// A queue that writes baskets in `database` at the prices of `menu`. Those of a batch lie on one of the `shards`.
    public init(
        database: ShopDatabase, menu: CurrentMenu, limits: QueueLimits = BasketQueue.limits, shards: Shards = .one,
        metrics: any MetricsFactory, tracer: (any Tracer)? = nil
    ) {
        (self.database, self.menu) = (database, menu)
        queue = BatchQueue(
            "baskets", limits: limits, on: database.pool, firstConnection: 2, metrics: metrics, tracer: tracer, place: shards.shard
        ) { jobs, times in
            do throws(PostgresError) {
                return try await BasketBatch.answer(jobs, database, menu, times)
            } catch {
                times?.fail()
                return jobs.map { _ in .done(.failure(error)) }
            }
        }
    }

    /// Makes an empty basket.
    public func create(_ id: BasketID) async throws(BasketFault) -> Result<PricedBasket, BasketRejection> { try await submit(.create(id)) }

    /// Changes a basket, if `precondition` holds.
    public func change(
        _ id: BasketID, _ change: BasketChange, if precondition: Precondition? = nil
    ) async throws(BasketFault) -> Result<PricedBasket, BasketRejection> {
        try await submit(.change(id, change, precondition))
    }

    /// How many changes wait.
    public var waitingCount: Int { queue.waitingCount }

    /// Reads a basket at the menu's current prices; nil where there is none.
    public func load(_ id: BasketID) async throws(BasketFault) -> PricedBasket? {
        do {
            let facts = try await database.loadBaskets([id])
            guard let basket = facts.baskets[id] else { return nil }
            return PricedBasket(basket, menu: try await menu.menu(atLeast: facts.menuRevision))
        } catch {
            throw .database(error)
        }
    }

    /// The queue's workers.
    public func run() async throws { try await queue.run() }

    private func submit(_ job: Job) async throws(BasketFault) -> Result<PricedBasket, BasketRejection> {
        let answer: Answer
        do { answer = try await queue.submit(job) } catch { throw .refused(error) }
        do { return try answer.get() } catch { throw .database(error) }
    }
}

/// One batch, from the baskets as they are to answers.
private enum BasketBatch {
    static func answer(
        _ jobs: [BasketQueue.Job], _ database: ShopDatabase, _ currentMenu: CurrentMenu, _ times: BatchTimes?
    ) async throws(PostgresError) -> [BatchResult<BasketQueue.Answer>] {
        let facts = try await database.loadBaskets(jobs.compactMap { if case .change(let id, _, _) = $0 { id } else { nil } })
        times?.end(.facts)
        let menu = try await currentMenu.menu(atLeast: facts.menuRevision)

        // Each change sees what those before it made of the same basket.
        var baskets = facts.baskets
        var outcomes: [(id: BasketID, result: Result<PricedBasket, BasketRejection>)] = []
        for job in jobs {
            switch job {
            case .create(let id):
                baskets[id] = Basket(id: id)
                outcomes.append((id, .success(PricedBasket(Basket(id: id), menu: menu))))
            case .change(let id, let change, let precondition):
                let result = apply(change, to: baskets[id], if: precondition, menu)
                if case .success(let basket) = result { baskets[id] = basket }
                outcomes.append((id, result.map { PricedBasket($0, menu: menu) }))
            }
        }

        let writes = baskets.values.compactMap { basket -> BasketWrite? in
            let read = facts.baskets[basket.id]
            return basket == read ? nil : BasketWrite(readVersion: read?.version, basket: basket)
        }
        times?.end(.decision)
        let written = try await database.writeBaskets(writes, at: facts.now)
        if !writes.isEmpty { times?.end(.statement) }
        let lost = Set(writes.map(\.basket.id)).subtracting(written)
        return outcomes.map { lost.contains($0.id) ? .lost : .done(.success($0.result)) }
    }

    private static func apply(
        _ change: BasketChange, to basket: Basket?, if precondition: BasketQueue.Precondition?, _ menu: Menu
    ) -> Result<Basket, BasketRejection> {
        guard let basket else { return .failure(.basketNotFound) }
        if let precondition, !precondition(PricedBasket(basket, menu: menu)) { return .failure(.preconditionFailed) }
        return basket.applying(change, menu: menu).mapError(BasketRejection.refused)
    }
}
