// The possible decisions of a checkout. The checkout queue of module Shop acts on them.

/// The decision about a draft.
package enum CheckoutDecision: Sendable {
    /// Place this order.
    case accept(OrderDraft)
    /// The same key already placed this order with the same fields: return the same response again.
    case replay
    /// Return this rejection to the guest.
    case reject(CheckoutRejection)
    /// Decide again with fresh facts. The draft conflicts with one accepted earlier in its batch: same basket, a
    /// limited or first-order coupon of the same guest, not enough stock, or a full slot.
    case retry
}

/// Why a checkout is rejected.
package enum CheckoutRejection: Error, Sendable, Hashable {
    /// Another key turned this basket into an order, which has the basket's id.
    case basketAlreadyOrdered
    /// This key placed the basket's order with other fields.
    case idempotencyKeyReused
    /// The basket does not exist.
    case basketNotFound
    /// All field errors.
    case validationFailed(FieldErrors)
    /// The total or its currency differs from the expected one. Contains the changes, ordered by path, and a fresh
    /// quote.
    case priceChanged([PriceChange], Quote)
}

/// A difference between what the guest was shown and the current prices.
package enum PriceChange: Sendable, Hashable {
    /// An amount changed. At a line or a set's item: the recorded and the current unit price. At `expectedTotal`, if
    /// nothing else changed: the expected and the current total.
    case amount(FieldPath, old: Money, new: Money, cause: Cause)
    /// The price of one unit of an option changed since the line was recorded. The path leads to the option of a line
    /// or of a set's unit.
    case option(FieldPath, old: OptionPrice, new: OptionPrice)
    /// The currency changed. Amounts in the old currency cannot be compared with current amounts.
    case currency(old: CurrencyCode, new: CurrencyCode)
    /// A total line differs from the one that the guest was shown; an absent line counts as zero.
    case total(key: TotalKey, old: Int64, new: Int64)

    /// The reason for a changed amount.
    package enum Cause: Sendable, Hashable {
        /// Staff changed a price or the percentage of a sales group.
        case menuPrice
        /// A total line differs. Either the shop changed a charge, or the basket, the coupon or the expected total
        /// differs without a price change.
        case total(TotalKind)

        /// The name in API responses.
        package var name: String {
            switch self {
            case .menuPrice: "menu_price"
            case .total(let kind): kind.isCharge ? kind.rawValue : TotalKind.total.rawValue
            }
        }
    }

    /// The path of the changed value.
    package var path: FieldPath {
        switch self {
        case .amount(let path, _, _, _), .option(let path, _, _): path
        case .currency: .form(.currency)
        case .total(let key, _, _): .total(key)
        }
    }
}
