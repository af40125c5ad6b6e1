// The jobs of BasketQueue, and the reasons for rejecting them.
import Ordering

/// A condition that a basket has to meet before it is changed: If-Match in HTTP.
package typealias BasketPrecondition = @Sendable (PricedBasket) -> Bool

/// A job that creates or changes a basket.
struct BasketJob: QueuedJob {
    enum Kind {
        case create
        case change(BasketChange, BasketPrecondition?)
    }

    let kind: Kind
    let subject: BasketID
    /// The language of the response; nil: the shop's language.
    let language: LanguageTag?

    /// The basket that has to exist for the job; nil for a new basket.
    var changedBasketID: BasketID? { if case .change = kind { subject } else { nil } }
}

/// Why a basket was not changed, although nothing failed.
package enum BasketRejection: Error, Sendable, Hashable {
    case basketNotFound
    /// The basket does not meet the precondition.
    case preconditionFailed
    case changeRejected(BasketChangeRejection)
}
