// What Checkout.decide, in Checkout.swift, can decide. Shop's CheckoutQueue acts on it: it has the order placed, reads the one that a replay
// asks for, decides again, or hands the rejection to Web.

/// What becomes of a draft.
package enum CheckoutDecision: Sendable {
    /// All is right: place this order.
    case accept(OrderDraft)
    /// This key has placed this order with these fields: give the same answer again.
    case replay
    /// Tell the guest why not.
    case reject(CheckoutRejection)
    /// Decide again from fresh facts: the draft shares a basket, or a guest and a limited coupon, with one accepted earlier in its batch;
    /// or it wants to be its guest's first order and one accepted earlier is; or those accepted earlier leave too few of what it takes.
    case again
}

/// Why a checkout is refused: an outcome, not a fault.
package enum CheckoutRejection: Error, Sendable, Hashable {
    /// This basket became an order by another key; the order's id is the basket's.
    case basketAlreadyOrdered
    /// This key placed this basket's order with other fields.
    case idempotencyKeyReused
    /// There is no such basket.
    case basketNotFound
    /// Everything that is wrong.
    case validationFailed(FieldErrors)
    /// The total is not the expected one, or in another currency: what changed, in the order of the paths, and a fresh quote.
    case priceChanged([PriceChange], Quote)
}

/// One difference between what the guest was shown and what is true now.
package enum PriceChange: Sendable, Hashable {
    /// At a line or a set's item, the unit price recorded when the line last changed and the one of now; at `expectedTotal`, where no price
    /// changed, the expected total and the one of now.
    case amount(FieldPath, old: Money, new: Money, cause: Cause)
    /// At an option of a line or of a unit of a set, what one of it cost when the line last changed, and what it costs now.
    case option(FieldPath, old: OptionPrice, new: OptionPrice)
    /// The currency that the guest was shown, and the shop's. What was shown in it can't be compared with amounts of now.
    case currency(old: CurrencyCode, new: CurrencyCode)
    /// A total of the list that the guest was shown, and the one of now; zero where there is none.
    case total(key: TotalKey, old: Int64, new: Int64)

    /// What made the difference between two amounts.
    package enum Cause: Sendable, Hashable {
        /// Staff changed a price or a sale percent.
        case menuPrice
        /// A line of the list that was shown is another: by what the shop charges, or with no price changed, but the basket, the coupon or the
        /// expectation.
        case total(TotalKind)

        /// As the guest is told it.
        package var name: String {
            switch self {
            case .menuPrice: "menu_price"
            case .total(let kind): kind.isCharge ? kind.rawValue : TotalKind.total.rawValue
            }
        }
    }

    /// Where.
    package var path: FieldPath {
        switch self {
        case .amount(let path, _, _, _), .option(let path, _, _): path
        case .currency: .form(.currency)
        case .total(let key, _, _): .total(key)
        }
    }
}
