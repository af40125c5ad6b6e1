// The way of a checkout: drafts that wait at the same moment are decided from one snapshot and placed in one transaction.
// Called by Web with a draft; run as a service by RunningShop.
//
//     draft -> queue -> facts (LoadCheckoutFacts, or HeldBaskets) -> decision (Ordering's Checkout) -> statement (PlaceOrders) -> answer
import Database
import Logging
import Metrics
import Ordering
import ServiceLifecycle
import Tracing

/// What becomes of a checkout when nothing is broken.
package enum CheckoutAnswer: Sendable {
    case placed(Order)
    /// The same request had placed it before.
    case replayed(Order)
    case rejected(CheckoutRejection)
}

extension CheckoutDraft: QueuedJob {
    /// The basket: two checkouts of one can't both be placed.
    package var subject: BasketID { basketID }
}

/// Decides and places checkouts in batches, and judges forms that are not sent yet.
package final class CheckoutQueue: Service {
    private let database: ShopDatabase
    private let menu: CurrentMenu
    private let kitchen: KitchenLoad
    private let queue: BatchQueue<CheckoutDraft, CheckoutAnswer>

    /// A queue that places orders in `database` at the prices of `menu`. The baskets of a batch lie on one of the `shards`.
    init(
        database: ShopDatabase, menu: CurrentMenu, held: HeldBaskets, locked: LockedRows, kitchen: KitchenLoad,
        limits: QueueLimits = QueueLimits(), shards: Shards = .one,
        metrics: any MetricsFactory, tracer: (any Tracer)? = nil, logger: Logger
    ) {
        (self.database, self.menu, self.kitchen) = (database, menu, kitchen)
        let batch = CheckoutWork(
            database: database, menu: menu, held: held, placing: OrderPlacing(database: database, locked: locked, logger: logger))
        queue = BatchQueue("checkouts", limits: limits, on: database, metrics: metrics, tracer: tracer, shard: shards.shard) {
            await batch.answer($0, $1)
        }
    }

    /// Places the draft's order, or says why not.
    package func submit(_ draft: CheckoutDraft) async throws(ShopFault) -> CheckoutAnswer { try await queue.submit(draft) }

    /// The live form, judged while the guest types, by the checkout's facts but for the guest's past; nil where there is no such basket.
    /// - Parameter language: what the quote is in; nil: the shop's own.
    package func judge(
        _ form: CheckoutForm, basketID: BasketID, in language: LanguageTag? = nil
    ) async throws(ShopFault) -> LiveForm? {
        try await ShopFault.of { () throws(DatabaseFault) in
            let facts = try await database.loadCheckoutFacts([FactsQuestion(basketID: basketID, form: form)]).first?.get()
            guard let facts, facts.basket != nil else { return nil }
            let newest = try await menu.menu(atLeast: facts.menuRevision).uncounted
            let known = facts.facts(menu: menu.menu(newest, in: language))
            let live = Checkout.validate(form, known, openOrders: kitchen.openOrders)
            let question = known.question(of: form, refusedFor: live.errors)
            if question.isEmpty { return live }
            return Checkout.validate(form, known.knowing(try await database.loadStock(question)), openOrders: kitchen.openOrders)
        }
    }

    /// Whether a checkout would be refused now.
    package var isFull: Bool { queue.isFull }

    package var waitingCount: Int { queue.waitingCount }

    /// How many wait for a row that somebody holds.
    package var blockedCount: Int { queue.blockedCount }

    package func run() async throws { try await queue.run() }
}

private struct CheckoutWork: Sendable {
    let database: ShopDatabase
    let menu: CurrentMenu
    let held: HeldBaskets
    let placing: OrderPlacing

    typealias Outcome = BatchResult<CheckoutAnswer>

    func answer(_ drafts: [CheckoutDraft], _ times: BatchTimes?) async -> [Outcome] {
        do {
            if let (decisions, premise) = decideFromHeld(drafts, times) {
                times?.end(.decision)
                return await answer(decisions, drafts, if: premise, times)
            }
            let found = try await database.loadCheckoutFacts(drafts.map(FactsQuestion.init))
            times?.end(.facts)
            // What can't be read is the failure of the draft that asked for it.
            var readable: [(draft: CheckoutDraft, facts: StoredFacts)] = []
            for case (let draft, .success(let facts)) in zip(drafts, found) { readable.append((draft, facts)) }
            let newest = try await menu.menu(atLeast: readable.lazy.map(\.facts.menuRevision).max() ?? 0).uncounted
            let known = readable.map { ($0.draft, $0.facts.facts(menu: menu.menu(newest, in: $0.draft.language))) }
            let (decisions, unread) = await offeringOthers(Checkout.decideAll(known), known)
            times?.end(.decision)
            var outcomes = await answer(decisions, readable.map(\.draft), times)
            for (index, fault) in unread { outcomes[index] = .failed(ShopFault(fault)) }
            var answers = outcomes[...]
            return found.map { facts in
                if case .failure(let fault) = facts { .failed(ShopFault(fault)) } else { answers.popFirst() ?? .lost }
            }
        } catch {
            times?.fail()
            return drafts.map { _ in .failed(ShopFault(error)) }
        }
    }

