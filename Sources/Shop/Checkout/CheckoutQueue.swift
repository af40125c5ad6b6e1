// Executes checkouts in batches: drafts that wait at the same time are decided from one snapshot and placed in one
// transaction.
//
//     draft -> queue -> facts (LoadCheckoutFacts, or BasketCache) -> decision (Ordering's Checkout)
//           -> statement (PlaceOrders) -> answer
import Database
import Logging
import Metrics
import Ordering
import ServiceLifecycle
import Tracing

/// The outcome of a checkout, if nothing failed.
package enum CheckoutAnswer: Sendable {
    /// The order was placed.
    case placed(Order)
    /// An earlier attempt of the same request placed the order.
    case replayed(Order)
    /// The guest has to correct the checkout.
    case rejected(CheckoutRejection)
}

extension CheckoutDraft: QueuedJob {
    /// The basket, because only one of two checkouts of a basket can be placed.
    package var subject: BasketID { basketID }
}

/// Decides and places checkouts in batches, and validates forms that are not sent yet.
package final class CheckoutQueue: Service {
    private let database: ShopDatabase
    private let menu: CurrentMenu
    private let kitchen: KitchenLoad
    private let queue: BatchQueue<CheckoutDraft, CheckoutAnswer>

    /// Makes a queue that prices orders with `menu`. The baskets of a batch are on one of the `shards`.
    init(
        database: ShopDatabase, menu: CurrentMenu, cache: BasketCache, numbers: OrderNumberRange, locked: LockedRows,
        kitchen: KitchenLoad, limits: QueueLimits = QueueLimits(), shards: Shards = .single,
        metrics: any MetricsFactory, tracer: (any Tracer)? = nil, logger: Logger
    ) {
        (self.database, self.menu, self.kitchen) = (database, menu, kitchen)
        let batch = CheckoutWork(
            database: database, menu: menu, cache: cache,
            placing: OrderPlacing(database: database, numbers: numbers, locked: locked, logger: logger))
        queue = BatchQueue(
            "checkouts", limits: limits, on: database, metrics: metrics, tracer: tracer, shard: shards.shard
        ) {
            await batch.answer($0, $1)
        }
    }

    /// Places the order of a draft, or returns why not.
    package func submit(_ draft: CheckoutDraft) async throws(ShopFault) -> CheckoutAnswer {
        try await queue.submit(draft)
    }

    /// Validates a form while the guest types, with all facts except the guest history. Nil if the basket does not
    /// exist.
    /// - Parameter language: The language of the quote; nil: the shop's language.
    package func validate(
        _ form: CheckoutForm, basketID: BasketID, in language: LanguageTag? = nil
    ) async throws(ShopFault) -> CheckoutValidation? {
        try await ShopFault.wrapping { () throws(DatabaseFault) in
            let facts = try await database.loadCheckoutFacts([CheckoutFactsQuery(basketID: basketID, form: form)])
                .first?.get()
            guard let facts, facts.basket != nil else { return nil }
            let newest = try await menu.menu(atLeast: facts.menuRevision).withoutStock
            let known = facts.facts(menu: menu.menu(newest, in: language))
            let live = Checkout.validate(form, known, openOrders: kitchen.openOrders)
            guard let question = known.alternativesQuery(for: form, rejectedBecause: live.errors) else { return live }
            let taken = try await database.loadSlotsTaken(question.slots)
            let stock = try await database.loadStock(question.stock)
            return Checkout.validate(
                form, known.adding(occupancy: taken, stock: stock), openOrders: kitchen.openOrders)
        }
    }

    /// Whether a new checkout would be rejected because the queue is full.
    package var isFull: Bool { queue.isFull }

    /// How many checkouts wait for their batch.
    package var waitingCount: Int { queue.waitingCount }

    /// How many checkouts wait for a locked row.
    package var blockedCount: Int { queue.blockedCount }

    /// Works until the server shuts down.
    package func run() async throws { try await queue.run() }
}

private struct CheckoutWork: Sendable {
    let database: ShopDatabase
    let menu: CurrentMenu
    let cache: BasketCache
    let placing: OrderPlacing

    typealias Outcome = BatchResult<CheckoutAnswer>

    func answer(_ drafts: [CheckoutDraft], _ times: BatchTimes?) async -> [Outcome] {
        do {
            if let (decisions, premise) = decideFromCache(drafts, times) {
                times?.end(.decision)
                return await answer(decisions, drafts, if: premise, times)
            }
            let found = try await database.loadCheckoutFacts(drafts.map(CheckoutFactsQuery.init))
            times?.end(.facts)
            // A decoding error fails only its own checkout.
            var readable: [(draft: CheckoutDraft, facts: StoredCheckoutFacts)] = []
            for case (let draft, .success(let facts)) in zip(drafts, found) { readable.append((draft, facts)) }
            let newest = try await menu.menu(atLeast: readable.lazy.map(\.facts.menuRevision).max() ?? 0).withoutStock
            let known = readable.map { ($0.draft, $0.facts.facts(menu: menu.menu(newest, in: $0.draft.language))) }
            let (decisions, failures) = await decidingWithAlternatives(Checkout.decideAll(known), known)
            times?.end(.decision)
            var outcomes = await answer(decisions, readable.map(\.draft), times)
            for (index, fault) in failures { outcomes[index] = .failed(ShopFault(fault)) }
            var answers = outcomes[...]
            return found.map { facts in
                if case .failure(let fault) = facts {
                    .failed(ShopFault(fault))
                } else {
                    answers.popFirst() ?? .conflict
                }
            }
        } catch {
            times?.fail()
            return drafts.map { _ in .failed(ShopFault(error)) }
        }
    }

