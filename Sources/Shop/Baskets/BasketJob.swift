// What is asked of baskets, and why it may not be done. Submitted to BasketQueue by Web's routes, done by ChangedBaskets.
// Read next: ChangedBaskets.swift.
import Ordering

/// What has to hold of a basket before it is changed; If-Match on the wire.
package typealias BasketPrecondition = @Sendable (PricedBasket) -> Bool

struct BasketJob: QueuedJob {
    enum Kind {
        case create
        case change(BasketChange, BasketPrecondition?)
    }

    let kind: Kind
    let subject: BasketID
    /// What the answer is in; nil: the shop's own.
    let language: LanguageTag?

    /// The basket that has to be there for the job.
    var changed: BasketID? { if case .change = kind { subject } else { nil } }
}

/// Why a basket was not changed when nothing is broken.
package enum BasketRejection: Error, Sendable, Hashable {
    case basketNotFound
    /// The precondition does not hold for the basket as it is.
    case preconditionFailed
    case refused(BasketRefusal)
}