    /// The orders of baskets that this server holds, without a read, if every one is to be placed: what is placed proves what it was decided
    /// from. A coupon, a slot, what is counted, a refusal and a repetition need what only the database knows.
    private func decideFromHeld(_ drafts: [CheckoutDraft], _ times: BatchTimes?) -> ([CheckoutDecision], OrderPlacing.Premise)? {
        let epoch = held.epoch
        guard drafts.allSatisfy({ $0.form.couponKey == nil && $0.form.wantedAt == nil }), let current = menu.current,
            case let newest = current.uncounted,
            let stock = current.stock, let baskets = held.baskets(drafts.lazy.map(\.basketID)),
            !baskets.values.contains(where: { $0.isCounted(in: stock) })
        else { return nil }
        let gathered = times?.now
        let decisions = Checkout.decideAll(
            drafts.compactMap { draft in
                baskets[draft.basketID].map { (draft, CheckoutFacts(held: $0, menu: menu.menu(newest, in: draft.language))) }
            })
        guard decisions.allSatisfy({ if case .accept = $0 { true } else { false } }) else { return nil }
        times?.endFacts(heldAt: gathered)
        return (decisions, OrderPlacing.Premise(menu: newest.revision, holds: held.lasts(epoch)))
    }

    /// The same decisions, where a full slot is told with others by what is left on their days of what is counted; read for whom it matters to. Where
    /// that can't be read it is the failure of who asked for it.
    private func offeringOthers(
        _ decisions: [CheckoutDecision], _ known: [(draft: CheckoutDraft, facts: CheckoutFacts)]
    ) async -> (decisions: [CheckoutDecision], unread: [Int: DatabaseFault]) {
        var question = StockQuestion()
        var asking: [Int] = []
        for (index, decision) in decisions.enumerated() {
            guard case .reject(.validationFailed(let errors)) = decision else { continue }
            let own = known[index].facts.question(of: known[index].draft.form, refusedFor: errors.all)
            guard !own.isEmpty else { continue }
            asking.append(index)
            question.formUnion(own)
        }
        guard !asking.isEmpty else { return (decisions, [:]) }
        do throws(DatabaseFault) {
            let days = try await database.loadStock(question)
            var decisions = decisions
            for index in asking { decisions[index] = Checkout.decide(known[index].draft, known[index].facts.knowing(days)) }
            return (decisions, [:])
        } catch {
            return (decisions, Dictionary(uniqueKeysWithValues: asking.map { ($0, error) }))
        }
    }

    private func answer(
        _ decisions: [CheckoutDecision], _ drafts: [CheckoutDraft], if premise: OrderPlacing.Premise? = nil, _ times: BatchTimes?
    ) async -> [Outcome] {
        let accepted = decisions.compactMap { if case .accept(let order) = $0 { order } else { nil } }
        let written = await placing.place(accepted, if: premise)
        held.forget(accepted.lazy.map(\.id))
        let replayed = await orders(zip(decisions, drafts).compactMap { if case .replay = $0 { $1.basketID } else { nil } })
        if let times, !accepted.isEmpty || !replayed.isEmpty {
            times.end(.statement, hasFailed: written.values.contains { if case .failed = $0 { true } else { false } })
        }
        return zip(decisions, drafts).map { decision, draft in
            switch decision {
            case .accept(let order):
                switch written[order.id] {
                case .placed(let placing)?: .done(.placed(Order(order, placing)))
                case .failed(let fault)?: .failed(ShopFault(fault))
                case .waits(let rows)?: .waits { [locked = placing.locked] in locked.holds(anyOf: rows) }
                case nil: .lost
                }
            case .replay:
                switch replayed[draft.basketID] {
                case .success(let order)?: .done(.replayed(order))
                case .failure(let fault)?: .failed(ShopFault(fault))
                case nil: .lost
                }
            case .reject(let rejection): .done(.rejected(rejection))
            case .again: .again
            }
        }
    }

    /// The orders of repetitions. What keeps them from being read is told to those who repeat, and to no neighbour.
    private func orders(_ ids: [OrderID]) async -> [OrderID: Result<Order, DatabaseFault>] {
        guard !ids.isEmpty else { return [:] }
        var orders: [OrderID: Result<Order, DatabaseFault>] = [:]
        do throws(DatabaseFault) {
            // After the facts that showed them.
            try await database.waitForStandby()
            for order in try await database.loadOrders(ids) { orders[order.id] = .success(order) }
        } catch {
            // Where it is one of them, each is read for whoever asked for it.
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
    /// The order that a draft has become.
    fileprivate init(_ draft: OrderDraft, _ placing: Placing) {
        self.init(
            id: draft.id, number: placing.number, state: .placed, lines: draft.lines, sets: draft.sets, couponKey: draft.coupon?.key.text,
            totals: draft.totals, currency: draft.quote.currency, fulfilment: draft.fulfilment, wantedAt: draft.wantedAt,
            etaMinutes: draft.etaMinutes, placedAt: placing.at, customer: Customer(draft.details), rejectionReason: nil,
            minimumAge: draft.minimumAge, language: draft.language, promise: StaffPromise(dayNumber: placing.dayNumber))
    }
}