    /// Decides the drafts from cached baskets without a query. Placing the orders verifies the cached facts. Nil if a
    /// coupon, a slot, counted stock, a rejection or a replay needs the database.
    private func decideFromCache(_ drafts: [CheckoutDraft], _ times: BatchTimes?) -> (
        [CheckoutDecision], OrderPlacing.Precondition
    )? {
        let generation = cache.generation
        guard drafts.allSatisfy({ $0.form.parsedCouponKey == nil && $0.form.wantedAt == nil }),
            let current = menu.current,
            case let newest = current.withoutStock,
            let stock = current.stock, let baskets = cache.baskets(drafts.lazy.map(\.basketID)),
            !baskets.values.contains(where: { $0.hasCountedStock(in: stock) })
        else { return nil }
        let gathered = times?.now
        let decisions = Checkout.decideAll(
            drafts.compactMap { draft in
                baskets[draft.basketID].map {
                    (draft, CheckoutFacts(cachedBasket: $0, menu: menu.menu(newest, in: draft.language)))
                }
            })
        guard decisions.allSatisfy({ if case .accept = $0 { true } else { false } }) else { return nil }
        times?.endFacts(cachedAt: gathered)
        return (
            decisions, OrderPlacing.Precondition(menuRevision: newest.revision, isCurrent: cache.isCurrent(generation))
        )
    }

    /// Drafts whose slot is full are decided again with the later slots and the stock of other days. So the rejection
    /// suggests only slots with capacity and stock. A failed query fails only these drafts.
    private func decidingWithAlternatives(
        _ decisions: [CheckoutDecision], _ known: [(draft: CheckoutDraft, facts: CheckoutFacts)]
    ) async -> (decisions: [CheckoutDecision], failures: [Int: DatabaseFault]) {
        var combined: AlternativesQuery?
        var affected: [Int] = []
        for (index, decision) in decisions.enumerated() {
            guard case .reject(.validationFailed(let errors)) = decision else { continue }
            guard
                let own = known[index].facts.alternativesQuery(
                    for: known[index].draft.form, rejectedBecause: errors.all)
            else { continue }
            affected.append(index)
            combined = combined?.union(own) ?? own
        }
        guard let question = combined else { return (decisions, [:]) }
        do throws(DatabaseFault) {
            let taken = try await database.loadSlotsTaken(question.slots)
            let stock = try await database.loadStock(question.stock)
            var decisions = decisions
            for index in affected {
                decisions[index] = Checkout.decide(
                    known[index].draft, known[index].facts.adding(occupancy: taken, stock: stock))
            }
            return (decisions, [:])
        } catch {
            return (decisions, Dictionary(uniqueKeysWithValues: affected.map { ($0, error) }))
        }
    }

    private func answer(
        _ decisions: [CheckoutDecision], _ drafts: [CheckoutDraft], if premise: OrderPlacing.Precondition? = nil,
        _ times: BatchTimes?
    ) async -> [Outcome] {
        let accepted = decisions.compactMap { if case .accept(let order) = $0 { order } else { nil } }
        let written = await placing.place(accepted, if: premise)
        cache.remove(accepted.lazy.map(\.id))
        let replayed = await orders(
            zip(decisions, drafts).compactMap { if case .replay = $0 { $1.basketID } else { nil } })
        if let times, !accepted.isEmpty || !replayed.isEmpty {
            times.end(.statement, hasFailed: written.values.contains { if case .failed = $0 { true } else { false } })
        }
        return zip(decisions, drafts).map { decision, draft in
            switch decision {
            case .accept(let order):
                switch written[order.id] {
                case .placed(let placing)?: .done(.placed(Order(order, placing)))
                case .failed(let fault)?: .failed(ShopFault(fault))
                case .blocked(let rows)?: .blocked { [locked = placing.locked] in locked.isLocked(anyOf: rows) }
                case nil: .conflict
                }
            case .replay:
                switch replayed[draft.basketID] {
                case .success(let order)?: .done(.replayed(order))
                case .failure(let fault)?: .failed(ShopFault(fault))
                case nil: .conflict
                }
            case .reject(let rejection): .done(.rejected(rejection))
            case .retry: .retry
            }
        }
    }

    /// Loads the orders of replays. A failure affects only the replays.
    private func orders(_ ids: [OrderID]) async -> [OrderID: Result<Order, DatabaseFault>] {
        guard !ids.isEmpty else { return [:] }
        var orders: [OrderID: Result<Order, DatabaseFault>] = [:]
        do throws(DatabaseFault) {
            // Waits until the standby has these orders. Otherwise a failover could lose an order that was returned.
            try await database.waitForStandby()
            for order in try await database.loadOrders(ids) { orders[order.id] = .success(order) }
        } catch {
            // One order is corrupt: load them one by one so that only its requester fails.
            for id in ids {
                guard error.kind == .undecodable else {
                    orders[id] = .failure(error)
                    continue
                }
                do throws(DatabaseFault) { orders[id] = try await database.loadOrder(id).map { .success($0) } } catch {
                    orders[id] = .failure(error)
                }
            }
        }
        return orders
    }
}

extension Order {
    /// Makes the placed order of a draft.
    fileprivate init(_ draft: OrderDraft, _ placing: Placement) {
        self.init(
            id: draft.id, number: placing.number, state: .placed, lines: draft.lines, sets: draft.sets,
            couponKey: draft.coupon?.key.text,
            totals: draft.totals, currency: draft.quote.currency, fulfilment: draft.fulfilment,
            wantedAt: draft.wantedAt,
            etaMinutes: draft.etaMinutes, placedAt: placing.placedAt, customer: Customer(draft.details),
            postcode: draft.details.postcode?.text, rejectionReason: nil,
            minimumAge: draft.minimumAge, language: draft.language, updates: OrderUpdates(dayNumber: placing.dayNumber))
    }
}
