// Applies the changes of a batch to its baskets. Each change sees the result of the earlier changes of its basket, and
// each basket is written once.
import Database
import Ordering

/// The baskets of a batch after its changes.
struct AppliedBasketChanges {
    /// The result of each job. It may be returned only after the basket is written.
    private(set) var outcomes: [(id: BasketID, result: Result<PricedBasket, BasketRejection>)] = []
    /// One write for each basket that changed.
    let writes: [BasketWrite]

    /// - Parameter translated: Returns the menu in a job's language.
    init(_ jobs: [BasketJob], _ found: [BasketID: Basket], _ menu: Menu, in translated: (LanguageTag?) -> Menu) {
        var baskets = found
        for job in jobs {
            let (id, shown) = (job.subject, translated(job.language))
            switch job.kind {
            case .create:
                let basket = Basket(id: id, currency: menu.currency.code)
                baskets[id] = basket
                outcomes.append((id, .success(PricedBasket(basket, menu: shown))))
            case .change(let change, let precondition):
                let result = Self.apply(change, to: baskets[id], if: precondition, menu, shownBy: shown)
                if case .success(let basket) = result { baskets[id] = basket }
                outcomes.append((id, result.map { PricedBasket($0, menu: shown) }))
            }
        }
        writes = baskets.values.compactMap { basket in
            let read = found[basket.id]
            return basket == read ? nil : BasketWrite(readVersion: read?.version, basket: basket)
        }
    }

    /// Whether every job succeeded and changed its basket.
    var isEveryJobWritten: Bool {
        let written = Set(writes.map(\.basket.id))
        return outcomes.allSatisfy { id, result in
            if case .success = result { written.contains(id) } else { false }
        }
    }

    private static func apply(
        _ change: BasketChange, to basket: Basket?, if precondition: BasketPrecondition?, _ menu: Menu,
        shownBy shown: Menu
    ) -> Result<Basket, BasketRejection> {
        guard let basket else { return .failure(.basketNotFound) }
        if let precondition, !precondition(PricedBasket(basket, menu: shown)) { return .failure(.preconditionFailed) }
        return basket.applying(change, menu: menu).mapError(BasketRejection.changeRejected)
    }
}
