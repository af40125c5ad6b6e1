// Converts quotes, total lines and field errors to their JSON bodies.
import Ordering
import Wire

extension QuoteBody {
    /// The quote at current prices.
    init(_ quote: Quote) {
        self.init(
            subtotal: quote.subtotal.minorUnits, discount: quote.discount.minorUnits, total: quote.total.minorUnits,
            currency: quote.currency.code.text,
            lines: quote.lines.map { OrderLineBody($0, showsNote: true) },
            sales: quote.sets.map { OrderSetBody($0, showsNotes: true) },
            conditions: quote.conditions, currencyExponent: quote.currency.exponent,
            totals: quote.totals.all.map { TotalBody($0) },
            fulfilment: quote.fulfilment.rawValue, wantedAt: quote.wantedAt?.rfc3339, etaMinutes: quote.etaMinutes,
            tipMaximum: quote.highestTip.minorUnits)
    }
}

extension TotalBody {
    /// One total line. Readers who may not see the guest's coupon get only the amount of the discount.
    init(_ total: TotalLine, showsCoupon: Bool = true) {
        let isHidden = total.key.kind == .discount && !showsCoupon
        self.init(
            kind: total.key.kind.rawValue, code: isHidden ? nil : total.key.code, title: isHidden ? nil : total.title,
            amount: total.amount,
            isIncluded: total.isIncluded ? true : nil, rate: total.rate)
    }
}

extension PriceChangeBody {
    /// One difference between the shown and the current prices.
    init(_ change: PriceChange) {
        let path = change.path.description
        switch change {
        case .amount(_, let old, let new, let cause):
            self.init(path: path, old: .integer(old.minorUnits), new: .integer(new.minorUnits), cause: cause.name)
        case .option(_, let old, let new):
            self.init(
                path: path, old: .integer(old.minorUnits), new: .integer(new.minorUnits),
                cause: PriceChange.Cause.menuPrice.name)
        case .total(let key, let old, let new):
            self.init(path: path, old: .integer(old), new: .integer(new), cause: PriceChange.Cause.total(key.kind).name)
        case .currency(let old, let new):
            self.init(path: path, old: .text(old.text), new: .text(new.text), cause: "currency")
        }
    }
}

extension FieldErrorBody {
    /// One field error with its path.
    init(_ error: FieldError) {
        self.init(
            field: error.path.description, code: error.code.rawValue, message: error.message,
            params: error.params.mapValues(FieldValue.init))
    }
}

extension FieldValue {
    init(_ parameter: FieldParameter) {
        switch parameter {
        case .integer(let value): self = .integer(value)
        case .text(let text): self = .text(text)
        case .texts(let texts): self = .texts(texts)
        }
    }
}
