// What Checkout.place decides. Database places what is to be placed, Web answers the rest.
// Read next: Checkout.swift.

/// What becomes of a draft.
public enum CheckoutDecision: Sendable, Hashable {
    /// All is right: place this order.
    case place(OrderDraft)
    /// This key has placed this order with these fields: give the same answer again.
    case replay
    /// Tell the guest why not.
    case reject(CheckoutRejection)
    /// Decide again from fresh facts: the draft shares a basket, or a guest and a limited coupon, with one accepted earlier in its batch.
    case again
}

/// Why a checkout is refused: an outcome, not a fault.
public enum CheckoutRejection: Error, Sendable, Hashable {
    /// This basket became an order by another key; the order's id is the basket's.
    case basketAlreadyOrdered
    /// This key placed this basket's order with other fields.
    case idempotencyKeyReused
    /// There is no such basket.
    case basketNotFound
    /// Everything that is wrong.
    case validationFailed(FieldErrors)
    /// The total is not the expected one: what changed, in the order of the paths, and a fresh quote.
    case priceChanged([PriceChange], Quote)
}

/// One difference between what the guest was shown and what is true now.
public struct PriceChange: Sendable, Hashable {
    /// The line or the set's item, or `expectedTotal` where no price changed.
    public let path: FieldPath
    /// The unit price recorded when the line last changed; the expected total.
    public let old: Money
    /// The unit price now; the total now.
    public let new: Money
    /// Why.
    public let cause: Cause

    /// What made the difference.
    public enum Cause: String, Sendable, Hashable {
        /// Staff changed a price or a sale percent.
        case menuPrice = "menu_price"
        /// No price changed: the basket, the coupon or the expectation did.
        case total
    }

    /// A difference.
    public init(path: FieldPath, old: Money, new: Money, cause: Cause) {
        (self.path, self.old, self.new, self.cause) = (path, old, new, cause)
    }
}
