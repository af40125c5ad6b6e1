// The changes of a batch applied to the baskets as they are: each sees what those before it made of the same basket, which is written once.
// Called by BasketQueue. The rules of a change are Ordering's Basket.applying.
import Database
import Ordering

struct ChangedBaskets {
    /// What each job is answered, once its basket is written.
    private(set) var outcomes: [(id: BasketID, result: Result<PricedBasket, BasketRejection>)] = []
    /// One for each basket that is another now.
    let writes: [BasketWrite]

    /// - Parameter translated: the menu in a job's language.
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

    /// Whether no job is refused, and none leaves its basket as it was.
    var areAllToBeWritten: Bool {
        let written = Set(writes.map(\.basket.id))
        return outcomes.allSatisfy { id, result in
            if case .success = result { written.contains(id) } else { false }
        }
    }

    private static func apply(
        _ change: BasketChange, to basket: Basket?, if precondition: BasketPrecondition?, _ menu: Menu, shownBy shown: Menu
    ) -> Result<Basket, BasketRejection> {
        guard let basket else { return .failure(.basketNotFound) }
        if let precondition, !precondition(PricedBasket(basket, menu: shown)) { return .failure(.preconditionFailed) }
        return basket.applying(change, menu: menu).mapError(BasketRejection.refused)
    }
}
