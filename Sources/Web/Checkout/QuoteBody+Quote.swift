// What a checkout would cost and what is wrong with it, as they go over the wire: in the live form's answer and in problems.
// Read next: ValidationBody+LiveForm.swift, CheckoutRoutes.swift.
import Ordering
import Wire

extension QuoteBody {
    /// The prices of this moment.
    init(_ quote: Quote) {
        self.init(
            subtotal: quote.subtotal.minorUnits, discount: quote.discount.minorUnits, total: quote.total.minorUnits,
            currency: quote.currency, lines: quote.lines.map(OrderLineBody.init), sales: quote.sets.map(OrderSaleBody.init),
            conditions: quote.conditions)
    }
}

extension PriceChangeBody {
    /// One difference between what was shown and what is true now.
    init(_ change: PriceChange) {
        self.init(path: change.path.description, old: change.old.minorUnits, new: change.new.minorUnits, cause: change.cause.rawValue)
    }
}

extension FieldErrorBody {
    /// One thing that is wrong, and where.
    init(_ error: FieldError) {
        self.init(
            field: error.path.description, code: error.code.rawValue, message: error.message, params: error.params.mapValues(Scalar.init))
    }
}

extension Scalar {
    init(_ parameter: FieldParameter) {
        switch parameter {
        case .integer(let value): self = .integer(value)
        case .text(let text): self = .text(text)
        }
    }
}
